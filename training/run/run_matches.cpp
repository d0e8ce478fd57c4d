#include "training/run/run_matches.h"

#include <spdlog/spdlog.h>

#include <filesystem>

#include "arena/network_player.h"

namespace training {
namespace {

namespace fs = std::filesystem;

// One call of play_matches().
class Matches {
 public:
  Matches(const MatchSetup& setup, int games)
      : setup_(setup),
        games_(games + games % 2),
        division_(arena::divide_games(games_, setup.options.threads, setup.options.device)),
        newest_(player(setup.student.network(), "newest network")) {}

  void play(const std::string& key, const arena::PlayerFactory& opponent) {
    if (stopped()) return;
    arena::MatchResult result = games_against(opponent);
    stopped_ = result.stopped;
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
    return arena::play_match(match, newest_, opponent, {}, setup_.options.stop);
  }

  const MatchSetup& setup_;
  int games_;  // of a match
  arena::Division division_;
  arena::PlayerFactory newest_;
  Comparisons played_;
  bool stopped_ = false;
};

}  // namespace

std::optional<Comparisons> play_matches(const MatchSetup& setup, int games, bool last) {
  if (games == 0 || setup.options.stopped()) return std::nullopt;
  const RunCounters& counters = setup.counters;
  const fs::path& run = setup.options.folder;
  Matches matches(setup, games);
  matches.play("score_vs_random", *arena::baseline_player("random"));
  matches.play_network("score_vs_start", nn::list_checkpoints(run).front(),
                       "its start, generation 0");
  if (!last || setup.config.evaluation.every > 0) {
    matches.play("score_vs_greedy", *arena::baseline_player("greedy"));
    const fs::path previous = checkpoint_folder(run, counters.compared);
    if (counters.compared > 0 && counters.compared < counters.generation && fs::exists(previous)) {
      matches.play_network("score_vs_previous", previous,
                           "generation " + std::to_string(counters.compared));
    }
  }
  return matches.result();
}

}  // namespace training
