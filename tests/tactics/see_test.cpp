#include "tactics/see.h"

#include <gtest/gtest.h>

#include <bit>

#include "rules/notation.h"
#include "tests/rules/random_position.h"

namespace tactics {
namespace {

using namespace rules;

Square square(const char* name) { return make_square(name[0] - 'a', name[1] - '1'); }

struct Case {
  const char* why;
  const char* fen;
  const char* from;
  const char* to;
  int won;
};

TEST(See, CountsWhatCapturesWin) {
  for (const Case& c : {
           Case{"an undefended pawn", "4k3/8/8/3p4/8/8/3R4/4K3[] w - - 0 30", "d2", "d5", 1},
           Case{"a rook for a pawn", "4k3/8/4p3/3p4/8/8/3R4/4K3[] w - - 0 30", "d2", "d5", -4},
           Case{"a pawn takes a defended knight", "4k3/8/2p5/3n4/4P3/8/8/4K3[] w - - 0 30", "e4",
                "d5", 2},
           Case{"even", "4k3/8/2p5/3n4/8/4N3/8/4K3[] w - - 0 30", "e3", "d5", 0},
           Case{"the rook behind joins in", "4k3/3r4/8/3p4/8/8/3R4/3RK3[] w - - 0 30", "d2", "d5",
                1},
           Case{"the queen behind the bishop", "4k3/3r4/8/3p4/8/1B6/Q7/4K3[] w - - 0 30", "b3",
                "d5", 1},
           Case{"but not into a second rook", "3rk3/3r4/8/3p4/8/1B6/Q7/4K3[] w - - 0 30", "b3",
                "d5", -2},
           Case{"a king does not recapture where he is taken",
                "8/8/4k3/3n4/8/1B6/8/3RK3[] w - - 0 30", "b3", "d5", 3},
           Case{"but where he is not", "8/8/4k3/3n4/8/1B6/8/4K3[] w - - 0 30", "b3", "d5", 0},
           Case{"men without a king do not recapture", "8/8/2p5/3n4/8/1B6/8/4K3[k] w - - 0 30",
                "b3", "d5", 3},
           Case{"Black as well", "3rk3/8/8/8/8/3N4/2P5/4K3[] b - - 0 30", "d8", "d3", -2},
       }) {
    const Position position = Position::from_fen(c.fen);
    EXPECT_EQ(static_exchange(position, position.side_to_move(), square(c.from), square(c.to),
                              kPieceValues),
              100 * c.won)
        << c.why;
  }
}

TEST(See, CountsWhatAMoveThatTakesNothingLoses) {
  struct Quiet {
    const char* why;
    const char* fen;
    const char* uci;
    int won;
  };
  for (const Quiet& m : {
           Quiet{"a rook to where a pawn takes it", "4k3/8/4p3/8/8/8/3R4/4K3[] w - - 0 30", "d2d5",
                 -5},
           Quiet{"and is taken back", "4k3/8/4p3/8/8/1B6/3R4/4K3[] w - - 0 30", "d2d5", -4},
           Quiet{"a pawn that a pawn defends", "4k3/8/2p5/8/3PP3/8/8/4K3[] w - - 0 30", "d4d5", 0},
           Quiet{"nobody takes it", "4k3/8/8/8/8/8/3R4/4K3[] w - - 0 30", "d2d5", 0},
           Quiet{"a knight that is placed before a rook", "r3k3/8/8/8/8/8/8/4K3[N] w - - 0 30",
                 "N@a1", -3},
           Quiet{"a placed one with a defender", "r3k3/8/8/8/8/8/8/1R2K3[N] w - - 0 30", "N@a1", 0},
           Quiet{"men without a king take nothing", "8/8/4p3/8/8/8/3R4/4K3[k] w - - 0 30", "d2d5",
                 0},
       }) {
    const Position position = Position::from_fen(m.fen);
    EXPECT_EQ(exchange_after(position, parse_uci(position, m.uci), kPieceValues), 100 * m.won)
        << m.why;
  }
}

TEST(See, FindsTheWinningCapturesOfASide) {
  // Rd2 wins the knight d5, b4 the rook a5; the pawn c5 is defended by it.
  const Position position = Position::from_fen("4k3/8/8/r1pn4/1P6/8/3R4/4K3[] w - - 0 30");
  const WinningCaptures white = winning_captures(position, Color::kWhite, kPieceValues);
  EXPECT_EQ(white.from, bit(square("d2")) | bit(square("b4")));
  EXPECT_EQ(white.targets, bit(square("d5")) | bit(square("a5")));
  EXPECT_EQ(white.large, bit(square("d5")) | bit(square("a5")));
  EXPECT_EQ(white.best, 500);
  EXPECT_EQ(white.second, 300);
  const WinningCaptures black = winning_captures(position, Color::kBlack, kPieceValues);
  EXPECT_EQ(black.targets, bit(square("b4")));
  EXPECT_EQ(black.best, 100);
  EXPECT_EQ(black.second, 0);
}

// Of two queens that may take, one may have a rook behind it.
TEST(See, IsTheSameOnAMirroredAndOnAFlippedBoard) {
  int two_queens = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const Position p = random_position(seed, 40 + static_cast<int>(seed % 100), kChessDoubleSharp);
    const Color mover = p.side_to_move();
    two_queens += std::popcount(p.pieces(mover, PieceType::kQueen)) > 1;
    const Position flip = p.color_flipped(), mirror = p.mirrored();
    for (const Move move : p.legal_moves()) {
      if (move.is_placement() || !p.piece_at(move.to())) continue;
      const int won = static_exchange(p, mover, move.from(), move.to(), kPieceValues);
      ASSERT_EQ(
          static_exchange(flip, ~mover, flipped(move.from()), flipped(move.to()), kPieceValues),
          won)
          << p.to_fen();
      ASSERT_EQ(
          static_exchange(mirror, mover, mirrored(move.from()), mirrored(move.to()), kPieceValues),
          won)
          << p.to_fen();
      ASSERT_TRUE(move.is_promotion() || exchange_after(p, move, kPieceValues) == won)
          << p.to_fen();
    }
  }
  EXPECT_GT(two_queens, 100);
}

TEST(See, MenWithoutTheirKingWinNothing) {
  const Position position = Position::from_fen("4k3/8/8/3n4/8/8/3R4/8[K] w - - 0 30");
  EXPECT_EQ(winning_captures(position, Color::kWhite, kPieceValues).targets, Bitboard{0});
}

}  // namespace
}  // namespace tactics
