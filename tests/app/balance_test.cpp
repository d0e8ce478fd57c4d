// `advantage` of several rule sets and `ladder` of another one, as a user meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/process.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kNetwork = SHARPZERO_SOURCE "/networks/chess_sharp-5x64.safetensors";

Finished balance(const std::vector<std::string>& more) {
  std::vector<std::string> words{"advantage", "--threads", "2", "--device", "cpu"};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

TEST(Balance, OfEveryRuleSetWithoutANetwork) {
  const TemporaryFolder folder;
  const std::string out = folder / "study";
  const std::string sets =
      "chess,no_castling,pawn_one_square,stalemate_win,chess960,chess480,pre_chess,chess_plus,"
      "chess_sharp,chess_sharp+sprint";
  const std::vector<std::string> words{"--rules", sets,     "--player", "greedy", "--games",
                                       "4",       "--json", "--out",    out};
  const Finished finished = balance(words);
  ASSERT_EQ(finished.code, 0) << finished.error;
  const json answer = json::parse(finished.out);
  ASSERT_EQ(answer["sets"].size(), 10U);
  EXPECT_EQ(answer["sets"][4]["rules"], "chess960");
  for (const json& set : answer["sets"]) {
    EXPECT_EQ(set["games"], 4);
    EXPECT_EQ(set["table"], "default");
    EXPECT_LE(set["points_white"]["low"], set["points_white"]["mean"]);
    EXPECT_LE(set["points_white"]["mean"], set["points_white"]["high"]);
  }
  EXPECT_EQ(balance(words).out, finished.out);  // the seed fixes all
  EXPECT_EQ(json::parse(read_file(out + "/balance.json")), answer);
  EXPECT_THAT(read_file(out + "/report.html"), HasSubstr("\"balance\":{\"study\":\"balance\""));
}

TEST(Balance, EachSetMayHaveItsOwnPlayer) {
  const TemporaryFolder folder;
  const Finished finished = balance(
      {"--rules", "chess_sharp,chess", "--player", std::string(kNetwork) + ":evals=2", "--player",
       "uniform:2", "--games", "2", "--sims", "1,2", "--json", "--out", folder / "study"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  const json sets = json::parse(finished.out)["sets"];
  ASSERT_EQ(sets.size(), 3U);  // the network with 1 and 2 simulations
  EXPECT_EQ(sets[1]["simulations"], 2);
  EXPECT_EQ(sets[2]["player"], "uniform:2");
  EXPECT_TRUE(sets[2]["simulations"].is_null());
}

TEST(Balance, TellsTheSimulationsThatThePlayersNameSets) {
  const TemporaryFolder folder;
  const Finished finished = balance({"--player", std::string(kNetwork) + ":sims=2,precision=fp32",
                                     "--games", "2", "--json", "--out", folder / "study"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  EXPECT_EQ(json::parse(finished.out)["sets"][0]["simulations"], 2);
}

TEST(Balance, WarnsWhereAllGamesOfASetBeginAlike) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& rules) {
    const Finished finished = balance({"--rules", rules, "--player", "greedy", "--games", "2",
                                       "--opening-plies", "0", "--out", folder / "study"});
    EXPECT_EQ(finished.code, 0) << finished.error;
    return finished.error;
  };
  EXPECT_THAT(error_of("chess"), HasSubstr("begin alike"));
  EXPECT_THAT(error_of("chess960"), Not(HasSubstr("begin alike")));
}

TEST(Balance, BadInputIsRefusedBeforeAnythingIsPlayed) {
  const TemporaryFolder folder;
  const std::string out = folder / "study";
  SideBySide checks;
  const auto refused = [&](std::vector<std::string> words, const std::string& what) {
    words.insert(words.end(), {"--out", out});
    checks.add([=] {
      const Finished finished = balance(words);
      EXPECT_EQ(finished.code, 2);
      EXPECT_THAT(finished.error, HasSubstr(what));
      EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
      EXPECT_FALSE(fs::exists(out));
    });
  };
  refused({"--rules", "chess_sharp,chess", "--net", kNetwork}, "expected one for chess (--rules)");
  refused({"--rules", "chess", "--net", kNetwork}, "expected one for chess (--rules)");
  refused({"--rules", "chess,chequers", "--player", "random"}, "'chequers'");
  refused({"--rules", "chess", "--player", "random", "--games", "3"}, "even number");
  refused({"--rules", "chess", "--player", "random", "--player", "greedy"}, "one for each");
  refused({"--player", "random", "--net", kNetwork}, "expected one of them");
  refused({"--player", "random", "--checkpoints", "2"}, "--checkpoints");
  refused({"--player", "random", "--seeds", "2"}, "--seeds");
  refused({"--player", "alphabeta:1", "--sims", "64"}, "--sims");
  refused({"--player", std::string(kNetwork) + ":sims=2", "--sims", "1,2"}, "sets sims");
  refused({"--table", "rook=many"}, "rook");
}

TEST(Ladder, RatesPlayersOfAnyRuleSet) {
  const std::vector<std::string> words{"ladder", "--player", "alphabeta:1", "--games", "2",
                                       "--sims", "2",        "--json",      "--rules"};
  const auto under = [&](const std::string& rules) {
    std::vector<std::string> all = words;
    all.push_back(rules);
    return run(all);
  };
  const Finished chess = under("chess");
  ASSERT_EQ(chess.code, 0) << chess.error;
  EXPECT_EQ(json::parse(chess.out).size(), 5U);
  EXPECT_NE(chess.out, under("chess_sharp").out);
  EXPECT_EQ(under("chequers").code, 2);
}

TEST(Stopped, BalanceAndLadderSaySoInJson) {
  for (const char* command : {"advantage", "ladder"}) {
    Running running({command, "--player", "alphabeta:3", "--games", "1000000", "--json"});
    ASSERT_TRUE(running.wait_until_caught(SIGTERM, std::chrono::seconds(60)));
    running.signal(SIGINT);
    const std::string answer = running.wait_line("{", std::chrono::seconds(60));
    EXPECT_EQ(answer, "{\"stopped\":true}") << command;
    EXPECT_EQ(running.wait(), 130) << command;
  }
}

}  // namespace
}  // namespace app
