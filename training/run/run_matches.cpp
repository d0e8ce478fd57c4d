#include "training/run/run_matches.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "arena/network_player.h"
#include "base/threads.h"
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
bool last_are_few(const EvaluationSettings& evaluation) { return evaluation.every == 0; }

// Makes matches of the newest network ready: first its name, then each opponent.
class Preparation {
 public:
  // `at_once`: of so many matches, where there is a device.
  Preparation(const MatchSetup& setup, int games, int threads, int at_once) : setup_(setup) {
    const RunConfig& config = setup.config;
    const std::string& device = setup.options.device;
    ready_.at_once = device == "cpu" ? 1 : at_once;
    ready_.generation = setup.counters.generation;
    arena::MatchConfig& match = ready_.match;
    match.games = games + games % 2;
    const auto division =
        arena::divide_games(match.games, std::max(threads / ready_.at_once, 1), device);
    match.threads = division.threads;
    match.games_at_once = division.games_at_once;
    match.seed = static_cast<std::uint64_t>(config.run.seed + ready_.generation);
    match.rules = config.rules.repertoire().first();
    match.table = scoring_table(config);
  }

  void name_newest(const std::string& name) {
    ready_.newest = player(setup_.student.network(), name);
  }
  void baseline(const std::string& name) {
    ready_.opponents.emplace_back("score_vs_" + name, *arena::baseline_player(name));
  }
  void start() {
    network("score_vs_start", nn::list_checkpoints(setup_.options.folder).front(),
            "its start, generation 0");
  }
  // Where it is still there.
  void compared_last() {
    const std::int64_t generation = setup_.counters.compared;
    const fs::path checkpoint = checkpoint_folder(setup_.options.folder, generation);
    if (generation == 0 || generation >= ready_.generation || !fs::exists(checkpoint)) return;
    network("score_vs_previous", checkpoint, "generation " + std::to_string(generation));
  }
  ReadyMatches take() { return std::move(ready_); }

 private:
  arena::PlayerFactory player(const StudentNetwork& network, const std::string& name) const {
    return setup_.student.player(network, name, ready_.match.games_at_once);
  }
  void network(const std::string& key, const fs::path& checkpoint, const std::string& name) {
    try {
      ready_.opponents.emplace_back(key, player(load_student_network(checkpoint), name));
    } catch (const nn::CheckpointError& error) {
      spdlog::warn("{}: no match against it", error.what());
    }
  }

  const MatchSetup& setup_;
  ReadyMatches ready_;
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
  const double sides = last_are_few(evaluation) ? 1.5 : 3;
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

bool has_matches(const nlohmann::ordered_json& record) {
  for (const auto& [key, value] : record.items()) {
    if (key.starts_with("score_vs_")) return true;
  }
  return false;
}

ReadyMatches last_matches(const MatchSetup& setup, int games) {
  const bool few = last_are_few(setup.config.evaluation);
  Preparation prepare(setup, games, setup.options.threads, few ? 2 : 4);
  prepare.name_newest("newest network");
  prepare.baseline("random");
  prepare.start();
  if (!few) {
    prepare.baseline("greedy");
    prepare.compared_last();
  }
  return prepare.take();
}

ReadyMatches matches_on_the_way(const MatchSetup& setup) {
  const bool on_cpu = setup.options.device == "cpu";
  const int threads = on_cpu ? std::max(setup.options.threads / 8, 1) : setup.options.threads;
  Preparation prepare(setup, setup.config.evaluation.games, threads, 2);
  prepare.name_newest("generation " + std::to_string(setup.counters.generation));
  prepare.baseline("greedy");
  prepare.compared_last();
  return prepare.take();
}

void play(const ReadyMatches& matches,
          const std::function<void(const std::string& key, arena::MatchResult)>& result,
          const std::function<void(double done)>& progress, const std::atomic<bool>* stop) {
  std::mutex mutex;                                 // of the callbacks
  std::vector<int> done(matches.opponents.size());  // games
  const auto tell = [&](std::size_t match, const arena::MatchResult& now) {
    if (!progress) return;
    const std::lock_guard lock(mutex);
    done[match] = now.games();
    progress(static_cast<double>(std::accumulate(done.begin(), done.end(), 0)) /
             (static_cast<double>(matches.match.games) * static_cast<double>(done.size())));
  };
  base::for_each_index(matches.opponents.size(), matches.at_once, [&](std::size_t i) {
    if (stop && *stop) return;
    const auto& [key, opponent] = matches.opponents[i];
    arena::MatchResult played = arena::play_match(
        matches.match, matches.newest, opponent,
        [&tell, i](const arena::MatchResult& now) { tell(i, now); }, stop);
    if (played.stopped) return;
    const std::lock_guard lock(mutex);
    result(key, std::move(played));
  });
}

MatchesBeside::~MatchesBeside() {
  stop_ = true;
  if (running_.valid()) running_.wait();
}

void MatchesBeside::start(ReadyMatches matches) {
  generation_ = matches.generation;
  running_ = std::async(std::launch::async, [this, all = std::move(matches)] {
    play(
        all,
        [this](const std::string& key, arena::MatchResult result) {
          const std::lock_guard lock(mutex_);
          results_.emplace_back(key, std::move(result));
        },
        {}, &stop_);
  });
}

Comparisons MatchesBeside::take() {
  const bool over =
      go_on() && running_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (over) running_.get();
  const std::lock_guard lock(mutex_);
  return std::exchange(results_, {});
}

}  // namespace training
