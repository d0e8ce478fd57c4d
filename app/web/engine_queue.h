#pragma once
// One engine, the cores of which many visitors share in turn.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "app/play/backends.h"

namespace app {

// All functions may be called by any thread.
class EngineQueue {
 public:
  EngineQueue(LoadBackendFor load, const EngineOptions& options)
      : backends_(std::move(load)), options_(options) {}

  // What is known of an opponent's backend. Throws what loading throws.
  std::shared_ptr<const Backend> backend(const Opponent& opponent) {
    return backends_.of(opponent);
  }

  // The engine, from a visitor's turn until the lease goes.
  class Lease {
   public:
    Lease(Lease&& other) noexcept : queue_(std::exchange(other.queue_, nullptr)), ms_(other.ms_) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    engine::Engine& engine() const { return *queue_->engine_; }
    // The visitor's share of the time until the deadline: as much as is left for each of those who
    // wait, at least 10 ms.
    double ms() const { return ms_; }

   private:
    friend class EngineQueue;
    Lease(EngineQueue* queue, double ms) : queue_(queue), ms_(ms) {}
    EngineQueue* queue_;
    double ms_;
  };
  // Waits for the turn, first come, first served. The engine knows nothing of earlier searches,
  // but those of the same visitor where nobody came in between. Throws what loading throws.
  Lease wait_for_turn(const Opponent& opponent, std::uint64_t visitor,
                      std::chrono::steady_clock::time_point deadline);
  // Whether somebody waits: a search without an end should then make room.
  bool is_wanted() const;

 private:
  void prepare(const Opponent& opponent, std::uint64_t visitor);
  void leave();

  Backends backends_;
  const EngineOptions options_;

  mutable std::mutex mutex_;  // guards the next three
  std::condition_variable changed_;
  std::uint64_t next_ticket_ = 0, now_served_ = 0;

  // These belong to the visitor who is served: no other thread touches them.
  std::unique_ptr<engine::Engine> engine_;
  std::optional<Backends::Key> engine_key_;
  std::uint64_t last_visitor_ = 0;
};

}  // namespace app
