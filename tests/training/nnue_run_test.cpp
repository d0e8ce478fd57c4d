// Runs that teach an NNUE: what they have of their own. The rest is in run_loop_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/errors.h"
#include "book/alphabeta_searcher.h"
#include "book/book_file.h"
#include "book/grow.h"
#include "book/ways.h"
#include "nn/nnue_file.h"
#include "selfplay/game_store.h"
#include "tests/training/runs.h"
#include "training/page/metrics.h"

namespace training {
namespace {

using testing::HasSubstr;

// The moves of that generation's games.
std::vector<std::vector<rules::Move>> played(const fs::path& run, std::int64_t generation) {
  const selfplay::GameStore store(run / "games.db", selfplay::StoreMode::kRead);
  std::vector<std::vector<rules::Move>> games;
  store.visit({}, [&](const selfplay::GameRecord& game) {
    if (game.generation != generation) return true;
    auto& moves = games.emplace_back();
    for (const selfplay::PlyRecord& ply : game.plies) moves.push_back(ply.played);
    return true;
  });
  return games;
}

class NnueRuns : public Runs {
 protected:
  RunConfig tiny(const std::vector<std::string>& changes) const override {
    return load_config(fs::path(SHARPZERO_CONFIGS) / "tiny-nnue.toml", changes);
  }
  nn::NnueFile network(const std::string& name) const { return nn::load_nnue(root_ / name); }
};

TEST_F(NnueRuns, OnAnyNumberOfThreadsItIsTheSame) {
  config_.run.generations = 3;
  run("two");
  ASSERT_EQ(RunLoop(config_, options("one", 1)).run(), RunEnd::kFinished);
  EXPECT_EQ(network("one").weights, network("two").weights);
  for (const int generation : {1, 2, 3}) {
    EXPECT_EQ(played(root_ / "one", generation), played(root_ / "two", generation));
  }
}

TEST_F(NnueRuns, LearnsAGameWithTwoQueensInReserveAndSaysSo) {
  config_.run.generations = 1;
  config_.rules.rule_set = "chess_double_sharp";
  run("run");
  EXPECT_EQ(network("run").repertoire.name(), "chess_double_sharp");
}

TEST_F(NnueRuns, GamesBeginAtTheEndsOfABook) {
  const fs::path folder = root_ / "book";
  fs::create_directories(folder);
  const book::Terms terms{rules::Position::start(), {}, 50, "material"};
  book::BookFile file(folder, terms);
  book::Book book = file.load();
  book::grow(
      book,
      [&] {
        return std::make_unique<book::AlphaBetaSearcher>(tactics::Evaluator(), terms.table,
                                                         terms.nodes, nullptr);
      },
      {.positions = 12,
       .keep = [&](const book::Book& now, const book::Step& step) { file.append(now, step); },
       .on_step = [](const book::Book&) {}});
  config_.selfplay.book = folder.string();
  config_.selfplay.book_share = 1;
  config_.run.generations = 1;
  run("run");
  std::set<std::string> starts;
  for (const int end : book::ends(book)) starts.insert(book.node(end).position.to_fen());
  const selfplay::GameStore store(root_ / "run" / "games.db", selfplay::StoreMode::kRead);
  int games = 0;
  store.visit({}, [&](const selfplay::GameRecord& game) {
    EXPECT_TRUE(starts.contains(game.start_fen)) << game.start_fen;
    return ++games > 0;
  });
  EXPECT_GT(games, 3);
  config_.rules.rule_set = "chess_double_sharp";
  EXPECT_THROW(run("other"), base::InputError);
}

TEST_F(NnueRuns, RefusesWhatAlphaBetaCannotPlay) {
  for (const char* rules : {"raindrop", "chess_sharp,chess_flat"}) {
    EXPECT_THROW(tiny({std::string("rules.rule_set=") + rules}), base::InputError) << rules;
  }
}

TEST_F(NnueRuns, TheOtherStudentsRunIsRefusedAndSoIsItsNetwork) {
  config_.run.generations = 1;
  run("nnue");
  const RunConfig network = load_config(fs::path(SHARPZERO_CONFIGS) / "tiny.toml");
  EXPECT_THAT(refusal(network, options("nnue")),
              HasSubstr("the run has run.student nnue, the config network"));
  RunOptions asked = options("new");
  asked.init = root_ / "nnue";
  EXPECT_THAT(refusal(network, asked), HasSubstr("an NNUE: expected a residual network"));
  EXPECT_FALSE(fs::exists(asked.folder));
}

TEST_F(NnueRuns, AFolderOfTrainNnueIsRefused) {
  fs::create_directories(root_ / "old");
  std::ofstream(root_ / "old" / "lock");
  std::ofstream(root_ / "old" / nn::kNnueFile);
  EXPECT_THAT(refusal(config_, options("old")), HasSubstr("a run of train-nnue"));
}

TEST_F(NnueRuns, ARunThatStartsFromANetworkPlaysByIt) {
  config_.run.generations = 2;
  run("first");
  config_.run.generations = 1;
  RunOptions asked = options("second");
  asked.init = root_ / "first";
  ASSERT_EQ(RunLoop(config_, asked).run(), RunEnd::kFinished);
  EXPECT_EQ(nn::load_nnue(root_ / "second" / "checkpoints" / "000000").weights,
            network("first").weights);
  EXPECT_EQ(read_metrics(root_ / "first")[0]["evals"], 0) << "by material";
  EXPECT_GT(read_metrics(root_ / "second")[0]["evals"], 1000);
  EXPECT_NE(played(root_ / "first", 1), played(root_ / "second", 1));
}

TEST_F(NnueRuns, ItsRecordsHoldWhatTheSearchExpects) {
  config_.run.generations = 3;
  run("run");
  const selfplay::GameStore store(root_ / "run" / "games.db", selfplay::StoreMode::kRead);
  int lost_soon = 0;
  store.visit({}, [&](const selfplay::GameRecord& game) {
    const auto positions = selfplay::replay(game);
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
      float sum = 0;
      double points = 0;
      for (std::size_t k = 0; k < rules::kOutcomes; ++k) {
        sum += game.plies[i].root_outcomes_white[k];
        points +=
            static_cast<double>(game.plies[i].root_outcomes_white[k]) * game.table.points_white[k];
      }
      EXPECT_NEAR(sum, 1, 1e-3);
      // The value and the outcomes are of the same line and the same side.
      const double value = rules::value_stm(points, positions[i].side_to_move());
      if (std::abs(game.plies[i].root_value_stm) == 1) {
        EXPECT_NEAR(value, game.plies[i].root_value_stm, 1e-3);
        ++lost_soon;
      }
    }
    return true;
  });
  EXPECT_GT(lost_soon, 0);
}

}  // namespace
}  // namespace training
