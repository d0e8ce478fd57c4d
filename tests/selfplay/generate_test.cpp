#include "selfplay/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/errors.h"
#include "tests/temporary_folder.h"

namespace selfplay {
namespace {

constexpr int kWorkers = 2;

WorkerSetup generation_setup() {
  WorkerSetup setup;
  setup.config.games = 12;
  setup.config.simulations = 6;
  setup.config.fast_simulations = 2;
  return setup;
}

class SlowEvaluator final : public mcts::Evaluator {
 public:
  explicit SlowEvaluator(bool slow) : slow_(slow) {}
  void evaluate(mcts::LeafBatch& batch) override {
    if (slow_) std::this_thread::sleep_for(std::chrono::microseconds(50));
    hashed_.evaluate(batch);
  }

 private:
  bool slow_;
  mcts::HashEvaluator hashed_{3};
};

class Generate : public ::testing::Test {
 protected:
  // Plays `games` games by `count` new workers; the first `slow` evaluators that are made are slow.
  WorkerStats play(const std::string& file, std::int64_t games, int slow, int count = kWorkers) {
    const auto workers = make_workers(generation_setup(), count, 4);
    GameStore store(folder / file, StoreMode::kWrite);
    std::atomic<int> asked = 0;
    GenerateOptions how;
    how.limit.games = games;
    how.evaluator = [&] { return std::make_unique<SlowEvaluator>(asked++ < slow); };
    return generate(workers, store, how);
  }
  std::vector<GameRecord> games_in(const std::string& file) const {
    const GameStore store(folder / file, StoreMode::kRead);
    return store.load(1, store.last_id());
  }
  std::vector<std::vector<std::byte>> encoded(const std::string& file) const {
    std::vector<std::vector<std::byte>> games;
    for (const GameRecord& game : games_in(file)) games.push_back(encode(game));
    return games;
  }

  TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
};

// The order of the store is that of the games' numbers.
TEST_F(Generate, OneSeedStoresTheSameGamesInOneOrderWhoeverPlaysThem) {
  EXPECT_EQ(play("one.db", 21, 0).games, 21);
  const auto games = encoded("one.db");
  EXPECT_EQ(games.size(), 21u);
  for (const GameRecord& game : games_in("one.db")) {
    EXPECT_EQ(replay(game).back().outcome(game.table), game.outcome);
  }
  play("other.db", 21, 1);
  EXPECT_EQ(encoded("other.db"), games);
  play("alone.db", 21, 0, 1);
  EXPECT_EQ(encoded("alone.db"), games);
  play("four.db", 21, 2, 4);
  EXPECT_EQ(encoded("four.db"), games);
  play("one.db", 21, 1);
  EXPECT_EQ(encoded("one.db"), games);
  EXPECT_EQ(games_in("one.db").size(), 21u);
}

// Those that end first are the short ones: they must not be all that is stored.
TEST_F(Generate, TheGamesThatWereStartedArePlayedToTheirEnd) {
  std::set<std::uint64_t> begun;
  for (const auto& worker : make_workers(generation_setup(), kWorkers, 4)) {
    mcts::HashEvaluator evaluator(3);
    const std::atomic<bool> stop = true;
    worker->play(evaluator, {}, 0, stop, [](std::int64_t, const GameRecord&) {});
    for (const GameInFlight& seat : worker->in_flight()) begun.insert(seat.game.seed);
  }
  ASSERT_EQ(begun.size(), 12u);
  play("games.db", 12, 0);
  std::set<std::uint64_t> stored;
  for (const GameRecord& game : games_in("games.db")) stored.insert(game.seed);
  EXPECT_EQ(stored, begun);
  play("few.db", 1, 0);  // one worker has nothing to do
  EXPECT_EQ(games_in("few.db").size(), 1u);
}

// Waits until it may begin, and fails when its batch has grown smaller, for games have ended then.
class FailingEvaluator final : public mcts::Evaluator {
 public:
  FailingEvaluator(const std::atomic<bool>& begin, std::atomic<bool>& failed)
      : begin_(begin), failed_(failed) {}
  void evaluate(mcts::LeafBatch& batch) override {
    begin_.wait(false);
    first_ = std::max(first_, batch.leaves.size());
    if (batch.leaves.size() < first_ / 2) {
      failed_ = true;
      failed_.notify_all();
      throw base::EnvironmentError("the device is gone");
    }
    hashed_.evaluate(batch);
  }

 private:
  const std::atomic<bool>& begin_;
  std::atomic<bool>& failed_;
  std::size_t first_ = 0;
  mcts::HashEvaluator hashed_{3};
};

TEST_F(Generate, WhatWasFinishedWhenAWorkerFailedIsStored) {
  const auto workers = make_workers(generation_setup(), 1, 4);
  GameStore store(folder / "games.db", StoreMode::kWrite);
  std::atomic<bool> begin = false, failed = false;
  GenerateOptions how;
  how.limit.games = 12;
  how.evaluator = [&] { return std::make_unique<FailingEvaluator>(begin, failed); };
  how.halt = [&](std::int64_t, std::int64_t) {  // nothing is stored between two calls
    begin = true;
    begin.notify_all();
    failed.wait(false);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until the thread has ended
    return false;
  };
  EXPECT_THROW(generate(workers, store, how), base::EnvironmentError);
  EXPECT_GT(store.last_id(), 0);
}

}  // namespace
}  // namespace selfplay
