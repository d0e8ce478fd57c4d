#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "arena/match.h"

namespace arena {
namespace {

rules::PgnGame read_back(const rules::PgnGame& game) {
  std::istringstream text(rules::to_pgn(game));
  return *rules::PgnReader(text).next();
}

TEST(MatchPgn, NamesThePlayersByColour) {
  MatchConfig config;
  config.games = 2;
  config.keep_games = true;
  const MatchResult match =
      play_match(config, *baseline_player("greedy"), *baseline_player("random"));
  EXPECT_EQ(read_back(pgn_game(match.kept[0], match)).white, "greedy");
  EXPECT_EQ(read_back(pgn_game(match.kept[1], match)).black, "greedy");
  EXPECT_THAT(read_back(pgn_game(match.kept[0], match)).more_tags,
              ::testing::Contains(std::pair<std::string, std::string>("OpeningPlies", "6")));
  MatchGame forfeited = match.kept[0];
  forfeited.moves.resize(7);
  forfeited.forfeit = "the engine is gone";
  const std::string text = rules::to_pgn(pgn_game(forfeited, match));
  EXPECT_NE(text.find("[Forfeit \"the engine is gone\"]"), std::string::npos) << text;
}

}  // namespace
}  // namespace arena
