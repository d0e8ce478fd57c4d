#pragma once
// AlphaBetaWorker at the root, and what all its plies share. (Included by alphabeta_worker.h
// alone.)

namespace tactics {

template <class E>
void AlphaBetaWorker<E>::set_root(const rules::Position& root, const rules::ScoringTable& table,
                                  const rules::History& past, std::span<const rules::Move> moves,
                                  std::uint64_t node_limit) {
  root_ = root;
  table_ = table;
  values_ = piece_values(table);
  past_ = past;
  repetition_ = root.rule_set().repetition;
  king_safe_ = root.rule_set().king_safe;
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
  node_limit_ = node_limit;
  selective_depth_ = 0;
}

template <class E>
bool AlphaBetaWorker<E>::count_node() {
  const std::uint64_t counted = nodes() + 1;
  nodes_.store(counted, std::memory_order_relaxed);
  if (node_limit_ != 0 && counted >= node_limit_)
    shared_.stop.store(true, std::memory_order_relaxed);
  if (counted % kCountStep == 0) {
    shared_.nodes.fetch_add(kCountStep, std::memory_order_relaxed);
    if (poll_) poll_();
  }
  return shared_.stop.load(std::memory_order_relaxed);
}

// The outcome depends on the clock where the impasse is near.
template <class E>
std::uint64_t AlphaBetaWorker<E>::key_of(const rules::Position& position) const {
  constexpr int kFar = 20, kNear = 84;
  const int clock = position.halfmove_clock();
  if (clock < kFar) return position.key();
  const int step = clock < kNear ? clock / 8 : clock;
  return position.key() ^ (static_cast<std::uint64_t>(step) * 0x9e3779b97f4a7c15);
}

template <class E>
void AlphaBetaWorker<E>::store(const Node& node, int score, rules::Move best) {
  const Bound bound = score >= node.beta   ? Bound::kLower
                      : score > node.alpha ? Bound::kExact
                                           : Bound::kUpper;
  shared_.table.store(key_of(node.position),
                      {best, static_cast<std::int16_t>(to_table(score, node.ply)),
                       static_cast<std::int16_t>(node.eval),
                       static_cast<std::uint8_t>(std::max(node.depth, 0)), bound});
}

// Ends that do not depend on the moves there are.
template <class E>
std::optional<int> AlphaBetaWorker<E>::end_of(const rules::Position& position, int ply) const {
  if (!king_safe_ && position.halfmove_clock() < rules::Position::kImpasseClock)
    return std::nullopt;
  const auto outcome = position.outcome(table_, repetition_ ? past_.occurrences(position) : 1);
  if (!outcome) return std::nullopt;
  return end_score(position, *outcome, ply);
}

template <class E>
int AlphaBetaWorker<E>::end_score(const rules::Position& position, rules::Outcome outcome,
                                  int ply) const {
  const double value = rules::value_stm(table_.white_points(outcome), position.side_to_move());
  if (value >= 1) return kWinScore - ply;
  if (value <= -1) return ply - kWinScore;
  return score_of(value);
}

// No move survives: a stalemate, or the king falls two plies on.
template <class E>
int AlphaBetaWorker<E>::without_moves(const rules::Position& position, int ply) const {
  if (const auto outcome = position.outcome(table_)) return end_score(position, *outcome, ply);
  return end_score(position, rules::win_of(~position.side_to_move()), ply + 2);
}

template <class E>
void AlphaBetaWorker<E>::enter(const rules::Position& position, rules::Move move,
                               const rules::Position& next, int ply) {
  at(ply).moved = move ? piece_to(position, move) : kPieceTos;
  if (repetition_) past_.add(position);
  evaluator_.push(next);
  shared_.table.prefetch(key_of(next));
}

template <class E>
void AlphaBetaWorker<E>::leave() {
  evaluator_.pop();
  if (repetition_) past_.cut(past_.size() - 1);
}

template <class E>
void AlphaBetaWorker<E>::extend_line(int ply, rules::Move move) {
  Line& line = at(ply).line;
  const Line& behind = at(ply + 1).line;
  line.moves[0] = move;
  std::copy_n(behind.moves.begin(), behind.size, line.moves.begin() + 1);
  line.size = behind.size + 1;
}

template <class E>
bool AlphaBetaWorker<E>::deepen(int depth, int lines) {
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
template <class E>
void AlphaBetaWorker<E>::aspire(int depth, std::size_t begin) {
  int width = 40;
  int alpha = -kInfiniteScore, beta = kInfiniteScore;
  const int guess = root_moves_[begin].previous;
  if (depth >= 4 && std::abs(guess) < kDecidedScore) {
    alpha = guess - width;
    beta = guess + width;
  }
  while (true) {
    const int score = search_root(alpha, beta, depth, begin);
    std::stable_sort(root_moves_.begin() + static_cast<std::ptrdiff_t>(begin), root_moves_.end(),
                     [](const RootMove& a, const RootMove& b) {
                       return a.score != b.score ? a.score > b.score : a.previous > b.previous;
                     });
    if (shared_.stop.load(std::memory_order_relaxed) || (score > alpha && score < beta)) return;
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
template <class E>
std::optional<int> AlphaBetaWorker<E>::settled_at_root(const rules::Position& next) const {
  if (next.king_is_gone(next.side_to_move())) return kWinScore - 1;
  if (next.can_capture_king()) return 2 - kWinScore;
  return std::nullopt;
}

template <class E>
int AlphaBetaWorker<E>::search_root(int alpha, int beta, int depth, std::size_t begin) {
  at(0).in_check = attacked(root_);
  at(0).eval = evaluate();
  int best = -kInfiniteScore;
  for (std::size_t i = begin; i < root_moves_.size(); ++i) root_moves_[i].score = -kInfiniteScore;
  for (std::size_t i = begin; i < root_moves_.size(); ++i) {
    RootMove& root_move = root_moves_[i];
    const bool first = i == begin;
    const int score = search_root_move(root_move.move, alpha, beta, depth, i - begin);
    if (shared_.stop.load(std::memory_order_relaxed) && !(first && depth == 1)) break;
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
template <class E>
int AlphaBetaWorker<E>::search_root_move(rules::Move move, int alpha, int beta, int depth,
                                         std::size_t number) {
  const rules::Position next = root_.after(move);
  at(1).line.size = 0;
  if (const auto settled = settled_at_root(next)) return *settled;
  enter(root_, move, next, 0);
  int score = alpha + 1;
  if (number > 0) {
    const int less = depth >= 3 && number >= 3 && !attacked(next) ? 1 : 0;
    score = -search(next, -alpha - 1, -alpha, depth - 1 - less, 1, true);
    if (less > 0 && score > alpha) score = -search(next, -alpha - 1, -alpha, depth - 1, 1, true);
  }
  if (score > alpha) score = -search(next, -beta, -alpha, depth - 1, 1, false);
  leave();
  return score;
}

}  // namespace tactics
