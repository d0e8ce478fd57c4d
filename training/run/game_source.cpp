#include "training/run/game_source.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/stopwatch.h"

namespace training {
namespace {

using Clock = std::chrono::steady_clock;
using selfplay::WorkerStats;

constexpr auto kPoll = std::chrono::milliseconds(20);

// All games were there at the start.
class Given final : public GameSource {
 public:
  void await(const StudentNetwork&, const GamesWanted&) override {}
  void save(RunState&) const override {}
  void resume(const RunState&) override {}
};

// A generation is played, then learned.
class Lockstep : public GameSource {
 public:
  Lockstep(SelfPlay& self_play, RunGames& games) : self_play_(self_play), games_(games) {}

  void await(const StudentNetwork& network, const GamesWanted& wanted) override {
    const auto began = Clock::now();
    const auto halt = [&](std::int64_t plies, std::int64_t) {
      wanted.progress(plies);
      return wanted.halt();
    };
    note(self_play_.session(network, wanted.generation, wanted.plies)(sink(), {halt}), began);
  }
  void save(RunState& state) const override { state.in_flight = self_play_.in_flight(); }
  void resume(const RunState& state) override { self_play_.resume(state.in_flight); }

 protected:
  selfplay::GameSink sink() {
    return [this](std::span<const selfplay::GameRecord> games) { games_.append(games); };
  }
  void note(const WorkerStats& stats, Clock::time_point began) {
    played_.stats += stats;
    played_.seconds += base::seconds_since(began);
  }

  SelfPlay& self_play_;

 private:
  RunGames& games_;
};

// Games go on while the run learns and saves. What is played meanwhile is the next generation's, of
// which at most all is: where learning takes longer, they stop.
class GoingOn final : public Lockstep {
 public:
  using Lockstep::Lockstep;
  ~GoingOn() override {
    halt_ = true;
    if (running_.valid()) running_.wait();
  }

  // The first generation costs the device nothing: it is played as on a CPU.
  void await(const StudentNetwork& network, const GamesWanted& wanted) override {
    if (!has_learned(network)) return Lockstep::await(network, wanted);
    if (!running_.valid()) {
      prepare(network, wanted);
      start();
    }
    while (ahead_ + plies_ < wanted.plies && is_running() && !wanted.halt()) {
      wanted.progress(ahead_ + plies_);
      std::this_thread::sleep_for(kPoll);
    }
    if (wanted.halt() || !is_running()) pause();
    ahead_ -= wanted.plies;
    if (!running_.valid()) ahead_ = std::max<std::int64_t>(ahead_, 0);  // it was halted
  }

  void prepare(const StudentNetwork& network, const GamesWanted& next) override {
    if (!has_learned(network)) return;
    const std::int64_t ahead = ahead_ + plies_;
    next_ = self_play_.session(network, next.generation, 2 * next.plies - ahead);
  }
  void start() override {
    if (!next_) return;
    began_ = Clock::now();
    halt_ = false;
    const auto halt = [this](std::int64_t plies, std::int64_t) {
      plies_ = plies;
      return halt_.load();
    };
    running_ = std::async(std::launch::async, [this, halt, play = std::exchange(next_, {})] {
      return play(sink(), {halt, /*store_at_once=*/true});
    });
  }
  void pause() override {
    if (!running_.valid()) return;
    halt_ = true;
    const WorkerStats stats = running_.get();
    plies_ = 0;
    ahead_ += stats.plies;
    note(stats, began_);
  }

  void save(RunState& state) const override {
    Lockstep::save(state);
    state.plies_ahead = ahead_;
  }
  void resume(const RunState& state) override {
    Lockstep::resume(state);
    ahead_ = state.plies_ahead;
  }

 private:
  bool is_running() const {
    return running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  }

  std::int64_t ahead_ = 0;  // plies of the next generation, without those of the present session
  PlaySession next_;
  Clock::time_point began_;
  std::atomic<bool> halt_ = false;
  std::atomic<std::int64_t> plies_ = 0;  // of the present session, so far
  std::future<WorkerStats> running_;     // the last: uses the others
};

// Actors' games arrive in a shared store, beside games of the run's own or alone.
class Arriving final : public Lockstep {
 public:
  Arriving(SelfPlay& self_play, RunGames& games, RunInStore& store, bool plays)
      : Lockstep(self_play, games), store_(store), plays_(plays) {}

  void await(const StudentNetwork& network, const GamesWanted& wanted) override {
    if (plays_) return Lockstep::await(network, wanted);
    const auto began = Clock::now();
    store_.wait_for(wanted);
    note({}, began);
  }
  void take_in(std::int64_t generation, std::int64_t most_plies) override {
    store_.take_in(generation, most_plies);
    const RunInStore::Arrived arrived = store_.arrived();
    played_.stats.games += arrived.games;
    played_.stats.plies += arrived.plies;
  }
  void publish(const std::filesystem::path& checkpoint, std::int64_t generation) override {
    store_.publish(checkpoint, generation);
  }
  void set_finished(bool finished) override { store_.set_finished(finished); }
  void add_to(nlohmann::ordered_json& record) override { store_.add_to(record); }

 private:
  RunInStore& store_;
  bool plays_;
};

}  // namespace

std::unique_ptr<GameSource> make_game_source(const RunConfig& config, const RunOptions& options,
                                             SelfPlay& self_play, RunGames& games,
                                             RunInStore* shared) {
  if (!config.run.plays_games()) return std::make_unique<Given>();
  if (shared) return std::make_unique<Arriving>(self_play, games, *shared, options.plays);
  if (options.device != "cpu") return std::make_unique<GoingOn>(self_play, games);
  return std::make_unique<Lockstep>(self_play, games);
}

}  // namespace training
