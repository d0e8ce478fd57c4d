#include "studies/advantage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/selfplay/random_games.h"
#include "tests/temporary_folder.h"

namespace studies {
namespace {

using nlohmann::ordered_json;

// What `advantage` would write of a few games of a player that knows nothing.
Answer studied(rules::RuleSet rules) {
  SelfGamesConfig config;
  config.rules = rules;
  config.table = rules.table();
  config.games = 6;
  config.simulations = 2;
  const TemporaryFolder folder;
  selfplay::GameStore store(folder / "games.db", selfplay::StoreMode::kWrite);
  const MakeThinker hashed = tree_thinker([] { return std::make_unique<mcts::HashEvaluator>(); });
  const auto games = self_games(config, hashed, store, {}, false);
  return words({advantage_figures(config, games, start_values(config, 4, *hashed()))});
}

TEST(Advantage, TellsOfPlacingWhereThereIsAReserve) {
  for (const auto& rules : {rules::kPreChess, rules::kChessPlus}) {
    const ordered_json answer = studied(rules).json;
    EXPECT_TRUE(answer["sets"][0].contains("placing"));
    EXPECT_EQ(answer["answers"].size(), 5U);
    EXPECT_EQ(answer["answers"][1]["question"], "Must the king be placed first?");
  }
  for (const auto& rules : {rules::kChess, rules::kStalemateWin, rules::kChess480}) {
    const auto [answer, text, folder] = studied(rules);
    EXPECT_FALSE(answer["sets"][0].contains("placing"));
    EXPECT_EQ(answer["answers"].size(), 2U);
    EXPECT_NE(text.find("White's points of ten"), std::string::npos);
  }
}

TEST(Advantage, ListsFirstMovesWhereAllGamesBeginAlike) {
  EXPECT_EQ(studied({}).json["sets"][0]["first_moves"].size(), 16U);  // mirror images once
  EXPECT_EQ(studied(rules::kChess).json["sets"][0]["first_moves"].size(), 20U);
  const ordered_json shuffled = studied(rules::kChess960).json["sets"][0];
  EXPECT_TRUE(shuffled["first_moves"].empty());
  EXPECT_EQ(shuffled["start"]["starts"], 6);
}

TEST(Advantage, CountsTheFirstMovesThatAreAboutAsGoodAsTheBest) {
  const ordered_json chess = studied(rules::kChess).json["sets"][0];
  ASSERT_EQ(chess["viable"].size(), 2U);
  for (const ordered_json& side : chess["viable"]) {
    EXPECT_EQ(side["moves"], 20);
    EXPECT_GE(side["near_best"][0]["moves"], 1) << "the best itself";
    EXPECT_GE(side["near_best"][1]["moves"], side["near_best"][0]["moves"]);
  }
  const double best = chess["first_moves"][0]["searched"];
  const auto near = std::ranges::count_if(chess["first_moves"], [&](const ordered_json& move) {
    return best - move["searched"].get<double>() <= 0.1;
  });
  EXPECT_EQ(chess["viable"][0]["near_best"][1]["moves"], near);
  EXPECT_EQ(studied({}).json["sets"][0]["viable"][0]["moves"], 16);
  EXPECT_TRUE(studied(rules::kChess960).json["sets"][0]["viable"].empty());
}

TEST(Advantage, NamesTheTableByItsChangesToTheSetsOwn) {
  EXPECT_EQ(studied(rules::kStalemateWin).json["sets"][0]["table"], "default");
}

// One game that was drawn nine times of ten, another once.
TEST(Advantage, AGameCountsAsOftenAsItWasDrawn) {
  SelfGamesConfig config;
  config.seeds = 1;
  const selfplay::GameRecord often = selfplay::random_game(1);
  selfplay::GameRecord once = selfplay::random_game(2);
  for (std::uint64_t s = 3; once.outcome == often.outcome; ++s) once = selfplay::random_game(s);
  std::vector<selfplay::GameRecord> records(9, often);
  records.push_back(once);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].seed = i;
  config.games = 10;
  const AdvantageFigures figures = advantage_figures(config, records, {});

  EXPECT_EQ(figures.games, 10U);
  EXPECT_EQ(figures.distinct_games, 2U);
  EXPECT_EQ(figures.by_seed[0].games, 10U);
  EXPECT_DOUBLE_EQ(figures.outcomes[static_cast<std::size_t>(rules::index(often.outcome))].mean,
                   0.9);
  EXPECT_DOUBLE_EQ(figures.points_white.mean, 0.9 * config.table.white_points(often.outcome) +
                                                  0.1 * config.table.white_points(once.outcome));
  EXPECT_DOUBLE_EQ(figures.plies.mean, 0.9 * static_cast<double>(often.plies.size()) +
                                           0.1 * static_cast<double>(once.plies.size()));
  EXPECT_EQ(words({figures}).json["sets"][0]["plies"]["median"], often.plies.size());
  EXPECT_EQ(words({figures}).text.find("follow few lines"), std::string::npos);
  EXPECT_NE(words({figures}).text.find("10 games after 2 different openings"), std::string::npos);

  for (std::size_t i = records.size(); i < 100; ++i) {
    records.push_back(often);
    records.back().seed = i;
  }
  config.games = 100;
  const Answer answer = words({advantage_figures(config, records, {})});
  EXPECT_NE(answer.text.find("follow few lines"), std::string::npos);
  EXPECT_NE(answer.json["answers"][0].dump().find("follow few lines"), std::string::npos);
}

}  // namespace
}  // namespace studies
