#include "app/commands/parts/inspection.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rules/position.h"

namespace app {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kEmpty = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";

json inspected(const std::string& line, rules::RuleSet rules = {}) {
  return json::parse(inspect_line(line, 7, rules).json);
}

TEST(Inspect, DescribesAnOngoingPosition) {
  const json found = inspected("4r2k/8/8/8/8/8/4N3/1N2K3[Q] w - - 3 40");
  EXPECT_EQ(found["fen"], "4r2k/8/8/8/8/8/4N3/1N2K3[Q] w - - 3 40");
  EXPECT_EQ(found["outcome"], "ongoing");
  EXPECT_TRUE(found["points_white"].is_null());
  EXPECT_EQ(found["moves"].size(), 19U);
  EXPECT_EQ(found["moves"][0], "Q@a1");
  EXPECT_EQ(found["moves"][18], "e2g3");
  EXPECT_EQ(found["san"][7], "Nbc3");
}

TEST(Inspect, PlaysTheMovesOfALine) {
  EXPECT_EQ(inspected(kEmpty + " moves B@a1 K@a8 R@b1\r")["fen"],
            "k7/pppppppp/8/8/8/8/PPPPPPPP/BR6[KQRBNNqrrbbnn] b - - 3 2");
  EXPECT_EQ(inspected(kEmpty + " moves")["fen"], kEmpty);
  EXPECT_EQ(inspected(kEmpty + " moves ")["fen"], kEmpty);
  EXPECT_EQ(inspected(kEmpty + " moves K@e1 e7e5", {.sprint = true})["line"], 7);
  EXPECT_EQ(inspected(kEmpty + " moves K@e1 K@e8 e2e4", {.sprint = true})["outcome"], "ongoing");
}

TEST(Inspect, AGameThatIsOverHasPointsAndNoMoves) {
  const json over = inspected("8/8/8/3kK3/8/8/8/8[] w - - 3 40 moves e5d5");
  EXPECT_EQ(over["fen"], "8/8/8/3K4/8/8/8/8[] b - - 0 40");
  EXPECT_EQ(over["outcome"], "white_wins");
  EXPECT_EQ(over["points_white"], 10);
  EXPECT_EQ(over["moves"], json::array());
  EXPECT_EQ(over["san"], json::array());
}

TEST(Inspect, ChessKnowsTheLinesPastAndItsOwnTable) {
  const std::string start = rules::Position::start(rules::kChess).to_fen();
  const std::string round = " g1f3 g8f6 f3g1 f6g8";
  EXPECT_EQ(inspected(start + " moves" + round, rules::kChess)["outcome"], "ongoing");
  const json repeated = inspected(start + " moves" + round + round, rules::kChess);
  EXPECT_EQ(repeated["outcome"], "impasse_equal");
  EXPECT_EQ(repeated["points_white"], 5);
  // Players may leave the repetition unclaimed.
  EXPECT_EQ(inspected(start + " moves" + round + round + " e2e4", rules::kChess)["outcome"],
            "ongoing");
}

TEST(Inspect, ABadLineNamesTheColumn) {
  EXPECT_THAT(inspected("4k3/8/8/8/8/8/8/4K3[] x - - 0 1")["error"].get<std::string>(),
              HasSubstr("(column 23)"));
  EXPECT_THAT(inspected(kEmpty + " moves K@e1 e7e5")["error"].get<std::string>(),
              HasSubstr("(column 70)"));
}

TEST(Inspect, ClassicalChessSharpGoesOnWhereChessIsDrawn) {
  const rules::RuleSet rules = rules::kClassicalChessSharp;
  const std::string round = " g1f3 g8f6 f3g1 f6g8";
  const json third =
      inspected(rules::Position::start(rules).to_fen() + " moves" + round + round + " e2e4", rules);
  EXPECT_EQ(third["outcome"], "ongoing");
  EXPECT_EQ(inspected("k7/2Q5/8/8/8/8/8/K7 b - - 0 60", rules)["points_white"], 8);
}

TEST(Inspect, ABadLineGivesItsErrorAndNumberAlone) {
  for (const std::string& line :
       {std::string(), std::string("\xff\xfe\"\\"), kEmpty + " moves e2e3", kEmpty + " movesK@a1",
        kEmpty + " moves K@a1 \"", kEmpty + " K@a1",
        std::string("8/8/8/3kK3/8/8/8/8[] w - - 100 40 moves e5d5")}) {
    const Inspection found = inspect_line(line, 7, {});
    EXPECT_FALSE(found.ok);
    const json error = json::parse(found.json);
    EXPECT_EQ(error.size(), 2U);
    EXPECT_EQ(error["line"], 7);
    EXPECT_THAT(error["error"].get<std::string>(), HasSubstr("expected"));
  }
}

}  // namespace
}  // namespace app
