#include "training/run/run_matches.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "arena/network_player.h"
#include "training/page/metrics.h"

namespace training {
namespace {

namespace fs = std::filesystem;

constexpr int kLeastFinalGames = 20;
// Evaluations in such matches, as a part of plies of self-play's games times simulations: games
// against weaker players are shorter, and a part of each tree is kept. 0.4 was measured after five
// minutes of learning.
constexpr double kEvaluationsShare = 0.5;

// Whether the newest network plays random and its start alone.
bool are_few(const EvaluationSettings& evaluation, bool last) {
  return last && evaluation.every == 0;
}

// One call of play_matches().
class Matches {
 public:
  Matches(const MatchSetup& setup, int games, int matches,
          const std::function<void(double done)>& progress)
      : setup_(setup),
        games_(games + games % 2),
        all_games_(matches * games_),
        progress_(progress),
        division_(arena::divide_games(games_, setup.options.threads, setup.options.device)),
        newest_(player(setup.student.network(), "newest network")) {}

  void play(const std::string& key, const arena::PlayerFactory& opponent) {
    if (stopped()) return;
    arena::MatchResult result = games_against(opponent);
    stopped_ = result.stopped;
    games_before_ += games_;
    played_.emplace_back(key, std::move(result));
  }

  void play_network(const std::string& key, const fs::path& checkpoint, const std::string& name) {
    if (stopped()) return;
    try {
      play(key, player(load_student_network(checkpoint), name));
    } catch (const nn::CheckpointError& error) {
      spdlog::warn("{}: no match against it", error.what());
    }
  }

  // Returns none where the run was stopped before the end of the last match.
  std::optional<Comparisons> result() {
    if (stopped_) return std::nullopt;
    return std::move(played_);
  }

 private:
  bool stopped() { return stopped_ = stopped_ || setup_.options.stopped(); }

  arena::PlayerFactory player(const StudentNetwork& network, const std::string& name) const {
    return setup_.student.player(network, name, division_.games_at_once);
  }

  arena::MatchResult games_against(const arena::PlayerFactory& opponent) const {
    const RunConfig& config = setup_.config;
    arena::MatchConfig match;
    match.games = games_;
    match.threads = division_.threads;
    match.games_at_once = division_.games_at_once;
    match.seed = static_cast<std::uint64_t>(config.run.seed + setup_.counters.generation);
    match.rules = config.rules.repertoire().first();
    match.table = scoring_table(config);
    const auto tell = [this](const arena::MatchResult& now) {
      if (progress_) progress_(static_cast<double>(games_before_ + now.games()) / all_games_);
    };
    return arena::play_match(match, newest_, opponent, tell, setup_.options.stop);
  }

  const MatchSetup& setup_;
  int games_;  // of a match
  int all_games_;
  int games_before_ = 0;  // of the matches that are over
  const std::function<void(double)>& progress_;
  arena::Division division_;
  arena::PlayerFactory newest_;
  Comparisons played_;
  bool stopped_ = false;
};

}  // namespace

FinalMatches plan_final_matches(const RunConfig& config, const nlohmann::ordered_json& record) {
  const EvaluationSettings& evaluation = config.evaluation;
  FinalMatches plan{evaluation.final_games, 0};
  const double speed = number_of(record, "evals_per_s");
  const double plies = number_of(record, "plies_mean");
  const double room_s = 60 * config.run.max_minutes * evaluation.final_share;
  if (plan.games == 0) return plan;
  if (!(speed > 0 && plies > 0)) return {plan.games, room_s};  // not known, or NaN
  // One side's moves against random and greedy, both sides' against a network.
  const double sides = are_few(evaluation, true) ? 1.5 : 3;
  const double a_game_s = kEvaluationsShare * plies * evaluation.simulations * sides / speed;
  if (config.run.max_minutes > 0 && plan.games * a_game_s > room_s) {
    const int pairs = static_cast<int>(room_s / a_game_s / 2);
    plan.games = std::min(plan.games, std::max(2 * pairs, kLeastFinalGames));
  }
  plan.seconds = plan.games * a_game_s;
  return plan;
}

double matches_left_s(double done, double spent_s, double expected_s) {
  const double weight = expected_s > 0 ? 0.1 : 0;
  return (1 - done) * (spent_s + weight * expected_s) / (done + weight);
}

std::optional<Comparisons> play_matches(const MatchSetup& setup, int games, bool last,
                                        const std::function<void(double done)>& progress) {
  if (games == 0 || setup.options.stopped()) return std::nullopt;
  const RunCounters& counters = setup.counters;
  const fs::path& run = setup.options.folder;
  const bool few = are_few(setup.config.evaluation, last);
  const fs::path previous = checkpoint_folder(run, counters.compared);
  const bool has_previous =
      counters.compared > 0 && counters.compared < counters.generation && fs::exists(previous);
  Matches matches(setup, games, few ? 2 : has_previous ? 4 : 3, progress);
  matches.play("score_vs_random", *arena::baseline_player("random"));
  matches.play_network("score_vs_start", nn::list_checkpoints(run).front(),
                       "its start, generation 0");
  if (!few) matches.play("score_vs_greedy", *arena::baseline_player("greedy"));
  if (!few && has_previous) {
    matches.play_network("score_vs_previous", previous,
                         "generation " + std::to_string(counters.compared));
  }
  return matches.result();
}

}  // namespace training
