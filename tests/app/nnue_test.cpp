// The NNUE and its alpha-beta search, as a user meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/process.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class NnueCommands : public testing::Test {
 protected:
  // An evaluator that has learned next to nothing.
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const Finished trained = run({"train", "--config", SHARPZERO_SOURCE "/configs/tiny-nnue.toml",
                                  "--run", run_of(), "--generations", "2", "--threads", "2"});
    ASSERT_EQ(trained.code, 0) << trained.error;
    ASSERT_THAT(trained.error, HasSubstr("./sharpzero play --net " + run_of()));
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string run_of() { return *folder_ / "run"; }
  static std::string net() { return run_of() + "/checkpoints/000002/nnue.safetensors"; }

  static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(NnueCommands, ARunsFolderIsItsNewestNetwork) {
  const Finished match = run({"match", "--a", run_of() + ":nodes=50", "--b",
                              run_of() + "/checkpoints/000001:nodes=50", "--games", "2"});
  EXPECT_EQ(match.code, 0) << match.error;
  const Finished advantage = run({"advantage", "--net", run_of(), "--checkpoints", "2", "--games",
                                  "2", "--sims", "20", "--out", *folder_ / "checkpoints_studied"});
  EXPECT_EQ(advantage.code, 0) << advantage.error;
  Running engine({"uci", "--net", run_of(), "--threads", "1"});
  engine.write("isready\n");
  EXPECT_THAT(engine.wait_line("info string NNUE", std::chrono::seconds(60)),
              HasSubstr("generation 2"));
}

TEST_F(NnueCommands, ARunLooksAsOneOfAResidualNetworkDoes) {
  const auto records = metrics_of(run_of());
  ASSERT_EQ(records.size(), 2u);
  for (const char* key : {"elapsed_s", "games", "positions", "evals", "loss", "outcome_loss",
                          "learning_rate", "points_white", "plies_mean", "games_per_h",
                          "evals_per_s", "selfplay_s", "train_s", "matches_s"}) {
    EXPECT_TRUE(records[1][key].is_number()) << key;
  }
  EXPECT_TRUE(records[1]["policy_loss"].is_null()) << "it has no policy";
  EXPECT_EQ(records[1]["outcomes"].size(), 7u);
  for (const char* key : {"score_vs_random", "score_vs_start", "elo"}) {
    EXPECT_TRUE(records[1][key]["mean"].is_number()) << key;
  }
  for (const char* name : {"config.toml", "run.json", "games.db", "report.html", "metrics"}) {
    EXPECT_TRUE(std::filesystem::exists(run_of() + "/" + name)) << name;
  }
  EXPECT_THAT(read_file(run_of() + "/report.html"), HasSubstr("\"outcome_loss\""));
  const Finished ladder = run({"ladder", "--run", run_of(), "--checkpoints", "2", "--games", "2",
                               "--sims", "20", "--threads", "2", "--json"});
  ASSERT_EQ(ladder.code, 0) << ladder.error;
  EXPECT_THAT(ladder.out, HasSubstr("checkpoint 000002"));
}

TEST_F(NnueCommands, PlaysAMatch) {
  const std::vector<std::string> command{
      "match", "--a",    net() + ":nodes=200", "--b", "random", "--games",
      "4",     "--json", "--threads",          "2",   "--seed", "5"};
  const Finished finished = run(command);
  ASSERT_EQ(finished.code, 0) << finished.error;
  const json result = json::parse(finished.out);
  EXPECT_EQ(result["games"], 4);
  EXPECT_EQ(result["forfeits_a"], 0);
  EXPECT_EQ(run(command).out, finished.out) << "the same games again";
}

TEST_F(NnueCommands, IsStudied) {
  const Finished advantage = run({"advantage", "--net", net(), "--games", "6", "--sims", "30",
                                  "--threads", "2", "--out", *folder_ / "studied", "--json"});
  ASSERT_EQ(advantage.code, 0) << advantage.error;
  EXPECT_THAT(advantage.out, HasSubstr("at 30 nodes"));
  const Finished calibration = run({"calibration", "--net", net(), "--games", "6", "--sims", "30",
                                    "--threads", "2", "--out", *folder_ / "studied", "--json"});
  ASSERT_EQ(calibration.code, 0) << calibration.error;
  EXPECT_EQ(json::parse(calibration.out)["quiet_positions_alone"], true);
  const Finished scoring =
      run({"scoring", "--net", net(), "--games", "6", "--sims", "30", "--table", "stalemate=3",
           "--threads", "2", "--out", *folder_ / "studied"});
  ASSERT_EQ(scoring.code, 0) << scoring.error;
  EXPECT_THAT(scoring.out, HasSubstr("30 nodes a move"));
  const Finished more = run({"advantage", "--net", net(), "--games", "7", "--sims", "30",
                             "--threads", "2", "--out", *folder_ / "studied"});
  const Finished others = run(
      {"advantage", "--net", net(), "--games", "2", "--sims", "31", "--out", *folder_ / "studied"});
  EXPECT_THAT(more.error, Not(HasSubstr("none of these"))) << "six are";
  EXPECT_THAT(others.error, HasSubstr("note: the 7 games in"));
  EXPECT_THAT(others.error, HasSubstr("none of these"));
  EXPECT_THAT(run({"advantage", "--net", net(), "--precision", "int8"}).error,
              HasSubstr("--precision int8: " + net() + " is an NNUE"));
  // Kept games are of the search that played them.
  const auto kept = [&](const std::string& search) {
    return run({"advantage", "--net", net(), "--games", "6", "--sims", "30", "--search", search,
                "--out", *folder_ / "studied", "--json"});
  };
  const std::string search = json::parse(advantage.out)["sets"][0]["search"];
  EXPECT_EQ(search, json::parse(run({"bench", "nnue", "--json"}).out)["alphabeta_signature"]);
  EXPECT_EQ(kept(search).out, advantage.out);
  const Finished older = kept("0");
  EXPECT_EQ(older.code, 2);
  EXPECT_THAT(older.error,
              HasSubstr("6 of 6 games of this network, precision and search are not kept"));
  EXPECT_THAT(kept("other").error, HasSubstr("hexadecimal"));
}

TEST_F(NnueCommands, IsStudiedInAGameLikeItsOwnWhereThatIsAsked) {
  const std::string rules = "chess_sharp+before=3", folder = *folder_ / "before";
  const auto study = [&](const std::string& more) {
    return run({"advantage", "--net", net(), "--games", "4", "--sims", "30", "--out", folder,
                "--rules", rules, more});
  };
  const Finished refused = study("--json");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.error, HasSubstr("expected one for " + rules + " (--rules)"));
  const Finished studied = study("--any-rules");
  ASSERT_EQ(studied.code, 0) << studied.error;
  EXPECT_THAT(studied.error, HasSubstr("learned chess_sharp, and plays " + rules));
  std::istringstream listed(run({"games", "--run", folder, "--json"}).out);
  int games = 0;
  for (std::string line; std::getline(listed, line); ++games) {
    const json game = json::parse(line);
    EXPECT_EQ(game["rules"], rules);
    // Nobody moves before the king and three others stand.
    for (std::size_t ply = 0; ply < 8; ++ply) {
      EXPECT_THAT(std::string(game["moves"][ply]), HasSubstr("@")) << game;
    }
  }
  EXPECT_EQ(games, 4);
}

TEST_F(NnueCommands, TheOneThatComesAlongIsStudiedWhereNoneIsNamed) {
  const std::vector<std::string> more{"--games", "2", "--threads", "2", "--out", *folder_ / "none"};
  for (const std::string study : {"advantage", "scoring"}) {
    std::vector<std::string> words{study};
    words.insert(words.end(), more.begin(), more.end());
    const Finished answer = run(words);
    ASSERT_EQ(answer.code, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("500 nodes a move"));
  }
  EXPECT_THAT(run({"calibration", "--help"}).out, HasSubstr("an NNUE's nodes (default: those"));
}

TEST_F(NnueCommands, IsAnEngine) {
  Running engine({"uci", "--net", net(), "--threads", "1"});
  const auto soon = std::chrono::seconds(60);
  engine.write("uci\nisready\n");
  EXPECT_THAT(engine.wait_line("info string NNUE", soon), HasSubstr("alpha-beta"));
  engine.wait_line("readyok", soon);
  engine.write("setoption name MultiPV value 2\nposition startpos\ngo nodes 3000\n");
  EXPECT_THAT(engine.wait_line("info depth", soon), HasSubstr("score cp"));
  EXPECT_THAT(engine.wait_line("info string points_white", soon), HasSubstr("outcomes"));
  engine.wait_line("bestmove", soon);
  engine.write("go infinite\nstop\n");
  engine.wait_line("bestmove", soon);
  engine.write("position fen 7k/8/8/8/8/8/8/KB6[] w - - 100 90\ngo nodes 10\n");
  EXPECT_THAT(engine.wait_line("bestmove", soon), HasSubstr("(none)"));
  engine.write("quit\n");
  EXPECT_EQ(engine.wait(), 0);
}

TEST_F(NnueCommands, RefusesWhatItIsNot) {
  const auto refused = [](const std::vector<std::string>& command, const std::string& why) {
    const Finished finished = run(command);
    EXPECT_EQ(finished.code, 2) << finished.error;
    EXPECT_THAT(finished.error, HasSubstr(why));
  };
  refused({"match", "--a", net() + ":simulations=3", "--b", "random"}, "simulations");
  refused({"match", "--a", net() + ":nodes=0", "--b", "random"}, "nodes");
  refused({"match", "--a", net(), "--b", "random", "--rules", "chess"}, "chess");
  refused({"uci", "--net", net(), "--rules", "chess"}, "expected one for chess");
  refused({"export", net(), "--to", net() + ".pt"}, "nnue");
  refused({"train-nnue", "--run", run_of(), "--max-time", "1h"},
          "train --config configs/nnue.toml");
  refused({"train", "--run", run_of(), "--set", "run.student=network"}, "run.student");
  refused({"train", "--config", "nnue", "--set", "nnue.node=3"}, "nearest: nnue.nodes");
  refused({"train", "--config", "nnue", "--rules", "raindrop", "--run", *folder_ / "cards"},
          "alpha-beta search knows no chance");
  refused({"train", "--config", "tiny-nnue", "--teacher", run_of(), "--run", *folder_ / "taught"},
          "an NNUE: expected a residual network");
  refused({"train", "--config", "tiny", "--teacher", run_of(), "--run", *folder_ / "taught"},
          "expected run.student = nnue");
  refused({"train", "--config", "tiny", "--set", "learner.last_layer_alone=true"},
          "expected run.student = nnue");
  const std::string network = SHARPZERO_SOURCE "/networks/chess_sharp-5x64.safetensors";
  refused({"train", "--config", "tiny-nnue", "--teacher", network, "--run", *folder_ / "taught",
           "--set", "run.plies_per_generation=0"},
          "expected games to learn from (--games)");
}

}  // namespace
}  // namespace app
