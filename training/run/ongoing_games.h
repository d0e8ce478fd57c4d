#pragma once
// Games that go on while the run learns, saves and plays matches.

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <span>

#include "selfplay/generate.h"

namespace training {

// A call of selfplay::generate() on a thread of its own, which stores games as they finish. Owned
// by one thread.
class OngoingGames {
 public:
  // Starts it. Until end() the workers belong to it, and `store` is called on its thread.
  // `options.halt` and `options.store_at_once` are its own.
  OngoingGames(std::span<const std::unique_ptr<selfplay::SelfPlayWorker>> workers,
               selfplay::GameSink store, selfplay::GenerateOptions options);
  ~OngoingGames();  // end(), whose error is dropped
  OngoingGames(const OngoingGames&) = delete;
  OngoingGames& operator=(const OngoingGames&) = delete;

  std::int64_t plies() const { return plies_; }  // played so far
  // False once all seats have reached the limit or something was thrown.
  bool running() const;
  // Ends the games after the batches in flight; all that are finished are stored. Returns what was
  // played, throws what generate() throws. Once.
  selfplay::WorkerStats end();

 private:
  selfplay::GameSink store_;
  selfplay::GenerateOptions options_;
  std::atomic<bool> halt_ = false;
  std::atomic<std::int64_t> plies_ = 0;
  std::future<selfplay::WorkerStats> played_;  // the last: uses the others
};

}  // namespace training
