#include "mcts/lookahead.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>

#include "rules/attacks.h"
#include "rules/exchange.h"

namespace mcts {
namespace {

using rules::Bitboard;
using rules::Color;
using rules::Move;
using rules::PieceType;
using rules::Position;

constexpr int kCapturePlies = 8;         // how far captures are followed
constexpr int kCapturePositions = 1000;  // in all of a search's captures, then they stop
constexpr int kMargin = 2;               // pawns that a capture may bring beyond what it takes
constexpr int kMost = 64;                // more than any man's value

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
      : position_(position), targets_(position.pieces(~position.side_to_move())) {
    if (const auto passed = position.en_passant()) targets_ |= bit(*passed);
  }
  int operator()(Move move) const {
    if (move.is_placement()) return 0;
    const int promoted = move.is_promotion() ? value(move.promoted_to()) - 1 : 0;
    if (!(targets_ & bit(move.to()))) return promoted;
    const auto taken = position_.captured_by(move);
    return promoted + (taken ? value(*taken) : 0);
  }

 private:
  const Position& position_;
  Bitboard targets_;  // all captures of men on the board arrive here
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

// Negamax with alpha-beta bounds. `balance`: the mover's. REQUIRES (both): no king can be captured.
class Lookahead {
 public:
  int full(const Position& position, int balance, int alpha, int beta, int plies);
  int captures(const Position& position, int balance, int alpha, int beta, int left,
               int standing_loses = 0);

 private:
  // Moves to be tried, the most won by the cheapest man first: that order above, the move in the
  // lower 16 bits. What is not used is not initialised.
  struct Ordered {
    std::array<std::uint32_t, rules::MoveList::kCapacity> keys;
    std::size_t count = 0;
    void add(Move move, int won, int moving) {
      keys[count++] = static_cast<std::uint32_t>(kMost + kMost * won - moving) << 16 | move.raw();
    }
    void sort() {
      std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
    }
    Move move(std::size_t i) const {
      return Move::from_raw(static_cast<std::uint16_t>(keys[i] & 0xffff));
    }
    int won(std::size_t i) const {  // a man is worth less than kMost
      return (static_cast<int>(keys[i] >> 16) - 1) / kMost;
    }
  };
  static int moving_value(const Position& position, Move move) {
    return move.is_placement() ? 0 : value(*position.piece_at(move.from()));
  }

  int positions_ = 0;
};

int Lookahead::full(const Position& position, int balance, int alpha, int beta, int plies) {
  if (plies == 0) return captures(position, balance, alpha, beta, kCapturePlies);
  if (position.halfmove_clock() >= Position::kImpasseClock) return balance;
  rules::MoveList moves, quiet;
  position.surviving_moves(moves);
  if (moves.empty()) return value_without_moves(position, balance);
  const Gains gain(position);
  Ordered noisy;
  for (const Move move : moves) {
    if (const int won = gain(move)) {
      noisy.add(move, won, moving_value(position, move));
    } else {
      quiet.push_back(move);
    }
  }
  noisy.sort();
  const Checks checks(position);
  int best = -kKingTaken;
  const auto attempt = [&](Move move, int won) {
    const int bar = std::max(alpha, best);
    // On its last full turn the enemy stands still at worst, unless he is in check.
    if (plies == 1 && balance + won <= bar && !checks.given_by(position, move)) return;
    best = std::max(best, -full(position.after(move), -(balance + won), -beta, -bar, plies - 1));
  };
  for (std::size_t i = 0; i < noisy.count && best < beta; ++i) {
    attempt(noisy.move(i), noisy.won(i));
  }
  for (std::size_t i = 0; i < quiet.size() && best < beta; ++i) attempt(quiet[i], 0);
  return best;
}

int Lookahead::captures(const Position& position, int balance, int alpha, int beta, int left,
                        int standing_loses) {
  if (position.halfmove_clock() >= Position::kImpasseClock) return balance;
  const Color mover = position.side_to_move();
  const bool stops = left == 0 || ++positions_ > kCapturePositions;
  const bool in_check = !stops && position.in_check(mover) && position.men_may_move(~mover);
  int best = in_check ? -kKingTaken : balance - standing_loses;
  if (stops || best >= beta) return best;

  rules::MoveList moves;
  if (in_check) {
    position.surviving_moves(moves);
    if (moves.empty()) return value_without_moves(position, balance);
  } else {
    position.noisy_moves(moves);
  }
  const Gains gain(position);
  Ordered ordered;
  for (const Move move : moves) {
    const int won = gain(move);
    const int moving = moving_value(position, move);
    if (!in_check) {
      if (balance + won + kMargin <= alpha) continue;
      if (won < moving && loses_exchange(position, move)) continue;
    }
    ordered.add(move, won, moving);
  }
  ordered.sort();
  for (std::size_t i = 0; i < ordered.count && best < beta; ++i) {
    const Position next = position.after(ordered.move(i));
    if (!in_check && next.can_capture_king()) continue;
    best = std::max(best, -captures(next, -(balance + ordered.won(i)), -beta,
                                    -std::max(alpha, best), left - 1));
  }
  return best;
}

}  // namespace

int material_lookahead_stm(const Position& position, int plies) {
  const Color mover = position.side_to_move();
  if (position.can_capture_king()) return kKingTaken;
  const int balance = worth(position, mover) - worth(position, ~mover);
  if (plies > 0) return Lookahead().full(position, balance, -kKingTaken, kKingTaken, plies);
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
