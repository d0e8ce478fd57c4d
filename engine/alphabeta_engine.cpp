#include "engine/alphabeta_engine.h"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "engine/time_control.h"

namespace engine {

AlphaBetaEngine::AlphaBetaEngine(std::shared_ptr<const tactics::NnueWeights> weights,
                                 const AlphaBetaEngineOptions& options)
    : options_(options),
      search_(tactics::Evaluator(std::move(weights)), options.threads, options.hash_mib) {}

void AlphaBetaEngine::set_position(const rules::Position& root, const rules::ScoringTable& table,
                                   const rules::History& past) {
  if (root.forced_outcome(table)) throw std::invalid_argument("the game is over");
  root_ = root;
  table_ = table;
  past_ = past;
}

void AlphaBetaEngine::start(const tactics::SearchLimits& asked, Listener listener) {
  wait();
  stop_ = false;
  ponder_ = asked.ponder;
  running_ = true;
  tactics::SearchLimits limits = asked;
  const double overhead = options_.move_overhead_ms;
  if (limits.move_time_ms) limits.move_time_ms = std::max(1.0, *limits.move_time_ms - overhead);
  tactics::SearchControl control{&stop_, &ponder_};
  if (asked.clock) control.clock = allot(*asked.clock, 0, overhead);
  const auto search = [this, limits, control, listener = std::move(listener)] {
    double told_ms = -1000;
    const auto tell = [&](const tactics::SearchReport& found) {
      if (!found.final && found.elapsed_ms - told_ms < 100) return;
      told_ms = found.elapsed_ms;
      listener(found);
    };
    search_.search(root_, table_, past_, limits, tell, control);
    running_ = false;
  };
  try {
    thread_ = std::jthread(search);
  } catch (const std::system_error&) {
    running_ = false;
    throw;
  }
}

}  // namespace engine
