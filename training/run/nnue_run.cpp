#include "training/run/nnue_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "base/errors.h"
#include "base/files.h"
#include "base/rng.h"
#include "base/stopwatch.h"
#include "base/threads.h"
#include "nn/nnue_file.h"
#include "selfplay/alphabeta_games.h"
#include "selfplay/game_store.h"
#include "training/learner/nnue_learner.h"
#include "training/learner/nnue_window.h"
#include "training/learner/replay_window.h"
#include "training/run/generation_report.h"
#include "training/run/metrics.h"
#include "training/run/run_lock.h"
#include "training/run/run_state.h"

namespace training {
namespace {

using selfplay::GameRecord;

LearnerConfig targets_of(const NnueRunConfig& config) {
  LearnerConfig learner;
  learner.hold_out = config.hold_out;
  learner.search_value_share = config.search_value_share;
  learner.search_value_plies = config.search_value_plies;
  return learner;
}

class NnueRun {
 public:
  NnueRun(const NnueRunConfig& config, const NnueRunOptions& options)
      : config_(config),
        options_(options),
        targets_(targets_of(config)),
        window_(config.window, targets_),
        held_out_(std::max(config.window / std::max(config.hold_out, 1), 10000), targets_),
        games_rng_(options.seed),
        sample_rng_(base::Rng(options.seed).split(1)) {}

  void run();

 private:
  std::filesystem::path file() const { return options_.folder / nn::kNnueFile; }
  void resume(selfplay::GameStore& store);
  void take(const GameRecord& game) { (held_out(game, targets_) ? held_out_ : window_).add(game); }
  double seconds() const { return base::seconds_since(started_); }
  bool stopped() const { return options_.stop != nullptr && *options_.stop; }
  bool over() const {
    return stopped() ||
           (options_.max_seconds > 0 && seconds() >= options_.max_seconds * kPlayFraction) ||
           (options_.generations > 0 && generation_ >= options_.generations);
  }
  // Plays the generation's games, side by side with what `beside` does.
  std::vector<GameRecord> play(const std::function<void()>& beside);
  void play_some(std::atomic<int>& next, std::vector<GameRecord>& games);
  double learn_what_is_new();
  // Steps at a rate that goes from `from` to `to`; the mean loss of the last tenth of them.
  double learn(std::int64_t steps, double from, double to);
  void average();
  double held_out_loss();
  void save() const;
  void report(const std::vector<GameRecord>& games, double loss);

  static constexpr int kAverageSteps = 10;
  static constexpr double kPlayFraction = 0.85;  // of the time; the rest is for the last anneal

  NnueRunConfig config_;
  NnueRunOptions options_;
  LearnerConfig targets_;
  NnueWindow window_, held_out_;
  const base::Rng games_rng_;
  base::Rng sample_rng_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::optional<NnueLearner> learner_;
  nn::NnueFloatWeights averaged_;
  std::shared_ptr<const tactics::NnueWeights> playing_;  // none: by material
  int generation_ = 0;
  std::int64_t steps_ = 0, learned_ = 0;  // learned_: window_.total() up to which steps were taken
  std::optional<Metrics> metrics_;
};

// Games of a generation that was not finished are played again.
void NnueRun::resume(selfplay::GameStore& store) {
  const bool known = std::filesystem::exists(file());
  nn::NnueFile last;
  if (known) last = nn::load_nnue(file());
  const auto require_rules = [this](const rules::Repertoire& played) {
    if (played.contains(options_.rules)) return;
    throw base::InputError(options_.folder.string() + ": a run of the rule set " + played.name() +
                           ", expected one of " + options_.rules.name() + " (--rules)");
  };
  if (known) require_rules(last.repertoire);
  store.for_each({}, [&](const GameRecord& game) {
    require_rules(game.rules);
    if (!known || game.generation < last.generation) take(game);
    return true;
  });
  // The first generation's file holds nothing learned yet.
  if (known && last.generation > 1) {
    learner_.emplace(last.weights);
    steps_ = 100 * kAverageSteps;  // the average is one already
    learned_ = window_.total();
    playing_ = nn::quantize(last.weights);
  } else {
    learner_.emplace(options_.seed);
  }
  averaged_ = learner_->weights();
  generation_ = static_cast<int>(last.generation);
}

// Takes the steps that use each new position as often as the config says, on average.
double NnueRun::learn_what_is_new() {
  const auto fresh = static_cast<double>(window_.total() - learned_);
  learned_ = window_.total();
  const auto rate = static_cast<double>(config_.learning_rate);
  return learn(
      static_cast<std::int64_t>(fresh * static_cast<double>(config_.reuse) / config_.batch), rate,
      rate);
}

void NnueRun::play_some(std::atomic<int>& next, std::vector<GameRecord>& games) {
  constexpr int kHashMib = 4;
  tactics::AlphaBetaSearch search(tactics::Evaluator(playing_), 1, kHashMib);
  selfplay::AlphaBetaGamesConfig how;
  how.rules = options_.rules;
  how.table = options_.rules.table();
  how.openings = options_.openings;
  how.nodes = config_.nodes;
  how.generation = generation_;
  const base::Rng generation = games_rng_.split(static_cast<std::uint64_t>(generation_));
  for (int i = next++; i < config_.games && !stopped(); i = next++) {
    games[static_cast<std::size_t>(i)] =
        selfplay::play_game(search, how, generation.split(static_cast<std::uint64_t>(i)));
  }
}

std::vector<GameRecord> NnueRun::play(const std::function<void()>& beside) {
  std::vector<GameRecord> games(static_cast<std::size_t>(config_.games));
  std::atomic<int> next = 0;
  base::Threads threads;
  for (int i = 0; i < options_.threads; ++i) {
    threads.start([&] { play_some(next, games); });
  }
  beside();
  threads.join();
  std::erase_if(games, [](const GameRecord& game) { return game.start_fen.empty(); });  // stopped
  return games;
}

double NnueRun::learn(std::int64_t steps, double from, double to) {
  NnueBatch batch;
  double sum = 0;
  std::int64_t counted = 0;
  for (std::int64_t i = 0; i < steps && window_.size() > 0 && !stopped(); ++i) {
    window_.sample(config_.batch, sample_rng_, batch);
    const double rate = from + (to - from) * static_cast<double>(i) / static_cast<double>(steps);
    const double loss = static_cast<double>(learner_->step(batch, rate));
    ++steps_;
    if (steps_ % kAverageSteps == 0) average();
    if (i < steps - std::max<std::int64_t>(steps / 10, 1)) continue;
    sum += loss;
    ++counted;
  }
  return counted > 0 ? sum / static_cast<double>(counted) : std::nan("");
}

// The weights that play are the mean of the last thousand steps or so.
void NnueRun::average() {
  const auto latest = 3.0f * static_cast<float>(kAverageSteps) / static_cast<float>(steps_);
  const float share = std::clamp(latest, 0.01f, 1.0f);
  std::vector<const std::vector<float>*> live;
  nn::NnueFloatWeights::visit(learner_->weights(), [&](const char*, const std::vector<float>& array,
                                                       const auto&) { live.push_back(&array); });
  std::size_t next = 0;
  nn::NnueFloatWeights::visit(averaged_, [&](const char*, std::vector<float>& array, const auto&) {
    const std::vector<float>& now = *live[next++];
    for (std::size_t i = 0; i < array.size(); ++i) array[i] += share * (now[i] - array[i]);
  });
}

double NnueRun::held_out_loss() {
  if (held_out_.size() == 0) return std::nan("");
  base::Rng rng(1);
  NnueBatch batch;
  held_out_.sample(16384, rng, batch);
  return static_cast<double>(learner_->loss(batch));
}

void NnueRun::save() const {
  nn::NnueFile nnue;
  nnue.repertoire = rules::Repertoire(options_.rules);
  nnue.generation = generation_;
  nnue.weights = averaged_;
  nnue.nodes = config_.nodes;
  const auto write = [&](const std::filesystem::path& path) { nn::save_nnue(nnue, path); };
  base::write_aside(file(), write);
  if (!std::has_single_bit(static_cast<unsigned>(generation_))) return;
  const auto checkpoint = checkpoint_folder(options_.folder, generation_);
  base::make_folder(checkpoint);
  base::write_aside(checkpoint / nn::kNnueFile, write);
}

void NnueRun::report(const std::vector<GameRecord>& games, double loss) {
  GameSummary summary;
  for (const GameRecord& game : games) summary.add(game, options_.rules.table());
  const double validation = held_out_loss(), plies = summary.mean(summary.plies);
  nlohmann::ordered_json record{{"generation", generation_},
                                {"seconds", seconds()},
                                {"games", games.size()},
                                {"positions", window_.total()},
                                {"window", window_.size()},
                                {"steps", steps_},
                                {"loss", loss},
                                {"held_out_loss", validation},
                                {"outcomes", nullptr},
                                {"plies_mean", plies}};
  if (!games.empty()) {
    record["outcomes"] = summary.outcomes;
    for (auto& share : record["outcomes"]) share = summary.mean(share.get<double>());
  }
  metrics_->write(record);
  if (options_.progress) {
    std::string line =
        fmt::format("generation {}: {:.0f} s, {} positions, {} steps, loss {:.3f}, held out {:.3f}",
                    generation_, seconds(), window_.total(), steps_, loss, validation);
    if (!games.empty()) line += fmt::format(", {:.0f} plies a game", plies);
    options_.progress(line);
  }
}

void NnueRun::run() {
  base::make_folder(options_.folder);
  const base::FileLock locked = lock_run(options_.folder);
  selfplay::GameStore store(options_.folder / "games.db", selfplay::StoreMode::kWrite);
  resume(store);
  metrics_.emplace(options_.folder, generation_ + 1);
  while (!over()) {
    double loss = std::nan("");
    const auto games = play([&] { loss = learn_what_is_new(); });
    store.append(games);
    if (learned_ > 0) playing_ = nn::quantize(averaged_);
    for (const GameRecord& game : games) take(game);
    ++generation_;
    save();
    report(games, loss);
  }
  if (stopped()) return;
  const auto passes =
      static_cast<double>(config_.anneal_epochs) * static_cast<double>(window_.size());
  const double loss = learn(static_cast<std::int64_t>(passes / config_.batch),
                            static_cast<double>(config_.learning_rate), 0);
  ++generation_;
  save();
  report({}, loss);
}

}  // namespace

void run_nnue(const NnueRunConfig& config, const NnueRunOptions& options) {
  NnueRun(config, options).run();
}

}  // namespace training
