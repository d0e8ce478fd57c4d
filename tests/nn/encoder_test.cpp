#include "nn/encoder.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "random_positions.h"

namespace nn {
namespace {

using rules::Position;
using rules::ScoringTable;

EncodedPosition encode(const Position& position, const ScoringTable& table = {}) {
  EncodedPosition out;
  Encoder::encode(position, table, out);
  return out;
}

// Scores that do not change when the colours do.
ScoringTable even_table() {
  ScoringTable table;
  table.points_white = {0, 2, 3, 5, 7, 8, 10};
  return table;
}

std::uint64_t mirrored(std::uint64_t squares) {
  std::uint64_t out = 0;
  while (squares) out |= rules::bit(rules::mirrored(rules::pop_first(squares)));
  return out;
}

TEST(Encoder, ColourFlippedPositionLooksTheSame) {
  for (const Position& position : random_positions(3000, 1)) {
    const EncodedPosition a = encode(position, even_table());
    const EncodedPosition b = encode(position.color_flipped(), even_table());
    ASSERT_EQ(a.planes, b.planes) << position.to_fen();
    ASSERT_EQ(a.globals, b.globals) << position.to_fen();
  }
}

TEST(Encoder, MirroredPositionHasMirroredPlanesAndTheSameGlobals) {
  for (const Position& position : random_positions(3000, 2)) {
    const EncodedPosition a = encode(position);
    const EncodedPosition b = encode(position.mirrored());
    for (std::size_t plane = 0; plane < kPlanes; ++plane) {
      ASSERT_EQ(mirrored(a.planes[plane]), b.planes[plane]) << position.to_fen() << " " << plane;
    }
    ASSERT_EQ(a.globals, b.globals);
  }
}

TEST(Encoder, PolicyIndicesAreDistinctAndFollowTheColourFlip) {
  for (const Position& position : random_positions(3000, 3)) {
    std::set<int> seen;
    for (const rules::Move move : position.legal_moves()) {
      const int index = Encoder::policy_index(move, position.side_to_move());
      ASSERT_GE(index, 0);
      ASSERT_LT(index, kPolicySize);
      ASSERT_TRUE(seen.insert(index).second) << position.to_fen();
      ASSERT_EQ(index, Encoder::policy_index(rules::flipped(move), ~position.side_to_move()));
    }
  }
}

std::vector<std::string> squares(const EncodedPosition& encoded, int plane) {
  std::vector<std::string> names;
  for (std::uint64_t set = encoded.planes[static_cast<std::size_t>(plane)]; set;) {
    const rules::Square s = rules::pop_first(set);
    names.push_back(
        {static_cast<char>('a' + rules::file_of(s)), static_cast<char>('1' + rules::rank_of(s))});
  }
  return names;
}
using Names = std::vector<std::string>;

// White: Ke1, Re2 (pinned by the rook e8), Nc3 (pinned by the bishop b4, and hangs), queen in hand.
TEST(Encoder, SightPlanesOfAComposedPosition) {
  const auto seen = encode(Position::from_fen("4r2k/8/8/8/1b6/2N5/4R3/4K3[Qq] w - - 7 30"));
  EXPECT_EQ(squares(seen, kOwnPinned), (Names{"e2", "c3"}));
  EXPECT_EQ(squares(seen, kEnemyPinned), Names{});
  EXPECT_EQ(squares(seen, kOwnHanging), (Names{"c3"}));
  EXPECT_EQ(squares(seen, kCheckers), Names{});
  EXPECT_EQ(squares(seen, kEnemyKingLines), (Names{"g6", "f7"}));  // a knight would check Kh8
  EXPECT_EQ(squares(seen, kOwnReserve + 1), (Names{"a1", "b1", "c1", "d1", "f1", "g1", "h1"}));
  EXPECT_EQ(squares(seen, kOwnReserve), Names{});
}

TEST(Encoder, CheckersAreSeenFromBlackToo) {
  const auto seen = encode(Position::from_fen("3k4/8/8/8/8/8/8/3RK3[] b - - 0 30"));
  EXPECT_EQ(squares(seen, kCheckers), (Names{"d8"}));  // d1, flipped
}

TEST(Encoder, KnowsChessSharpButNoGameWhoseMovesHaveNoIndex) {
  const char* const known = "chess_sharp+sprint+bishops_opposite+queen_any+before=6";
  EXPECT_EQ(Encoder::parse_rules(known).name(), known);
  for (const rules::NamedRuleSet& set : rules::kRuleSets) {
    if (set.name == "chess_sharp") continue;
    EXPECT_THROW(Encoder::parse_rules(set.name), rules::RulesError) << set.name;
  }
  EXPECT_THROW(Encoder::parse_rules("chess_sharp+underpromotion"), rules::RulesError);
}

TEST(Encoder, BlackSeesTheTableFromItsSide) {
  const ScoringTable table;  // the default pays Black 6 for an equal impasse
  const auto white = encode(Position::from_fen("3k4/8/8/8/8/8/8/4K3[] w - - 0 30"), table);
  const auto black = encode(Position::from_fen("3k4/8/8/8/8/8/8/4K3[] b - - 0 30"), table);
  EXPECT_FLOAT_EQ(white.globals[0], -1.0f);
  EXPECT_FLOAT_EQ(black.globals[0], -1.0f);
  EXPECT_FLOAT_EQ(white.globals[3], -0.2f);
  EXPECT_FLOAT_EQ(black.globals[3], 0.2f);
}

}  // namespace
}  // namespace nn
