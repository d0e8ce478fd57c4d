#include "rules/attacks.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace rules {
namespace {

constexpr int kRays[8][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};

// Square by square, rays[first, first + 4).
Bitboard walked(Square s, int first, Bitboard occupied) {
  Bitboard seen = 0;
  for (int i = first; i < first + 4; ++i) {
    int file = file_of(s), rank = rank_of(s);
    for (bool free = true; free;) {
      file += kRays[i][0];
      rank += kRays[i][1];
      if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
      seen |= bit(make_square(file, rank));
      free = !(occupied & bit(make_square(file, rank)));
    }
  }
  return seen;
}

TEST(Attacks, SlidersAgreeWithWalkedRays) {
  base::Rng rng(7);
  for (int round = 0; round < 200; ++round) {
    const Bitboard occupied = round == 0 ? 0 : rng.next() & rng.next();
    for (int i = 0; i < 64; ++i) {
      const auto s = static_cast<Square>(i);
      ASSERT_EQ(bishop_attacks(s, occupied), walked(s, 0, occupied)) << i << " " << occupied;
      ASSERT_EQ(rook_attacks(s, occupied), walked(s, 4, occupied)) << i << " " << occupied;
      ASSERT_EQ(queen_attacks(s, occupied),
                bishop_attacks(s, occupied) | rook_attacks(s, occupied));
    }
  }
}

TEST(Attacks, LeapersByDistance) {
  for (int i = 0; i < 64; ++i) {
    const auto s = static_cast<Square>(i);
    Bitboard knight = 0, king = 0, white_pawn = 0, black_pawn = 0;
    for (int j = 0; j < 64; ++j) {
      const auto t = static_cast<Square>(j);
      const int right = file_of(t) - file_of(s), up = rank_of(t) - rank_of(s);
      if (std::abs(right * up) == 2) knight |= bit(t);
      if (std::max(std::abs(right), std::abs(up)) == 1) king |= bit(t);
      if (std::abs(right) == 1 && up == 1) white_pawn |= bit(t);
      if (std::abs(right) == 1 && up == -1) black_pawn |= bit(t);
    }
    EXPECT_EQ(knight_attacks(s), knight);
    EXPECT_EQ(king_attacks(s), king);
    EXPECT_EQ(knight_attacks(bit(s)), knight);
    EXPECT_EQ(king_attacks(bit(s)), king);
    EXPECT_EQ(pawn_attacks(Color::kWhite, bit(s)), white_pawn);
    EXPECT_EQ(pawn_attacks(Color::kBlack, bit(s)), black_pawn);
    EXPECT_EQ(attacks_from(PieceType::kKnight, s, 0), knight);
    EXPECT_EQ(attacks_from(PieceType::kKing, s, 0), king);
  }
}

TEST(Attacks, SetsAttackWhatTheirMenAttack) {
  base::Rng rng(8);
  for (int round = 0; round < 1000; ++round) {
    const Bitboard men = rng.next() & rng.next() & rng.next();
    Bitboard knights = 0, kings = 0;
    for (Bitboard left = men; left;) {
      const Square s = pop_first(left);
      knights |= knight_attacks(s);
      kings |= king_attacks(s);
    }
    ASSERT_EQ(knight_attacks(men), knights);
    ASSERT_EQ(king_attacks(men) & ~men, kings & ~men);
  }
}

TEST(Attacks, BetweenAndLine) {
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      const auto a = static_cast<Square>(i), b = static_cast<Square>(j);
      Bitboard strictly_between = 0, whole = 0;
      for (int first = 0; first < 8; first += 4) {
        if (i == j || !(walked(a, first, 0) & bit(b))) continue;
        strictly_between = walked(a, first, bit(b)) & walked(b, first, bit(a));
        whole = (walked(a, first, 0) & walked(b, first, 0)) | bit(a) | bit(b);
      }
      ASSERT_EQ(between(a, b), strictly_between) << i << " " << j;
      ASSERT_EQ(line(a, b), whole) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace rules
