#include "book/alphabeta_searcher.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace book {
namespace {

constexpr int kHashMib = 64;
// What makes the interval one of 95 % (docs/book.md).
constexpr std::size_t kIterations = 5;  // the last ones, whose values are compared
constexpr double kErrorOfSpread = 1.5;
constexpr double kLeastError = 0.12;  // points

}  // namespace

AlphaBetaSearcher::AlphaBetaSearcher(const tactics::Evaluator& evaluator,
                                     const rules::ScoringTable& table, std::uint64_t nodes,
                                     const std::atomic<bool>* stop)
    : search_(evaluator, 1, kHashMib), table_(table), nodes_(nodes), stop_(stop) {}

std::optional<Finding> AlphaBetaSearcher::search(const rules::Position& position,
                                                 std::span<const rules::Move> moves) {
  std::vector<double> points;  // by iteration; at last those of the one that was not finished
  search_.clear();
  const tactics::SearchReport report = search_.search(
      position, table_, {}, {.nodes = nodes_, .search_moves = {moves.begin(), moves.end()}},
      [&](const tactics::SearchReport& each) { points.push_back(each.points_white); },
      {.stop = stop_});
  if (stop_ && *stop_) return std::nullopt;
  const tactics::RootMove& best = report.best();
  double spread = 0;
  for (std::size_t i = points.size() - std::min(points.size(), kIterations); i < points.size(); ++i)
    spread = std::max(spread, std::abs(points[i] - report.points_white));
  return Finding{.points_white = report.points_white,
                 .error = best.proven ? 0 : std::max(kLeastError, kErrorOfSpread * spread),
                 .outcomes = best.outcomes,
                 .move = best.move,
                 .depth = report.depth,
                 .nodes = report.nodes};
}

}  // namespace book
