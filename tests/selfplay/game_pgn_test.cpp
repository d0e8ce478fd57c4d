#include "selfplay/game_pgn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/errors.h"
#include "tests/selfplay/random_games.h"

namespace selfplay {
namespace {

rules::PgnGame read_back(const rules::PgnGame& game) {
  std::istringstream text(rules::to_pgn(game));
  return *rules::PgnReader(text).next();
}

TEST(GamePgn, OfARecordIsTheSameGame) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    GameRecord record = random_game(seed, 12);
    record.id = 34;
    const rules::PgnGame read = read_back(pgn_game(record));
    EXPECT_EQ(read.event, "Self-play, generation 12");
    EXPECT_EQ(read.round, "34");
    EXPECT_EQ(read.outcome, record.outcome);
    ASSERT_EQ(read.moves.size(), record.plies.size());
    for (std::size_t i = 0; i < read.moves.size(); ++i) {
      EXPECT_EQ(read.moves[i], record.plies[i].played);
    }
    const GameRecord again = game_record(read, 7);
    EXPECT_EQ(again.seed, record.seed);
    EXPECT_EQ(again.generation, 12);
  }
}

TEST(GamePgn, NamesAnAdjudication) {
  GameRecord record = random_game(1);
  record.plies.resize(10);
  record.outcome = rules::Outcome::kBlackWins;
  record.ended = rules::Adjudication::kResignation;
  const rules::PgnGame read = read_back(pgn_game(record));
  EXPECT_EQ(read.outcome, rules::Outcome::kBlackWins);
  EXPECT_EQ(read.adjudication, rules::Adjudication::kResignation);
}

TEST(GamePgn, NamesTheGameThatIsNotLegal) {
  GameRecord record = random_game(1);
  record.id = 5;
  record.plies[2].played = rules::Move::from_raw(0xffff);
  try {
    pgn_game(record);
    FAIL() << "an illegal move was written";
  } catch (const base::InputError& error) {
    EXPECT_STREQ(error.what(), "game 5: the move at ply 3 is not legal");
  }
}

}  // namespace
}  // namespace selfplay
