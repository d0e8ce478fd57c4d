// The NNUE and its alpha-beta search, as a user meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/process.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class NnueCommands : public testing::Test {
 protected:
  // An evaluator that has learned next to nothing.
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const Finished trained =
        run({"train-nnue", "--run", folder_->path(), "--generations", "1", "--threads", "2",
             "--set", "nnue.games=6", "--set", "nnue.nodes=20", "--set", "nnue.batch=32"});
    ASSERT_EQ(trained.code, 0) << trained.error;
    ASSERT_THAT(trained.error, HasSubstr("nnue.safetensors"));
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string net() { return *folder_ / "nnue.safetensors"; }

  static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(NnueCommands, KeepsTheFirstGenerationAndEachTwiceAsLate) {
  EXPECT_TRUE(std::filesystem::exists(*folder_ / "checkpoints/000001/nnue.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(*folder_ / "checkpoints/000002/nnue.safetensors"));
  const Finished match = run({"match", "--a", folder_->path() + ":nodes=50", "--b",
                              *folder_ / "checkpoints/000001" + ":nodes=50", "--games", "2"});
  EXPECT_EQ(match.code, 0) << match.error;
  const Finished advantage =
      run({"advantage", "--net", folder_->path(), "--checkpoints", "2", "--games", "2", "--sims",
           "20", "--out", *folder_ / "checkpoints_studied"});
  EXPECT_EQ(advantage.code, 0) << advantage.error;
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
  const Finished scoring =
      run({"scoring", "--net", net(), "--games", "6", "--sims", "30", "--table", "stalemate=3",
           "--threads", "2", "--out", *folder_ / "studied"});
  ASSERT_EQ(scoring.code, 0) << scoring.error;
  EXPECT_THAT(scoring.out, HasSubstr("30 nodes a move"));
}

TEST_F(NnueCommands, TheOneThatComesAlongIsStudiedWhereNoneIsNamed) {
  const std::vector<std::string> more{"--games", "2", "--threads", "2", "--out", *folder_ / "none"};
  for (const std::string study : {"advantage", "scoring"}) {
    std::vector<std::string> words{study};
    words.insert(words.end(), more.begin(), more.end());
    const Finished answer = run(words);
    ASSERT_EQ(answer.code, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("400 nodes a move"));
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
  refused({"train-nnue", "--set", "nnue.node=3"}, "nodes");
  refused({"train-nnue", "--set", "selfplay.simulations=3"}, "selfplay.simulations");
}

}  // namespace
}  // namespace app
