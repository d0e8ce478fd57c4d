#include "app/play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "mcts/evaluator.h"

namespace app {
namespace {

using ::testing::HasSubstr;

std::string play_with(const std::string& input, rules::Color side = rules::Color::kWhite) {
  std::istringstream in(input);
  std::ostringstream out;
  PlaySettings settings;
  settings.side = side;
  settings.simulations = 30;
  const Brain brain{[] { return std::make_unique<mcts::HashEvaluator>(3); }, 1, "a test"};
  play(settings, brain, in, out);
  return out.str();
}

TEST(Play, AnswersMovesInSanAndUci) {
  const std::string out = play_with("K@e1\ne2e3\nfen\n");
  EXPECT_THAT(out, HasSubstr("I play "));
  EXPECT_THAT(out, HasSubstr(" w - - "));
  EXPECT_THAT(out, HasSubstr("   in hand: KQRRBBNN\n"));
}

TEST(Play, BeginsWhereTheHumanHasBlack) {
  const std::string out = play_with("", rules::Color::kBlack);
  EXPECT_LT(out.find("I play "), out.find("your move> "));
}

TEST(Play, ExplainsWhatItDoesNotUnderstand) {
  EXPECT_THAT(play_with("e4\n"), HasSubstr("'e4' is no legal move here"));
}

TEST(Play, UndoTakesBackBothMoves) {
  const std::string out = play_with("K@e1\nundo\nfen\n");
  EXPECT_THAT(out, HasSubstr("8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1"));
}

}  // namespace
}  // namespace app
