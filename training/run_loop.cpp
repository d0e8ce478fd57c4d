#include "training/run_loop.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>
#include <utility>

#include "nn/checkpoint.h"
#include "nn/folded_weights.h"
#include "nn/precision.h"
#include "nn/processor.h"
#include "rules/rng.h"
#include "selfplay/errors.h"
#include "selfplay/game_store.h"
#include "selfplay/generate.h"
#include "selfplay/network_evaluator.h"
#include "selfplay/read_games.h"
#include "selfplay/worker.h"
#include "training/generation_report.h"
#include "training/learner.h"
#include "training/metrics.h"
#include "training/replay_window.h"
#include "training/run_folder.h"
#include "training/run_matches.h"
#include "training/run_state.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using selfplay::GameRecord;
using selfplay::SelfPlayWorker;

constexpr int kAttempts = 3;           // at a generation's learning
constexpr int kFitRows = 1024;         // positions of either kind that measure_fit() looks at
constexpr double kVerdictDecay = 0.9;  // of tested verdicts, from generation to generation
constexpr double kLeastVerdicts = 50;
constexpr std::int64_t kLeastHeldOut = 24;  // games: fewer say nothing
constexpr double kFullShare = 0.95;         // of window_min: then the window counts as filled
constexpr double kAlarmingGap = 0.3;        // nats between games held out and the window

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// An order that does not depend on which worker was faster.
void sort_for_learning(std::vector<GameRecord>& games) {
  std::sort(games.begin(), games.end(), [](const GameRecord& a, const GameRecord& b) {
    return std::pair(a.generation, a.seed) < std::pair(b.generation, b.seed);
  });
}

bool has_target(const GameRecord& game) {
  return std::ranges::any_of(game.plies, &selfplay::PlyRecord::is_target);
}

// An untrained network is indifferent (nn::NetworkImpl).
bool has_learned(const nn::NetworkFile& network) {
  const auto policy = network.weights.find("policy_out.weight");
  return policy != network.weights.end() &&
         std::ranges::any_of(policy->second.values, [](float weight) { return weight != 0; });
}

// Calls f. The nn::CheckpointError that it may throw, of arrays that do not fit, names the file.
template <class F>
void naming(const fs::path& file, F&& f) {
  try {
    f();
  } catch (const nn::CheckpointError& error) {
    throw nn::CheckpointError(file.string() + ": " + error.what());
  }
}

// A number of a record; 0 where there is none.
double number_of(const nlohmann::ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

}  // namespace

class RunLoop::Impl {
 public:
  Impl(const RunConfig& config, const RunOptions& options)
      : config_(config),
        options_(options),
        beginning_(nn::list_checkpoints(options.folder).empty() ? read_beginning() : Beginning{}),
        folder_(options.folder, config, options.device, options.threads),
        store_(store_file(), selfplay::StoreMode::kWrite),
        window_(config.learner, nn::Encoder(config.rules.repertoire())),
        held_out_(held_out_config(config.learner), nn::Encoder(config.rules.repertoire())),
        learner_(config.network, config.learner, options.device, options.threads,
                 static_cast<std::uint64_t>(config.run.seed)) {
    make_workers(static_cast<std::uint64_t>(config.run.seed));
    const auto checkpoints = nn::list_checkpoints(options.folder);
    if (checkpoints.empty()) {
      begin();
    } else {
      if (options.init || options.games) {
        spdlog::warn("{}: goes on as it is; --init and --games are for a new run and do nothing",
                     options.folder.string());
      }
      resume(checkpoints);
    }
    open_metrics();
    folder_.keep(config);
  }

  RunEnd run() {
    if (lacks_finals_) {
      compare();
      metrics_.reset();  // the line of this generation is written anew
      metrics_ = std::make_unique<Metrics>(options_.folder, counters_.generation);
      report();
    }
    while (!options_.stopped() && !over_) {
      ++counters_.generation;
      if (!generate_games()) return RunEnd::kStopped;
      if (!train()) return options_.stopped() ? RunEnd::kStopped : RunEnd::kDiverged;
      publish_checkpoint();
      compare();
      report();
    }
    return options_.stopped() ? RunEnd::kStopped : RunEnd::kFinished;
  }

 private:
  // --- where the run stands ---

  fs::path store_file() const { return options_.folder / "games.db"; }
  double elapsed() const { return counters_.elapsed_s + seconds_since(session_began_); }
  bool out_of_time(double margin_s = 0) const {
    return config_.run.max_minutes > 0 && elapsed() + margin_s >= 60 * config_.run.max_minutes;
  }
  bool out_of_evaluations() const {
    return config_.run.max_evaluations > 0 && counters_.evaluations >= config_.run.max_evaluations;
  }
  // A generation of which time would leave less than a tenth is not begun.
  bool finished() const {
    return counters_.generation >= config_.run.generations ||
           out_of_time(0.1 * generation_seconds_) || out_of_evaluations();
  }
  double progress() const {
    const double by_count =
        static_cast<double>(counters_.generation) / static_cast<double>(config_.run.generations);
    const double by_time =
        config_.run.max_minutes > 0 ? elapsed() / (60 * config_.run.max_minutes) : 0;
    const double by_evaluations = config_.run.max_evaluations > 0
                                      ? static_cast<double>(counters_.evaluations) /
                                            static_cast<double>(config_.run.max_evaluations)
                                      : 0;
    return std::clamp(std::max({by_count, by_time, by_evaluations}), 0.0, 1.0);
  }

  double minutes_left() const {
    const double done = progress();
    return done > 0.001 ? elapsed() / done * (1 - done) / 60 : 0;
  }

  // --- beginning and going on ---

  void make_workers(std::uint64_t seed) {
    const selfplay::WorkerSetup setup{config_.selfplay, config_.search, config_.rules.repertoire(),
                                      scoring_table(config_)};
    workers_ = selfplay::make_workers(setup, options_.threads, seed);
  }

  // What a new run is given beside its config.
  struct Beginning {
    std::vector<GameRecord> games;
    std::optional<nn::Weights> weights;
  };

  // Before anything is written: what is refused here leaves no run behind.
  Beginning read_beginning() const {
    Beginning found;
    if (options_.games) found.games = games_of(*options_.games);
    if (options_.init) found.weights = weights_of(*options_.init);
    return found;
  }

  void begin() {
    const Beginning given = std::exchange(beginning_, {});
    const std::vector<GameRecord>& games = given.games;
    // A run that was killed before its first checkpoint has taken them in.
    if (store_.count() != 0 && store_.count() != std::ssize(games)) {
      throw selfplay::InputError((options_.folder / "checkpoints").string() +
                                 ": no checkpoint, but games.db holds " +
                                 std::to_string(store_.count()) +
                                 " games; put the checkpoints back, or take another --run");
    }
    if (store_.count() == 0) store_.append(games);
    if (given.weights) learner_.initialize(*given.weights);
    network_ = {config_.network, config_.rules.repertoire(), 0, learner_.averaged_weights(window_)};
    trained_ = has_learned(network_);
    save();
  }

  // What others have played, for the run's own store: the first learning finds them there.
  std::vector<GameRecord> games_of(const fs::path& file) const {
    auto games = selfplay::read_games(file, config_.rules.repertoire().first());
    if (games.empty()) throw selfplay::InputError(file.string() + ": expected finished games");
    check_games(games, file);
    if (std::ranges::none_of(games, has_target)) {
      throw selfplay::InputError(file.string() + ": " + std::to_string(games.size()) +
                                 " games, none with a policy to learn from (a study's have none); "
                                 "expected games of self-play, or PGN");
    }
    spdlog::info("learns from {} games of {} first", games.size(), file.string());
    return games;
  }

  nn::Weights weights_of(const fs::path& network) const {
    nn::NetworkFile start = nn::load_network(network);
    if (start.config != config_.network) {
      throw selfplay::InputError(network.string() + ": another [network] than the config's");
    }
    naming(network, [&] { nn::fold(config_.network, start.weights); });
    return std::move(start.weights);
  }

  // The newest checkpoint that is whole; damaged ones are told and passed over.
  void resume(const std::vector<fs::path>& checkpoints) {
    for (auto path = checkpoints.rbegin(); path != checkpoints.rend(); ++path) {
      try {
        RunState state = load_state(*path);
        check_network(state.network, *path);
        naming(*path, [&] {
          nn::fold(config_.network, state.network.weights);
          learner_.restore(state.trainer);
        });
        const std::string before = state.config;
        take(std::move(state));
        spdlog::info("going on from {}", path->string());
        tell_changes(before);
        return;
      } catch (const nn::CheckpointError& error) {
        spdlog::warn("{}: passed over", error.what());
      }
    }
    throw selfplay::InputError(options_.folder.string() + ": no checkpoint is whole");
  }

  void check_network(const nn::NetworkFile& network, const fs::path& checkpoint) const {
    if (network.repertoire != config_.rules.repertoire()) {
      throw selfplay::InputError((options_.folder / "config.toml").string() + ": rule_set is " +
                                 config_.rules.rule_set + ", that of " + checkpoint.string() + " " +
                                 network.repertoire.name());
    }
    if (network.config == config_.network) return;
    throw selfplay::InputError((options_.folder / "config.toml").string() +
                               ": [network] is another than that of " + checkpoint.string());
  }

  void check_games(const std::vector<GameRecord>& games, const fs::path& file) const {
    const rules::Repertoire repertoire = config_.rules.repertoire();
    for (const GameRecord& game : games) {
      if (repertoire.contains(game.rules)) continue;
      throw selfplay::InputError(file.string() + ": game " + std::to_string(game.id) +
                                 " was played under " + game.rules.name() + ", the run plays " +
                                 repertoire.name());
    }
  }

  // An older program's config lacks what a newer one has by default.
  static std::string with_every_key(const std::string& toml) {
    try {
      return to_toml(parse_config(toml, "checkpoint"), false);
    } catch (const selfplay::InputError&) {
      return toml;
    }
  }

  // Settings may be changed between two sittings; so may they by accident.
  void tell_changes(const std::string& before) const {
    std::istringstream was(with_every_key(before)), is(to_toml(config_, false));
    for (std::string old_line, line; std::getline(was, old_line) && std::getline(is, line);) {
      if (old_line != line) spdlog::info("changed since: {}, was {}", line, old_line);
    }
  }

  void take(RunState state) {
    counters_ = state.counters;
    network_ = std::move(state.network);
    record_ = std::move(state.record);
    saved_s_ = counters_.elapsed_s;
    generation_seconds_ = number_of(record_, "selfplay_s") + number_of(record_, "train_s");
    trained_ = has_learned(network_);
    refill_window();
    if (state.flights.size() == workers_.size()) {
      for (std::size_t i = 0; i < workers_.size(); ++i) workers_[i]->resume(state.flights[i]);
    } else {
      // The seed's own streams have played the first games of the run.
      const rules::Rng root(static_cast<std::uint64_t>(config_.run.seed));
      make_workers(root.split(static_cast<std::uint64_t>(counters_.generation)).next());
      spdlog::info("the run used {} threads before and {} now: its games in flight begin anew",
                   state.flights.size(), workers_.size());
    }
  }

  // Reads back what the window held at the checkpoint, and as much again: then it lets go of the
  // same games as it did before.
  void refill_window() {
    if (store_.last_id() < counters_.last_game) {
      throw selfplay::InputError(store_file().string() + ": ends with game " +
                                 std::to_string(store_.last_id()) + ", the run has learned from " +
                                 std::to_string(counters_.last_game) +
                                 ": damaged, cut off or another run's");
    }
    std::int64_t targets = 0;
    auto games = store_.load_back(counters_.last_game, [&](const GameRecord& game) {
      if (targets >= 2 * std::int64_t{config_.learner.window_max}) return false;
      if (held_out(game, config_.learner)) return true;
      targets += std::count_if(game.plies.begin(), game.plies.end(),
                               [](const selfplay::PlyRecord& ply) { return ply.is_target; });
      return true;
    });
    check_games(games, store_file());
    sort_for_learning(games);
    window_.set_total(counters_.targets - targets);
    for (GameRecord& game : games) remember(std::move(game));
  }

  // A run that was killed behind its checkpoint has not written what the generation measured; its
  // matches are lost, unless they were the last.
  void open_metrics() {
    auto written = read_metrics(options_.folder);
    std::erase_if(written, [this](const auto& record) {
      return record.at("generation") > counters_.generation;
    });
    const bool known = !written.empty() && written.back().at("generation") == counters_.generation;
    if (known) {
      record_ = written.back();
      counters_.elapsed_s += number_of(record_, "matches_s");
    }
    over_ = finished();
    if (const auto missing = counters_.generation - std::ssize(written);
        missing > (known ? 0 : 1)) {
      spdlog::warn("{}: {} of {} generations are missing",
                   (options_.folder / "metrics.jsonl").string(), missing, counters_.generation);
    }
    lacks_finals_ =
        !record_.is_null() && over_ && config_.evaluation.final_games > 0 && !has_finals(record_);
    // The checkpoint is older than its generation's matches. Last ones that are still to come are
    // played against the network that those were played against.
    if (!lacks_finals_ && record_.contains("score_vs_random")) {
      counters_.compared = counters_.generation;
    }
    metrics_ = std::make_unique<Metrics>(options_.folder, counters_.generation + 1);
    if (!known && !record_.is_null()) metrics_->write(record_);
  }

  // The last matches are told from those of an ordinary generation by their games.
  bool has_finals(const nlohmann::ordered_json& record) const {
    const auto score = record.find("score_vs_random");
    return score != record.end() && number_of(*score, "games") >= config_.evaluation.final_games;
  }

  void save() {
    RunState state{counters_, network_, learner_.state(), {}, record_, to_toml(config_, false)};
    saved_s_ = state.counters.elapsed_s = elapsed();
    for (const auto& worker : workers_) state.flights.push_back(worker->flight());
    save_state(state, options_.folder);
  }

  // --- the steps of a generation ---

  // A network that has learned nothing yet is what the uniform evaluator is, at no cost: so the
  // first generation is played with that, and with more plies.
  std::function<std::unique_ptr<mcts::Evaluator>()> evaluator_factory() const {
    if (!trained_) return [] { return std::make_unique<mcts::UniformEvaluator>(); };
    const nn::PlayingNetwork playing(
        network_.config, network_.weights,
        {options_.device, precision_, config_.selfplay.games_per_worker, network_.repertoire});
    return [playing] { return std::make_unique<selfplay::NetworkEvaluator>(playing); };
  }

  std::string processor_here() const { return options_.device + ", " + nn::processor(); }

  // The number format that was chosen for playing on this machine; none before it was.
  std::optional<nn::Precision> chosen_precision() const {
    const auto chosen = nn::precision_of(counters_.precision);
    const auto known = nn::precisions_on(options_.device);
    if (!chosen || counters_.processor != processor_here() ||
        std::ranges::count(known, *chosen) == 0) {
      return std::nullopt;
    }
    return chosen;
  }

  // Once on a machine, and kept: other number formats would play other games and learn other
  // weights.
  void choose_precision() {
    const std::string processor = processor_here();
    if (counters_.processor != processor) {
      if (!counters_.processor.empty()) {
        spdlog::info("the run was on {} in {}", counters_.processor, counters_.precision);
      }
      counters_.precision.clear();
      counters_.mixed_precision = mixed_precision_pays(config_.network, options_.device);
      counters_.processor = processor;
      spdlog::info("network {}x{} on {}: learns in {}", config_.network.blocks,
                   config_.network.channels, processor,
                   counters_.mixed_precision ? "bf16 and fp32" : "fp32");
    }
    learner_.use_mixed_precision(counters_.mixed_precision);
    if (trained_) choose_playing_precision();
  }

  // Enough of them were tested, and few were false.
  bool verdicts_hold() const {
    const double share = static_cast<double>(config_.selfplay.false_verdicts);
    return counters_.verdicts >= kLeastVerdicts &&
           counters_.false_verdicts <= share * counters_.verdicts;
  }

  // Where the precision of the run has become inaccurate, the generation is played in fp32.
  void choose_playing_precision() {
    if (const auto chosen = chosen_precision()) {
      precision_ = *chosen;
    } else {
      precision_ = nn::fastest_precision(network_, options_.device);
      counters_.precision = nn::name(precision_);
      spdlog::info("plays in {}", counters_.precision);
    }
    const auto deviation = nn::excess_deviation(network_, precision_);
    if (!deviation) return;
    precision_ = nn::Precision::kFloat32;
    spdlog::warn(
        "generation {} plays in fp32: int8 is off by {:.3f} in policies, {:.3f} in outcomes",
        counters_.generation, deviation->policy, deviation->outcomes);
  }

  // Of so many at the run's end, those at present. Games without a network are cheap: all.
  int simulations(int at_end) const {
    if (!trained_) return at_end;
    const double start = static_cast<double>(config_.selfplay.simulations_start);
    return std::max(2, static_cast<int>(std::lround(at_end * std::lerp(start, 1.0, progress()))));
  }

  // False where it was stopped: the finished games are kept, the generation is not.
  bool generate_games() {
    choose_precision();
    for (const auto& worker : workers_) {
      worker->adjudicate(verdicts_hold());
      worker->set_simulations(simulations(config_.selfplay.simulations),
                              simulations(config_.selfplay.fast_simulations));
    }
    const auto began = Clock::now();
    selfplay::GenerateOptions generation;
    generation.plies = trained_ ? config_.run.plies_per_generation : config_.run.first_plies;
    generation.generation = static_cast<int>(counters_.generation);
    generation.evaluator = evaluator_factory();
    generation.halt = [&](std::int64_t plies, std::int64_t) {
      show_progress(plies, generation.plies);
      return options_.stopped() || out_of_time();
    };
    report_.played = selfplay::generate(workers_, store_, generation);
    if (!trained_) report_.played.evaluations = 0;  // the uniform evaluator's are none of a network
    report_.games_seconds = seconds_since(began);
    return !options_.stopped();
  }

  void show_progress(std::int64_t plies, std::int64_t of) const {
    if (!options_.progress) return;
    options_.progress(fmt::format("generation {}: {} of {} plies, {:.0f} s, about {:.0f} min to go",
                                  counters_.generation, plies, of, elapsed(), minutes_left()));
  }

  static LearnerConfig held_out_config(LearnerConfig config) {
    const int share = std::max(1, config.hold_out);
    config.window_min = std::max(1, config.window_min / share);
    config.window_max = std::max(1, config.window_max / share);
    return config;
  }

  void remember(GameRecord game) {
    (held_out(game, config_.learner) ? held_out_ : window_).add(std::move(game));
  }

  // Adds the new games to the window and learns.
  bool train() {
    auto games = store_.load(counters_.last_game + 1, store_.last_id());
    check_games(games, store_file());
    sort_for_learning(games);
    const std::int64_t before = window_.total();
    report_.summary = {};
    const rules::ScoringTable table = scoring_table(config_);
    for (GameRecord& game : games) {
      if (game.generation > 0) report_.summary.add(game, table);  // 0: of --games
      counters_.last_game = std::max(counters_.last_game, game.id);
      remember(std::move(game));
    }
    const std::int64_t fresh = std::min(window_.total() - before, window_.size());
    counters_.games += report_.summary.games;
    counters_.plies += report_.played.plies;
    counters_.targets = window_.total();
    counters_.evaluations += report_.played.evaluations;
    counters_.verdicts =
        kVerdictDecay * counters_.verdicts + static_cast<double>(report_.played.verdicts);
    counters_.false_verdicts = kVerdictDecay * counters_.false_verdicts +
                               static_cast<double>(report_.played.false_verdicts);
    const auto steps = static_cast<std::int64_t>(
        std::ceil(static_cast<double>(fresh) * static_cast<double>(config_.learner.reuse) /
                  config_.learner.batch));
    report_.learned = {};
    if (window_.size() == 0) return true;
    if (!learn(steps)) return false;
    network_.weights = learner_.averaged_weights(window_);
    measure_fit();
    network_.generation = counters_.generation;
    trained_ = true;
    return true;
  }

  // Takes the steps; where the loss explodes, again from the last checkpoint at half the learning
  // rate. False where it was stopped, or after the third time in a row.
  bool learn(std::int64_t steps) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      learner_.scale_learning_rate(counters_.learning_rate_scale);
      report_.learned = learner_.train(window_, steps, progress(), options_.stop);
      if (!report_.learned.diverged) return !options_.stopped();
      counters_.learning_rate_scale /= 2;
      spdlog::warn(
          "the loss exploded after {} steps: back to the last checkpoint, "
          "at {} of the learning rate",
          report_.learned.steps, counters_.learning_rate_scale);
      const fs::path last = checkpoint_folder(options_.folder, counters_.generation - 1);
      const RunState state = load_state(last);
      naming(last, [&] { learner_.restore(state.trainer); });
    }
    spdlog::error(
        "the loss exploded {} times in a row: giving up; lower learner.learning_rate (--set), and "
        "the same command goes on from the last checkpoint",
        kAttempts);
    return false;
  }

  // The same weights on positions they have learned from and on others.
  void measure_fit() {
    report_.fit.reset();
    if (held_out_.games() < kLeastHeldOut || held_out_.size() == 0) return;
    report_.fit = {learner_.fit(window_, kFitRows), learner_.fit(held_out_, kFitRows)};
    // The first games are few, and are learned by heart in every run.
    if (static_cast<double>(window_.size()) < kFullShare * config_.learner.window_min) return;
    const auto& [known, unknown] = *report_.fit;
    if (unknown.outcome - known.outcome < kAlarmingGap &&
        unknown.policy - known.policy < kAlarmingGap)
      return;
    spdlog::warn(
        "the network knows its games by heart: outcomes cost {:.2f} nats in the window and {:.2f} "
        "in games held out, policies {:.2f} and {:.2f}; "
        "less learner.reuse or a larger window may help",
        known.outcome, unknown.outcome, known.policy, unknown.policy);
  }

  void publish_checkpoint() {
    generation_seconds_ = report_.games_seconds + report_.learned.seconds;
    report_.steps = learner_.steps_taken();
    report_.window = window_.size();
    record_ = record_of(report_, counters_, elapsed());
    save();
    prune_checkpoints(options_.folder, config_.run.keep_checkpoints);
  }

  // Matches where they are due, and at the end, which may come while due ones are played. Whether
  // the run ends here is decided here, so that no run ends without its last matches.
  void compare() {
    comparisons_.clear();
    const EvaluationSettings& evaluation = config_.evaluation;
    const bool due = evaluation.every > 0 && counters_.generation % evaluation.every == 0;
    if (due && !finished()) play_matches(evaluation.games, false);
    over_ = finished();
    if (over_) play_matches(evaluation.final_games, true);
    if (!comparisons_.empty()) counters_.compared = counters_.generation;
  }

  void play_matches(int games, bool last) {
    auto played = training::play_matches(
        {config_, options_, counters_, network_, chosen_precision()}, games, last);
    if (played) comparisons_ = std::move(*played);
  }

  void report() {
    add_matches(comparisons_, record_);
    record_["matches_s"] = elapsed() - saved_s_;
    metrics_->write(record_);
    if (report_.played.rounds > 0) {
      tell_games(report_, counters_.generation, elapsed(), minutes_left());
    }
    tell_matches(comparisons_, config_.evaluation.simulations);
  }

  RunConfig config_;
  RunOptions options_;
  Beginning beginning_;  // until begin() has it
  RunFolder folder_;
  selfplay::GameStore store_;
  ReplayWindow window_;
  ReplayWindow held_out_;  // as many games back, but not learned from
  Learner learner_;
  std::vector<std::unique_ptr<SelfPlayWorker>> workers_;
  std::unique_ptr<Metrics> metrics_;
  bool over_ = false;          // it has come to its end, but for its last matches
  bool lacks_finals_ = false;  // it was ended before its last matches were

  RunCounters counters_;
  nn::NetworkFile network_;                            // the newest; plays
  bool trained_ = false;                               // it has learned something
  nn::Precision precision_ = nn::Precision::kFloat32;  // in which it plays this generation

  Clock::time_point session_began_ = Clock::now();
  double generation_seconds_ = 0;  // of the last generation's games and learning
  double saved_s_ = 0;             // elapsed() at the newest checkpoint
  GenerationReport report_;        // of this generation
  Comparisons comparisons_;        // of this generation
  nlohmann::ordered_json record_;  // of the generation done last
};

RunLoop::RunLoop(const RunConfig& config, const RunOptions& options)
    : impl_(std::make_unique<Impl>(config, options)) {}
RunLoop::~RunLoop() = default;
RunEnd RunLoop::run() { return impl_->run(); }

}  // namespace training
