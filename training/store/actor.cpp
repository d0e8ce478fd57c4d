#include "training/store/actor.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/files.h"
#include "base/rng.h"
#include "base/stopwatch.h"
#include "selfplay/shared_store.h"
#include "training/settings/run_config.h"
#include "training/student/run_precision.h"
#include "training/student/self_play.h"

namespace training {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using selfplay::GameRecord;

constexpr auto kActorPoll = 50ms;
constexpr auto kSend = 1s;    // between two transactions with games
constexpr auto kListen = 1s;  // between two looks for an announcement
constexpr auto kBeat = 10s;
constexpr auto kLongestPause = 5s;            // between tries where the server is away
constexpr std::size_t kMostUnsent = 4096;     // games; with more it plays no more
constexpr std::ptrdiff_t kMostInBatch = 512;  // games of a transaction

// Reads a network file from memory: the reader of networks takes files.
StudentNetwork network_of(const selfplay::SharedNetwork& shared, const std::string& store) {
  const int file = ::memfd_create("network", MFD_CLOEXEC);
  if (file < 0 || !base::write_all(file, shared.file)) {
    throw base::EnvironmentError("no memory for a network");
  }
  const std::shared_ptr<void> closer(nullptr, [file](void*) { ::close(file); });
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  try {
    return load_student_network(path);
  } catch (const nn::CheckpointError& error) {
    std::string why = error.what();
    if (why.starts_with(path + ": ")) why.erase(0, path.size() + 2);
    throw nn::CheckpointError(store + ": network " + std::to_string(shared.generation) + ": " +
                              why);
  }
}

std::string machine_name() {
  utsname machine{};
  ::uname(&machine);
  return machine.nodename;
}

// Something to be done at times.
class Timer {
 public:
  explicit Timer(Clock::duration pause) : pause_(pause) {}
  bool due() {
    if (Clock::now() < next_) return false;
    next_ = Clock::now() + pause_;
    return true;
  }

 private:
  Clock::duration pause_;
  Clock::time_point next_ = Clock::now();
};

class Actor {
 public:
  explicit Actor(const ActorOptions& options)
      : options_(options),
        store_(selfplay::open_shared_store({.url = options.store})),
        run_(store_->find_run(options.run)),
        config_(parse_config(run_.config, store_->name() + ", config of run " + run_.name)) {
    requested_precision(config_, options.device);
    lease_ =
        store_->enlist(run_, {machine_name(), options.program, options.device, options.threads});
    spdlog::info("actor {} of run {} in {}", lease_, run_.name, store_->name());
    const auto seed = base::Rng(static_cast<std::uint64_t>(config_.run.seed))
                          .split(static_cast<std::uint64_t>(lease_))
                          .next();  // every actor's games are its own
    self_play_ = make_self_play({config_, options.device, options.threads, seed}, counters_);
  }

  ActorEnd run() {
    attempt([&] { finished_ = !store_->beat(lease_, progress_); });
    while (!over()) {
      if (find_network() && !crowded()) {
        play();
      } else {
        wait();
      }
    }
    send();
    attempt([&] { store_->beat(lease_, progress_); });
    return {run_.name, lease_, progress_.games, std::ssize(unsent_)};
  }

 private:
  bool over() const { return finished_ || (options_.stop && options_.stop->load()); }
  bool crowded() const { return unsent_.size() >= kMostUnsent; }

  // Whether there may be a newer network, and the server may be asked for it.
  bool may_look() const { return look_ && Clock::now() >= again_; }

  // Looks for a newer network where there may be one; a damaged one is not played. Returns whether
  // there is one to play by.
  bool find_network() {
    if (!may_look()) return network_.has_value();
    try {
      std::optional<selfplay::SharedNetwork> found;
      look_ = false;
      look_ = !attempt(
          [&] { found = store_->newest_network(run_, network_ ? progress_.network : -1); });
      if (found) take(network_of(*found, store_->name()));
    } catch (const nn::CheckpointError& error) {
      spdlog::warn("{}: not played", error.what());
    } catch (const base::InputError& error) {
      spdlog::warn("{}: not played", error.what());
    }
    return network_.has_value();
  }

  void take(StudentNetwork network) {
    check_network(network, config_,
                  store_->name() + ": network " + std::to_string(generation_of(network)),
                  "the run's config");
    session_ = session_by(network);
    network_ = std::move(network);
    progress_.network = generation_of(*network_);
  }

  PlaySession session_by(const StudentNetwork& network) {
    return self_play_->session(network, generation_of(network) + 1,
                               std::numeric_limits<std::int64_t>::max());
  }

  // Plays until there may be a newer network.
  void play() {
    const SessionTerms terms{[&](std::int64_t, std::int64_t) {
                               tend();
                               return over() || may_look() || crowded();
                             },
                             /*store_at_once=*/true};
    const auto keep = [&](std::span<const GameRecord> games) {
      unsent_.insert(unsent_.end(), games.begin(), games.end());
    };
    progress_.plies += session_(keep, terms).plies;
  }

  void wait() {
    const auto began = Clock::now();
    std::this_thread::sleep_for(kActorPoll);
    if (!network_) look_ = look_ || retry_.due();
    tend();
    progress_.waited_s += base::seconds_since(began);
  }

  // Sends games, listens and tells that it lives, each at its times.
  void tend() {
    if (Clock::now() < again_) return;
    if (send_.due()) send();
    if (listen_.due()) {
      bool announced = false;
      attempt([&] { announced = store_->announced(); });
      look_ = look_ || announced;
    }
    if (beat_.due()) attempt([&] { finished_ = !store_->beat(lease_, progress_); });
    if (options_.progress) {
      options_.progress(fmt::format("network {}: {} games sent, {} to send", progress_.network,
                                    progress_.games, unsent_.size()));
    }
  }

  void send() {
    while (!unsent_.empty()) {
      const auto count = std::min(std::ssize(unsent_), kMostInBatch);
      const auto batch = std::span(unsent_).first(static_cast<std::size_t>(count));
      if (!attempt([&] { store_->send(run_, lease_, batch); })) return;
      progress_.games += count;
      unsent_.erase(unsent_.begin(), unsent_.begin() + count);
    }
  }

  // Calls f; false where the server is away: then nothing is tried for a while.
  template <class F>
  bool attempt(F f) {
    try {
      f();
      if (std::exchange(pause_, Clock::duration{}) > Clock::duration{}) {
        spdlog::info("{}: back", store_->name());
      }
      return true;
    } catch (const selfplay::StoreAway& error) {
      if (pause_ == Clock::duration{}) spdlog::warn("{}; trying again", error.what());
      pause_ = std::clamp<Clock::duration>(2 * pause_, 250ms, kLongestPause);
      again_ = Clock::now() + pause_;
      return false;
    }
  }

  ActorOptions options_;
  std::unique_ptr<selfplay::SharedStore> store_;
  selfplay::SharedRun run_;
  RunConfig config_;
  std::int64_t lease_ = 0;
  RunCounters counters_;  // its precision of play, once measured
  std::unique_ptr<SelfPlay> self_play_;

  std::optional<StudentNetwork> network_;  // that plays
  PlaySession session_;                    // by it
  bool look_ = true;                       // there may be a newer network
  bool finished_ = false;
  std::vector<GameRecord> unsent_;
  selfplay::ActorProgress progress_;

  Timer send_{kSend}, listen_{kListen}, beat_{kBeat}, retry_{kListen};
  Clock::duration pause_{};  // 0: the server answers
  Clock::time_point again_ = Clock::now();
};

}  // namespace

ActorEnd run_actor(const ActorOptions& options) { return Actor(options).run(); }

}  // namespace training
