#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/errors.h"
#include "selfplay/game_pgn.h"
#include "selfplay/game_store.h"
#include "tests/selfplay/random_games.h"

namespace selfplay {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::FloatEq;
using ::testing::HasSubstr;

class ReadGames : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) / ("sharpzero_read_games_" + std::to_string(::getpid()));
};

TEST_F(ReadGames, OfPgnEachMoveBehindTheOpeningIsATarget) {
  const GameRecord source = random_game(3);
  rules::PgnGame pgn = pgn_game(source);
  pgn.more_tags.emplace_back("OpeningPlies", "6");
  const auto games = read_games(write("games.pgn", rules::to_pgn(pgn)), {});
  ASSERT_EQ(games.size(), 1u);
  const GameRecord& game = games[0];
  EXPECT_EQ(game.generation, 0);
  EXPECT_EQ(game.seed, 1u);
  EXPECT_EQ(game.start_fen, source.start_fen);
  EXPECT_EQ(game.outcome, source.outcome);
  EXPECT_EQ(game.ended, source.ended);
  ASSERT_EQ(game.plies.size(), source.plies.size());
  const double points = game.table.white_points(game.outcome);
  const auto positions = replay(game);
  int targets = 0;
  for (std::size_t i = 0; i < game.plies.size(); ++i) {
    const PlyRecord& ply = game.plies[i];
    EXPECT_EQ(ply.played, source.plies[i].played);
    EXPECT_THAT(ply.root_value_stm,
                FloatEq(static_cast<float>(rules::value_stm(points, positions[i].side_to_move()))));
    EXPECT_THAT(ply.root_outcomes_white, Each(0.0f));
    const bool hangs_the_king = positions[i + 1].can_capture_king();
    EXPECT_EQ(ply.is_target, i >= 6 && !hangs_the_king) << "ply " << i;
    if (!ply.is_target) continue;
    ++targets;
    ASSERT_EQ(ply.policy.size(), 1u);
    EXPECT_EQ(ply.policy[0].move, ply.played);
    EXPECT_EQ(ply.policy[0].weight, 1.0f);
  }
  EXPECT_GT(targets, 10);
  EXPECT_EQ(decode(encode(game)).plies.size(), game.plies.size());  // a store takes it
}

TEST_F(ReadGames, OfPgnUnfinishedAndForfeitedGamesAreLeftOut) {
  const rules::PgnGame whole = pgn_game(random_game(1));
  rules::PgnGame unfinished = whole, forfeited = whole;
  unfinished.moves.resize(8);
  unfinished.outcome.reset();
  forfeited.moves.resize(8);
  forfeited.outcome = rules::Outcome::kWhiteWins;
  forfeited.adjudication = rules::Adjudication::kResignation;
  rules::PgnGame resigned = forfeited;
  forfeited.more_tags.emplace_back("Forfeit", "the engine is gone");
  const auto games =
      read_games(write("games.pgn", rules::to_pgn(unfinished) + rules::to_pgn(forfeited) +
                                        rules::to_pgn(resigned) + rules::to_pgn(whole)),
                 {});
  ASSERT_EQ(games.size(), 2u);
  EXPECT_EQ(games[0].ended, rules::Adjudication::kResignation);
  EXPECT_EQ(games[0].outcome, rules::Outcome::kWhiteWins);
  EXPECT_EQ(games[1].plies.size(), whole.moves.size());
  EXPECT_NE(games[0].seed, games[1].seed);
}

TEST_F(ReadGames, OfAStoreTheyStayAsTheyAre) {
  const GameRecord source = random_game(5, 7);
  GameStore(folder_ / "games.db", StoreMode::kWrite).append(std::vector{source});
  for (const fs::path& path : {folder_, folder_ / "games.db"}) {
    const auto games = read_games(path, {});
    ASSERT_EQ(games.size(), 1u);
    EXPECT_EQ(games[0].generation, 0);
    EXPECT_EQ(games[0].seed, source.seed);
    EXPECT_EQ(games[0].plies[4].root_value_stm, decode(encode(source)).plies[4].root_value_stm);
  }
}

TEST_F(ReadGames, NamesTheFileAndTheGameThatIsWrong) {
  const std::string good = rules::to_pgn(pgn_game(random_game(1)));
  const fs::path bad = write("bad.pgn", good + "1. e2e5 *\n");
  try {
    read_games(bad, {});
    FAIL() << "an illegal move was read";
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(bad.string() + ": game 2, line "));
  }
  EXPECT_THROW(read_games(folder_ / "missing.pgn", {}), base::InputError);
  EXPECT_THROW(read_games(folder_ / "missing.db", {}), base::InputError);
  EXPECT_THROW(read_games(folder_, {}), base::InputError) << "no run folder";
}

}  // namespace
}  // namespace selfplay
