#pragma once
// AlphaBetaWorker below the root. (Included by alphabeta_worker.h alone.)

namespace tactics {

// What the table knows, where that is enough.
template <class E>
std::optional<int> AlphaBetaWorker<E>::settled_by(const SharedTable::Entry& known,
                                                  const Node& node) const {
  if (node.pv() || known.depth < node.depth) return std::nullopt;
  const int score = from_table(known.score, node.ply);
  const bool settles = known.bound == Bound::kExact ||
                       (known.bound == Bound::kLower ? score >= node.beta : score <= node.alpha);
  return settles ? std::optional(score) : std::nullopt;
}

template <class E>
int AlphaBetaWorker<E>::search(const rules::Position& position, int alpha, int beta, int depth,
                               int ply, bool cut) {
  if (depth <= 0) return quiesce(position, alpha, beta, ply);
  Ply& here = at(ply);
  here.line.size = 0;
  if (count_node()) return 0;
  if (const auto end = end_of(position, ply)) return *end;
  if (ply >= kMaxSearchPly) return evaluate();
  alpha = std::max(alpha, ply - kWinScore);
  beta = std::min(beta, kWinScore - ply - 1);
  if (alpha >= beta) return alpha;

  Node node{position, alpha, beta, depth, ply, cut};
  const auto known = here.excluded ? std::nullopt : shared_.table.find(key_of(position));
  if (known) {
    node.first = known->move;
    if (const auto score = settled_by(*known, node)) return *score;
  }
  here.in_check = node.in_check = attacked(position);
  at(ply + 2).killers = {};
  node.eval = here.eval = here.excluded ? here.eval : known ? known->eval : evaluate();
  node.hoped = node.eval;
  if (known && !here.excluded) {  // what the table knows is nearer the truth
    const int score = from_table(known->score, ply);
    if (known->bound == Bound::kExact || (known->bound == Bound::kLower) == (score > node.eval))
      node.hoped = score;
  }
  node.improving =
      !node.in_check && ply >= 2 && !at(ply - 2).in_check && node.eval > at(ply - 2).eval;
  if (!node.pv() && !node.in_check && !here.excluded) {
    if (const auto pruned = prune(node)) return *pruned;
  }
  if (!node.first && depth >= 4 && !here.excluded) --node.depth;
  return search_moves(node, known);
}

// Reverse futility, razoring, null move: what is so far outside the window that a shallow look is
// enough.
template <class E>
std::optional<int> AlphaBetaWorker<E>::prune(const Node& node) {
  if (std::abs(node.beta) > kSurestScore) return std::nullopt;
  const int margin = 190 * (node.depth - (node.improving ? 1 : 0));
  if (node.depth <= 7 && node.hoped - margin >= node.beta) return (node.hoped + node.beta) / 2;
  if (node.depth <= 3 && node.hoped + 400 + 500 * node.depth <= node.alpha) {
    const int score = quiesce(node.position, node.alpha, node.alpha + 1, node.ply);
    if (score <= node.alpha) return score;
  }
  return null_move(node);
}

template <class E>
std::optional<int> AlphaBetaWorker<E>::null_move(const Node& node) {
  const rules::Position& position = node.position;
  const rules::Color mover = position.side_to_move();
  const rules::Bitboard pieces = position.pieces(mover) &
                                 ~position.pieces(mover, rules::PieceType::kPawn) &
                                 ~position.pieces(mover, rules::PieceType::kKing);
  const bool after_null = at(node.ply - 1).moved == kPieceTos;
  if (node.depth < 3 || node.hoped < node.beta || !pieces || after_null ||
      !position.king_on_board(mover) || position.halfmove_clock() > 88) {
    return std::nullopt;
  }
  const int less = 3 + node.depth / 4 + std::min((node.hoped - node.beta) / 300, 3);
  const rules::Position next = position.passed();
  enter(position, {}, next, node.ply);
  const int score =
      -search(next, -node.beta, -node.beta + 1, node.depth - less, node.ply + 1, !node.cut);
  leave();
  if (score < node.beta || shared_.stop.load(std::memory_order_relaxed)) return std::nullopt;
  return std::abs(score) > kSurestScore ? node.beta : score;
}

template <class E>
int AlphaBetaWorker<E>::quiet_score(const rules::Position& position, rules::Move move, int ply) {
  const std::size_t to = piece_to(position, move);
  return shared_.histories.of(position.side_to_move(), move).value() +
         shared_.histories.after(at(ply - 1).moved)[to].value() +
         shared_.histories.after(at(ply - 2).moved)[to].value();
}

template <class E>
void AlphaBetaWorker<E>::order_moves(const Node& node, const rules::MoveList& moves,
                                     OrderedMoves& out) {
  const Gains gain(node.position, values_);
  const auto& killers = at(node.ply).killers;
  for (const rules::Move move : moves) {
    int score = 0;
    if (move == node.first) {
      score = order::kFirst;
    } else if (const int won = gain(move); won > 0) {
      const int capture = capture_score(won, piece_of(node.position, move));
      score = capture + (loses_material(node.position, move, won, values_) ? order::kLosing
                                                                           : order::kWinning);
    } else if (move == killers[0] || move == killers[1]) {
      score = order::kKiller + (move == killers[0]);
    } else {
      score = quiet_score(node.position, move, node.ply);
    }
    out.add(move, score);
  }
}

// A quiet move that cannot be expected to reach the window from here.
template <class E>
bool AlphaBetaWorker<E>::skip_quiet(const Node& node, rules::Move move, int tried, int history,
                                    std::optional<Checks>& checks) const {
  const int most = (3 + node.depth * node.depth) / (node.improving ? 1 : 2);
  const bool late = node.depth <= 8 && tried >= most;
  const bool futile = node.depth <= 7 && node.eval + 300 + 270 * node.depth <= node.alpha;
  const bool poor = node.depth <= 4 && history < -4000 * node.depth;
  if (!late && !futile && !poor) return false;
  if (!checks) checks.emplace(node.position);
  return !checks->given_by(move);
}

template <class E>
int AlphaBetaWorker<E>::reduction(const Node& node, int tried, int score, bool quiet) const {
  static const auto kTable = [] {
    std::array<std::array<std::int8_t, 64>, 64> table{};
    for (std::size_t depth = 1; depth < 64; ++depth) {
      for (std::size_t moves = 1; moves < 64; ++moves) {
        table[depth][moves] =
            static_cast<std::int8_t>(0.8 + std::log(static_cast<double>(depth)) *
                                               std::log(static_cast<double>(moves)) / 2.1);
      }
    }
    return table;
  }();
  if (node.depth < 3 || tried < (node.pv() ? 3 : 2)) return 0;
  if (!quiet) return score >= order::kWinning ? 0 : 1;
  int less = kTable[static_cast<std::size_t>(std::min(node.depth, 63))]
                   [static_cast<std::size_t>(std::min(tried, 63))];
  less +=
      (node.cut ? 1 : 0) + (node.improving ? 0 : 1) - (node.pv() ? 1 : 0) - (node.in_check ? 1 : 0);
  if (score >= order::kKiller) {
    less -= 1;
  } else {
    less -= std::clamp(score / 10000, -2, 2);
  }
  return std::clamp(less, 0, node.depth - 2);
}

// One ply more for a move that alone holds the position (singular), and in check. `cutoff` is set
// where several moves fail high.
template <class E>
int AlphaBetaWorker<E>::extension(const Node& node, rules::Move move,
                                  const std::optional<SharedTable::Entry>& known, int& cutoff) {
  if (node.ply >= 2 * root_depth_) return 0;
  if (node.in_check) return 1;
  Ply& here = at(node.ply);
  if (node.depth < 7 || here.excluded || !known || move != known->move ||
      known->bound == Bound::kUpper || known->depth + 3 < node.depth ||
      std::abs(known->score) > kSurestScore) {
    return 0;
  }
  const int bar = known->score - 3 * node.depth;
  here.excluded = move;
  const int others = search(node.position, bar - 1, bar, (node.depth - 1) / 2, node.ply, node.cut);
  here.excluded = {};
  here.line.size = 0;
  if (others < bar) return 1;
  if (bar >= node.beta && !node.pv()) cutoff = bar;
  return others >= node.beta ? -1 : 0;
}

// The score of a move: by a null window first, by the full one where it may raise alpha in a window
// that is open.
template <class E>
int AlphaBetaWorker<E>::try_move(const Node& node, rules::Move move, int alpha, int depth, int less,
                                 bool first) {
  const rules::Position next = node.position.after(move);
  const auto child = [&](int low, int high, int plies, bool cut) {
    return -search(next, -high, -low, plies, node.ply + 1, cut);
  };
  enter(node.position, move, next, node.ply);
  int score = alpha;
  if (!first) {
    score = child(alpha, alpha + 1, depth - less, less > 0 || !node.cut);
    if (less > 0 && score > alpha) score = child(alpha, alpha + 1, depth, !node.cut);
  }
  if (first || (node.pv() && score > alpha)) {
    score = child(alpha, node.beta, depth, !node.pv() && !node.cut);
  }
  leave();
  return score;
}

// By which threads tell each other that they search the move; 0 where they do not.
template <class E>
std::uint64_t AlphaBetaWorker<E>::progress_key(const Node& node, rules::Move move) {
  if (!shared_.in_progress || node.depth < kLeastDeferredDepth || at(node.ply).excluded) return 0;
  return MovesInProgress::key_of(key_of(node.position), move);
}

// Returns a score where that is the position's, whatever the other moves are, or the search stops.
template <class E>
std::optional<int> AlphaBetaWorker<E>::search_trial(const Node& node, const Trial& trial,
                                                    const std::optional<SharedTable::Entry>& known,
                                                    Best& best, rules::MoveList& quiets) {
  int cutoff = 0;
  const int more = extension(node, trial.move, known, cutoff);
  if (cutoff != 0) return cutoff;
  const int less = more > 0 ? 0 : reduction(node, trial.number + 1, trial.order_score, trial.quiet);
  const std::uint64_t key = progress_key(node, trial.move);
  if (key != 0) shared_.in_progress->begin(key);
  const int score =
      try_move(node, trial.move, best.bar, node.depth - 1 + more, less, trial.number == 0);
  if (key != 0) shared_.in_progress->end(key);
  if (shared_.stop.load(std::memory_order_relaxed)) return 0;
  const bool fails_high = improves(node, trial.move, score, best) && best.bar >= node.beta;
  if (!fails_high && trial.quiet) quiets.push_back(trial.move);
  return std::nullopt;
}

template <class E>
int AlphaBetaWorker<E>::search_moves(const Node& node,
                                     const std::optional<SharedTable::Entry>& known) {
  Ply& here = at(node.ply);
  rules::MoveList moves, quiets;
  node.position.surviving_moves(moves);
  if (moves.empty()) return here.excluded ? node.alpha : without_moves(node.position, node.ply);
  OrderedMoves ordered;
  order_moves(node, moves, ordered);
  std::optional<Checks> checks;
  const Gains gain(node.position, values_);
  Best best{-kInfiniteScore, node.alpha, {}};
  int tried = 0;
  std::array<Deferred, kMostDeferred> deferred;
  std::size_t later = 0;
  for (std::size_t i = 0; i < ordered.size() && best.bar < node.beta; ++i) {
    const rules::Move move = ordered.take(i);
    if (move == here.excluded) continue;
    const int order_score = ordered.score(i);
    const bool quiet = gain(move) == 0;
    if (best.score > -kSurestScore && !node.in_check) {
      if (quiet && skip_quiet(node, move, tried, order_score, checks)) continue;
      if (order_score <= order::kLosing / 2 && !node.pv() && node.depth <= 3) continue;
    }
    const Trial trial{move, order_score, tried++, quiet};
    const std::uint64_t key = trial.number > 0 ? progress_key(node, move) : 0;
    if (later < deferred.size() && key != 0 && shared_.in_progress->contains(key)) {
      deferred[later++] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(trial.number)};
    } else if (const auto settled = search_trial(node, trial, known, best, quiets)) {
      return *settled;
    }
  }
  for (std::size_t i = 0; i < later && best.bar < node.beta; ++i) {
    const auto [place, number] = deferred[i];
    const rules::Move move = ordered.move(place);
    const Trial trial{move, ordered.score(place), number, gain(move) == 0};
    if (const auto settled = search_trial(node, trial, known, best, quiets)) return *settled;
  }
  if (tried == 0) return node.alpha;
  if (best.score >= node.beta && gain(best.move) == 0)
    reward(node, best.move, {quiets.data(), quiets.size()});
  if (!here.excluded) store(node, best.score, best.move ? best.move : node.first);
  return best.score;
}

// Keeps what is better than before; true where it is above the bar.
template <class E>
bool AlphaBetaWorker<E>::improves(const Node& node, rules::Move move, int score, Best& best) {
  best.score = std::max(best.score, score);
  if (score <= best.bar) return false;
  best.bar = score;
  best.move = move;
  if (node.pv()) extend_line(node.ply, move);
  return true;
}

// A quiet move refuted the position: it is tried earlier from now on, those before it later.
template <class E>
void AlphaBetaWorker<E>::reward(const Node& node, rules::Move best,
                                std::span<const rules::Move> tried_quiets) {
  auto& killers = at(node.ply).killers;
  if (killers[0] != best) killers = {best, killers[0]};
  const int bonus = std::min(160 * node.depth, 1600);
  const auto learn = [&](rules::Move move, int by) {
    const std::size_t to = piece_to(node.position, move);
    shared_.histories.of(node.position.side_to_move(), move).add(by);
    for (const int back : {1, 2}) {
      const std::size_t before = at(node.ply - back).moved;
      if (before != kPieceTos) shared_.histories.after(before)[to].add(by);
    }
  };
  learn(best, bonus);
  for (const rules::Move move : tried_quiets) {
    if (move != best) learn(move, -bonus);
  }
}

// Captures and promotions that lose nothing, until it is quiet; in check all moves.
template <class E>
int AlphaBetaWorker<E>::quiesce(const rules::Position& position, int alpha, int beta, int ply) {
  Ply& here = at(ply);
  here.line.size = 0;
  if (count_node()) return 0;
  selective_depth_ = std::max(selective_depth_, ply);
  if (const auto end = end_of(position, ply)) return *end;
  if (ply >= kMaxSearchPly) return evaluate();
  const auto known = shared_.table.find(key_of(position));
  Node node{position, alpha, beta, 0, ply, false};
  if (known) {
    node.first = known->move;
    if (const auto score = settled_by(*known, node)) return *score;
  }
  node.in_check = here.in_check = attacked(position);
  node.eval = here.eval = known ? known->eval : evaluate();
  Best best{node.in_check ? -kInfiniteScore : node.eval, alpha, {}};
  best.bar = std::max(alpha, best.score);
  if (best.score >= beta) {
    if (!known) store(node, best.score, {});
    return best.score;
  }
  rules::MoveList moves;
  if (node.in_check) {
    position.surviving_moves(moves);
    if (moves.empty()) return without_moves(position, ply);
  } else {
    position.noisy_moves(moves);
  }
  quiesce_moves(node, moves, best);
  if (shared_.stop.load(std::memory_order_relaxed)) return 0;
  store(node, best.score, best.move);
  return best.score;
}

template <class E>
void AlphaBetaWorker<E>::quiesce_moves(const Node& node, const rules::MoveList& moves, Best& best) {
  OrderedMoves ordered;
  order_moves(node, moves, ordered);
  const Gains gain(node.position, values_);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const rules::Move move = ordered.take(i);
    if (!node.in_check) {
      if (ordered.score(i) <= order::kLosing / 2) return;
      const int hoped = node.eval + 2 * gain(move) + 250;
      if (hoped <= best.bar && !move.is_promotion()) {
        best.score = std::max(best.score, hoped);
        continue;
      }
    }
    const rules::Position next = node.position.after(move);
    if (!node.in_check && next.can_capture_king()) continue;
    enter(node.position, move, next, node.ply);
    const int score = -quiesce(next, -node.beta, -best.bar, node.ply + 1);
    leave();
    if (shared_.stop.load(std::memory_order_relaxed)) return;
    if (improves(node, move, score, best) && best.bar >= node.beta) return;
  }
}

}  // namespace tactics
