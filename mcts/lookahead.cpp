#include "mcts/lookahead.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>

#include "rules/attacks.h"
#include "rules/exchange.h"

namespace mcts {
namespace {

using rules::Bitboard;
using rules::Color;
using rules::Move;
using rules::PieceType;
using rules::Position;

constexpr int kCapturePlies = 8;            // how far captures are followed
constexpr int kCapturePositions = 100'000;  // in all of a search's captures, then they stop
constexpr int kMargin = 2;                  // pawns that a capture may bring beyond what it takes
constexpr int kMost = 64;                   // more than any man's value

int value(PieceType type) { return rules::kExchangeValue[static_cast<std::size_t>(index(type))]; }

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
      : position_(position), enemies_(position.pieces(~position.side_to_move())) {
    if (const auto passed = position.en_passant()) passed_ = bit(*passed);
  }
  int operator()(Move move) const {
    if (move.is_placement()) return 0;
    const int promoted = move.is_promotion() ? value(move.promoted_to()) - 1 : 0;
    if (enemies_ & bit(move.to())) return promoted + value(*position_.piece_at(move.to()));
    if (!(passed_ & bit(move.to()))) return promoted;
    return position_.captured_by(move) ? value(PieceType::kPawn) : 0;  // en passant
  }

 private:
  const Position& position_;
  Bitboard enemies_;
  Bitboard passed_ = 0;
};

bool loses_exchange(const Position& position, Move move) {
  return !move.is_promotion() && position.piece_at(move.to()) &&
         rules::exchange(position, position.side_to_move(), move.from(), move.to()) < 0;
}

// Where no move survives: the king falls, or it is a stalemate, worth here what stands.
int value_without_moves(const Position& position, int balance) {
  const bool falls = position.count_legal_moves() > 0 ||
                     (position.rule_set().king_safe && position.in_check(position.side_to_move()));
  return falls ? -kKingTaken : balance;
}

// Squares from which a man of each kind checks the enemy king; discovered checks are not seen.
class Checks {
 public:
  explicit Checks(const Position& position) {
    const Bitboard king = position.pieces(~position.side_to_move(), PieceType::kKing);
    if (!king || !position.men_may_move(position.side_to_move())) return;
    const auto square = rules::first_square(king);
    const Bitboard diagonal = rules::bishop_attacks(square, position.occupied());
    const Bitboard straight = rules::rook_attacks(square, position.occupied());
    from_ = {rules::pawn_attacks(~position.side_to_move(), king),
             rules::knight_attacks(square),
             diagonal,
             straight,
             diagonal | straight,
             0};
    for (const Bitboard squares : from_) any_ |= squares;
  }
  bool given_by(const Position& position, Move move) const {
    if (!(any_ & bit(move.to()))) return false;
    const PieceType type = move.is_placement() ? move.placed() : *position.piece_at(move.from());
    return (from_[static_cast<std::size_t>(index(type))] & bit(move.to())) != 0;
  }

 private:
  std::array<Bitboard, rules::kPieceTypes> from_{};
  Bitboard any_ = 0;
};

// The man who took in a sibling position can take here too. Says no of promotions and en passant.
bool can_still_take(const Position& position, Move move) {
  const Color mover = position.side_to_move();
  if (move.is_placement() || move.is_promotion() || !position.men_may_move(mover)) return false;
  if (!(position.pieces(mover) & bit(move.from()))) return false;
  const PieceType type = *position.piece_at(move.from());
  const Bitboard reached = type == PieceType::kPawn
                               ? rules::pawn_attacks(mover, bit(move.from()))
                               : rules::attacks_from(type, move.from(), position.occupied());
  return (reached & position.pieces(~mover) & bit(move.to())) != 0;
}

// Moves to be tried, the most won by the cheapest man first: that order above, the move in the
// lower 16 bits. What is not used is not initialised.
struct Ordered {
  std::array<std::uint32_t, rules::MoveList::kCapacity> keys;
  std::size_t count = 0;

  void add(Move move, int won, int moving) {
    keys[count++] = static_cast<std::uint32_t>(kMost * (won + 1) - moving) << 16 | move.raw();
  }
  void sort() {
    std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
  }
  void bring_first(Move move) {
    for (std::size_t i = 1; i < count; ++i) {
      if (move_of(keys[i]) == move) std::swap(keys[0], keys[i]);
    }
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
  // `moves`: those that survive.
  int full(const Position& position, std::span<const Move> moves, int balance, int alpha, int beta,
           int plies);
  // `likely`: worth trying first, if it can be played.
  int captures(const Position& position, int balance, int alpha, int beta, int left,
               int standing_loses = 0, Move likely = {});

 private:
  int positions_ = 0;
  std::array<Move, 4> killers_{};  // by full turns to go: what was too good in a sibling position
  Move answer_;  // the capture that was best in the position that captures() left last; or none
};

int Lookahead::full(const Position& position, std::span<const Move> moves, int balance, int alpha,
                    int beta, int plies) {
  if (position.halfmove_clock() >= Position::kImpasseClock) return balance;
  if (moves.empty()) return value_without_moves(position, balance);
  const Gains gain(position);
  Ordered winning, quiet, losing;
  for (const Move move : moves) {
    const int won = gain(move);
    if (won == 0) {
      quiet.add(move, 0, 0);
      continue;
    }
    const int moving = moving_value(position, move);
    (won < moving && loses_exchange(position, move) ? losing : winning).add(move, won, moving);
  }
  winning.sort();
  Move& killer = killers_[static_cast<std::size_t>(plies) % killers_.size()];
  quiet.bring_first(killer);
  const Checks checks(position);
  int best = -kKingTaken;
  const auto attempt = [&](Move move, int won) {
    const int bar = std::max(alpha, best);
    // On its last full turn the enemy stands still at worst, unless he is in check.
    if (plies == 1 && balance + won <= bar && !checks.given_by(position, move)) return;
    const Position next = position.after(move);
    int reached = 0;
    if (plies == 1) {
      reached = -captures(next, -(balance + won), -beta, -bar, kCapturePlies, 0, answer_);
    } else {
      rules::MoveList replies;
      next.surviving_moves(replies);
      reached = -full(next, replies, -(balance + won), -beta, -bar, plies - 1);
      answer_ = {};
    }
    best = std::max(best, reached);
    if (best >= beta) killer = move;
  };
  for (std::size_t i = 0; i < winning.count && best < beta; ++i) {
    attempt(winning.move(i), winning.won(i));
  }
  Bitboard saved = 0;  // squares whose men have been given the chance to leave
  for (std::size_t i = 0; i < quiet.count && best < beta; ++i) {
    attempt(quiet.move(i), 0);
    if (!answer_ || (bit(answer_.to()) & (saved | bit(quiet.move(i).to())))) continue;
    saved |= bit(answer_.to());
    quiet.prefer(bit(answer_.to()), i + 1);
  }
  for (std::size_t i = 0; i < losing.count && best < beta; ++i) {
    attempt(losing.move(i), losing.won(i));
  }
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
  const auto too_little = [&](int won) { return !in_check && balance + won + kMargin <= alpha; };
  if (in_check || !likely || !can_still_take(position, likely)) {
    likely = {};
  } else if (const int won = gain(likely); !too_little(won)) {
    attempt(likely, won, moving_value(position, likely));
  }
  if (best < beta) {
    rules::MoveList moves;
    if (in_check) {
      position.surviving_moves(moves);
      if (moves.empty()) return value_without_moves(position, balance);
    } else {
      position.noisy_moves(moves);
    }
    Ordered ordered;
    for (const Move move : moves) {
      const int won = gain(move);
      if (move != likely && !too_little(won)) ordered.add(move, won, moving_value(position, move));
    }
    ordered.sort();
    for (std::size_t i = 0; i < ordered.count && best < beta; ++i) {
      attempt(ordered.move(i), ordered.won(i), ordered.moving(i));
    }
  }
  answer_ = answer;
  return best;
}

}  // namespace

int material_lookahead_stm(const Position& position, std::span<const Move> survivors, int plies) {
  const Color mover = position.side_to_move();
  if (position.can_capture_king()) return kKingTaken;
  const int balance = worth(position, mover) - worth(position, ~mover);
  if (plies > 0) {
    return Lookahead().full(position, survivors, balance, -kKingTaken, kKingTaken, plies);
  }
  return Lookahead().captures(position, balance, -kKingTaken, kKingTaken, kCapturePlies,
                              rules::winning_captures(position, ~mover).second);
}

bool can_mate(const Position& position) {
  const Checks checks(position);
  rules::MoveList moves, replies;
  position.surviving_moves(moves);
  for (const Move move : moves) {
    if (!checks.given_by(position, move)) continue;
    const Position next = position.after(move);
    if (next.halfmove_clock() >= Position::kImpasseClock || next.can_capture_king()) continue;
    next.surviving_moves(replies);
    if (replies.empty() && value_without_moves(next, 0) != 0) return true;
  }
  return false;
}

}  // namespace mcts
