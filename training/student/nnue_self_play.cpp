#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/rng.h"
#include "base/threads.h"
#include "nn/nnue_file.h"
#include "selfplay/alphabeta_games.h"
#include "training/student/self_play.h"

namespace training {
namespace {

using selfplay::GameRecord;
using selfplay::WorkerStats;

constexpr auto kNnuePoll = std::chrono::milliseconds(20);

// Games are numbered: those count that come first and have the plies together, whichever thread was
// faster.
class NnueSelfPlay final : public SelfPlay {
 public:
  explicit NnueSelfPlay(const SelfPlaySetup& setup)
      : setup_(setup),
        tablebase_(tablebase::load(setup.config.selfplay.tablebase,
                                   setup.config.rules.repertoire().first(),
                                   scoring_table(setup.config))),
        book_starts_(book_starts(setup.config)) {}

  PlaySession session(const StudentNetwork& network, std::int64_t generation,
                      std::int64_t plies) override {
    std::shared_ptr<const tactics::NnueWeights> weights;  // none: by material
    if (has_learned(network))
      weights = nn::weights_to_play(std::get<nn::NnueFile>(network).weights);
    return [this, weights, generation, plies](const selfplay::GameSink& store,
                                              const SessionTerms& terms) {
      if (std::exchange(generation_, generation) != generation) first_ = 0;
      WorkerStats played = play(weights, plies, store, terms);
      if (!weights) played.evaluations = 0;
      return played;
    };
  }

  // Its games are short: those that a session has not finished are lost.
  std::vector<selfplay::GameInFlight> in_flight() const override { return {}; }
  void resume(std::span<const selfplay::GameInFlight>) override {}

 private:
  WorkerStats play(const std::shared_ptr<const tactics::NnueWeights>& weights, std::int64_t plies,
                   const selfplay::GameSink& store, const SessionTerms& terms) {
    finished_.clear();
    next_ = first_;
    plies_ = 0;
    stop_ = false;
    base::Threads threads;
    for (int i = 0; i < setup_.threads; ++i) {
      threads.start([&] { play_some(tactics::Evaluator(weights), plies); });
    }
    WorkerStats counted;
    try {
      for (bool goes_on = true; goes_on && threads.running() > 0 && !threads.failed();) {
        std::this_thread::sleep_for(kNnuePoll);
        if (terms.store_at_once) counted += give(store, plies);
        goes_on = !terms.halt || !terms.halt(plies_, counted.games);
      }
    } catch (...) {
      stop_ = true;
      throw;
    }
    stop_ = true;
    threads.wait();
    counted += give(store, plies);
    threads.rethrow();
    return counted;
  }

  // Gives the store the finished games before which none is missing, up to `plies`.
  WorkerStats give(const selfplay::GameSink& store, std::int64_t plies) {
    std::vector<GameRecord> games;
    WorkerStats counted;
    const std::lock_guard lock(mutex_);
    for (auto at = finished_.begin();
         at != finished_.end() && at->first == first_ && counted.plies < plies;
         at = finished_.erase(at), ++first_) {
      counted += WorkerStats{1, std::ssize(at->second.game.plies), at->second.nodes};
      games.push_back(std::move(at->second.game));
    }
    if (setup_.finish) setup_.finish(games);
    if (!games.empty()) store(games);
    return counted;
  }

  void play_some(const tactics::Evaluator& evaluator, std::int64_t plies) {
    constexpr int kHashMib = 4;
    tactics::AlphaBetaSearch search(evaluator, 1, kHashMib);
    const RunConfig& config = setup_.config;
    selfplay::AlphaBetaGamesConfig how;
    how.rules = config.rules.repertoire().first();
    how.table = scoring_table(config);
    how.openings = config.selfplay;
    how.tablebase = tablebase_.get();
    how.book_starts = book_starts_;
    how.nodes = config.nnue.nodes;
    how.generation = static_cast<int>(generation_);
    how.stop = &stop_;
    const base::Rng rng = base::Rng(setup_.seed).split(static_cast<std::uint64_t>(generation_));
    while (!stop_ && plies_ < plies) {
      const std::int64_t number = next_++;
      auto played = selfplay::play_game(search, how, rng.split(static_cast<std::uint64_t>(number)));
      const std::lock_guard lock(mutex_);
      if (stop_) return;
      plies_ += std::ssize(played.game.plies);
      finished_.emplace(number, std::move(played));
    }
  }

  SelfPlaySetup setup_;
  const std::shared_ptr<const tablebase::Tables> tablebase_;
  const selfplay::BookStarts book_starts_;
  std::int64_t generation_ = 0;  // of the last session
  std::int64_t first_ = 0;       // the number of its first game that was not given to the store
  std::atomic<std::int64_t> next_ = 0, plies_ = 0;  // of the session: next number, finished plies
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;                                          // guards the last
  std::map<std::int64_t, selfplay::AlphaBetaGame> finished_;  // by number
};

}  // namespace

std::unique_ptr<SelfPlay> nnue_self_play(const SelfPlaySetup& setup) {
  return std::make_unique<NnueSelfPlay>(setup);
}

}  // namespace training
