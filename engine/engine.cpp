#include "engine/engine.h"

#include <algorithm>
#include <utility>

#include "rules/move_list.h"

namespace engine {

std::string message_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown error";
  }
}

rules::Move unsearched_move(const rules::Position& root, const tactics::SearchLimits& limits) {
  if (!limits.search_moves.empty()) return limits.search_moves.front();
  rules::MoveList moves;
  root.surviving_moves(moves);
  return moves.empty() ? root.legal_moves()[0] : moves[0];
}

void report_failure(const Engine::Listener& listener, tactics::SearchReport known,
                    const rules::Position& root, const tactics::SearchLimits& limits,
                    const std::exception_ptr& thrown) noexcept try {
  known.final = true;
  known.error = message_of(thrown);
  if (known.moves.empty()) {
    const rules::Move move = unsearched_move(root, limits);
    known.moves.push_back({.move = move, .line = {move}});
  }
  if (listener) listener(known);
} catch (...) {
}

tactics::TimeBudget allot(const tactics::Clock& clock, double plies_left, double overhead_ms) {
  constexpr double kMovesUnknown = 35;
  constexpr double kFewest = 12;  // moves to plan for, however near the end seems
  constexpr double kLongest = 4;  // times the soft budget
  constexpr double kShare = 0.4;  // most of the clock that one move takes unless it is the last
  const double usable = std::max(1.0, clock.left_ms - overhead_ms);
  double moves =
      plies_left > 0 ? std::clamp(plies_left / 2, kFewest, 2 * kMovesUnknown) : kMovesUnknown;
  if (clock.moves_to_go > 0) moves = std::min(moves, static_cast<double>(clock.moves_to_go));
  // Each later move costs the overhead again and brings its increment.
  const double per_move = usable / moves + clock.increment_ms - overhead_ms * (moves - 1) / moves;
  const double most = moves <= 1 ? usable : usable * kShare;
  tactics::TimeBudget budget;
  budget.soft_ms = std::clamp(per_move, 1.0, std::max(1.0, most));
  budget.hard_ms = std::clamp(kLongest * budget.soft_ms, budget.soft_ms, std::max(1.0, most));
  return budget;
}

}  // namespace engine
