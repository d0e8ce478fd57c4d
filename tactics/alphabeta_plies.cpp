#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tactics/alphabeta_worker.h"
#include "tactics/see.h"

namespace tactics {
bool AlphaBetaWorker::count_node() {
  const std::uint64_t counted = nodes() + 1;
  nodes_.store(counted, std::memory_order_relaxed);
  if (node_limit_ != 0 && counted >= node_limit_)
    shared_.stop.store(true, std::memory_order_relaxed);
  if (counted % kNodesPerPoll == 0) {
    shared_.nodes.fetch_add(kNodesPerPoll, std::memory_order_relaxed);
    if (poll_) poll_();
  }
  return shared_.stop.load(std::memory_order_relaxed);
}

// The outcome depends on the clock where the impasse is near.
std::uint64_t AlphaBetaWorker::key_of(const rules::Position& position) const {
  const int clock = position.halfmove_clock();
  if (clock < kKeyClockFrom) return position.key();
  const int step = clock < kKeyClockExactFrom ? clock / kKeyClockStep : clock;
  return position.key() ^ (static_cast<std::uint64_t>(step) * 0x9e3779b97f4a7c15);
}

void AlphaBetaWorker::store(const Node& node, int score, rules::Move best) {
  const Bound bound = score >= node.beta   ? Bound::kLower
                      : score > node.alpha ? Bound::kExact
                                           : Bound::kUpper;
  shared_.table.store(key_of(node.position),
                      {best, static_cast<std::int16_t>(to_table(score, node.ply)),
                       static_cast<std::int16_t>(node.eval),
                       static_cast<std::uint8_t>(std::max(node.depth, 0)), bound});
}

// Ends that do not depend on the moves there are.
std::optional<int> AlphaBetaWorker::end_of(const rules::Position& position, int ply) const {
  if (!ends_early_ && position.halfmove_clock() < rules::Position::kImpasseClock)
    return std::nullopt;
  const auto outcome = position.outcome(table_, repetition_ ? past_.occurrences(position) : 1);
  if (!outcome) return std::nullopt;
  return end_score(position, *outcome, ply);
}

int AlphaBetaWorker::end_score(const rules::Position& position, rules::Outcome outcome,
                               int ply) const {
  const double value = rules::value_stm(table_.white_points(outcome), position.side_to_move());
  if (value >= 1) return kWinScore - ply;
  if (value <= -1) return ply - kWinScore;
  return score_of(value);
}

// What a tablebase knows.
std::optional<int> AlphaBetaWorker::known_score(const rules::Position& position, int ply) {
  const tablebase::Tables* const tables = shared_.tables;
  if (tables == nullptr) [[likely]]
    return std::nullopt;
  const auto verdict = tables->probe_in_game(position);
  if (!verdict) return std::nullopt;
  tablebase_hits_.store(tablebase_hits() + 1, std::memory_order_relaxed);
  const double points = table_.white_points(verdict->outcome);
  const double value = rules::value_stm(points, position.side_to_move());
  if (std::abs(value) < 1) return score_of(value);
  return value > 0 ? kKnownWinScore - ply : ply - kKnownWinScore;
}

// No move survives: a stalemate, or the king falls two plies on.
int AlphaBetaWorker::without_moves(const rules::Position& position, int ply) const {
  if (const auto outcome = position.outcome(table_)) return end_score(position, *outcome, ply);
  return end_score(position, rules::win_of(~position.side_to_move()), ply + 2);
}

rules::Position AlphaBetaWorker::after(const rules::Position& position, rules::Move move) const {
  const rules::Position next = move ? position.after(move) : position.passed();
  shared_.table.prefetch(key_of(next));
  return next;
}

void AlphaBetaWorker::enter(const rules::Position& position, rules::Move move,
                            const rules::Position& next, int ply) {
  at(ply).moved = move ? piece_to(position, move) : kPieceTos;
  if (repetition_) past_.add(position);
  evaluator_.push(next);
}

void AlphaBetaWorker::leave() {
  evaluator_.pop();
  if (repetition_) past_.cut(past_.size() - 1);
}

void AlphaBetaWorker::extend_line(int ply, rules::Move move) {
  Line& line = at(ply).line;
  const Line& behind = at(ply + 1).line;
  line.moves[0] = move;
  std::copy_n(behind.moves.begin(), behind.size, line.moves.begin() + 1);
  line.size = behind.size + 1;
}

// What the table knows, where that is enough.
std::optional<int> AlphaBetaWorker::settled_by(const TranspositionTable::Entry& tt_entry,
                                               const Node& node) const {
  if (node.pv() || tt_entry.depth < node.depth) return std::nullopt;
  const int score = from_table(tt_entry.score, node.ply);
  const bool settles = tt_entry.bound == Bound::kExact ||
                       (tt_entry.bound == Bound::kLower ? score >= node.beta : score <= node.alpha);
  return settles ? std::optional(score) : std::nullopt;
}

// What the table knows is nearer the truth than the evaluation, on its side of the bound.
int AlphaBetaWorker::improved_eval(const Node& node,
                                   const std::optional<TranspositionTable::Entry>& tt_entry) {
  if (!tt_entry) return node.eval;
  const int score = from_table(tt_entry->score, node.ply);
  const bool nearer =
      tt_entry->bound == Bound::kExact || (tt_entry->bound == Bound::kLower) == (score > node.eval);
  return nearer ? score : node.eval;
}

int AlphaBetaWorker::search(const rules::Position& position, int alpha, int beta, int depth,
                            int ply, bool cut) {
  if (depth <= 0) return quiesce(position, alpha, beta, ply, true);
  Ply& here = at(ply);
  here.line.size = 0;
  if (count_node()) return 0;
  if (const auto end = end_of(position, ply)) return *end;
  if (const auto known = known_score(position, ply)) return *known;
  if (ply >= kMaxSearchPly) return evaluate(position);
  alpha = std::max(alpha, ply - kWinScore);
  beta = std::min(beta, kWinScore - ply - 1);
  if (alpha >= beta) return alpha;

  Node node{position, alpha, beta, depth, ply, cut};
  here.in_check = node.in_check = attacked(position);
  at(ply + 2).killers = {};
  const auto tt_entry = here.excluded ? std::nullopt : shared_.table.find(key_of(position));
  if (tt_entry) {
    node.tt_move = tt_entry->move;
    if (const auto score = settled_by(*tt_entry, node)) return *score;
  }
  if (!here.excluded) here.eval = tt_entry ? tt_entry->eval : evaluate(position);
  node.eval = here.eval;
  node.tt_eval = improved_eval(node, tt_entry);
  const int before = ply >= 4 && at(ply - 2).in_check ? 4 : 2;
  node.improving = !node.in_check && ply >= before && !at(ply - before).in_check &&
                   node.eval > at(ply - before).eval;
  if (!node.pv() && !node.in_check && !here.excluded && !full_width_) {
    if (const auto pruned = prune(node)) return *pruned;
  }
  if (!node.tt_move && depth >= kInternalReductionLeastDepth && !here.excluded && !full_width_)
    --node.depth;
  return search_moves(node, tt_entry);
}

// Reverse futility, razoring, null move: what is so far outside the window that a shallow look is
// enough.
std::optional<int> AlphaBetaWorker::prune(const Node& node) {
  if (std::abs(node.beta) > kSurestScore) return std::nullopt;
  const int margin = kReverseFutilityMargin * (node.depth - (node.improving ? 1 : 0));
  if (node.depth <= kReverseFutilityMostDepth && node.tt_eval - margin >= node.beta)
    return node.tt_eval > kSurestScore ? node.tt_eval : (node.tt_eval + node.beta) / 2;
  if (node.depth <= kRazoringMostDepth &&
      node.tt_eval + kRazoringMargin + kRazoringMarginPerDepth * node.depth <= node.alpha) {
    const int score = quiesce(node.position, node.alpha, node.alpha + 1, node.ply, true);
    if (score <= node.alpha) return score;
  }
  return null_move(node);
}

std::optional<int> AlphaBetaWorker::null_move(const Node& node) {
  const rules::Position& position = node.position;
  const rules::Color mover = position.side_to_move();
  const rules::Bitboard pieces = position.pieces(mover) &
                                 ~position.pieces(mover, rules::PieceType::kPawn) &
                                 ~position.pieces(mover, rules::PieceType::kKing);
  const bool after_null = at(node.ply - 1).moved == kPieceTos;
  if (node.depth < kNullMoveLeastDepth || node.tt_eval < node.beta || !pieces || after_null ||
      !position.king_on_board(mover) || position.halfmove_clock() > kNullMoveMostClock) {
    return std::nullopt;
  }
  const int reduction =
      kNullMoveReduction + node.depth / kNullMoveDepthPerPly +
      std::min((node.tt_eval - node.beta) / kNullMoveMarginPerPly, kNullMoveMostForMargin);
  const rules::Position next = after(position, {});
  enter(position, {}, next, node.ply);
  const int score = -search(next, -node.beta, -node.beta + 1, node.depth - reduction, node.ply + 1,
                            !node.cut_node);
  leave();
  if (score < node.beta || shared_.stop.load(std::memory_order_relaxed)) return std::nullopt;
  return std::abs(score) > kSurestScore ? node.beta : score;
}

// A quiet move that cannot be expected to reach the window from here.
bool AlphaBetaWorker::skip_quiet(const Node& node, rules::Move move, int tried, bool late,
                                 int history, std::optional<Checks>& checks) const {
  const int depth = std::max(1, node.depth - late_reduction(node.depth, tried));
  const bool futile = depth <= kFutilityMostDepth &&
                      node.eval + kFutilityMargin + kFutilityMarginPerDepth * depth <= node.alpha;
  const bool poor = depth <= kHistoryPruningMostDepth && history < kHistoryPruningPerDepth * depth;
  const int bearable = kSeeQuietPerDepth * depth;
  const bool loses = depth <= kSeeQuietMostDepth && !late && !futile && !poor &&
                     value_of(values_, piece_of(node.position, move)) > bearable &&
                     exchange_after(node.position, move, values_) < -bearable;
  if (!late && !futile && !poor && !loses) return false;
  if (!checks) checks.emplace(node.position);
  return !checks->given_by(move);
}

int AlphaBetaWorker::late_reduction(int depth, int moves) {
  static const auto kTable = [] {
    std::array<std::array<std::int8_t, 64>, 64> table{};
    for (std::size_t d = 1; d < 64; ++d) {
      for (std::size_t m = 1; m < 64; ++m) {
        table[d][m] = static_cast<std::int8_t>(
            kLateReductionBase + std::log(static_cast<double>(d)) *
                                     std::log(static_cast<double>(m)) / kLateReductionDivisor);
      }
    }
    return table;
  }();
  return kTable[static_cast<std::size_t>(std::min(depth, 63))]
               [static_cast<std::size_t>(std::min(moves, 63))];
}

int AlphaBetaWorker::reduction_of(const Node& node, int tried, int score, bool quiet) const {
  if (full_width_ || node.depth < kLateReductionLeastDepth ||
      tried < (node.pv() ? kLateReductionFirstMovePv : kLateReductionFirstMove))
    return 0;
  if (!quiet) return score >= order::kWinning ? 0 : 1;
  int reduction = late_reduction(node.depth, tried);
  reduction += (node.cut_node ? 1 : 0) + (node.improving ? 0 : 1) - (node.pv() ? 1 : 0) -
               (node.in_check ? 1 : 0);
  if (score >= order::kKiller) {
    reduction -= 1;
  } else {
    reduction -= std::clamp(score / kLateReductionHistory, -kLateReductionMostForHistory,
                            kLateReductionMostForHistory);
  }
  return std::clamp(reduction, 0, node.depth - 2);
}

// One ply more for a move that alone holds the position (singular), and in check. `cutoff` is set
// where several moves fail high.
int AlphaBetaWorker::extension_of(const Node& node, rules::Move move,
                                  const std::optional<TranspositionTable::Entry>& tt_entry,
                                  std::optional<int>& cutoff) {
  if (node.ply >= kExtensionMostPlies * root_depth_) return 0;
  if (node.in_check) return 1;
  Ply& here = at(node.ply);
  if (node.depth < kSingularLeastDepth || here.excluded || !tt_entry || move != tt_entry->move ||
      tt_entry->bound == Bound::kUpper || tt_entry->depth + kSingularTableDepth < node.depth ||
      std::abs(tt_entry->score) > kSurestScore) {
    return 0;
  }
  const int threshold = tt_entry->score - kSingularMarginPerDepth * node.depth;
  here.excluded = move;
  const int others = search(node.position, threshold - 1, threshold, (node.depth - 1) / 2, node.ply,
                            node.cut_node);
  here.excluded = {};
  here.line.size = 0;
  if (others < threshold) return 1;
  if (threshold >= node.beta && !node.pv()) cutoff = threshold;
  return others >= node.beta ? -1 : 0;
}

// The score of a move: by a null window first, by the full one where it may raise alpha in a window
// that is open.
int AlphaBetaWorker::try_move(const Node& node, rules::Move move, const rules::Position& next,
                              int alpha, int depth, int reduction, bool first) {
  const auto child = [&](int low, int high, int plies, bool cut) {
    return -search(next, -high, -low, plies, node.ply + 1, cut);
  };
  enter(node.position, move, next, node.ply);
  int score = alpha;
  if (!first) {
    score = child(alpha, alpha + 1, depth - reduction, reduction > 0 || !node.cut_node);
    if (reduction > 0 && score > alpha) score = child(alpha, alpha + 1, depth, !node.cut_node);
  }
  if (first || (node.pv() && score > alpha)) {
    score = child(alpha, node.beta, depth, !node.pv() && !node.cut_node);
  }
  leave();
  return score;
}

// By which threads tell each other that they search the move; 0 where they do not.
std::uint64_t AlphaBetaWorker::progress_key(const Node& node, rules::Move move) {
  if (!shared_.in_progress || node.depth < kDeferLeastDepth || at(node.ply).excluded) return 0;
  return MovesInProgress::key_of(key_of(node.position), move);
}

// Returns a score where that is the position's, whatever the other moves are, or the search stops.
std::optional<int> AlphaBetaWorker::search_trial(
    const Node& node, const Trial& trial, const std::optional<TranspositionTable::Entry>& tt_entry,
    Best& best, Tried& tried) {
  const rules::Position next = after(node.position, trial.move);
  std::optional<int> cutoff;
  const int extension = extension_of(node, trial.move, tt_entry, cutoff);
  if (cutoff) return cutoff;
  const int reduction =
      extension > 0 ? 0 : reduction_of(node, trial.move_count + 1, trial.order_score, trial.quiet);
  const std::uint64_t key = progress_key(node, trial.move);
  if (key != 0) shared_.in_progress->begin(key);
  const int score = try_move(node, trial.move, next, best.alpha, node.depth - 1 + extension,
                             reduction, trial.move_count == 0);
  if (key != 0) shared_.in_progress->end(key);
  if (shared_.stop.load(std::memory_order_relaxed)) return 0;
  const bool fails_high = improves(node, trial.move, score, best) && best.alpha >= node.beta;
  if (!fails_high) (trial.quiet ? tried.quiets : tried.captures).push_back(trial.move);
  return std::nullopt;
}

// Whether the table's move can be tried before the others are even listed. It was legal in this
// position, or in one whose key is the same by chance.
bool AlphaBetaWorker::leads(const Node& node) {
  const rules::Move move = node.tt_move;
  return move && !at(node.ply).excluded &&
         (is_quickly_playable(node.position, move) || can_still_take(node.position, move)) &&
         !node.position.after(move).can_capture_king();
}

int AlphaBetaWorker::search_moves(const Node& node,
                                  const std::optional<TranspositionTable::Entry>& tt_entry) {
  Ply& here = at(node.ply);
  const Gains gain(node.position, values_);
  Best best{-kInfiniteScore, node.alpha, {}};
  Tried tried;
  const bool led = leads(node);
  if (led) {
    const Trial trial{node.tt_move, order::kFirst, 0, gain(node.tt_move) == 0};
    if (const auto settled = search_trial(node, trial, tt_entry, best, tried)) return *settled;
  }
  if (best.alpha < node.beta) {
    if (const auto settled = search_listed(node, tt_entry, led, best, tried)) return *settled;
  }
  if (best.score >= node.beta) reward(node, best, tried);
  if (!here.excluded) store(node, best.score, best.move ? best.move : node.tt_move);
  return best.score;
}

// The moves in their order, without the table's where that one `led`. Returns a score where that is
// the position's already.
std::optional<int> AlphaBetaWorker::search_listed(
    const Node& node, const std::optional<TranspositionTable::Entry>& tt_entry, bool led,
    Best& best, Tried& tried) {
  const rules::Move left_out = led ? node.tt_move : at(node.ply).excluded;
  rules::MoveList moves;
  node.position.surviving_moves(moves);
  if (moves.empty())
    return at(node.ply).excluded ? node.alpha : without_moves(node.position, node.ply);
  OrderedMoves ordered;
  order_moves(node, moves, ordered);
  std::optional<Checks> checks;
  const Gains gain(node.position, values_);
  const int late_from = (kLateMoveBase + node.depth * node.depth) / (node.improving ? 1 : 2);
  bool late = false;  // only what checks or takes is tried, in any order
  int count = led ? 1 : 0;
  std::array<Deferred, kDeferMostMoves> deferred;
  std::size_t later = 0;
  for (std::size_t i = 0; i < ordered.size() && best.alpha < node.beta; ++i) {
    const rules::Move move = late ? ordered.move(i) : ordered.take(i);
    if (move == left_out) continue;
    const int order_score = ordered.score(i);
    const bool quiet = gain(move) == 0;
    if (best.score > -kSurestScore && !node.in_check && !full_width_) {
      late = node.depth <= kLateMoveMostDepth && count >= late_from;
      if (quiet && skip_quiet(node, move, count, late, order_score, checks)) continue;
      if (order_score <= order::kLosing / 2 && !node.pv() && node.depth <= kSeePruningMostDepth)
        continue;
    }
    const Trial trial{move, order_score, count++, quiet};
    const std::uint64_t key = trial.move_count > 0 ? progress_key(node, move) : 0;
    if (later < deferred.size() && key != 0 && shared_.in_progress->contains(key)) {
      deferred[later++] = {static_cast<std::uint16_t>(i),
                           static_cast<std::uint16_t>(trial.move_count)};
    } else if (const auto settled = search_trial(node, trial, tt_entry, best, tried)) {
      return settled;
    }
  }
  for (std::size_t i = 0; i < later && best.alpha < node.beta; ++i) {
    const auto [index, number] = deferred[i];
    const rules::Move move = ordered.move(index);
    const Trial trial{move, ordered.score(index), number, gain(move) == 0};
    if (const auto settled = search_trial(node, trial, tt_entry, best, tried)) return settled;
  }
  return count == 0 ? std::optional(node.alpha) : std::nullopt;
}

// Keeps what is better than before; true where it is above alpha.
bool AlphaBetaWorker::improves(const Node& node, rules::Move move, int score, Best& best) {
  best.score = std::max(best.score, score);
  if (score <= best.alpha) return false;
  best.alpha = score;
  best.move = move;
  if (node.pv()) extend_line(node.ply, move);
  return true;
}

// Captures and promotions that lose nothing, until it is quiet, and checks at the `first` ply; in
// check all moves.
int AlphaBetaWorker::quiesce(const rules::Position& position, int alpha, int beta, int ply,
                             bool first) {
  Ply& here = at(ply);
  here.line.size = 0;
  if (count_node()) return 0;
  selective_depth_ = std::max(selective_depth_, ply);
  if (const auto end = end_of(position, ply)) return *end;
  if (const auto known = known_score(position, ply)) return *known;
  if (ply >= kMaxSearchPly) return evaluate(position);
  Node node{position, alpha, beta, 0, ply, false};
  node.in_check = here.in_check = attacked(position);
  const auto tt_entry = shared_.table.find(key_of(position));
  if (tt_entry) {
    node.tt_move = tt_entry->move;
    if (const auto score = settled_by(*tt_entry, node)) return *score;
  }
  node.eval = here.eval = tt_entry ? tt_entry->eval : evaluate(position);
  node.tt_eval = improved_eval(node, tt_entry);
  Best best{node.in_check ? -kInfiniteScore : node.tt_eval, alpha, {}};
  best.alpha = std::max(alpha, best.score);
  if (best.score >= beta) {
    if (!tt_entry) store(node, best.score, {});
    return best.score;
  }
  rules::MoveList moves;
  if (node.in_check) {
    position.surviving_moves(moves);
    if (moves.empty()) return without_moves(position, ply);
  } else {
    position.noisy_moves(moves);
    if (first && !full_width_ && position.pieces_may_move(position.side_to_move())) {
      rules::MoveList checking;
      const Checks checks(position);
      checks.quiet_moves(checking);
      for (const rules::Move move : checking) {
        if (checks.given_by(move) && exchange_after(position, move, values_) >= 0)
          moves.push_back(move);
      }
    }
  }
  quiesce_moves(node, moves, best);
  if (shared_.stop.load(std::memory_order_relaxed)) return 0;
  store(node, best.score, best.move);
  return best.score;
}

void AlphaBetaWorker::quiesce_moves(const Node& node, const rules::MoveList& moves, Best& best) {
  OrderedMoves ordered;
  order_moves(node, moves, ordered);
  const Gains gain(node.position, values_);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const rules::Move move = ordered.take(i);
    if (!node.in_check) {
      if (!full_width_ && ordered.score(i) <= order::kLosing / 2) return;
      const int most = node.eval + kDeltaPerCentipawn * gain(move) + kDeltaMargin;
      if (most <= best.alpha && !move.is_promotion() && gain(move) > 0) {
        best.score = std::max(best.score, most);
        continue;
      }
    }
    const rules::Position next = after(node.position, move);
    if (!node.in_check && next.can_capture_king()) continue;
    enter(node.position, move, next, node.ply);
    const int score = -quiesce(next, -node.beta, -best.alpha, node.ply + 1, false);
    leave();
    if (shared_.stop.load(std::memory_order_relaxed)) return;
    if (improves(node, move, score, best) && best.alpha >= node.beta) return;
  }
}

}  // namespace tactics
