#include "rules/outcome.h"

#include <gmock/gmock.h>

#include "rules/history.h"
#include "rules/notation.h"
#include "rules/position.h"
#include "tests/rules/color_swapped.h"

namespace rules {
namespace {

using testing::HasSubstr;

std::string refusal(const char* changes) {
  try {
    ScoringTable::from_changes(changes);
  } catch (const RulesError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ScoringTable, ChangesThereAndBack) {
  EXPECT_EQ(ScoringTable::from_changes(""), ScoringTable{});
  EXPECT_EQ(ScoringTable::from_changes("default"), ScoringTable{});
  EXPECT_EQ(ScoringTable{}.to_changes(), "default");
  for (const char* changes :
       {"impasse_equal=4.9", "stalemate=2.2", "impasse_unequal=3.5", "stalemate=2.2,bishop=3.25",
        "black_wins=1", "white_stalemated=1", "black_stalemated=9", "white_wins=9.5",
        "pawn=0,queen=9.125", "stalemate=0,impasse_unequal=0,impasse_equal=5"}) {
    const auto table = ScoringTable::from_changes(changes);
    EXPECT_EQ(table.to_changes(), changes);
    EXPECT_NE(table, ScoringTable{});
  }
}

TEST(ScoringTable, ShortFormsSetBothColours) {
  const auto table = ScoringTable::from_changes("stalemate=2.5,impasse_unequal=3.5");
  EXPECT_EQ(table.white_points(Outcome::kWhiteStalemated), 2.5);
  EXPECT_EQ(table.white_points(Outcome::kBlackStalemated), 7.5);
  EXPECT_EQ(table.white_points(Outcome::kImpasseBlackMore), 3.5);
  EXPECT_EQ(table.white_points(Outcome::kImpasseWhiteMore), 6.5);
}

TEST(ScoringTable, BadChangesAreRefused) {
  EXPECT_THAT(refusal("impasse=3"), HasSubstr("'impasse=3'"));
  EXPECT_THAT(refusal("stalemate=11"), HasSubstr("stalemate '11': expected a number from 0 to 10"));
  EXPECT_THAT(refusal("stalemate=-1"), HasSubstr("'-1'"));
  EXPECT_THAT(refusal("bishop=nan"), HasSubstr("'nan'"));
  EXPECT_THAT(refusal("bishop=3x"), HasSubstr("'3x'"));
  EXPECT_THAT(refusal("bishop="), HasSubstr("''"));
  EXPECT_THAT(refusal("bishop"), HasSubstr("''"));
  EXPECT_THAT(refusal("bishop=3,"), HasSubstr("''"));
  EXPECT_THAT(refusal(",bishop=3"), HasSubstr("''"));
  EXPECT_THAT(refusal("king=3"), HasSubstr("'king=3'"));
}

// A king that can be taken is taken without looking further.
TEST(ScoringTable, NothingMayPayMoreThanAWin) {
  EXPECT_EQ(refusal("white_wins=7"),
            "scoring table black_stalemated '8': expected from black_wins=0 to white_wins=7, for "
            "nothing may pay more than a win");
  EXPECT_THAT(refusal("black_wins=2.5"), HasSubstr("white_stalemated '2'"));
  EXPECT_THAT(refusal("white_wins=8,impasse_white_more=8.5"), HasSubstr("white_more '8.5'"));
  EXPECT_THAT(refusal("white_wins=4,black_wins=6,stalemate=5,impasse_unequal=5,impasse_equal=5"),
              HasSubstr("black_wins '6'"));
  for (const char* accepted : {"white_wins=8,black_wins=2", "white_wins=7,stalemate=3.5",
                               "white_stalemated=9,black_stalemated=1", "stalemate=0"}) {
    EXPECT_EQ(refusal(accepted), "accepted") << accepted;
  }
}

TEST(ScoringTable, ViewpointsAreInverse) {
  for (const Color side : kColors) {
    for (double points = 0; points <= 10; points += 2.5) {
      EXPECT_DOUBLE_EQ(points_white(value_stm(points, side), side), points);
    }
  }
  EXPECT_EQ(value_stm(10, Color::kWhite), 1.0);
  EXPECT_EQ(value_stm(10, Color::kBlack), -1.0);
}

TEST(Outcome, SwappingTheColoursMirrorsTheTable) {
  for (int i = 0; i < kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(color_swapped(color_swapped(outcome)), outcome);
  }
  EXPECT_EQ(color_swapped(Outcome::kWhiteStalemated), Outcome::kBlackStalemated);
  EXPECT_EQ(color_swapped(Outcome::kImpasseEqual), Outcome::kImpasseEqual);
  EXPECT_EQ(outcome_seen_by(1, Color::kWhite), 1U);
  EXPECT_EQ(outcome_seen_by(1, Color::kBlack), 5U);
}

TEST(Outcome, TheTablesMaterialDecidesAnImpasse) {
  const auto position = Position::from_fen("4k3/8/8/8/8/8/8/1N2Kb2[] w - - 100 60");
  EXPECT_EQ(position.outcome(ScoringTable{}), Outcome::kImpasseEqual);
  EXPECT_EQ(position.outcome(ScoringTable::from_changes("bishop=3.25")),
            Outcome::kImpasseBlackMore);
  EXPECT_EQ(position.outcome(ScoringTable::from_changes("knight=3.25")),
            Outcome::kImpasseWhiteMore);
}

TEST(Outcome, EqualSumsOfDecimalsAreEqual) {
  // Three pawns of 0.1 against a knight of 0.3: 0.1 * 3 - 0.3 is not zero in binary.
  const auto position = Position::from_fen("4k1n1/8/8/8/8/8/PPP5/4K3[] w - - 100 60");
  EXPECT_EQ(position.outcome(ScoringTable::from_changes("pawn=0.1,knight=0.3")),
            Outcome::kImpasseEqual);
}

TEST(Outcome, NoLegalMoveWhileAttackedLosesTheKing) {
  const auto position = Position::from_fen("8/4k3/1b6/1Pp5/1bP5/NPp5/KRP5/BBn5[] w - - 1 66");
  ASSERT_EQ(position.count_legal_moves(), 0);
  EXPECT_EQ(position.outcome(ScoringTable{}), Outcome::kBlackWins);
  EXPECT_EQ(position.color_flipped().outcome(ScoringTable{}), Outcome::kWhiteWins);
}

TEST(Outcome, NothingPlaceableAndNothingMovable) {
  // A full first row with a rook still in hand: under before=7 no man may move.
  const RuleSet rules{.before = 7};
  const auto quiet = Position::from_fen("4k3/8/8/8/8/8/8/RNBQKBNn[R] w - - 0 40", rules);
  ASSERT_EQ(quiet.count_legal_moves(), 0);
  EXPECT_EQ(quiet.outcome(ScoringTable{}), Outcome::kWhiteStalemated);
  const auto attacked = Position::from_fen("4k3/4r3/8/8/8/8/8/RNBQKBNn[R] w - - 0 40", rules);
  EXPECT_EQ(attacked.outcome(ScoringTable{}), Outcome::kBlackWins);
  const auto free = Position::from_fen("4k3/8/8/8/8/8/8/RNBQKBNn[R] w - - 0 40");
  EXPECT_EQ(free.outcome(ScoringTable{}), std::nullopt);
}

TEST(Outcome, MateAndStalemateComeBeforeTheClockWhereKingsAreSafe) {
  const auto outcome = [](const char* fen, RuleSet rules) {
    return Position::from_fen(fen, rules).outcome(rules.table());
  };
  EXPECT_EQ(outcome("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80", kChess), Outcome::kWhiteWins);
  EXPECT_EQ(outcome("k7/8/1Q6/8/8/8/8/K7 b - - 100 80", kChess), Outcome::kBlackStalemated);
  EXPECT_EQ(outcome("k7/8/8/1Q6/8/8/8/K7 b - - 100 80", kChess), Outcome::kImpasseWhiteMore);
}

TEST(Outcome, DeadMaterialDependsOnTheSet) {
  const auto ongoing = [](const char* fen, RuleSet rules) {
    return !Position::from_fen(fen, rules).outcome(rules.table());
  };
  const char* const knight = "k7/8/8/8/8/8/8/KN6 w - - 0 1";
  EXPECT_FALSE(ongoing(knight, kChess));
  EXPECT_TRUE(ongoing(knight, kStalemateWin));
  EXPECT_FALSE(ongoing("k7/8/8/8/8/8/8/K7 w - - 0 1", kStalemateWin));
  EXPECT_TRUE(ongoing("k7/8/8/8/8/8/8/KN5n w - - 0 1", kChess));
  EXPECT_FALSE(ongoing("k5b1/8/8/8/8/8/8/KB3B2 w - - 0 1", kChess));  // b1, f1, g8: light
  EXPECT_TRUE(ongoing("k7/8/8/8/8/8/8/KBB5 w - - 0 1", kChess));
  EXPECT_FALSE(ongoing("k7/8/8/8/8/8/8/K7[N] w - - 0 1", kChessPlus));  // it can never enter
}

TEST(Outcome, TheThirdOccurrenceIsAnImpasseWhereRepetitionCounts) {
  for (const NamedRuleSet& set : kRuleSets) {
    const auto p = Position::start(set.rules);
    EXPECT_FALSE(p.outcome(set.rules.table(), 2)) << set.name;
    EXPECT_EQ(p.outcome(set.rules.table(), 3).has_value(), set.rules.repetition) << set.name;
  }
}

TEST(Outcome, ClaimsDoNotForceAnEnd) {
  const auto forced = [](const char* fen, RuleSet rules) {
    return Position::from_fen(fen, rules).forced_outcome(rules.table());
  };
  EXPECT_FALSE(forced("4k3/8/8/8/8/8/8/R3K3 b - - 130 90", kChess));
  EXPECT_EQ(forced("4k3/8/8/8/8/8/8/4K3 b - - 130 90", kChess), Outcome::kImpasseEqual);
  EXPECT_EQ(forced("k7/8/1Q6/8/8/8/8/6K1 b - - 100 80", kChess), Outcome::kBlackStalemated);
  EXPECT_EQ(forced("4k3/8/8/8/8/8/8/R3K3[] b - - 100 90", {}), Outcome::kImpasseWhiteMore);
}

TEST(History, CountsPositionsWithTheirRights) {
  History history;
  Position p = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", kChess);
  std::vector<int> counts{history.occurrences(p)};
  for (int round = 0; round < 3; ++round) {
    for (const char* move : {"h1h2", "e8e7", "h2h1", "e7e8"}) {
      history.add(p);
      p.play(parse_uci(p, move));
      counts.push_back(history.occurrences(p));
    }
  }
  // The first time round the rook had not moved.
  EXPECT_EQ(counts, (std::vector<int>{1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
}

TEST(History, OfMovesIsWhatTheyLeaveBehind) {
  const Position start = Position::start(kChess);
  std::vector<Move> moves;
  History history;
  Position p = start;
  for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3"}) {
    moves.push_back(parse_uci(p, move));
    history.add(p);
    p.play(moves.back());
  }
  EXPECT_EQ(History(start, moves), history);
  EXPECT_EQ(history.size(), 5u);
  EXPECT_EQ(history.occurrences(p), 2);
  history.cut(1);
  EXPECT_EQ(history, History(start, std::span(moves).first(1)));
  EXPECT_EQ(history.occurrences(p), 1);
}

TEST(History, IsEmptyWhereRepetitionDoesNotCount) {
  History history;
  history.add(Position::start());
  EXPECT_EQ(history.size(), 0u);
  EXPECT_EQ(history.occurrences(Position::start()), 1);
}

}  // namespace
}  // namespace rules
