#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/errors.h"
#include "selfplay/game_record.h"
#include "tests/selfplay/random_games.h"

namespace selfplay {
namespace {

using ::testing::HasSubstr;

// What checked_game() says of the record in a run of Chess# at generation 3; empty: it counts.
std::string refusal(const GameRecord& game) {
  try {
    checked_game(encode(game), {rules::Repertoire{}, 3});
    return "";
  } catch (const base::InputError& error) {
    return error.what();
  }
}

TEST(GameCheck, LetsWholeGamesCount) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) EXPECT_EQ(refusal(random_game(seed, 3)), "");
}

TEST(GameCheck, RefusesWhatCannotHaveBeenPlayed) {
  struct Case {
    std::function<void(GameRecord&)> spoil;
    std::string says;
  };
  const std::vector<Case> cases{
      {[](GameRecord& game) { game.rules = rules::kChess960; }, "the run plays"},
      {[](GameRecord& game) { game.generation = 4; }, "of generation 4, expected 1 to 3"},
      {[](GameRecord& game) { game.generation = 0; }, "of generation 0"},
      {[](GameRecord& game) { game.seed = 0; }, "without a seed"},
      {[](GameRecord& game) { game.ended = rules::Adjudication::kResignation; }, "adjudicated"},
      {[](GameRecord& game) { game.plies.clear(); }, "without moves"},
      {[](GameRecord& game) { game.plies.pop_back(); }, "is not over"},
      {[](GameRecord& game) { game.plies.front().played = rules::Move::from_raw(0xffff); },
       "is not legal"},
      {[](GameRecord& game) { game.plies.push_back(game.plies.back()); }, "is not legal"},
      {[](GameRecord& game) {
         game.outcome = game.outcome == rules::Outcome::kWhiteWins ? rules::Outcome::kBlackWins
                                                                   : rules::Outcome::kWhiteWins;
       },
       "another outcome"},
      {[](GameRecord& game) { game.table.points_white[0] = -1; }, "points beyond"},
      {[](GameRecord& game) { game.table.material[0] = 1e9; }, "value beyond"},
      {[](GameRecord& game) {
         game.plies[2].is_target = true;
         game.plies[2].policy = {{rules::Move::from_raw(0xffff), 1.0f}};
       },
       "policy at ply 3 is not legal"},
  };
  for (const Case& one : cases) {
    GameRecord game = random_game(5, 3);
    one.spoil(game);
    EXPECT_THAT(refusal(game), HasSubstr(one.says));
  }
}

}  // namespace
}  // namespace selfplay
