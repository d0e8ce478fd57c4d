#include "tests/tactics/reference.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/tactics/positions.h"

namespace tactics {
namespace {

using rules::MoveList;
using rules::Position;
using rules::RuleSet;

// The first move of the greatest value among all, by the reference.
void expect_as_defined(Lookahead& lookahead, const Position& position, int plies,
                       const rules::ScoringTable& table = {}) {
  MoveList moves;
  position.surviving_moves(moves);
  const Reference reference(piece_values(table));
  const Finding found = lookahead.find(position, table, moves, plies);
  ASSERT_EQ(found.value, reference.value(position, plies))
      << plies << " plies: " << position.to_fen();
  if (found.value == -kKingFalls || moves.empty()) return;
  ASSERT_EQ(-reference.value(position.after(found.best), plies - 1), found.value)
      << plies << " plies: " << position.to_fen();
}

TEST(Reference, AgreesAtOneAndTwoPlies) {
  for (const char* set : {"chess_sharp", "chess", "chess_plus"}) {
    Lookahead lookahead;
    for (const Position& position : played_positions(RuleSet::parse(set), 12)) {
      for (const int plies : {1, 2}) expect_as_defined(lookahead, position, plies);
    }
  }
}

TEST(Reference, AgreesAtThreeAndFourPlies) {
  Lookahead lookahead;
  for (const char* fen :
       {"6k1/5p2/8/3n4/8/2B5/P4K2/8[] w - - 0 30", "8/6r1/4k3/2p5/8/3P4/1R6/K7[] b - - 7 60",
        "7k/5Q2/8/8/3p4/8/8/K7[] w - - 96 80", "k7/2p5/8/8/8/8/1r6/K6R[] w - - 3 40",
        "8/P6k/8/8/8/8/p6K/8[] w - - 0 50"}) {
    for (const int plies : {3, 4}) expect_as_defined(lookahead, Position::from_fen(fen), plies);
  }
  for (const char* fen :
       {"4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 30", "8/1P5k/8/8/2n5/8/8/K7 w - - 0 30"}) {
    for (const int plies : {3, 4}) {
      expect_as_defined(lookahead, Position::from_fen(fen, rules::kChess), plies);
    }
  }
}

TEST(Reference, AgreesWithOtherPieceValues) {
  const std::array tables{rules::ScoringTable::from_changes("bishop=3.25,queen=9.5"),
                          rules::ScoringTable(),
                          rules::ScoringTable::from_changes("pawn=9,knight=5,rook=3,queen=1")};
  Lookahead lookahead;  // with one memory for all of them
  for (const Position& position : played_positions({}, 20)) {
    for (const rules::ScoringTable& table : tables) {
      expect_as_defined(lookahead, position, 2, table);
    }
  }
}

TEST(PieceValues, AreTheTables) {
  EXPECT_EQ(piece_values({}), kPieceValues);
  const auto bishops = piece_values(rules::ScoringTable::from_changes("bishop=3.5"));
  EXPECT_GT(bishops[2], bishops[1]);
  const auto tenfold =
      rules::ScoringTable::from_changes("pawn=10,knight=30,bishop=30,rook=50,queen=90");
  EXPECT_EQ(piece_values(tenfold), kPieceValues) << "the unit does not matter";
}

// An illegal losing capture was once tried where it could not be played, and took a king in answer.
TEST(Reference, AgreesWhereAPinnedPieceCouldTake) {
  Lookahead lookahead;
  expect_as_defined(lookahead,
                    Position::from_fen("8/pk2p3/1pp1p3/4r3/5n2/3PP1K1/2P2Pp1/7q[] b - - 5 63"), 2);
}

// An entry lets the pawn before it take, which was once tried as if nothing were won.
TEST(Reference, AgreesWhereAnEntryTakes) {
  Lookahead lookahead;
  for (const char* fen : {"1k6/2p5/1r1p4/P5p1/8/1RP5/3P4/5K2[Nn] w - - 0 20",
                          "2k5/pp4p1/1r6/2P5/1R5P/8/P7/3K4[n] w - - 0 20",
                          "1k6/1p3p2/p5r1/1P3P2/6R1/8/5P2/K7[n] w - - 0 20"}) {
    expect_as_defined(lookahead, Position::from_fen(fen, rules::kChessPlus), 2);
  }
}

TEST(Lookahead, FindsTheSameWhateverItHasSeenBefore) {
  std::vector<Position> positions = played_positions({}, 60);
  std::vector<Finding> cold;
  const auto find = [](Lookahead& lookahead, const Position& position) {
    MoveList moves;
    position.surviving_moves(moves);
    return lookahead.find(position, {}, moves, 3);
  };
  for (const Position& position : positions) {
    Lookahead fresh;
    cold.push_back(find(fresh, position));
  }
  Lookahead warm;
  for (std::size_t i = 0; i < positions.size(); ++i) ASSERT_EQ(find(warm, positions[i]), cold[i]);
  for (std::size_t i = positions.size(); i-- > 0;) ASSERT_EQ(find(warm, positions[i]), cold[i]);
  Lookahead small(4);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t j = i * 37 % positions.size();
    ASSERT_EQ(find(warm, positions[j]), cold[j]);
    ASSERT_EQ(find(small, positions[j]), cold[j]);
  }
}

}  // namespace
}  // namespace tactics
