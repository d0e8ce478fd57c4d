#include "mcts/alphabeta_engine.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace mcts {

AlphaBetaEngine::AlphaBetaEngine(std::shared_ptr<const tactics::NnueWeights> weights,
                                 const AlphaBetaOptions& options)
    : options_(options),
      search_(tactics::Evaluator(std::move(weights)), options.threads, options.hash_mib) {}

void AlphaBetaEngine::set_position(const rules::Position& root, const rules::ScoringTable& table,
                                   const rules::History& past) {
  if (root.forced_outcome(table)) throw std::invalid_argument("the game is over");
  root_ = root;
  table_ = table;
  past_ = past;
}

tactics::AlphaBetaLimits AlphaBetaEngine::limits_for(const AnalysisLimits& asked) const {
  tactics::AlphaBetaLimits limits;
  limits.nodes = asked.nodes;
  limits.depth = asked.depth;
  if (asked.clock) {
    const TimeBudget budget = allot(*asked.clock, 0, options_.move_overhead_ms);
    limits.soft_ms = budget.soft_ms;
    limits.hard_ms = budget.hard_ms;
  }
  if (asked.move_time_ms) {
    limits.soft_ms = 0;
    limits.hard_ms = std::max(1.0, *asked.move_time_ms - options_.move_overhead_ms);
  }
  limits.infinite = asked.infinite;
  limits.multi_pv = asked.multi_pv;
  limits.search_moves = asked.search_moves;
  limits.stop = &stop_;
  if (asked.ponder) limits.ponder = &ponder_;
  return limits;
}

AnalysisReport AlphaBetaEngine::translate(const tactics::AlphaBetaReport& found) const {
  AnalysisReport report;
  report.final = found.final;
  report.depth = found.depth;
  report.selective_depth = found.selective_depth;
  report.elapsed_ms = found.elapsed_ms;
  report.threads = found.threads;
  report.nodes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(found.nodes, std::numeric_limits<std::uint32_t>::max()));
  report.nodes_per_s = static_cast<double>(found.nodes) * 1000 / std::max(found.elapsed_ms, 0.1);
  for (std::size_t i = 0; i < found.lines.size(); ++i) {
    const tactics::AlphaBetaLine& line = found.lines[i];
    RootMove move;
    move.move = line.moves.front();
    move.visits = static_cast<int>(std::lround(1000 * found.drawing_weight(i)));
    move.value_stm = static_cast<float>(tactics::value_of(line.score));
    move.proven = line.searched && std::abs(line.score) > tactics::kSurestScore;
    move.line = line.moves;
    move.outcomes = rules::outcomes_seen_by(line.outcomes, root_.side_to_move());
    report.moves.push_back(std::move(move));
  }
  report.outcomes = report.moves.front().outcomes;
  report.points_white = rules::points_white(found.value_stm(), root_.side_to_move());
  return report;
}

void AlphaBetaEngine::start(const AnalysisLimits& asked, Listener listener) {
  wait();
  stop_ = false;
  ponder_ = asked.ponder;
  running_ = true;
  const auto search = [this, limits = limits_for(asked), listener = std::move(listener)] {
    double told_ms = -1000;
    search_.search(root_, table_, past_, limits, [&](const tactics::AlphaBetaReport& found) {
      if (!found.final && found.elapsed_ms - told_ms < 100) return;
      told_ms = found.elapsed_ms;
      listener(translate(found));
    });
    running_ = false;
  };
  try {
    thread_ = std::jthread(search);
  } catch (const std::system_error&) {
    running_ = false;
    throw;
  }
}

}  // namespace mcts
