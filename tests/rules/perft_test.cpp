#include "rules/perft.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace rules {
namespace {

TEST(Perft, OfTheStart) {
  // Depths 6 and 7 (547,279,236 and 12,921,738,192) are run by scripts/bench_rules.py.
  const std::uint64_t leaves[] = {1, 32, 1024, 29376, 842724, 21475692};
  for (int depth = 0; depth <= 5; ++depth) {
    EXPECT_EQ(perft(Position::start(), depth), leaves[depth]) << depth;
  }
  EXPECT_EQ(perft(Position::start(), 4, {.bulk = false}), leaves[4]);
}

// The positions and counts that chess programs are compared by
// (https://www.chessprogramming.org/Perft_Results).
TEST(Perft, OfChess) {
  const std::uint64_t leaves[] = {1, 20, 400, 8902, 197281, 4865609, 119060324};
  for (int depth = 0; depth <= 6; ++depth) {
    EXPECT_EQ(perft(Position::start(kChess), depth), leaves[depth]) << depth;
  }
  EXPECT_EQ(perft(Position::start(kChess), 4, {.bulk = false}), leaves[4]);
  const auto of = [](const char* fen, int depth) {
    return perft(Position::from_fen(fen, kChess), depth);
  };
  EXPECT_EQ(of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
            4085603U);
  EXPECT_EQ(of("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6), 11030083U);
  EXPECT_EQ(of("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5), 15833292U);
  EXPECT_EQ(of("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4), 2103487U);
  EXPECT_EQ(of("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
            3894594U);
}

// Sum and hash as tests/rules/perft_960.py has them from Stockfish 15.1.
TEST(Perft, OfThe960Starts) {
  std::uint64_t sum = 0;
  std::string counts;
  for (int number = 0; number < 960; ++number) {
    const std::uint64_t leaves = perft(Position::start(kChess960, number), 3);
    sum += leaves;
    counts += std::to_string(leaves) + '\n';
  }
  EXPECT_EQ(sum, 8224968U);
  EXPECT_EQ(base::fnv1a(counts), 0x53cd8fcfc0bf5c33U);
}

TEST(Perft, StopsAtACapturedKingAlone) {
  // Kxe5 or Kxd5 ends the game; the clock is past 100 all the while.
  const auto adjacent = Position::from_fen("8/8/8/3kK3/8/8/8/8[] w - - 200 80");
  EXPECT_EQ(perft(adjacent, 1), 8U);
  EXPECT_EQ(perft(adjacent, 1, {.ends = true}), 0U);
  EXPECT_EQ(perft(adjacent, 0, {.ends = true}), 1U);
  const auto taken = Position::from_fen("8/8/8/4k3/8/8/8/8[Q] w - - 0 80");
  EXPECT_EQ(perft(taken, 1), 0U);
  EXPECT_EQ(perft(taken, 1, {.bulk = false}), 0U);
  EXPECT_TRUE(perft_divide(taken, 1).empty());
}

TEST(Perft, DivideSumsUp) {
  const auto position =
      Position::from_fen("1nn3b1/pppppppp/8/8/8/7P/PPPPPPP1/2K5[QRRBBNNkqrrb] w - - 1 4");
  const auto parts = perft_divide(position, 3);
  EXPECT_EQ(parts.size(), position.legal_moves().size());
  std::uint64_t sum = 0;
  for (const auto& [move, leaves] : parts) sum += leaves;
  EXPECT_EQ(sum, perft(position, 3));
}

}  // namespace
}  // namespace rules
