#include "rules/lookahead.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "rules/attacks.h"
#include "rules/exchange.h"

namespace rules {
namespace {

constexpr int kCapturePlies = 8;            // how far captures are followed
constexpr int kCapturePositions = 100'000;  // in all of a search's captures, then they stop
constexpr int kMost = 64;                   // more than any man's value

int value(PieceType type) { return kExchangeValue[static_cast<std::size_t>(index(type))]; }

int worth(const Position& position, Color color) {
  int sum = 0;
  for (const PieceType type : {PieceType::kPawn, PieceType::kKnight, PieceType::kBishop,
                               PieceType::kRook, PieceType::kQueen}) {
    sum +=
        value(type) * (std::popcount(position.pieces(color, type)) + position.reserve(color, type));
  }
  return sum;
}

// What the mover's moves win at once.
class Gains {
 public:
  explicit Gains(const Position& position)
      : position_(position), taken_on_(position.pieces(~position.side_to_move())) {
    if (const auto passed = position.en_passant()) taken_on_ |= bit(*passed);
  }
  int operator()(Move move) const {
    if (move.is_placement() && move.pawn_step() == PawnStep::kStays) return 0;
    const int promoted = move.is_promotion() ? value(move.promoted_to()) - 1 : 0;
    if (!move.is_placement() && !(taken_on_ & bit(move.to()))) return promoted;
    const auto taken = position_.captured_by(move);
    return promoted + (taken ? value(*taken) : 0);
  }

 private:
  const Position& position_;
  Bitboard taken_on_;
};

bool loses_exchange(const Position& position, Move move) {
  return !move.is_promotion() && position.piece_at(move.to()) &&
         exchange(position, position.side_to_move(), move.from(), move.to()) < 0;
}

// Where no move survives: the king falls, or it is a stalemate, worth here what stands.
int value_without_moves(const Position& position, int balance) {
  const Color mover = position.side_to_move();
  const bool falls = position.in_check(mover) || (position.rule_set().stuck_in_hand_loses &&
                                                  !position.pieces(mover, PieceType::kKing));
  return falls ? -kKingTaken : balance;
}

// The moves that check the enemy king, castling and what an en passant capture uncovers apart.
class Checks {
 public:
  explicit Checks(const Position& position) : position_(position) {
    const Color mover = position.side_to_move();
    const Bitboard king = position.pieces(~mover, PieceType::kKing);
    if (!king || !position.men_may_move(mover)) return;
    king_ = first_square(king);
    const Bitboard occupied = position.occupied();
    const Bitboard diagonal = bishop_attacks(king_, occupied);
    const Bitboard straight = rook_attacks(king_, occupied);
    from_ = {pawn_attacks(~mover, king),
             knight_attacks(king_),
             diagonal,
             straight,
             diagonal | straight,
             0};
    for (const Bitboard squares : from_) any_ |= squares;
    const Bitboard own = position.pieces(mover), queens = position.pieces(mover, PieceType::kQueen);
    add_uncovering(bishop_attacks(king_, occupied ^ (own & diagonal)) & ~diagonal &
                       (position.pieces(mover, PieceType::kBishop) | queens),
                   own);
    add_uncovering(rook_attacks(king_, occupied ^ (own & straight)) & ~straight &
                       (position.pieces(mover, PieceType::kRook) | queens),
                   own);
  }
  bool given_by(Move move) const {
    if (!move.is_placement() && (uncovering_ & bit(move.from())) &&
        !(line(king_, move.from()) & bit(move.to()))) {
      return true;
    }
    if (!(any_ & bit(move.to()))) return false;
    const PieceType type = move.is_placement()   ? move.placed()
                           : move.is_promotion() ? move.promoted_to()
                                                 : *position_.piece_at(move.from());
    return (from_[static_cast<std::size_t>(index(type))] & bit(move.to())) != 0;
  }

 private:
  // `behind`: men who would attack the king if the own man between went away.
  void add_uncovering(Bitboard behind, Bitboard own) {
    for (; behind; behind &= behind - 1) {
      uncovering_ |= between(king_, first_square(behind)) & own;
    }
  }

  const Position& position_;
  Square king_{};
  std::array<Bitboard, kPieceTypes> from_{};  // squares, by what stands on them
  Bitboard any_ = 0;
  Bitboard uncovering_ = 0;  // own men whose leaving uncovers an attack
};

// The man who took in a sibling position can take here too. Says no of promotions and en passant.
bool can_still_take(const Position& position, Move move) {
  const Color mover = position.side_to_move();
  if (move.is_placement() || move.is_promotion() || !position.men_may_move(mover)) return false;
  if (!(position.pieces(mover) & bit(move.from()))) return false;
  const PieceType type = *position.piece_at(move.from());
  const Bitboard reached = type == PieceType::kPawn
                               ? pawn_attacks(mover, bit(move.from()))
                               : attacks_from(type, move.from(), position.occupied());
  return (reached & position.pieces(~mover) & bit(move.to())) != 0;
}

// Moves to be tried, the most won by the cheapest man first: that order above, the move in the
// lower 16 bits. What is not used is not initialised.
struct Ordered {
  std::array<std::uint32_t, MoveList::kCapacity> keys;
  std::size_t count = 0;

  void add(Move move, int won, int moving) {
    keys[count++] = static_cast<std::uint32_t>(kMost * (won + 1) - moving) << 16 | move.raw();
  }
  void sort() {
    std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
  }
  // Brings the moves of men on these squares to the front of those from `first` on.
  void prefer(Bitboard from, std::size_t first) {
    const auto begin = keys.begin();
    std::partition(begin + static_cast<std::ptrdiff_t>(first),
                   begin + static_cast<std::ptrdiff_t>(count), [from](std::uint32_t key) {
                     const Move move = move_of(key);
                     return !move.is_placement() && (from & bit(move.from())) != 0;
                   });
  }
  Move move(std::size_t i) const { return move_of(keys[i]); }
  int won(std::size_t i) const {  // a man is worth less than kMost
    return (static_cast<int>(keys[i] >> 16) - 1) / kMost;
  }
  int moving(std::size_t i) const { return kMost * (won(i) + 1) - static_cast<int>(keys[i] >> 16); }

 private:
  static Move move_of(std::uint32_t key) {
    return Move::from_raw(static_cast<std::uint16_t>(key & 0xffff));
  }
};

int moving_value(const Position& position, Move move) {
  return move.is_placement() ? 0 : value(*position.piece_at(move.from()));
}

// Negamax with alpha-beta bounds. `balance`: the mover's. REQUIRES (both): no king can be captured.
class Lookahead {
 public:
  // `moves`: those that survive. `chosen`: receives the best of them.
  int full(const Position& position, std::span<const Move> moves, int balance, int alpha, int beta,
           int plies, Move* chosen = nullptr);
  // `likely`: worth trying first, if it can be played.
  int captures(const Position& position, int balance, int alpha, int beta, int left,
               int standing_loses = 0, Move likely = {});

 private:
  class Turn;

  int positions_ = 0;
  std::array<Move, 4> killers_{};  // by plies to go: what was too good in a sibling position
  Move answer_;  // the capture that was best in the position that captures() left last; or none
};

// One position of full(): tries its moves, those that are likely too good first, and lists quiet
// ones only where it comes to them.
class Lookahead::Turn {
 public:
  Turn(Lookahead& search, const Position& position, std::span<const Move> moves, int balance,
       int alpha, int beta, int plies)
      : search_(search),
        position_(position),
        moves_(moves),
        balance_(balance),
        alpha_(alpha),
        beta_(beta),
        plies_(plies),
        gain_(position),
        killer_(search.killers_[static_cast<std::size_t>(plies) % search.killers_.size()]) {
    if (plies == 1) checks_.emplace(position);
  }

  int best() {
    try_winning();
    try_quiet();
    for (std::size_t i = 0; i < losing_.count && open(); ++i) {
      attempt(losing_.move(i), losing_.won(i));
    }
    return best_;
  }
  Move best_move() const { return best_move_; }

 private:
  bool open() const { return best_ < beta_; }
  int bar() const { return std::max(alpha_, best_); }
  // On the last ply the enemy stands still at worst, unless he is in check.
  bool too_little(Move move, int won) const {
    return plies_ == 1 && balance_ + won <= bar() && !checks_->given_by(move);
  }

  void try_winning() {
    Ordered winning;
    for (const Move move : moves_) {
      const int won = gain_(move);
      if (won == 0) {
        killer_fits_ |= move == killer_;
      } else if (!too_little(move, won)) {
        winning.add(move, won, moving_value(position_, move));
      }
    }
    winning.sort();
    for (std::size_t i = 0; i < winning.count && open(); ++i) {
      const Move move = winning.move(i);
      const int won = winning.won(i), moving = winning.moving(i);
      if (won < moving && loses_exchange(position_, move)) {
        losing_.add(move, won, moving);
      } else {
        attempt(move, won);
      }
    }
  }

  void try_quiet() {
    if (!open()) return;
    Ordered quiet;
    const Bitboard after_killer = killer_fits_ ? attempt_quiet(killer_) : 0;
    if (!open()) return;
    for (const Move move : moves_) {
      if (gain_(move) == 0 && move != killer_ && !too_little(move, 0)) quiet.add(move, 0, 0);
    }
    if (after_killer) quiet.prefer(after_killer, 0);
    for (std::size_t i = 0; i < quiet.count && open(); ++i) {
      if (const Bitboard hanging = attempt_quiet(quiet.move(i))) quiet.prefer(hanging, i + 1);
    }
  }

  // The square of a man that the answer takes, where it has not been given the chance to leave.
  Bitboard attempt_quiet(Move move) {
    attempt(move, 0);
    const Move answer = search_.answer_;
    if (!answer || (bit(answer.to()) & (saved_ | bit(move.to())))) return 0;
    saved_ |= bit(answer.to());
    return bit(answer.to());
  }

  void attempt(Move move, int won) {
    if (too_little(move, won)) return;
    const Position next = position_.after(move);
    const int reached = plies_ == 1 ? -search_.captures(next, -(balance_ + won), -beta_, -bar(),
                                                        kCapturePlies, 0, search_.answer_)
                                    : look_on(next, balance_ + won);
    if (reached > best_) {
      best_ = reached;
      best_move_ = move;
    }
    if (!open() && won == 0) killer_ = move;
  }

  int look_on(const Position& next, int balance) {
    MoveList replies;
    next.surviving_moves(replies);
    const int least = bar();
    const auto look = [&](int most) {
      return -search_.full(next, replies, -balance, -most, -least, plies_ - 1);
    };
    const bool doubted =
        best_ > -kKingTaken && least + 1 < beta_;  // that it is better: asked first
    int reached = look(doubted ? least + 1 : beta_);
    if (doubted && reached > least) reached = look(beta_);
    search_.answer_ = {};
    return reached;
  }

  Lookahead& search_;
  const Position& position_;
  const std::span<const Move> moves_;
  const int balance_, alpha_, beta_, plies_;
  const Gains gain_;
  Move& killer_;
  std::optional<Checks> checks_;  // on the last ply
  int best_ = -kKingTaken;
  Move best_move_;
  bool killer_fits_ = false;  // is among the quiet moves
  Ordered losing_;
  Bitboard saved_ = 0;  // squares whose men have been given the chance to leave
};

int Lookahead::full(const Position& position, std::span<const Move> moves, int balance, int alpha,
                    int beta, int plies, Move* chosen) {
  if (position.halfmove_clock() >= Position::kImpasseClock) return balance;
  if (moves.empty()) return value_without_moves(position, balance);
  Turn turn(*this, position, moves, balance, alpha, beta, plies);
  const int best = turn.best();
  if (chosen != nullptr) *chosen = turn.best_move();
  return best;
}

int Lookahead::captures(const Position& position, int balance, int alpha, int beta, int left,
                        int standing_loses, Move likely) {
  answer_ = {};
  if (position.halfmove_clock() >= Position::kImpasseClock) return balance;
  const Color mover = position.side_to_move();
  const bool stops = left == 0 || ++positions_ > kCapturePositions;
  const bool in_check = !stops && position.in_check(mover) && position.men_may_move(~mover);
  int best = in_check ? -kKingTaken : balance - standing_loses;
  if (stops || best >= beta) return best;

  Move answer;
  const auto attempt = [&](Move move, int won, int moving) {
    if (!in_check && won < moving && loses_exchange(position, move)) return;
    const Position next = position.after(move);
    if (!in_check && next.can_capture_king()) return;
    const int reached = -captures(next, -(balance + won), -beta, -std::max(alpha, best), left - 1);
    if (reached > best) {
      best = reached;
      answer = move;
    }
  };
  const Gains gain(position);
  std::optional<Checks> checks;
  // The enemy stands still at worst, unless he is in check.
  const auto too_little = [&](Move move, int won) {
    if (in_check || balance + won > std::max(alpha, best)) return false;
    if (!checks) checks.emplace(position);
    return !checks->given_by(move);
  };
  if (in_check || !likely || !can_still_take(position, likely)) {
    likely = {};
  } else if (const int won = gain(likely); !too_little(likely, won)) {
    attempt(likely, won, moving_value(position, likely));
  }
  if (best < beta) {
    MoveList moves;
    if (in_check) {
      position.surviving_moves(moves);
      if (moves.empty()) return value_without_moves(position, balance);
    } else {
      position.noisy_moves(moves);
    }
    Ordered ordered;
    for (const Move move : moves) {
      const int won = gain(move);
      if (move != likely && !too_little(move, won))
        ordered.add(move, won, moving_value(position, move));
    }
    ordered.sort();
    for (std::size_t i = 0; i < ordered.count && best < beta; ++i) {
      if (too_little(ordered.move(i), ordered.won(i))) continue;
      attempt(ordered.move(i), ordered.won(i), ordered.moving(i));
    }
  }
  answer_ = answer;
  return best;
}

}  // namespace

int material_lookahead_stm(const Position& position, std::span<const Move> survivors, int plies,
                           Move* best) {
  const Color mover = position.side_to_move();
  if (position.can_capture_king()) return kKingTaken;
  const int balance = worth(position, mover) - worth(position, ~mover);
  if (plies > 0) {
    return Lookahead().full(position, survivors, balance, -kKingTaken, kKingTaken, plies, best);
  }
  return Lookahead().captures(position, balance, -kKingTaken, kKingTaken, kCapturePlies,
                              winning_captures(position, ~mover).second);
}

bool can_mate(const Position& position) {
  const Checks checks(position);
  MoveList moves, replies;
  position.surviving_moves(moves);
  for (const Move move : moves) {
    if (!checks.given_by(move)) continue;
    const Position next = position.after(move);
    if (next.halfmove_clock() >= Position::kImpasseClock || next.can_capture_king()) continue;
    next.surviving_moves(replies);
    if (replies.empty() && value_without_moves(next, 0) != 0) return true;
  }
  return false;
}

}  // namespace rules
