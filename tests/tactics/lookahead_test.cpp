#include "tactics/lookahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "tactics/checks.h"
#include "tactics/see.h"
#include "tests/rules/random_position.h"
#include "tests/tactics/reference.h"

namespace tactics {
namespace {

using namespace rules;

constexpr int kKing = 1000;

// In pawns, or plus or minus kKing.
int looked(const Position& position, int plies) {
  MoveList survivors;
  position.surviving_moves(survivors);
  static Lookahead lookahead;
  const Finding found = lookahead.find(position, {}, survivors, plies);
  return found.king_falls() ? (found.value > 0 ? kKing : -kKing) : found.value / 100;
}
int looked(const char* fen, int plies) { return looked(Position::from_fen(fen), plies); }

TEST(Lookahead, CountsHandsAndCapturesAtHand) {
  EXPECT_EQ(looked("4k3/8/8/8/8/8/8/4K3[Qr] w - - 0 30", 0), 4) << "pieces in hand count";
  EXPECT_EQ(looked("4k3/8/8/8/8/8/8/4K3[Qr] b - - 0 30", 0), -4) << "for the mover";
  EXPECT_EQ(looked("4k3/8/8/3n4/8/8/3R4/4K3[] w - - 0 30", 0), 5) << "the rook wins the knight";
  EXPECT_EQ(looked("4k3/8/8/3n4/8/8/3R4/4K3[] b - - 0 30", 0), -2) << "who can save himself";
  EXPECT_EQ(looked("4k3/8/3n4/r7/1P6/8/3R4/4K3[] b - - 0 30", 0), -1)
      << "of two he saves the dearer";
}

TEST(Lookahead, PlaysCapturesByTheRules) {
  constexpr const char* kPinned = "8/kp5R/2n5/8/8/5B2/8/4K3[] w - - 0 30";
  ASSERT_EQ(static_exchange(Position::from_fen(kPinned), Color::kWhite, Square(21), Square(42),
                            kPieceValues),
            0);
  EXPECT_EQ(looked(kPinned, 0), 7) << "the pawn that defends the knight must not leave its king";
  EXPECT_EQ(looked("k7/4P3/8/8/8/8/8/4K3[] w - - 0 30", 0), 9) << "a pawn becomes a queen";
  const auto chess = RuleSet::parse("chess");
  EXPECT_EQ(looked(Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 30", chess), 0), 1)
      << "en passant";
  EXPECT_EQ(looked("4k3/8/8/3n4/8/8/3R4/8[K] w - - 0 30", 0), 2) << "men wait for their king";
}

TEST(Lookahead, SeesAFullTurnAndChecks) {
  constexpr const char* kFork = "q3k3/8/8/3N4/8/8/8/4K3[] w - - 0 30";
  EXPECT_EQ(looked(kFork, 0), -6);
  EXPECT_EQ(looked(kFork, 1), 3) << "the check on c7 wins the queen";
  constexpr const char* kBackRow = "6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 30";
  EXPECT_EQ(looked(kBackRow, 0), 2);
  EXPECT_EQ(looked(kBackRow, 1), kKing) << "the king on the back row cannot leave the check";
  constexpr const char* kSameLater = "6k1/4pppp/8/8/8/7b/8/R3K3[] b - - 0 30";
  EXPECT_EQ(looked(kSameLater, 2), 2) << "a turn is enough to make way";
}

TEST(Lookahead, TakesTheKing) {
  for (const int plies : {0, 1, 2}) {
    EXPECT_EQ(looked("k6R/8/8/8/8/8/8/K7[q] w - - 0 60", plies), kKing) << plies << " plies";
  }
}

TEST(Lookahead, AStalemateIsNoFallenKing) {
  constexpr const char* kStalemateAtHand = "7k/8/8/1q6/8/8/8/K7[] b - - 0 60";
  EXPECT_EQ(looked(kStalemateAtHand, 2), 9) << "Qb3 leaves the king three steps, all attacked";
  EXPECT_EQ(looked("7k/8/8/8/8/1q6/8/K7[] w - - 0 60", 1), -9);
  EXPECT_EQ(looked("7k/8/8/8/8/1q6/2r5/K7[] b - - 0 60", 2), kKing) << "but a mate is";
}

TEST(Lookahead, SeesChecksOfEveryKind) {
  EXPECT_EQ(looked("4k3/8/8/q3N3/8/8/4R3/6K1[] w - - 0 30", 1), 8)
      << "the knight uncovers the rook's check and goes for the queen";
  constexpr const char* kPromotion = "6k1/4Pppp/8/8/8/8/8/4K3[] w - - 0 30";
  EXPECT_TRUE(has_mate_in_one(Position::from_fen(kPromotion)));
  EXPECT_EQ(looked(kPromotion, 1), kKing);
  EXPECT_TRUE(has_mate_in_one(Position::from_fen("R3N2k/6pp/8/8/8/8/8/4K3[] w - - 0 30")))
      << "by uncovering the rook";
}

TEST(Lookahead, ValuesDoNotDependOnTheOrderOfMoves) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Position position = random_position(seed, 20 + static_cast<int>(seed % 80));
    if (position.can_capture_king() || position.outcome({})) continue;
    MoveList moves;
    position.surviving_moves(moves);
    std::vector<Move> reversed(moves.begin(), moves.end());
    std::ranges::reverse(reversed);
    Lookahead one, other;
    for (const int plies : {1, 2, 3}) {
      ASSERT_EQ(one.find(position, {}, moves, plies).value,
                other.find(position, {}, reversed, plies).value)
          << plies << " plies: " << position.to_fen();
    }
  }
}

// By definition: without bounds, without leaving any move out.
int full_turns(const Position& position, int plies) {
  if (position.can_capture_king()) return kKing;
  if (plies == 0 || position.count_legal_moves() == 0) return 0;
  MoveList moves;
  position.surviving_moves(moves);
  if (moves.empty()) return position.in_check(position.side_to_move()) ? -kKing : 0;
  int best = -kKing;
  for (const Move move : moves) {
    best = std::max(best, -full_turns(position.after(move), plies - 1));
  }
  return best;
}

TEST(Lookahead, IsTheSameForBothColoursAndSides) {
  int decided = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Position position = random_position(seed, 10 + static_cast<int>(seed % 60));
    if (position.can_capture_king() || position.outcome({})) continue;
    for (const int plies : {0, 1, 2, 3}) {
      const int value = looked(position, plies);
      ASSERT_EQ(value, looked(position.color_flipped(), plies))
          << plies << " plies: " << position.to_fen();
      ASSERT_EQ(value, looked(position.mirrored(), plies))
          << plies << " plies: " << position.to_fen();
      ASSERT_LE(std::abs(value), kKing);
      if (plies < 3 && std::abs(full_turns(position, plies)) == kKing) {
        ASSERT_EQ(value, full_turns(position, plies)) << position.to_fen();
        ++decided;
      }
    }
  }
  EXPECT_GT(decided, 0);
}

}  // namespace
}  // namespace tactics
