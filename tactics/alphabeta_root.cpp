#include <algorithm>
#include <cstdlib>

#include "tactics/alphabeta_worker.h"

namespace tactics {

void AlphaBetaWorker::set_root(const rules::Position& root, const rules::ScoringTable& table,
                               const rules::History& past, std::span<const rules::Move> moves,
                               std::uint64_t node_limit, bool full_width) {
  root_ = root;
  table_ = table;
  values_ = piece_values(table);
  past_ = past;
  repetition_ = root.rule_set().repetition;
  ends_early_ = root.rule_set().king_safe || root.ends_its_own_way();
  full_width_ = full_width;
  root_moves_.clear();
  for (const rules::Move move : moves) {
    root_moves_.emplace_back();
    root_moves_.back().move = move;
    root_moves_.back().line = {move};
  }
  for (Ply& ply : plies_) ply = {};
  evaluator_.set_table(table);
  evaluator_.start(root);
  nodes_ = 0;
  tablebase_hits_ = 0;
  node_limit_ = node_limit;
  selective_depth_ = 0;
}

void AlphaBetaWorker::order_root() {
  Node node{root_, -kInfiniteScore, kInfiniteScore, 1, 0, false};
  node.in_check = attacked(root_);
  if (const auto entry = shared_.table.find(key_of(root_))) node.tt_move = entry->move;
  rules::MoveList moves;
  for (const RootMove& each : root_moves_) moves.push_back(each.move);
  OrderedMoves ordered;
  order_moves(node, moves, ordered);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const auto place = root_moves_.begin() + static_cast<std::ptrdiff_t>(i);
    std::iter_swap(place,
                   std::ranges::find(place, root_moves_.end(), ordered.take(i), &RootMove::move));
  }
}

bool AlphaBetaWorker::deepen(int depth, int lines) {
  root_depth_ = depth;
  for (RootMove& each : root_moves_) each.previous = each.score;
  const std::size_t count = std::min(root_moves_.size(), static_cast<std::size_t>(lines));
  for (std::size_t i = 0; i < count; ++i) {
    aspire(depth, i);
    std::stable_sort(root_moves_.begin(), root_moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    if (shared_.stop.load(std::memory_order_relaxed)) return false;
  }
  return true;
}

// A narrow window around the last score, widened where it was wrong. Sorts the moves from `begin`
// on.
void AlphaBetaWorker::aspire(int depth, std::size_t begin) {
  int width = kAspirationWidth;
  int alpha = -kInfiniteScore, beta = kInfiniteScore;
  rules::Move refuting;  // was above the window
  const int guess = root_moves_[begin].previous;
  if (depth >= kAspirationLeastDepth && std::abs(guess) < kDecidedScore) {
    alpha = guess - width;
    beta = guess + width;
  }
  while (true) {
    const int score = search_root(alpha, beta, depth, begin);
    std::stable_sort(root_moves_.begin() + static_cast<std::ptrdiff_t>(begin), root_moves_.end(),
                     [](const RootMove& a, const RootMove& b) {
                       return a.score != b.score ? a.score > b.score : a.previous > b.previous;
                     });
    if (shared_.stop.load(std::memory_order_relaxed)) {  // what was above stays the best known
      const auto first = root_moves_.begin() + static_cast<std::ptrdiff_t>(begin);
      if (refuting && first->score == -kInfiniteScore) {
        const auto found = std::find_if(
            first, root_moves_.end(), [&](const RootMove& each) { return each.move == refuting; });
        std::rotate(first, found, found + 1);
      }
      return;
    }
    if (score > alpha && score < beta) return;
    if (score >= beta) refuting = root_moves_[begin].move;
    width *= 2;
    if (score <= alpha) {
      beta = (alpha + beta) / 2;
      alpha = std::abs(score) > kSurestScore ? -kInfiniteScore
                                             : std::max(score - width, -kInfiniteScore);
    } else {
      beta =
          std::abs(score) > kSurestScore ? kInfiniteScore : std::min(score + width, kInfiniteScore);
    }
  }
}

// Any move may be asked about at the root: one that takes the king, too, and one that lets the own
// be taken.
std::optional<int> AlphaBetaWorker::settled_at_root(const rules::Position& next) const {
  const rules::Color enemy = next.side_to_move();
  if (next.king_is_gone(enemy)) return -end_score(next, rules::win_of(~enemy), 1);
  if (next.can_capture_king()) return -end_score(next, rules::win_of(enemy), 2);
  return std::nullopt;
}

int AlphaBetaWorker::search_root(int alpha, int beta, int depth, std::size_t begin) {
  at(0).in_check = attacked(root_);
  at(0).eval = evaluate(root_);
  int best = -kInfiniteScore;
  for (std::size_t i = begin; i < root_moves_.size(); ++i) root_moves_[i].score = -kInfiniteScore;
  for (std::size_t i = begin; i < root_moves_.size(); ++i) {
    RootMove& root_move = root_moves_[i];
    const bool first = i == begin;
    const int score = search_root_move(root_move.move, alpha, beta, depth, i - begin);
    if (shared_.stop.load(std::memory_order_relaxed)) break;
    if (first || score > alpha) {
      root_move.score = score;
      extend_line(0, root_move.move);
      const Line& line = at(0).line;
      root_move.line.assign(line.moves.begin(),
                            line.moves.begin() + static_cast<std::ptrdiff_t>(line.size));
    }
    best = std::max(best, score);
    alpha = std::max(alpha, score);
    if (alpha >= beta) break;
  }
  return best;
}

// `number`: of moves tried before it.
int AlphaBetaWorker::search_root_move(rules::Move move, int alpha, int beta, int depth,
                                      std::size_t number) {
  const rules::Position next = after(root_, move);
  at(1).line.size = 0;
  if (const auto settled = settled_at_root(next)) return *settled;
  enter(root_, move, next, 0);
  int score = alpha + 1;
  if (number > 0) {
    const bool reduced = !full_width_ && depth >= kRootReductionLeastDepth &&
                         number >= kRootReductionFirstMove && !attacked(next);
    score = -search(next, -alpha - 1, -alpha, depth - 1 - (reduced ? 1 : 0), 1, true);
    if (reduced && score > alpha) score = -search(next, -alpha - 1, -alpha, depth - 1, 1, true);
  }
  if (score > alpha) score = -search(next, -beta, -alpha, depth - 1, 1, false);
  leave();
  return score;
}

}  // namespace tactics
