#include "nn/encoder.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "random_positions.h"
#include "rules/notation.h"

namespace nn {
namespace {

using rules::Position;
using rules::ScoringTable;

EncodedPosition encode(const Position& position, const ScoringTable& table = {},
                       const Encoder& encoder = {}, int occurrences = 1,
                       const tactics::Finding& finding = {}) {
  EncodedPosition out{};
  encoder.encode(position, occurrences, table, finding, out);
  return out;
}

tactics::Finding found(rules::Move best, int value = 250) {
  tactics::Finding finding;
  finding.value = value;
  finding.balance = -50;
  finding.plies = 2;
  finding.best = best;
  return finding;
}

// Every rule set with a name, and every option of Chess#.
rules::Repertoire all_sets() {
  std::string names = "chess_sharp+sprint+before=3+bishops_opposite+queen_any+underpromotion";
  for (const rules::NamedRuleSet& set : rules::kRuleSets) names += "," + std::string(set.name);
  return rules::Repertoire::parse(names);
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

// By the encoder that plain Chess# has, and by the one that all other games share.
class EncoderOfRules : public testing::TestWithParam<rules::RuleSet> {
 protected:
  void check(const Encoder& encoder, std::uint64_t seed) const {
    for (const Position& position : random_positions(1500, seed, GetParam())) {
      check_flip(encoder, position);
      check_mirror(encoder, position);
      check_policy(encoder, position);
    }
  }

 private:
  static void check_flip(const Encoder& encoder, const Position& position) {
    const rules::Move best = position.legal_moves()[0];
    const EncodedPosition a = encode(position, even_table(), encoder, 1, found(best));
    const EncodedPosition b =
        encode(position.color_flipped(), even_table(), encoder, 1, found(rules::flipped(best)));
    ASSERT_EQ(a.planes, b.planes) << position.to_fen();
    ASSERT_EQ(a.globals, b.globals) << position.to_fen();
  }

  static void check_mirror(const Encoder& encoder, const Position& position) {
    const rules::Move best = position.legal_moves()[0];
    const EncodedPosition a = encode(position, {}, encoder, 1, found(best));
    const EncodedPosition b =
        encode(position.mirrored(), {}, encoder, 1, found(rules::mirrored(best)));
    for (std::size_t plane = 0; plane < a.planes.size(); ++plane) {
      ASSERT_EQ(mirrored(a.planes[plane]), b.planes[plane]) << position.to_fen() << " " << plane;
    }
    ASSERT_EQ(a.globals, b.globals);
  }

  static void check_policy(const Encoder& encoder, const Position& position) {
    std::set<int> seen_indices;
    const auto pairs = square_pairs(encoder.shape());
    if (position.is_chance()) return;  // nobody chooses
    for (const rules::Move move : position.legal_moves()) {
      const int index = encoder.policy_index(move, position.side_to_move());
      ASSERT_GE(index, 0);
      ASSERT_LT(index, encoder.shape().policy_size());
      ASSERT_TRUE(seen_indices.insert(index).second)
          << position.to_fen() << " " << rules::to_uci(move);
      ASSERT_EQ(index, encoder.policy_index(rules::flipped(move), ~position.side_to_move()));
      const bool white = position.side_to_move() == rules::Color::kWhite;
      const rules::Move seen = white ? move : rules::flipped(move);
      const int to = rules::index(seen.to());
      const int from = move.is_placement() ? to : rules::index(seen.from());
      ASSERT_EQ(pairs[static_cast<std::size_t>(index)], 64 * from + to) << rules::to_uci(move);
    }
  }
};

TEST_P(EncoderOfRules, SeesBothColoursAlikeAndKeepsMovesApart) {
  check(Encoder(GetParam()), 1);
  check(Encoder(all_sets()), 2);
}

INSTANTIATE_TEST_SUITE_P(Sets, EncoderOfRules,
                         testing::ValuesIn(std::vector<rules::RuleSet>(all_sets().sets())));

TEST(Encoder, TellsWhatTacticsFound) {
  const Position position = Position::from_fen("4k3/8/8/3n4/8/8/3R4/4K3[Nn] b - - 0 30");
  const auto inputs = [&](const tactics::Finding& finding) {
    const EncodedPosition out = encode(position, {}, {}, 1, finding);
    return std::vector<float>(out.globals.begin() + kChessSharpShape.globals - kTacticsGlobals,
                              out.globals.begin() + kChessSharpShape.globals);
  };
  const auto planes = [&](const tactics::Finding& finding) {
    const EncodedPosition out = encode(position, {}, {}, 1, finding);
    return std::pair(out.planes[kBestMove], out.planes[kBestMove + 1]);
  };
  const auto near = [](double value) { return static_cast<float>(std::tanh(value)); };
  EXPECT_EQ(inputs(found({})), (std::vector<float>{0, near(2.5 / 3), near(0.25), near(1), 0.5f}));
  EXPECT_EQ(inputs(found({}, tactics::kKingFalls))[0], 1);
  EXPECT_EQ(inputs(found({}, -tactics::kKingFalls))[0], -1);
  const auto moved = rules::parse_uci(position, "d5e3"),
             placed = rules::parse_uci(position, "N@b8");
  const auto seen = [](int file, int rank) { return rules::bit(rules::Square(8 * rank + file)); };
  EXPECT_EQ(planes(found(moved)), std::pair(seen(3, 3), seen(4, 5))) << "as Black sees the board";
  EXPECT_EQ(planes(found(placed)), std::pair(rules::Bitboard{0}, seen(1, 0)));
  EXPECT_EQ(planes(found({})), std::pair(rules::Bitboard{0}, rules::Bitboard{0}));
}

TEST(Encoder, OfOtherGamesBeginsAsThatOfChessSharpDoes) {
  const Encoder wide(all_sets());
  EXPECT_EQ(Encoder().shape(), kChessSharpShape);
  EXPECT_EQ(wide.shape(), kCardShape);
  EXPECT_EQ(Encoder(rules::kRaindrop).shape(), kCardShape);
  EXPECT_EQ(Encoder(rules::kChess).shape(), kWideShape);
  const auto& narrow = kChessSharpShape;
  for (const Position& position : random_positions(500, 3)) {
    const EncodedPosition a = encode(position), b = encode(position, {}, wide);
    EXPECT_TRUE(std::equal(a.planes.begin(), a.planes.begin() + narrow.planes, b.planes.begin()));
    EXPECT_TRUE(
        std::equal(a.globals.begin(), a.globals.begin() + narrow.globals, b.globals.begin()));
    for (const rules::Move move : position.legal_moves()) {
      const int in_narrow = Encoder().policy_index(move, position.side_to_move());
      const int in_wide = wide.policy_index(move, position.side_to_move());
      ASSERT_EQ(in_narrow / narrow.move_planes, in_wide / kCardShape.move_planes);
      ASSERT_EQ(in_narrow % narrow.move_planes, in_wide % kCardShape.move_planes);
    }
  }
}

TEST(Encoder, OfThePlainFamilyIsThatOfChessSharp) {
  EXPECT_EQ(Encoder(rules::Repertoire::parse("chess_double_sharp,chess_triple_flat")).shape(),
            kChessSharpShape);
  EXPECT_EQ(Encoder(rules::Repertoire::parse("chess_flat+sprint")).shape(), kWideShape);
  EXPECT_EQ(Encoder(rules::Repertoire::parse("chess_flat,chess")).shape(), kWideShape);
  EXPECT_EQ(Encoder(rules::kClassicalChessSharp).shape(), kWideShape);
}

// The queens in hand are, by halves, among the global inputs: four after knight, bishop and rook.
TEST(Encoder, TellsTwoQueensInReserveFromOne) {
  const auto inputs = [](const char* reserves) {
    const std::string fen = "4k3/8/8/8/8/8/8/4K3[" + std::string(reserves) + "] w - - 0 30";
    const auto seen = encode(Position::from_fen(fen, rules::kChessDoubleSharp), {},
                             Encoder(rules::kChessDoubleSharp));
    return std::vector<float>(seen.globals.begin() + 18, seen.globals.begin() + 30);
  };
  std::vector<float> own{0, 0, 0, 1, 0, 1, 0, 0, 0, 0.5f, 0, 1};
  EXPECT_EQ(inputs("QQq"), own);
  own[3] = 0.5f;
  own[9] = 1;
  EXPECT_EQ(inputs("Qqq"), own);
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

// White may castle with both rooks, Black with h8; Black's pawn has just gone d7-d5.
TEST(Encoder, PlanesThatOnlyOtherGamesHave) {
  const Encoder wide(rules::kChess);
  const auto position =
      Position::from_fen("4k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 0 20", rules::kChess);
  const auto seen = encode(position, {}, wide);
  EXPECT_EQ(squares(seen, kOwnCastling), (Names{"a1", "h1"}));
  EXPECT_EQ(squares(seen, kEnemyCastling), (Names{"h8"}));
  EXPECT_EQ(squares(seen, kEnPassant), (Names{"d6"}));
  const auto past = static_cast<std::size_t>(kChessSharpShape.globals);
  EXPECT_FLOAT_EQ(seen.globals[past], 0.0f);
  EXPECT_FLOAT_EQ(encode(position, {}, wide, 2).globals[past], 1.0f);
}

TEST(Encoder, TellsRuleSetsApart) {
  const Encoder wide(all_sets());
  std::set<std::vector<float>> seen;
  const rules::Repertoire all = all_sets();
  for (const rules::RuleSet& rules : all.sets()) {
    const auto globals = encode(Position::start(rules), rules.table(), wide).globals;
    const bool first = seen.insert({globals.begin(), globals.end()}).second;
    EXPECT_TRUE(first) << rules.name();
  }
}

// Behind a pawn on the second row only: not on e1.
TEST(Encoder, ShowsWhereAPieceMayEnter) {
  const auto position = Position::from_fen(
      "8/pppppppp/8/8/4P3/8/PPPP1PPP/8[KQRRBBNNkqrrbbnn] w - - 0 1", rules::kChessPlus);
  const auto seen = encode(position, {}, Encoder(rules::kChessPlus));
  EXPECT_EQ(squares(seen, kOwnReserve), (Names{"a1", "b1", "c1", "d1", "f1", "g1", "h1"}));
  EXPECT_EQ(squares(seen, kEnemyReserve).size(), 8u);
}

// White has drawn a bishop for dark squares and is in check on the diagonal; its deck has the light
// one, its kit no queen.
TEST(Encoder, ShowsDecksKitsAndTheCardInHand) {
  const auto position =
      Position::from_fen("7k/6b1/8/8/8/8/8/K7[LPPPPr][RBNqrbn] w?D - - 0 9", rules::kRaindrop);
  const auto seen = encode(position, {}, Encoder(rules::kRaindrop));
  EXPECT_EQ(squares(seen, kCardSquares), (Names{"b2", "c3", "d4", "e5", "f6"}));
  EXPECT_EQ(squares(seen, kOwnBishopCards).size(), 32u);
  EXPECT_EQ(squares(seen, kEnemyBishopCards).size(), 0u);
  const auto first = seen.globals.begin() + kWideShape.globals;
  EXPECT_EQ(std::vector<float>(first, seen.globals.end()),
            (std::vector<float>{1, 1,         0, 0, 1, 0, 0, 0, 0.5f, 5 / 16.0f, 1, 1, 1, 0,  //
                                0, 1 / 16.0f, 1, 1, 1, 1}));
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

// 3 * 1.1 is more than 3.3 in binary: for the rules these are equal.
TEST(Encoder, SeesWhoAnImpasseFavoursAsTheRulesDo) {
  constexpr std::size_t kFavoured = 15;  // behind seven scores, five men, the clock's two, material
  const auto seen = [](const char* side_to_move, const char* changes) {
    const auto fen = std::string("3k4/4n3/8/8/8/8/PPP5/4K3[] ") + side_to_move + " - - 0 30";
    return encode(Position::from_fen(fen), ScoringTable::from_changes(changes)).globals[kFavoured];
  };
  for (const char* side : {"w", "b"}) EXPECT_EQ(seen(side, "pawn=1.1,knight=3.3"), 0.0f) << side;
  EXPECT_EQ(seen("w", "pawn=1.1,knight=3.2"), 1.0f);
  EXPECT_EQ(seen("b", "pawn=1.1,knight=3.2"), -1.0f);
  EXPECT_EQ(seen("w", "pawn=1.1,knight=3.4"), -1.0f);
  EXPECT_EQ(seen("b", "pawn=1.1,knight=3.4"), 1.0f);
}

}  // namespace
}  // namespace nn
