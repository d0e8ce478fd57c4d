#include "tactics/moves_in_progress.h"

#include <gtest/gtest.h>

namespace tactics {
namespace {

using rules::Move;
using rules::Square;

constexpr std::uint64_t kPosition = 0x123456789abcdef0, kOther = 0x0fedcba987654321;

TEST(MovesInProgress, KnowsAMoveFromItsBeginToItsEnd) {
  MovesInProgress moves;
  const Move move = Move::board(Square(12), Square(28)),
             other = Move::board(Square(11), Square(27));
  const auto key = MovesInProgress::key_of(kPosition, move);
  EXPECT_FALSE(moves.contains(key));
  moves.begin(key);
  EXPECT_TRUE(moves.contains(key));
  EXPECT_FALSE(moves.contains(MovesInProgress::key_of(kPosition, other)));
  EXPECT_FALSE(moves.contains(MovesInProgress::key_of(kOther, move)));
  moves.begin(key);  // by another thread, too: the first that ends it ends it
  moves.end(key);
  EXPECT_FALSE(moves.contains(key));
}

TEST(MovesInProgress, KeepsFourThatShareABucketAndThenLosesTheFirst) {
  MovesInProgress moves;
  for (std::uint64_t key = 1; key <= 4; ++key) moves.begin(key);  // small keys share the first
  for (std::uint64_t key = 1; key <= 4; ++key) EXPECT_TRUE(moves.contains(key));
  moves.begin(5);
  EXPECT_TRUE(moves.contains(5));
  EXPECT_FALSE(moves.contains(1));
  moves.end(1);  // is not there, which harms nothing
  EXPECT_TRUE(moves.contains(2));
}

}  // namespace
}  // namespace tactics
