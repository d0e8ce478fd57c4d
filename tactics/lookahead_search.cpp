#include "tactics/lookahead_search.h"

#include <algorithm>
#include <optional>

#include "tactics/checks.h"
#include "tactics/move_order.h"
#include "tactics/ordered_moves.h"

namespace tactics {

Lookahead::Search::Result Lookahead::Search::find(const rules::Position& position, int balance,
                                                  std::span<const rules::Move> moves, int plies) {
  Result result{balance, {}};
  if (plies > 2) result = find(position, balance, moves, plies - 2);
  rules::MoveList ordered;
  if (result.best) ordered.push_back(result.best);
  for (const rules::Move move : moves) {
    if (move != result.best) ordered.push_back(move);
  }
  const int guess = result.value;
  int alpha = plies == 1 ? -kKingFalls : std::max(guess - 1, -kKingFalls);
  int beta = plies == 1 ? kKingFalls : std::min(guess + 1, kKingFalls);
  result = root(position, balance, ordered, alpha, beta, plies);
  if (result.value <= alpha && alpha > -kKingFalls) {
    result = root(position, balance, ordered, -kKingFalls, result.value + 1, plies);
  } else if (result.value >= beta && beta < kKingFalls) {
    result = root(position, balance, ordered, result.value - 1, kKingFalls, plies);
  }
  return result;
}

Lookahead::Search::Result Lookahead::Search::root(const rules::Position& position, int balance,
                                                  std::span<const rules::Move> moves, int alpha,
                                                  int beta, int plies) {
  Result result{-kKingFalls, {}};
  const Gains gain(position, values_);
  std::optional<Checks> checks;
  // On the last ply the enemy stands pat at worst, unless in check.
  const auto futile = [&](rules::Move move) {
    if (plies > 1) return false;
    if (balance + gain(move) > std::max(alpha, result.value)) return false;
    if (!checks) checks.emplace(position);
    return !checks->given_by(move);
  };
  for (const rules::Move move : moves) {
    if (futile(move)) continue;
    const int value = reply(position.after(move), balance, gain(move),
                            std::max(alpha, result.value), beta, plies - 1);
    if (value <= result.value) continue;
    result = {value, move};
    if (value >= beta) break;
  }
  return result;
}

int Lookahead::Search::reply(const rules::Position& next, int balance, int won, int alpha, int beta,
                             int depth) {
  const int its = -(balance + won);
  if (alpha + 1 < beta && alpha > -kKingFalls) {  // is it better at all?
    const int value = -search(next, its, -alpha - 1, -alpha, depth);
    if (value <= alpha) return value;
  }
  return -search(next, its, -beta, -alpha, depth);
}

std::uint64_t Lookahead::Search::key_of(const rules::Position& position, int depth) const {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  const int clock = position.halfmove_clock();
  const bool near = clock + depth + kQuiescencePlies >= rules::Position::kImpasseClock;
  const auto extra = static_cast<std::uint64_t>(near ? clock + 1 : 0);
  return position.key() ^ (salt_ << 16 | extra) * kFactor;
}

// One position of the search: its moves in stages, so that those which are not needed are never
// listed.
class Lookahead::Search::Node {
 public:
  Node(Search& search, const rules::Position& position, int balance, int alpha, int beta, int depth)
      : search_(search),
        position_(position),
        alpha_(alpha),
        beta_(beta),
        depth_(depth),
        stand_(balance),
        gain_(position, search.values_),
        killers_(search.killers_[static_cast<std::size_t>(depth) % kMaxDepth]) {}

  // `first`: a move that was good here before, or none.
  int search(rules::Move first) {
    const rules::Color mover = position_.side_to_move();
    const bool stages = position_.pieces_may_move(mover) && !position_.in_check(mover) &&
                        position_.halfmove_clock() + 1 < rules::Position::kImpasseClock;
    if (stages) {
      if (depth_ > 1) try_unlisted(first);
      rules::MoveList noisy;
      if (open()) {
        position_.noisy_moves(noisy);
        try_captures(noisy, true);
      }
      if (depth_ == 1 && stand_ <= alpha_) {
        search_checks();
        return best_;
      }
      for (const rules::Move killer : {first, killers_.moves[0], killers_.moves[1]}) {
        try_unlisted(killer);
      }
    }
    if (open()) search_all(first, stages);
    return best_;
  }
  rules::Move best_move() const { return best_move_; }

 private:
  bool open() const { return best_ < beta_; }
  int lower() const { return std::max(alpha_, best_); }

  // On the last ply the enemy stands pat at worst, unless in check.
  bool futile(rules::Move move, int won) {
    if (depth_ > 1 || stand_ + won > lower()) return false;
    if (!checks_) checks_.emplace(position_);
    if (checks_->given_by(move)) return false;
    best_ = std::max(best_, stand_ + won);
    return true;
  }

  // The last ply of who must win something, after its captures. A position without moves is worth
  // no more than standing pat, as its side to move is not in check.
  void search_checks() {
    best_ = std::max(best_, stand_);
    if (!open()) return;
    rules::MoveList moves;
    if (!checks_) checks_.emplace(position_);
    checks_->quiet_moves(moves);
    for (std::size_t i = 0; i < moves.size() && open(); ++i) {
      attempt(moves[i], gain_(moves[i]));
    }
    try_losing();
  }

  void try_unlisted(rules::Move move) {
    if (!open() || was_tried(move) || !is_quickly_playable(position_, move)) return;
    tried_[tried_count_++] = move;
    attempt_quiet(move);
  }
  bool was_tried(rules::Move move) const {
    const auto end = tried_.begin() + static_cast<std::ptrdiff_t>(tried_count_);
    return std::find(tried_.begin(), end, move) != end;
  }

  // `after_captures`: those of pieces on the board have been tried.
  void search_all(rules::Move first, bool after_captures) {
    rules::MoveList moves;
    position_.surviving_moves(moves);
    if (moves.empty()) {
      best_ = without_moves(position_, stand_);
      return;
    }
    if (!after_captures) try_captures(moves, false);
    OrderedMoves quiet;
    if (open()) {
      for (const rules::Move move : moves) {
        if ((gain_(move) != 0 && (!after_captures || !move.is_placement())) || was_tried(move) ||
            futile(move, gain_(move)))
          continue;
        quiet.add(move, move == first ? order::kFirst : search_.history_.score(position_, move));
      }
      if (saved_) quiet.prefer(saved_, 0);
    }
    for (std::size_t i = 0; i < quiet.size() && open(); ++i) {
      if (const rules::Bitboard hanging = attempt_quiet(quiet.take_early(i))) {
        quiet.prefer(hanging, i + 1);
      }
    }
    try_losing();
  }

  void try_losing() {
    for (std::size_t i = 0; i < losing_.size() && open(); ++i) {
      const rules::Move move = losing_.take_early(i);
      attempt(move, gain_(move));
    }
  }

  // Tries the moves that win something, or all where they are `noisy`; keeps those that lose
  // material by SEE for later.
  void try_captures(const rules::MoveList& moves, bool noisy) {
    OrderedMoves winning;
    for (const rules::Move move : moves) {
      const int won = gain_(move);
      if ((won != 0 || noisy) && !futile(move, won)) {
        winning.add(move, capture_score(won, piece_of(position_, move)));
      }
    }
    for (std::size_t i = 0; i < winning.size() && open(); ++i) {
      const rules::Move move = winning.take_early(i);
      const int won = gain_(move);
      if (loses_material(position_, move, won, search_.values_)) {
        losing_.add(move, capture_score(won, piece_of(position_, move)));
      } else {
        attempt(move, won);
      }
    }
  }

  // The squares of a piece that the answer takes, where it has not been given the chance to leave.
  rules::Bitboard attempt_quiet(rules::Move move) {
    attempt(move, gain_(move));  // an entry may take something
    const rules::Move answer = search_.answer_;
    if (depth_ > 1 || !answer || (bit(answer.to()) & (saved_ | bit(move.to())))) return 0;
    saved_ |= bit(answer.to());
    return bit(answer.to());
  }

  void attempt(rules::Move move, int won) {
    if (futile(move, won)) return;
    const rules::Position next = position_.after(move);
    if (depth_ > 1) __builtin_prefetch(&search_.entry(search_.key_of(next, depth_ - 1)));
    if (next.can_capture_king()) return;  // some are listed without a look at that
    const int reached = search_.reply(next, stand_, won, lower(), beta_, depth_ - 1);
    if (reached > best_) {
      best_ = reached;
      best_move_ = move;
    }
    if (!open() && won == 0) {
      killers_.add(move);
      search_.history_.reward(position_, move, depth_);
    }
  }

  Search& search_;
  const rules::Position& position_;
  const int alpha_, beta_, depth_, stand_;
  const Gains gain_;
  Killers& killers_;
  std::optional<Checks> checks_;
  int best_ = -kKingFalls;
  rules::Move best_move_;
  std::array<rules::Move, 3> tried_{};
  std::size_t tried_count_ = 0;
  OrderedMoves losing_;
  rules::Bitboard saved_ = 0;  // squares whose pieces have been given the chance to leave
};

int Lookahead::Search::search(const rules::Position& position, int balance, int alpha, int beta,
                              int depth) {
  if (position.halfmove_clock() >= rules::Position::kImpasseClock) return balance;
  if (depth == 0) {
    return quiesce(position, balance, alpha, beta, kQuiescencePlies, answer_);
  }
  const std::uint64_t key = key_of(position, depth);
  Entry& known = entry(key);
  rules::Move first;
  if (known.key == key) {
    first = known.best;
    if (known.depth == depth && known.settles(alpha, beta)) return known.value;
  }
  Node node(*this, position, balance, alpha, beta, depth);
  const int value = node.search(first);
  const Bound bound = value >= beta    ? Bound::kLower
                      : value <= alpha ? Bound::kUpper
                                       : Bound::kExact;
  known = {key, value, node.best_move(), static_cast<std::uint8_t>(depth), bound};
  return value;
}

}  // namespace tactics
