#include "training/studies/advantage.h"

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "training/studies/answers.h"

namespace training {
namespace {

using nlohmann::ordered_json;

// What `advantage` would write of a few games of a player that knows nothing.
ordered_json studied(rules::RuleSet rules) {
  SelfGamesConfig config;
  config.rules = rules;
  config.table = rules.table();
  config.games = 6;
  config.simulations = 2;
  const TemporaryFolder folder;
  selfplay::GameStore store(folder / "games.db", selfplay::StoreMode::kWrite);
  mcts::HashEvaluator evaluator;
  const auto games = self_games(
      config, [] { return std::make_unique<mcts::HashEvaluator>(); }, store, {}, false);
  ordered_json answer;
  answer["sets"].push_back(
      advantage_figures(config, "hash", games, start_values(config, 4, evaluator)));
  answer["answers"] = advantage_answers(answer);
  return answer;
}

TEST(Advantage, TellsOfPlacingWhereThereIsAReserve) {
  for (const auto& rules : {rules::kPreChess, rules::kChessPlus}) {
    const ordered_json answer = studied(rules);
    EXPECT_TRUE(answer["sets"][0].contains("placing"));
    EXPECT_EQ(answer["answers"].size(), 5U);
    EXPECT_EQ(answer["answers"][1]["question"], "Must the king be placed first?");
  }
  for (const auto& rules : {rules::kChess, rules::kStalemateWin, rules::kChess480}) {
    const ordered_json answer = studied(rules);
    EXPECT_FALSE(answer["sets"][0].contains("placing"));
    EXPECT_EQ(answer["answers"].size(), 2U);
    EXPECT_FALSE(advantage_text(answer["sets"][0]).empty());
  }
}

TEST(Advantage, ListsFirstMovesWhereAllGamesBeginAlike) {
  EXPECT_EQ(studied({})["sets"][0]["first_moves"].size(), 16U);  // mirror images once
  EXPECT_EQ(studied(rules::kChess)["sets"][0]["first_moves"].size(), 20U);
  const ordered_json shuffled = studied(rules::kChess960)["sets"][0];
  EXPECT_TRUE(shuffled["first_moves"].empty());
  EXPECT_EQ(shuffled["start"]["starts"], 6);
}

TEST(Advantage, NamesTheTableByItsChangesToTheSetsOwn) {
  EXPECT_EQ(studied(rules::kStalemateWin)["sets"][0]["table"], "default");
}

}  // namespace
}  // namespace training
