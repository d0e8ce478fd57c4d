#include "studies/self_games.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "base/errors.h"
#include "rules/history.h"
#include "tests/tactics/random_nnue.h"
#include "tests/temporary_folder.h"

namespace studies {
namespace {

namespace fs = std::filesystem;
using selfplay::GameRecord;

class SelfGames : public ::testing::Test {
 protected:
  static SelfGamesConfig small() {
    SelfGamesConfig config;
    config.games = 24;
    config.simulations = 4;
    config.threads = 2;
    config.games_at_once = 5;
    return config;
  }
  std::vector<selfplay::GameRecord> play(const SelfGamesConfig& config, const std::string& file,
                                         const std::atomic<bool>& stop = {}) {
    return play(config, hashed, file, stop);
  }
  std::vector<selfplay::GameRecord> play(const SelfGamesConfig& config,
                                         const MakeThinker& make_thinker, const std::string& file,
                                         const std::atomic<bool>& stop = {}) {
    selfplay::GameStore store(folder / file, selfplay::StoreMode::kWrite);
    return self_games(config, make_thinker, store, {}, stop);
  }

  const MakeThinker hashed = tree_thinker([] { return std::make_unique<mcts::HashEvaluator>(3); });
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

std::vector<rules::Move> moves_of(const selfplay::GameRecord& game) {
  std::vector<rules::Move> moves;
  for (const auto& ply : game.plies) moves.push_back(ply.played);
  return moves;
}

TEST_F(SelfGames, AreLegalFinishedAndTheSameInAnyThreads) {
  SelfGamesConfig config = small();
  const auto games = play(config, "two.db");
  config.threads = 1;
  config.games_at_once = 24;
  const auto again = play(config, "one.db");
  ASSERT_EQ(games.size(), 24u);
  ASSERT_EQ(again.size(), 24u);
  for (std::size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(selfplay::replay(games[i]).back().outcome(config.table), games[i].outcome);
    EXPECT_EQ(moves_of(games[i]), moves_of(again[i]));
  }
}

TEST_F(SelfGames, ThatWereStoppedGoOnAndAreThoseOfAnUnbrokenStudy) {
  SelfGamesConfig config = small();
  const auto whole = play(config, "whole.db");
  {
    selfplay::GameStore store(folder / "broken.db", selfplay::StoreMode::kWrite);
    std::atomic<bool> stop = false;
    int done = 0;
    const auto none = self_games(
        config, hashed, store,
        [&](const SelfGamesProgress& progress) {
          done = progress.done;
          stop = progress.done >= 7;
        },
        stop);
    EXPECT_TRUE(none.empty());
    EXPECT_GE(store.count(), 7);
    EXPECT_LT(store.count(), 24);
    EXPECT_GE(store.count(), done);
  }
  const auto mended = play(config, "broken.db");
  ASSERT_EQ(mended.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(moves_of(mended[i]), moves_of(whole[i]));
  }
  // More games of the same study begin with those that are there; another table's are others.
  config.games = 30;
  const auto more = play(config, "broken.db");
  EXPECT_EQ(moves_of(more[23]), moves_of(whole[23]));
  config.table = rules::ScoringTable::from_changes("impasse_equal=4.9");
  config.games = 5;
  play(config, "broken.db");
  EXPECT_EQ(selfplay::GameStore(folder / "broken.db", selfplay::StoreMode::kRead).count(), 35);
}

TEST_F(SelfGames, OfAnotherNumberFormatAreOthers) {
  SelfGamesConfig config = small();
  config.games = 4;
  config.precision = "fp32";
  play(config, "games.db");
  config.precision = "int8";
  play(config, "games.db");
  EXPECT_EQ(selfplay::GameStore(folder / "games.db", selfplay::StoreMode::kRead).count(), 8);
}

TEST_F(SelfGames, OfAnotherAlphaBetaSearchAreOthers) {
  SelfGamesConfig config = small();
  config.games = 4;
  config.only_kept = true;
  EXPECT_THROW(play(config, "games.db"), base::InputError);
  config.only_kept = false;
  config.search = 1;
  const auto first = play(config, "games.db");
  config.search = 2;
  play(config, "games.db");
  EXPECT_EQ(selfplay::GameStore(folder / "games.db", selfplay::StoreMode::kRead).count(), 8);
  config.search = 1;
  config.only_kept = true;
  const auto kept = play(config, "games.db");
  ASSERT_EQ(kept.size(), first.size());
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(moves_of(kept[i]), moves_of(first[i]));
  config.games = 5;
  EXPECT_THROW(play(config, "games.db"), base::InputError);
}

TEST_F(SelfGames, FirstMovesComeInTheirDueShares) {
  SelfGamesConfig config = small();
  config.games = 64;
  config.seeds = 2;
  config.simulations = 64;
  const auto search = hashed()->search({rules::Position::start()}, config.table, 64);
  std::map<std::uint16_t, int> count;
  for (const selfplay::GameRecord& game : play(config, "games.db")) {
    ++count[game.plies.front().played.raw()];
  }
  for (const tactics::RootMove& move : search.front().moves) {
    EXPECT_NEAR(count[move.move.raw()], move.weight, 2.01) << move.move.raw();
  }
}

TEST_F(SelfGames, OfAnNnueAreTheSameInAnyThreadsAndBeginByItsOwnShares) {
  const MakeThinker nnue = nnue_thinker(tactics::random_nnue(1));
  SelfGamesConfig config = small();
  config.simulations = 300;
  config.opening_plies = 2;
  const auto games = play(config, nnue, "two.db");
  config.threads = 1;
  config.games_at_once = 24;
  const auto again = play(config, nnue, "one.db");
  ASSERT_EQ(games.size(), 24u);
  std::set<std::uint16_t> first, known;
  const auto searched = nnue()->search({rules::Position::start()}, config.table, 300);
  for (const tactics::RootMove& move : searched.front().moves) {
    if (move.weight > 0) known.insert(move.move.raw());
  }
  for (std::size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(selfplay::replay(games[i]).back().outcome(config.table), games[i].outcome);
    EXPECT_EQ(moves_of(games[i]), moves_of(again[i]));
    first.insert(games[i].plies.front().played.raw());
  }
  EXPECT_GT(first.size(), 1u);
  EXPECT_TRUE(std::ranges::includes(known, first));
}

TEST_F(SelfGames, OnlyTheOpeningIsDrawn) {
  SelfGamesConfig config = small();
  config.opening_plies = 0;
  const auto games = play(config, "games.db");
  for (const selfplay::GameRecord& game : games) EXPECT_EQ(moves_of(game), moves_of(games.front()));
}

TEST_F(SelfGames, BeginWhereTheyAreToldTo) {
  SelfGamesConfig config = small();
  config.games = 4;
  config.start = rules::Position::from_fen("4k3/8/8/8/8/8/4P3/4K3[] w - - 0 30");
  for (const selfplay::GameRecord& game : play(config, "games.db")) {
    EXPECT_EQ(game.start_fen, config.start->to_fen());
  }
  config.start.reset();
  play(config, "games.db");  // others
  EXPECT_EQ(selfplay::GameStore(folder / "games.db", selfplay::StoreMode::kRead).count(), 8);
}

TEST_F(SelfGames, TwinsBeginAlikeAndGoOnUnderTheirOwnTable) {
  SelfGamesConfig config = small();
  const auto games = play(config, "games.db");
  SelfGamesConfig other = config;
  other.table = rules::ScoringTable::from_changes("impasse_equal=9");
  for (const auto& game : games) {
    other.openings.push_back(moves_of(game));
    other.openings.back().resize(8);
  }
  const auto twins = play(other, "games.db");
  int differ = 0;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto moves = moves_of(twins[i]);
    EXPECT_TRUE(std::ranges::equal(other.openings[i], std::span(moves).first(8)));
    EXPECT_EQ(twins[i].table, other.table);
    differ += moves != moves_of(games[i]) ? 1 : 0;
  }
  EXPECT_GT(differ, 12);
  other.openings.pop_back();
  EXPECT_THROW(play(other, "games.db"), base::InputError);
}

TEST_F(SelfGames, OfAShuffledSetupBeginAnywhereAndAlikeUnderOtherCastlingRights) {
  SelfGamesConfig config = small();
  config.rules = rules::kChess960;
  config.table = config.rules.table();
  const auto games = play(config, "960.db");
  config.rules = rules::kChess480;
  const auto others = play(config, "480.db");
  std::set<std::string> rows;
  for (std::size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(games[i].start_fen, start_of(config, static_cast<int>(i)).to_fen());
    EXPECT_EQ(games[i].start_fen, others[i].start_fen);
    const rules::Position end = selfplay::replay(games[i]).back();
    const rules::History past(games[i].start(), moves_of(games[i]));
    EXPECT_EQ(end.outcome(config.table, past.occurrences(end)), games[i].outcome);
    rows.insert(games[i].start_fen);
  }
  EXPECT_GE(rows.size(), 20U);  // of 24 draws from 960
}

TEST(StartOf, AShuffledSetupComesWithAllStartsEquallyOften) {
  SelfGamesConfig config;
  config.rules = rules::kChess960;
  std::map<std::string, int> count;
  constexpr int kEach = 20;
  for (int n = 0; n < 960 * kEach; ++n) ++count[start_of(config, n).to_fen()];
  ASSERT_EQ(count.size(), 960U);
  double chi_squared = 0;
  for (const auto& [fen, times] : count) {
    chi_squared += (times - kEach) * (times - kEach) / static_cast<double>(kEach);
  }
  EXPECT_NEAR(chi_squared, 959, 4 * std::sqrt(2 * 959.0));
  EXPECT_EQ(studied_starts(config).size(), 16U);
  config.rules = rules::kChess;
  EXPECT_EQ(studied_starts(config), std::vector{rules::Position::start(rules::kChess)});
}

TEST_F(SelfGames, RefuseWhatMakesNoGames) {
  SelfGamesConfig config = small();
  config.seeds = 0;
  EXPECT_THROW(play(config, "games.db"), base::InputError);
}

TEST(EvaluatedPoints, AreWhites) {
  mcts::UniformEvaluator evaluator;
  EXPECT_DOUBLE_EQ(evaluated_points({rules::Position::start()}, {}, evaluator), 5);
  mcts::HashEvaluator hashed;
  const auto position = rules::Position::start();
  const double white = evaluated_points({position}, {}, hashed);
  const auto thinker = tree_thinker([] { return std::make_unique<mcts::HashEvaluator>(); })();
  EXPECT_NEAR(white, searched_points({position}, {}, 1, *thinker), 1e-5);
}

}  // namespace
}  // namespace studies
