#include "selfplay/random_starts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

namespace selfplay {
namespace {

TEST(RandomMiddlegame, HasEvenArmiesOnTheBoard) {
  base::Rng rng(3);
  std::set<std::string> different;
  int uneven = 0;
  for (int i = 0; i < 300; ++i) {
    const rules::RuleSet rules;
    const rules::Position position = random_middlegame(rules, rules.table(), rng);
    const std::string fen = position.to_fen();
    different.insert(fen);
    ASSERT_NE(fen.find("[]"), fen.npos) << fen;
    const std::string board = fen.substr(0, fen.find('['));
    const auto lead = [&board](char white, char black) {
      return std::ranges::count(board, white) - std::ranges::count(board, black);
    };
    for (const char* pair : {"Kk", "Qq", "Rr", "Bb", "Nn"})
      EXPECT_EQ(lead(pair[0], pair[1]), 0) << fen;
    EXPECT_LE(std::abs(lead('P', 'p')), 1) << fen;
    uneven += lead('P', 'p') != 0;
    EXPECT_NE(board.rfind('K'), board.npos);
    EXPECT_GT(board.rfind('K'), board.rfind('/')) << fen;
    EXPECT_LT(board.find('k'), board.find('/')) << fen;
    EXPECT_FALSE(position.outcome(rules.table()));
    EXPECT_FALSE(position.can_capture_king());
  }
  EXPECT_EQ(different.size(), 300u);
  EXPECT_GT(uneven, 20);
  EXPECT_LT(uneven, 120);
}

// Also where rows are shuffled, pieces are placed by both sides first, or come as cards.
TEST(RandomMiddlegame, IsFoundUnderOtherRules) {
  base::Rng rng(4);
  for (const char* name :
       {"chess", "chess960", "pre_chess", "chess_plus", "raindrop", "chess_sharp+sprint"}) {
    const rules::RuleSet rules = rules::RuleSet::parse(name);
    const rules::Position position = random_middlegame(rules, rules.table(), rng);
    EXPECT_FALSE(position.outcome(rules.table())) << name;
    EXPECT_EQ(rules::Position::from_fen(position.to_fen(), rules).to_fen(), position.to_fen());
  }
}

}  // namespace
}  // namespace selfplay
