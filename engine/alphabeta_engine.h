#pragma once
// The engine that plays by alpha-beta search with a learned evaluator.

#include <atomic>
#include <exception>
#include <memory>
#include <thread>

#include "engine/engine.h"
#include "tactics/alphabeta.h"

namespace engine {

// With one thread and a limit of nodes the result depends on nothing but what was searched since
// clear(). Progress is reported after an iteration.
class AlphaBetaEngine final : public Engine {
 public:
  AlphaBetaEngine(std::shared_ptr<const tactics::NnueWeights> weights,
                  const EngineOptions& options);
  ~AlphaBetaEngine() override { stop(); }  // thread_ joins

  void set_position(const rules::Position& root, const rules::ScoringTable& table,
                    const rules::History& past = {}) override;
  int hash_mib() const override { return search_.hash_mib(); }
  void clear() override { search_.clear(); }
  void start(const tactics::SearchLimits& limits, Listener listener) override;
  void stop() override { stop_ = true; }
  void ponder_hit() override { ponder_ = false; }
  void wait() override;
  bool running() const override { return running_; }

 private:
  void search(const tactics::SearchLimits& limits, const tactics::SearchControl& control,
              const Listener& listener);

  double move_overhead_ms_;
  std::shared_ptr<const tablebase::Tables> tablebase_;
  tactics::AlphaBetaSearch search_;
  rules::Position root_;
  rules::ScoringTable table_;
  rules::History past_;
  std::atomic<bool> stop_{false}, ponder_{false}, running_{false};
  std::exception_ptr error_;  // of the search, which writes it
  std::jthread thread_;       // the last member: ends before what it uses
};

}  // namespace engine
