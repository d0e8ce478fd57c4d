#include "training/run/run_loop.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/rng.h"
#include "base/stopwatch.h"
#include "nn/checkpoint.h"
#include "nn/precision.h"
#include "selfplay/generate.h"
#include "selfplay/worker.h"
#include "training/learner/fit.h"
#include "training/learner/learner.h"
#include "training/learner/replay_window.h"
#include "training/page/live_page.h"
#include "training/run/generation_report.h"
#include "training/run/metrics.h"
#include "training/run/ongoing_games.h"
#include "training/run/playing.h"
#include "training/run/run_folder.h"
#include "training/run/run_games.h"
#include "training/run/run_matches.h"
#include "training/run/run_precision.h"
#include "training/run/run_start.h"
#include "training/run/run_state.h"
#include "training/run/use_of_time.h"
#include "training/store/assistant.h"
#include "training/store/run_in_store.h"

namespace training {
namespace {

using Clock = std::chrono::steady_clock;
using selfplay::GameRecord;
using selfplay::SelfPlayWorker;

constexpr int kAttempts = 3;          // to learn from a generation
constexpr int kMostArrivals = 4;      // generations of games that actors may add to one
constexpr int kGenerationsAhead = 2;  // of plies, that games on a device play at most

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
        beginning_(is_new() ? read_beginning(config, options) : Beginning{}),
        folder_(options.folder, config, options.device, options.threads),
        shared_(options.store ? std::make_unique<RunInStore>(config, options) : nullptr),
        games_(shared_ ? RunGames(config, options.folder, shared_->games())
                       : RunGames(config, options.folder)),
        team_(options.team ? meet(*options.team) : nullptr),
        learner_(make_learner(config.network, config.learner, options.device, options.threads,
                              static_cast<std::uint64_t>(config.run.seed), team_.get())),
        use_(options.device, options.threads) {
    for (const std::string& warning : warnings(config)) spdlog::warn("{}", warning);
    make_workers(static_cast<std::uint64_t>(config.run.seed));
    if (is_new()) {
      begin();
    } else {
      go_on_from(restore_newest(config_, options_, *learner_));
    }
    open_metrics();
    folder_.keep(config);
    if (team_) {
      lead_ = std::make_unique<TeamLead>(*team_, config);
      lead_->start_from(counters_, *learner_);
    }
    if (shared_) {
      publish_network();
      shared_->set_finished(over_ && !lacks_finals_);
    }
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
    if (shared_ && over_) shared_->set_finished(true);
    return options_.stopped() ? RunEnd::kStopped : RunEnd::kFinished;
  }

 private:
  // --- the steps of a generation ---

  // Games in flight of one worker.
  int most_at_once() const {
    const auto workers = static_cast<int>(workers_.size());
    return (config_.selfplay.games + workers - 1) / workers;
  }

  // Returns false where it was stopped: the finished games are kept, the generation is not.
  bool generate_games() {
    use_.enter(UseOfTime::kGames);
    learner_->use_mixed_precision(learns_mixed(config_, options_.device, counters_));
    if (games_go_on()) return await_games();
    const auto began = Clock::now();
    if (!options_.plays) return wait_for_games();
    const std::int64_t plies = plies_to_play();
    selfplay::GenerateOptions generation = games_of(counters_.generation, plies);
    generation.halt = [&](std::int64_t played, std::int64_t) {
      show_progress(played, plies);
      return options_.stopped() || out_of_time();
    };
    report_.played = selfplay::generate(workers_, games_.store(), generation);
    if (!trained_) report_.played.evaluations = 0;  // the uniform evaluator's are none of a network
    count_played();
    report_.games_seconds = base::seconds_since(began);
    return !options_.stopped();
  }

  // The first generation costs no evaluations, and has more plies.
  std::int64_t plies_to_play() const {
    return trained_ ? config_.run.plies_per_generation : config_.run.first_plies;
  }

  // Waits for as many plies of actors as it would play itself.
  bool wait_for_games() {
    const auto began = Clock::now();
    const std::int64_t plies = plies_to_play();
    report_.played = {};
    shared_->wait_for({counters_.generation, counters_.last_game, plies,
                       [this] { return out_of_time(); },
                       [&](std::int64_t arrived) { show_progress(arrived, plies); }});
    report_.games_seconds = base::seconds_since(began);
    return !options_.stopped();
  }

  // What is played with the present network: so many plies, divided among the seats.
  selfplay::GenerateOptions games_of(std::int64_t generation, std::int64_t plies) {
    const nn::Precision precision = trained_
                                        ? precision_for(network_, precision_of_play(), generation)
                                        : nn::Precision::kFloat32;
    const std::int64_t games = config_.selfplay.games;
    selfplay::GenerateOptions options;
    options.limit.plies = (plies + games - 1) / games;
    options.generation = static_cast<int>(generation);
    options.evaluator = evaluators_of(network_, {options_.device, precision, most_at_once()});
    return options;
  }

  // On a device no game waits for the learner, whose steps leave the cores free. On a CPU learning
  // needs them, and the same games are to be played whatever takes how long. Where actors play,
  // too, their games go on anyway.
  bool games_go_on() const { return trained_ && options_.device != "cpu" && !shared_; }

  // Games that go on for a generation. Where learning takes longer they stop after some more plies.
  selfplay::GenerateOptions ongoing_games_of(std::int64_t generation) {
    return games_of(generation, kGenerationsAhead * config_.run.plies_per_generation);
  }

  // Starts games, which then go on until end_games().
  void start_games(selfplay::GenerateOptions options) {
    games_began_ = Clock::now();
    const auto store = [this](std::span<const GameRecord> games) { games_.append(games); };
    ongoing_ = std::make_unique<OngoingGames>(workers_, store, std::move(options));
  }

  // Waits until the generation's plies are played. Returns false where the run was stopped.
  bool await_games() {
    if (!ongoing_) start_games(ongoing_games_of(counters_.generation));
    const std::int64_t plies = config_.run.plies_per_generation;
    while (ongoing_->plies() < plies && ongoing_->running() && !options_.stopped() &&
           !out_of_time()) {
      show_progress(ongoing_->plies(), plies);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (options_.stopped() || !ongoing_->running()) end_games();
    return !options_.stopped();
  }

  // Ends the games and notes what was played. Returns for how long.
  double end_games() {
    const std::unique_ptr<OngoingGames> games = std::move(ongoing_);
    report_.played = games->end();
    count_played();
    return report_.games_seconds = base::seconds_since(games_began_);
  }

  void count_played() {
    counters_.plies += report_.played.plies;
    counters_.evaluations += report_.played.evaluations;
  }

  nn::Precision precision_of_play() {
    return training::precision_of_play(config_, network_, options_.device, counters_);
  }

  void show_progress(std::int64_t plies, std::int64_t of) const {
    if (!options_.progress) return;
    options_.progress(fmt::format("generation {}: {} of {} plies, {:.0f} s, about {:.0f} min to go",
                                  counters_.generation, plies, of, elapsed(), minutes_left()));
  }

  // Adds the new games to the window. Returns how many of their positions it holds.
  std::int64_t take_in_games() {
    const ReplayWindow& window = games_.window();
    const std::int64_t before = window.total();
    if (shared_) take_in_arrivals();
    const rules::ScoringTable table = scoring_table(config_);
    report_.summary = {};
    for (GameRecord& game : games_.stored_after(counters_.last_game)) {
      if (game.generation > 0) report_.summary.add(game, table);  // 0: of --games
      counters_.last_game = std::max(counters_.last_game, game.id);
      games_.add(std::move(game));
    }
    counters_.games += report_.summary.games;
    counters_.targets = window.total();
    counters_.held_out_targets = games_.held_out().total();
    return std::min(window.total() - before, window.size());
  }

  // Lets what actors have sent count, up to what can be learned in time: the rest waits its turn.
  void take_in_arrivals() {
    shared_->take_in(counters_.generation, kMostArrivals * plies_to_play());
    const RunInStore::Arrived arrived = shared_->arrived();
    report_.played.games += arrived.games;
    report_.played.plies += arrived.plies;
    counters_.plies += arrived.plies;
  }

  // Adds the new games and learns. Returns false where it was stopped or diverged.
  bool train() {
    use_.enter(UseOfTime::kLearning);
    const auto fresh = static_cast<double>(take_in_games());
    const auto steps = static_cast<std::int64_t>(
        std::ceil(fresh * static_cast<double>(config_.learner.reuse) / config_.learner.batch));
    report_.learned = {};
    if (games_.window().size() == 0) return true;
    if (!learn(steps)) return false;
    network_.weights = learner_->averaged_weights(games_.window());
    report_.fit =
        measured_fit(*learner_, games_.window(), games_.held_out(), config_.learner.window_min);
    network_.generation = counters_.generation;
    trained_ = true;
    return true;
  }

  // Takes the steps; where the loss explodes, starts again from the last checkpoint at half the
  // learning rate. Returns false where it was stopped, or after the third time in a row.
  bool learn(std::int64_t steps) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      learner_->scale_learning_rate(counters_.learning_rate_scale);
      if (lead_) lead_->train(steps, progress(), counters_);
      report_.learned = learner_->train(games_.window(), steps, progress(), options_.stop);
      if (!report_.learned.diverged) return !options_.stopped();
      counters_.learning_rate_scale /= 2;
      spdlog::warn(
          "the loss exploded after {} steps: back to the last checkpoint, "
          "at {} of the learning rate",
          report_.learned.steps, counters_.learning_rate_scale);
      restore_checkpoint(checkpoint_folder(options_.folder, counters_.generation - 1), config_,
                         *learner_);
      if (lead_) lead_->start_from(counters_, *learner_);
    }
    spdlog::error(
        "the loss exploded {} times in a row: giving up; lower learner.learning_rate (--set), and "
        "the same command goes on from the last checkpoint",
        kAttempts);
    return false;
  }

  void publish_checkpoint() {
    use_.enter(UseOfTime::kRest);
    std::optional<selfplay::GenerateOptions> next;  // made ready before the games stop
    const bool go_on = games_go_on() && !finished() && !matches_are_due();
    if (go_on) next = ongoing_games_of(counters_.generation + 1);
    generation_seconds_ = ongoing_ ? end_games() : report_.games_seconds + report_.learned.seconds;
    report_.steps = learner_->steps_taken();
    report_.window = games_.window().size();
    record_ = record_of(report_, counters_, elapsed());
    if (shared_) shared_->add_to(record_);
    const RunState saved = state();
    if (next) start_games(std::move(*next));
    save_state(saved, options_.folder);
    publish_network();
    prune_checkpoints(options_.folder, config_.run.keep_checkpoints);
  }

  void publish_network() {
    if (!shared_) return;
    shared_->publish(checkpoint_folder(options_.folder, counters_.generation),
                     counters_.generation);
  }

  // Plays matches where they are due, and at the end, which may come while due ones are played.
  // This decides whether the run ends, so that no run ends without its last matches.
  void compare() {
    comparisons_.clear();
    const EvaluationSettings& evaluation = config_.evaluation;
    if (matches_are_due() && !finished()) play_matches(evaluation.games, false);
    over_ = finished();
    if (over_) {
      ongoing_.reset();
      play_matches(evaluation.final_games, true);
    }
    if (!comparisons_.empty()) counters_.compared = counters_.generation;
  }

  // Then no other games go on: a match's small batches would wait behind their large ones.
  bool matches_are_due() const {
    return config_.evaluation.every > 0 && counters_.generation % config_.evaluation.every == 0;
  }

  void play_matches(int games, bool last) {
    use_.enter(UseOfTime::kMatches);
    auto played = training::play_matches(
        {config_, options_, counters_, network_, precision_of_play()}, games, last);
    use_.enter(UseOfTime::kRest);
    if (played) comparisons_ = std::move(*played);
  }

  void report() {
    add_matches(comparisons_, record_);
    record_["matches_s"] = elapsed() - saved_s_;
    use_.take(record_);
    metrics_->write(record_);
    if (report_.played.plies > 0) {
      tell_games(report_, counters_.generation, elapsed(), minutes_left());
    }
    tell_matches(comparisons_, config_.evaluation.simulations);
    page_.write(games_.store());
  }

  // --- where the run stands ---

  bool is_new() const { return nn::list_checkpoints(options_.folder).empty(); }
  double elapsed() const { return counters_.elapsed_s + base::seconds_since(session_began_); }
  bool out_of_time(double margin_s = 0) const {
    return config_.run.max_minutes > 0 && elapsed() + margin_s >= 60 * config_.run.max_minutes;
  }
  bool out_of_evaluations() const {
    return config_.run.max_evaluations > 0 && counters_.evaluations >= config_.run.max_evaluations;
  }
  // A generation for which less than a tenth of its time is left is not started.
  bool finished() const {
    return counters_.generation >= config_.run.generations ||
           out_of_time(0.1 * generation_seconds_) || out_of_evaluations();
  }
  double progress() const {
    const auto fraction = [](auto done, auto limit) {  // 0: no limit
      return limit > 0 ? static_cast<double>(done) / static_cast<double>(limit) : 0.0;
    };
    return std::clamp(std::max({fraction(counters_.generation, config_.run.generations),
                                fraction(elapsed(), 60 * config_.run.max_minutes),
                                fraction(counters_.evaluations, config_.run.max_evaluations)}),
                      0.0, 1.0);
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

  void begin() {
    const Beginning given = std::exchange(beginning_, {});
    games_.begin_with(given.games);
    if (given.weights) learner_->initialize(*given.weights);
    network_ = {config_.network, config_.rules.repertoire(), 0,
                learner_->averaged_weights(games_.window())};
    trained_ = has_learned(network_);
    save_state(state(), options_.folder);
  }

  void go_on_from(RunState state) {
    counters_ = state.counters;
    network_ = std::move(state.network);
    record_ = std::move(state.record);
    saved_s_ = counters_.elapsed_s;
    generation_seconds_ = number_of(record_, "selfplay_s") + number_of(record_, "train_s");
    trained_ = has_learned(network_);
    games_.restore(counters_.last_game, counters_.targets, counters_.held_out_targets);
    for (const auto& worker : workers_) worker->resume(state.in_flight);
  }

  // A run that was killed after its checkpoint has not written the generation's record: that is
  // written now. Its matches are lost, unless they were the last.
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
                   (options_.folder / kMetricsFile).string(), missing, counters_.generation);
    }
    lacks_finals_ =
        !record_.is_null() && over_ && config_.evaluation.final_games > 0 && !has_finals(record_);
    // The checkpoint is older than its generation's matches. The last matches, where they are still
    // to be played, have the same opponent as those.
    if (!lacks_finals_ && record_.contains("score_vs_random")) {
      counters_.compared = counters_.generation;
    }
    metrics_ = std::make_unique<Metrics>(options_.folder, counters_.generation + 1);
    if (!known && !record_.is_null()) metrics_->write(record_);
  }

  // The last matches have more games than an ordinary generation's.
  bool has_finals(const nlohmann::ordered_json& record) const {
    const auto score = record.find("score_vs_random");
    return score != record.end() && number_of(*score, "games") >= config_.evaluation.final_games;
  }

  // What a checkpoint holds now. REQUIRES: no games go on.
  RunState state() {
    RunState state{counters_, network_, learner_->state(), {}, record_, to_toml(config_, false)};
    saved_s_ = state.counters.elapsed_s = elapsed();
    for (const auto& worker : workers_) {
      std::ranges::move(worker->in_flight(), std::back_inserter(state.in_flight));
    }
    std::ranges::sort(state.in_flight, {}, &selfplay::GameInFlight::seat);
    return state;
  }

  RunConfig config_;
  RunOptions options_;
  Beginning beginning_;  // until begin() has it
  RunFolder folder_;
  std::unique_ptr<RunInStore> shared_;  // where the games are in a shared store
  RunGames games_;
  std::unique_ptr<Team> team_;  // where several learners are one
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<TeamLead> lead_;
  std::vector<std::unique_ptr<SelfPlayWorker>> workers_;
  std::unique_ptr<Metrics> metrics_;
  bool over_ = false;          // finished, but for its last matches
  bool lacks_finals_ = false;  // it ended before its last matches did

  RunCounters counters_;
  nn::NetworkFile network_;  // the newest; plays
  bool trained_ = false;     // it has learned something

  Clock::time_point session_began_ = Clock::now();
  double generation_seconds_ = 0;  // of the last generation's games and learning
  double saved_s_ = 0;             // elapsed() at the newest checkpoint
  UseOfTime use_;
  LivePage page_{options_.folder};
  GenerationReport report_;        // of this generation
  Comparisons comparisons_;        // of this generation
  nlohmann::ordered_json record_;  // of the generation done last

  Clock::time_point games_began_;
  std::unique_ptr<OngoingGames> ongoing_;  // the last: uses the others
};

RunLoop::RunLoop(const RunConfig& config, const RunOptions& options) {
  requested_precision(config, options.device);  // refused before anything is made
  impl_ = std::make_unique<Impl>(config, options);
}
RunLoop::~RunLoop() = default;
RunEnd RunLoop::run() { return impl_->run(); }

}  // namespace training
