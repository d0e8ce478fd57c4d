#include "rules/position.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "rules/notation.h"

namespace rules {
namespace {

static_assert(std::is_trivially_copyable_v<Position>);

constexpr const char* kStart = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";

std::vector<std::string> uci(const MoveList& moves) {
  std::vector<std::string> out;
  for (const Move move : moves) out.push_back(to_uci(move));
  return out;
}

TEST(Position, StartsWithEveryPieceInHand) {
  const auto start = Position::start();
  EXPECT_EQ(start.to_fen(), kStart);
  EXPECT_EQ(start, Position::from_fen(kStart));
  EXPECT_EQ(start.side_to_move(), Color::kWhite);
  for (const Color color : kColors) {
    EXPECT_EQ(start.reserve(color, PieceType::kPawn), 0);
    EXPECT_EQ(start.reserve(color, PieceType::kRook), 2);
    EXPECT_EQ(start.reserve(color, PieceType::kKing), 1);
    EXPECT_FALSE(start.king_on_board(color));
    EXPECT_FALSE(start.in_check(color));
    EXPECT_FALSE(start.pieces_may_move(color));
    EXPECT_EQ(std::popcount(start.pieces(color, PieceType::kPawn)), 8);
  }
  EXPECT_EQ(start.count_legal_moves(), 32);
  EXPECT_EQ(start.material_balance_white(ScoringTable{}), 0);
}

TEST(Position, OfPiecesIsThatOfItsFen) {
  for (const auto& [name, variant, uci_variant, app_variant, rules] : kRuleSets) {
    if (rules.entry == Entry::kCard) continue;
    const std::array pieces{PlacedPiece{Color::kWhite, PieceType::kKing, Square{4}},
                            PlacedPiece{Color::kWhite, PieceType::kPawn, Square{12}},
                            PlacedPiece{Color::kBlack, PieceType::kPawn, Square{14}},
                            PlacedPiece{Color::kBlack, PieceType::kKing, Square{58}}};
    EXPECT_EQ(Position::with_pieces(pieces, Color::kBlack, 7, rules),
              Position::from_fen("2k5/8/8/8/8/8/4P1p1/4K3[] b - - 7 1", rules))
        << name;
  }
}

TEST(Position, TheOrderOfMovesIsFixed) {
  // Recorded searches depend on it.
  EXPECT_EQ(uci(Position::from_fen("4k3/8/8/8/8/1p6/P7/K7[NQ] w - - 0 40").legal_moves()),
            (std::vector<std::string>{"N@b1", "N@c1", "N@d1", "N@e1", "N@f1", "N@g1", "N@h1",
                                      "a2a3", "a2b3", "a1b1", "a1b2"}));
}

TEST(Position, KeyAndEqualityIgnoreTheWayButNotTheRuleSet) {
  auto a = Position::start(), b = a;
  for (const char* move : {"K@e1", "K@e8", "N@b1"}) a.play(parse_uci(a, move));
  for (const char* move : {"N@b1", "K@e8", "K@e1"}) b.play(parse_uci(b, move));
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.key(), b.key());
  EXPECT_NE(Position::start().key(), Position::start({.sprint = true}).key());
  EXPECT_NE(Position::start({.before = 3}).key(), Position::start({.before = 4}).key());
  const auto clock = Position::from_fen("4k3/8/8/8/8/8/8/4K3[] w - - 7 9");
  EXPECT_EQ(clock.key(), Position::from_fen("4k3/8/8/8/8/8/8/4K3[] w - - 8 9").key());
  EXPECT_NE(clock.key(), Position::from_fen("4k3/8/8/8/8/8/8/4K3[] b - - 7 9").key());
  EXPECT_NE(clock.key(), Position::from_fen("4k3/8/8/8/8/8/8/4K3[Q] w - - 7 9").key());
}

TEST(Position, ClocksCountAPlacementAndStartAgainAtAPawnOrACapture) {
  auto p = Position::from_fen("4k3/8/8/8/8/8/P2r4/4K3[N] w - - 7 9");
  EXPECT_EQ(p.after(parse_uci(p, "N@a1")).halfmove_clock(), 8);
  EXPECT_EQ(p.after(parse_uci(p, "a2a3")).halfmove_clock(), 0);
  EXPECT_EQ(p.after(parse_uci(p, "e1d2")).halfmove_clock(), 0);
  EXPECT_EQ(p.after(parse_uci(p, "e1f1")).fullmove_number(), 9);
  p.play(parse_uci(p, "e1f1"));
  EXPECT_EQ(p.after(parse_uci(p, "e8e7")).fullmove_number(), 10);
}

TEST(Position, IsLegalForAnySixteenBits) {
  for (const char* fen : {kStart, "4r2k/8/8/8/8/8/4N3/1N2K3[Q] w - - 3 40",
                          "2nqr2k/1P1P3P/8/8/8/8/6p1/R4K1R[] w - - 9 60"}) {
    const auto position = Position::from_fen(fen);
    int legal = 0;
    for (int raw = 0; raw < 1 << 16; ++raw) {
      legal += position.is_legal(Move::from_raw(static_cast<std::uint16_t>(raw)));
    }
    EXPECT_EQ(legal, position.count_legal_moves()) << fen;
  }
}

TEST(Position, SprintCapturesEnPassantOnTheNextPlyOnly) {
  const RuleSet sprint{.sprint = true};
  auto p = Position::from_fen("4k3/8/8/8/3p4/8/4P2P/4K3[] w - - 5 40", sprint);
  const auto passed = p.after(parse_uci(p, "e2e4"));
  EXPECT_EQ(passed.to_fen(), "4k3/8/8/8/3pP3/8/7P/4K3[] b - e3 0 40");
  EXPECT_EQ(passed.en_passant(), make_square(4, 2));
  const auto taken = passed.after(parse_uci(passed, "d4e3"));
  EXPECT_EQ(taken.to_fen(), "4k3/8/8/8/8/4p3/7P/4K3[] w - - 0 41");
  EXPECT_EQ(taken, Position::from_fen(taken.to_fen(), sprint));
  EXPECT_EQ(to_san(passed, parse_uci(passed, "d4e3")), "dxe3");
  const auto later = passed.after(parse_uci(passed, "e8e7"));
  EXPECT_EQ(later.en_passant(), std::nullopt);
  EXPECT_EQ(later.key(), Position::from_fen(later.to_fen(), sprint).key());
  EXPECT_EQ(p.after(parse_uci(p, "h2h4")).en_passant(), std::nullopt);  // nobody could take
  EXPECT_THROW(parse_uci(Position::from_fen(p.to_fen()), "e2e4"), RulesError);
}

TEST(Position, NoEnPassantForASideThatMayNotMove) {
  const RuleSet sprint{.sprint = true};
  const auto king_in_hand = Position::from_fen("8/8/8/8/3p4/8/4P3/4K3[k] w - - 5 40", sprint);
  EXPECT_EQ(king_in_hand.after(parse_uci(king_in_hand, "e2e4")).en_passant(), std::nullopt);
  const RuleSet both{.sprint = true, .before = 7};
  const auto too_few = Position::from_fen("4k3/8/8/8/3p4/8/4P3/4K3[n] w - - 5 40", both);
  EXPECT_EQ(too_few.after(parse_uci(too_few, "e2e4")).en_passant(), std::nullopt);
}

TEST(Position, BeforeGatesTheMenByTheReserveAlone) {
  const RuleSet rules{.before = 3};
  const char* four_in_hand = "4k3/8/8/8/8/8/4P3/4K3[RRBN] w - - 0 40";
  EXPECT_TRUE(Position::from_fen(four_in_hand, rules).pieces_may_move(Color::kWhite));
  const char* five_in_hand = "4k3/8/8/8/8/8/4P3/4K3[RRBNN] w - - 0 40";
  const auto gated = Position::from_fen(five_in_hand, rules);
  EXPECT_FALSE(gated.pieces_may_move(Color::kWhite));
  EXPECT_EQ(gated.count_legal_moves(), 3 * 7);
  EXPECT_TRUE(Position::from_fen(five_in_hand).pieces_may_move(Color::kWhite));
}

TEST(SurvivingMoves, AMoveToTheImpasseSurvivesWhateverItLeavesAttacked) {
  // At clock 99 every quiet move ends the game; pawn moves and captures do not.
  const auto p = Position::from_fen("4k3/8/8/8/8/8/P3r3/4K2R[] w - - 99 80");
  MoveList surviving;
  p.surviving_moves(surviving);
  EXPECT_EQ(p.legal_moves().size() - surviving.size(), 1U);  // a2a3 leaves him to the rook
  const auto earlier = Position::from_fen("4k3/8/8/8/8/8/P3r3/4K2R[] w - - 98 80");
  earlier.surviving_moves(surviving);
  EXPECT_EQ(uci(surviving), (std::vector<std::string>{"e1d1", "e1f1", "e1e2"}));
}

TEST(SurvivingMoves, EnPassantTakesTwoMenOffOneRow) {
  const RuleSet sprint{.sprint = true};
  MoveList surviving;
  const auto survives = [&](const char* fen, const char* uci) {
    const auto p = Position::from_fen(fen, sprint);
    const Move move = parse_uci(p, uci);
    p.surviving_moves(surviving);
    return std::count(surviving.begin(), surviving.end(), move) == 1;
  };
  // Both pawns leave the row between king and rook.
  EXPECT_FALSE(survives("4k3/8/8/K2Pp2r/8/8/8/8[] w - e6 0 40", "d5e6"));
  EXPECT_TRUE(survives("4k3/8/8/3Pp2r/8/8/8/K7[] w - e6 0 40", "d5e6"));
  // The pawn that gives check is the one that goes.
  EXPECT_TRUE(survives("4k3/8/8/3Pp3/3K4/8/8/8[] w - e6 0 40", "d5e6"));
  // Pinned on the file that it leaves.
  EXPECT_FALSE(survives("3rk3/8/8/3Pp3/8/8/8/3K4[] w - e6 0 40", "d5e6"));
}

TEST(SurvivingMoves, ASideWithItsKingInHandTakesNothing) {
  const auto p = Position::from_fen("8/8/8/8/8/8/4r3/4K3[k] w - - 0 80");
  MoveList surviving;
  p.surviving_moves(surviving);
  EXPECT_EQ(surviving.size(), p.legal_moves().size());
  EXPECT_TRUE(p.in_check(Color::kWhite));  // the attack is geometric all the same
  EXPECT_FALSE(p.color_flipped()
                   .after(Move::placement(PieceType::kKing, make_square(0, 0)))
                   .can_capture_king());
}

TEST(CanCaptureKing, NotAfterTheEnd) {
  EXPECT_TRUE(Position::from_fen("8/8/8/3kK3/8/8/8/8[] w - - 99 80").can_capture_king());
  EXPECT_FALSE(Position::from_fen("8/8/8/3kK3/8/8/8/8[] w - - 100 80").can_capture_king());
}

}  // namespace
}  // namespace rules
