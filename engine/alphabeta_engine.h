#pragma once
// The engine that plays by alpha-beta search with a learned evaluator.

#include <atomic>
#include <memory>
#include <thread>

#include "engine/engine.h"
#include "tactics/alphabeta.h"

namespace engine {

struct AlphaBetaEngineOptions {
  int threads = 1;
  int hash_mib = 16;
  double move_overhead_ms = 20;
};

// With one thread and a limit of nodes the result depends on nothing but what was searched since
// clear().
class AlphaBetaEngine final : public Engine {
 public:
  AlphaBetaEngine(std::shared_ptr<const tactics::NnueWeights> weights,
                  const AlphaBetaEngineOptions& options);
  ~AlphaBetaEngine() override { stop(); }  // thread_ joins

  void set_position(const rules::Position& root, const rules::ScoringTable& table,
                    const rules::History& past = {}) override;
  int hash_mib() const override { return search_.hash_mib(); }
  void clear() override { search_.clear(); }
  void start(const tactics::SearchLimits& limits, Listener listener) override;
  void stop() override { stop_ = true; }
  void ponder_hit() override { ponder_ = false; }
  void wait() override {
    if (thread_.joinable()) thread_.join();
  }
  bool running() const override { return running_; }

 private:
  AlphaBetaEngineOptions options_;
  tactics::AlphaBetaSearch search_;
  rules::Position root_;
  rules::ScoringTable table_;
  rules::History past_;
  std::atomic<bool> stop_{false}, ponder_{false}, running_{false};
  std::jthread thread_;  // the last member: ends before what it uses
};

}  // namespace engine
