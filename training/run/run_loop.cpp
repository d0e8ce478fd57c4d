#include "training/run/run_loop.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>

#include "base/stopwatch.h"
#include "nn/checkpoint.h"
#include "training/page/metrics.h"
#include "training/page/report.h"
#include "training/run/game_source.h"
#include "training/run/generation_report.h"
#include "training/run/plateau_guard.h"
#include "training/run/run_folder.h"
#include "training/run/run_matches.h"
#include "training/run/run_start.h"
#include "training/run/run_state.h"
#include "training/run/use_of_time.h"
#include "training/store/run_games.h"
#include "training/store/run_in_store.h"
#include "training/student/run_precision.h"
#include "training/student/student.h"
#include "training/student/teacher.h"

namespace training {
namespace {

using Clock = std::chrono::steady_clock;
using selfplay::GameRecord;

constexpr auto kMatchesPoll = std::chrono::milliseconds(20);
constexpr int kAttempts = 3;      // to learn from a generation
constexpr int kMostArrivals = 4;  // generations of games that actors may add to one

// "1.3 h", "12 min" or "1:05 min".
std::string time_text(double seconds) {
  const auto whole = std::lround(seconds);
  if (whole >= 7200) return fmt::format("{:.1f} h", seconds / 3600);
  if (whole >= 600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{}:{:02} min", whole / 60, whole % 60);
}

std::unique_ptr<RunInStore> open_store(const RunConfig& config, const RunOptions& options) {
  return options.store ? std::make_unique<RunInStore>(config, options) : nullptr;
}

selfplay::GameStore store_of(RunInStore* shared, const RunOptions& options) {
  if (shared) return shared->games();
  return {options.folder / selfplay::kGamesFile, selfplay::StoreMode::kWrite};
}

}  // namespace

class RunLoop::Impl {
 public:
  Impl(const RunConfig& config, const RunOptions& options)
      : config_(config),
        options_(options),
        teacher_(make_teacher()),
        beginning_(is_new() ? read_beginning(config, options) : Beginning{}),
        folder_(options.folder, config, options.device, options.threads),
        shared_(open_store(config, options)),
        student_(make_student(config, options, counters_)),
        games_(config, options.folder, store_of(shared_.get(), options), student_->window(),
               student_->validation()),
        self_play_(make_self_play({config, options.device, options.threads,
                                   static_cast<std::uint64_t>(config.run.seed), finish_games()},
                                  counters_)),
        source_(make_game_source(config, options, *self_play_, games_, shared_.get())),
        use_(options.device, options.threads) {
    for (const std::string& warning : warnings(config)) spdlog::warn("{}", warning);
    if (is_new()) {
      begin();
    } else {
      go_on_from(restore_newest(config_, options_, *student_));
    }
    open_metrics();
    folder_.keep(config);
    source_->publish(newest_checkpoint(), counters_.generation);
    source_->set_finished(over_ && !lacks_finals_);
  }

  RunEnd run() {
    if (lacks_finals_) make_up_for_finals();
    while (!options_.stopped() && !over_) {
      ++counters_.generation;
      if (!generate_games()) return stopped();
      if (!train()) return options_.stopped() ? stopped() : RunEnd::kDiverged;
      publish_checkpoint();
      compare();
      report();
    }
    if (over_) source_->set_finished(true);
    return options_.stopped() ? stopped() : RunEnd::kFinished;
  }

 private:
  // Keeps the matches that have ended.
  RunEnd stopped() {
    take_in_matches();
    return RunEnd::kStopped;
  }

  // --- the steps of a generation ---

  // Returns false where it was stopped: the finished games are kept, the generation is not.
  bool generate_games() {
    use_.enter(UseOfTime::kGames);
    generation_began_ = Clock::now();
    report_ = {};
    source_->await(student_->network(), games_wanted(counters_.generation));
    count_played();
    return !options_.stopped();
  }

  // Adds the new games and learns. Returns false where it was stopped or diverged.
  bool train() {
    use_.enter(UseOfTime::kLearning);
    const auto fresh = static_cast<double>(take_in_games());
    if (student_->window().size() == 0) return true;
    const auto fits = [this] {
      return measured_fits(
          student_->window(), student_->validation(),
          [this](bool validation, int rows) { return student_->fit(validation, rows); });
    };
    report_.fit_before = fits();
    if (!learn(steps_for(fresh))) return false;
    student_->renew_network(counters_.generation);
    report_.fit = fits();
    tell_overfitting(report_.fit, student_->window(), config_.learner.window_min);
    if (config_.learner.plateau_guard) {
      guard_against_plateau(report_, config_, progress(), counters_);
    }
    return true;
  }

  void publish_checkpoint() {
    use_.enter(UseOfTime::kRest);
    const bool go_on = !finished();
    if (go_on) source_->prepare(student_->network(), games_wanted(counters_.generation + 1));
    source_->pause();
    count_played();
    generation_seconds_ = base::seconds_since(generation_began_);
    report_.steps = student_->steps_taken();
    report_.window = student_->window().size();
    record_ = record_of(report_, counters_, elapsed());
    source_->add_to(record_);
    const RunState saved = state();
    if (go_on) source_->start();
    save_state(saved, options_.folder);
    source_->publish(newest_checkpoint(), counters_.generation);
    prune_checkpoints(options_.folder, config_.run.keep_checkpoints);
  }

  // Starts matches where they are due, which go on beside the next generations, and plays those of
  // the end. This decides whether the run ends, so that no run ends without its last matches.
  void compare() {
    comparisons_.clear();
    if (matches_are_due() && !finished()) finish_matches();
    over_ = finished();
    if (over_) {
      source_->pause();
      play_last_matches();
      finish_matches();
    } else if (matches_are_due() && !options_.stopped()) {
      beside_.start(matches_on_the_way(match_setup()));
      counters_.compared = counters_.generation;
    }
  }

  void report() {
    add_matches(comparisons_, record_);
    record_["matches_s"] = elapsed() - saved_s_;
    use_.take(record_);
    metrics_->write(record_);
    if (report_.played.plies > 0) {
      tell_games(report_, counters_.generation, elapsed(), time_text(seconds_left()));
    }
    tell_matches(comparisons_, config_.evaluation.simulations);
    page_.write(games_.store());
  }

  // The last matches of a run that ended before they did.
  void make_up_for_finals() {
    compare();
    metrics_.reset();  // the line of this generation is written anew
    metrics_ = std::make_unique<Metrics>(options_.folder, counters_.generation);
    report();
  }

  // --- what they consist of ---

  GamesWanted games_wanted(std::int64_t generation) {
    const std::int64_t plies = plies_to_play();
    return {generation, counters_.last_game, plies,
            [this] { return options_.stopped() || out_of_time(); },
            [this, plies](std::int64_t played) { show_progress(played, plies); }};
  }

  // The first generation costs no evaluations, and has more plies.
  std::int64_t plies_to_play() const {
    const bool goes_on = has_learned(student_->network()) || !config_.run.plays_games();
    return goes_on ? config_.run.plies_per_generation : config_.run.first_plies;
  }

  void count_played() {
    const GameSource::Played played = source_->take_played();
    report_.played += played.stats;
    report_.games_seconds += played.seconds;
    counters_.plies += played.stats.plies;
    counters_.evaluations += played.stats.evaluations;
  }

  void show_progress(std::int64_t plies, std::int64_t of) {
    take_in_matches();
    if (!options_.progress) return;
    options_.progress(fmt::format("generation {}: {} of {} plies, {:.0f} s, about {} to go",
                                  counters_.generation, plies, of, elapsed(),
                                  time_text(seconds_left())));
  }

  // Adds the new games to the window. Returns how many of their positions it holds.
  std::int64_t take_in_games() {
    const GameWindow& window = student_->window();
    const std::int64_t before = window.total();
    // Up to what can be learned in time: the rest waits its turn.
    source_->take_in(counters_.generation, kMostArrivals * plies_to_play());
    count_played();
    const rules::ScoringTable table = scoring_table(config_);
    for (GameRecord& game : games_.stored_after(counters_.last_game)) {
      if (game.generation > 0) report_.summary.add(game, table);  // 0: of --games
      counters_.last_game = std::max(counters_.last_game, game.id);
      games_.add(std::move(game));
    }
    counters_.games += report_.summary.games;
    counters_.targets = window.total();
    counters_.held_out_targets = student_->validation().total();
    return std::min(window.total() - before, window.size());
  }

  // A generation's steps. Where none plays, each has an equal share of what is learned in all.
  std::int64_t steps_for(double fresh_positions) const {
    const double positions = config_.run.plays_games()
                                 ? fresh_positions
                                 : static_cast<double>(student_->window().size()) /
                                       static_cast<double>(config_.run.generations);
    return static_cast<std::int64_t>(
        std::ceil(positions * static_cast<double>(config_.learner.reuse) / config_.learner.batch));
  }

  // Takes the steps; where the loss explodes, starts again from the last checkpoint at half the
  // learning rate. Returns false where it was stopped, or after the third time in a row.
  bool learn(std::int64_t steps) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      report_.learned = student_->train(steps, progress());
      if (!report_.learned.diverged) return !options_.stopped();
      counters_.learning_rate_scale /= 2;
      spdlog::warn(
          "the loss exploded after {} steps: back to the last checkpoint, "
          "at {} of the learning rate",
          report_.learned.steps, counters_.learning_rate_scale);
      restore_checkpoint(checkpoint_folder(options_.folder, counters_.generation - 1), config_,
                         *student_);
    }
    spdlog::error(
        "the loss exploded {} times in a row: giving up; lower learner.learning_rate (--set), and "
        "the same command goes on from the last checkpoint",
        kAttempts);
    return false;
  }

  bool matches_are_due() const {
    return config_.evaluation.every > 0 && counters_.generation % config_.evaluation.every == 0;
  }
  MatchSetup match_setup() { return {config_, options_, counters_, *student_}; }

  void play_last_matches() {
    const FinalMatches plan = final_matches();
    if (plan.games == 0 || options_.stopped()) return;
    use_.enter(UseOfTime::kMatches);
    const auto began = Clock::now();
    const auto tell = [&](double done) {
      if (!options_.progress) return;
      const double left_s = matches_left_s(done, base::seconds_since(began), plan.seconds);
      options_.progress(fmt::format("generation {}: {:.0f} % of its matches, about {} to go",
                                    counters_.generation, 100 * done, time_text(left_s)));
    };
    const ReadyMatches matches = last_matches(match_setup(), plan.games);
    const auto keep = [this](const std::string& key, arena::MatchResult result) {
      comparisons_.emplace_back(key, std::move(result));
    };
    play(matches, keep, tell, options_.stop);
    use_.enter(UseOfTime::kRest);
    // All or none.
    if (comparisons_.size() < matches.opponents.size()) return comparisons_.clear();
    counters_.compared = counters_.generation;
  }

  // Waits for the matches that go on, whose games are mostly played by then.
  void finish_matches() {
    if (!beside_.go_on()) return;
    use_.enter(UseOfTime::kMatches);
    while (beside_.go_on() && !options_.stopped()) {
      if (options_.progress) {
        options_.progress(fmt::format("generation {}: waits for the matches of generation {}",
                                      counters_.generation, beside_.generation()));
      }
      std::this_thread::sleep_for(kMatchesPoll);
      take_in_matches();
    }
    use_.enter(UseOfTime::kRest);
  }

  // Adds the results that have come to the record of the generation that played.
  void take_in_matches() {
    const std::int64_t generation = beside_.generation();
    const Comparisons come = beside_.take();
    if (come.empty()) return;
    nlohmann::ordered_json members;
    add_matches(come, members);
    metrics_->add(generation, members);
    tell_matches(come, config_.evaluation.simulations);
  }

  // --- where the run stands ---

  // Null where there is none, or no more to label.
  std::unique_ptr<const Teacher> make_teacher() const {
    if (config_.nnue.teacher.empty() || !(is_new() || config_.run.plays_games())) return nullptr;
    return std::make_unique<Teacher>(config_, options_.teacher_device, options_.threads);
  }
  std::function<void(std::vector<GameRecord>&)> finish_games() const {
    if (!teacher_) return {};
    return [this](std::vector<GameRecord>& games) { games.resize(label(games, {})); };
  }

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

  FinalMatches final_matches() const { return plan_final_matches(config_, record_); }

  // Until the run ends; 0 where it has only begun, so that nobody knows.
  double seconds_left() const {
    if (over_) return 0;
    const double done = progress();
    return done > 0.001 ? elapsed() / done * (1 - done) + final_matches().seconds : 0;
  }

  // --- beginning and going on ---

  void begin() {
    Beginning given = std::exchange(beginning_, {});
    if (!store_given(games_.not_stored(given.games))) return;
    student_->begin(given.weights);
    save_state(state(), options_.folder);
  }

  // Stores games of others, with the teacher's labels. Returns false where it was stopped: the same
  // command goes on from there.
  bool store_given(std::span<GameRecord> games) {
    const auto store = [this](std::span<GameRecord> some) { games_.store().append(some); };
    if (teacher_) return label(games, store) == games.size();
    if (!games.empty()) store(games);
    return true;
  }

  std::size_t label(std::span<GameRecord> games,
                    const std::function<void(std::span<GameRecord>)>& labelled) const {
    const auto began = Clock::now();
    std::string line;
    const auto tell = [&](std::size_t done, std::int64_t positions) {
      line = fmt::format("the teacher has labelled {} of {} games, {:.0f} positions/s", done,
                         games.size(), static_cast<double>(positions) / base::seconds_since(began));
      if (options_.progress) options_.progress(line);
    };
    const std::size_t done = teacher_->label(games, {options_.stop, labelled, tell});
    spdlog::info("{}, {:.1f} s", line, base::seconds_since(began));
    return done;
  }

  void go_on_from(RunState state) {
    counters_ = state.counters;
    record_ = std::move(state.record);
    saved_s_ = counters_.elapsed_s;
    generation_seconds_ = number_of(record_, "selfplay_s") + number_of(record_, "train_s");
    games_.restore(counters_.last_game, counters_.targets, counters_.held_out_targets);
    source_->resume(state);
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
    // The checkpoint is older than its generation's matches, and holds matches of which a kill has
    // left no result. The last ones, where they are still to be played, have an earlier opponent.
    counters_.compared = 0;
    for (const auto& record : written) {
      const auto generation = record.at("generation").get<std::int64_t>();
      const bool is_opponent = !lacks_finals_ || generation < counters_.generation;
      if (is_opponent && has_matches(record)) counters_.compared = generation;
    }
    metrics_ = std::make_unique<Metrics>(options_.folder, counters_.generation + 1);
    if (!known && !record_.is_null()) metrics_->write(record_);
  }

  // An ordinary generation's matches pass for the last ones where they have as many games.
  bool has_finals(const nlohmann::ordered_json& record) const {
    const auto score = record.find("score_vs_random");
    return score != record.end() && number_of(*score, "games") >= final_matches().games;
  }

  // What a checkpoint holds now. REQUIRES: no games go on.
  RunState state() {
    RunState state{counters_, student_->network(),    student_->state(), {},
                   record_,   to_toml(config_, false)};
    saved_s_ = state.counters.elapsed_s = elapsed();
    source_->save(state);
    return state;
  }
  std::filesystem::path newest_checkpoint() const {
    return checkpoint_folder(options_.folder, counters_.generation);
  }

  RunConfig config_;
  RunOptions options_;
  RunCounters counters_;
  std::unique_ptr<const Teacher> teacher_;  // nnue.teacher
  Beginning beginning_;                     // until begin() has it
  RunFolder folder_;
  std::unique_ptr<RunInStore> shared_;  // where the games are in a shared store
  std::unique_ptr<Student> student_;
  RunGames games_;
  std::unique_ptr<SelfPlay> self_play_;
  std::unique_ptr<Metrics> metrics_;
  bool over_ = false;          // finished, but for its last matches
  bool lacks_finals_ = false;  // it ended before its last matches did

  Clock::time_point session_began_ = Clock::now();
  Clock::time_point generation_began_;
  double generation_seconds_ = 0;  // of the last generation's games and learning
  double saved_s_ = 0;             // elapsed() at the newest checkpoint
  LivePage page_{options_.folder};
  GenerationReport report_;        // of this generation
  Comparisons comparisons_;        // of this generation
  nlohmann::ordered_json record_;  // of the generation done last

  std::unique_ptr<GameSource> source_;  // ends before what it uses
  UseOfTime use_;
  MatchesBeside beside_;
};

RunLoop::RunLoop(const RunConfig& config, const RunOptions& options) {
  // Refused before anything is made.
  requested_precision(config, config.run.teaches_nnue() ? options.teacher_device : options.device);
  impl_ = std::make_unique<Impl>(config, options);
}
RunLoop::~RunLoop() = default;
RunEnd RunLoop::run() { return impl_->run(); }

}  // namespace training
