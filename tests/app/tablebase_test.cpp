// The command `tablebase`, and those that ask what it has solved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/process.h"
#include "tests/temporary_folder.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

// All endings of Chess# with up to three pieces.
const TemporaryFolder& endings() {
  static const TemporaryFolder folder;
  static const Finished built =
      run({"tablebase", "--men", "3", "--out", folder.path(), "--verify", "--json"});
  EXPECT_EQ(built.code, 0) << built.error;
  const json answer = json::parse(built.out);
  EXPECT_EQ(answer["men"], 3);
  EXPECT_EQ(answer["solved"].size(), 6U);
  EXPECT_EQ(answer["verified"], true);
  EXPECT_THAT(built.error, AllOf(HasSubstr("6 files, 6 of them to solve; about 0.5 MiB on disk"),
                                 HasSubstr("KPvK: 187488 positions verified")));
  return folder;
}

TEST(TablebaseCommand, SolvesOnlyWhatIsMissing) {
  const Finished again = run({"tablebase", "--men", "3", "--out", endings().path()});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.error, HasSubstr("6 files, 0 of them to solve"));
  EXPECT_THAT(again.out, EndsWith(": 6 endings with up to 3 pieces, 0.4 MiB\n"));
}

TEST(TablebaseCommand, SaysWhatAPositionIsWorth) {
  const auto ask = [](const std::string& fen, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"tablebase", "--out", endings().path(), "--fen", fen};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const std::string fen = "8/8/8/8/8/3k4/3P4/3K4[] w - - 0 1";
  EXPECT_THAT(
      ask(fen).out,
      AllOf(HasSubstr("exact: stalemate_black_stalemated in 5 plies, 8.00 points for White"),
            HasSubstr("\n  Ke2    black_wins in ")));
  EXPECT_EQ(json::parse(ask(fen, {"--json"}).out)["plies"], 5);
  const Finished unknown = ask("8/8/8/8/8/3k4/3PP3/3K4[] w - - 0 1");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("expected a position with at most 3 pieces"));
}

TEST(TablebaseCommand, CountsPositionsByOutcome) {
  const Finished counted =
      run({"tablebase", "--men", "3", "--out", endings().path(), "--count", "--json"});
  const json counts = json::parse(counted.out)["counts"];
  ASSERT_EQ(counts.size(), 6U);
  EXPECT_EQ(counts[5]["ending"], "KPvK");
  EXPECT_EQ(counts[5]["white_to_move"].size(), 7U);
  EXPECT_GT(counts[5]["white_to_move"][6], 100000);
}

TEST(TablebaseCommand, RefusesInOneLine) {
  const auto refused = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"tablebase", "--men", "3", "--out", endings().path()};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run(words);
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
    return finished.error;
  };
  EXPECT_THAT(refused({"--table", "stalemate=4"}), HasSubstr("rank otherwise: build it again"));
  EXPECT_THAT(refused({"--rules", "chess"}), HasSubstr("other rules than chess's"));
  EXPECT_THAT(refused({"--rules", "raindrop"}), HasSubstr("expected a set without cards"));
  EXPECT_EQ(run({"tablebase", "--men", "9", "--out", endings().path()}).code, 2);
}

TEST(TablebaseCommand, LetsInspectSayWhatAPositionIsWorth) {
  const Finished asked = run({"inspect", "--tablebase", endings().path()},
                             "8/8/8/8/8/3k4/3P4/3K4[] w - - 0 1\n"
                             "7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1\n"
                             "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1\n");
  EXPECT_EQ(asked.code, 0);
  std::istringstream lines(asked.out);
  std::string line;
  std::getline(lines, line);
  const json known = json::parse(line)["tablebase"];
  EXPECT_EQ(known["outcome"], "stalemate_black_stalemated");
  EXPECT_EQ(known["points_white"], 8);
  EXPECT_EQ(known["plies"], 5);
  EXPECT_EQ(known["moves"].size(), 4U);
  EXPECT_EQ(known["moves"][0]["outcome"], known["outcome"]);
  EXPECT_EQ(known["moves"][3]["san"], "Ke2");
  EXPECT_EQ(known["moves"][3]["points_white"], 0);
  for (int i = 0; i < 2; ++i) {  // over; not known
    std::getline(lines, line);
    EXPECT_TRUE(json::parse(line)["tablebase"].is_null()) << line;
  }
}

TEST(TablebaseCommand, LetsTheEngineAnswerExactly) {
  const std::string position = "position fen 8/8/8/8/8/3k4/3P4/3K4[] w - - 0 1\ngo depth 3\n";
  const std::string path = "setoption name TablebasePath value ";
  const std::string exact = "outcomes 0.0000 0.0000 0.0000 0.0000 0.0000 1.0000 0.0000";
  EXPECT_THAT(run({"uci", "--tablebase", endings().path()}, position).out,
              AllOf(HasSubstr(exact), HasSubstr(" tbhits 4 multipv 1 score cp 300 pv d1")));
  EXPECT_THAT(run({"uci"}, path + endings().path() + "\n" + position).out,
              AllOf(HasSubstr("all endings with up to 3 pieces"), HasSubstr(exact)));
  EXPECT_THAT(run({"uci"}, path + "nowhere\n").out,
              HasSubstr("info string error: tablebase 'nowhere': expected a folder"));
  EXPECT_THAT(run({"uci", "--tablebase", endings().path()},
                  "setoption name ScoringTable value stalemate=4\n")
                  .out,
              HasSubstr("info string TablebasePath: not asked under this ScoringTable"));
  EXPECT_EQ(run({"uci", "--tablebase", "nowhere"}).code, 2);
}

TEST(TablebaseCommand, AMatchThatAskedItDoesNotGoOnWithout) {
  const TemporaryFolder folder;
  const std::vector<std::string> match{"match", "--a",      "random",
                                       "--b",   "random",   "--games",
                                       "2",     "--resume", folder / "match.jsonl"};
  std::vector<std::string> asking = match;
  asking.insert(asking.end(), {"--tablebase", endings().path()});
  EXPECT_EQ(run(asking).code, 0);
  EXPECT_EQ(run(asking).code, 0);
  const Finished without = run(match);
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.error, HasSubstr("holds a match with tablebase 3, expected null"));
}

TEST(TablebaseCommand, NamesADamagedFile) {
  const TemporaryFolder folder;
  std::filesystem::copy(endings().path(), folder.path(), std::filesystem::copy_options::recursive);
  std::filesystem::resize_file(folder / "KRvK.sztb", 1000);
  for (const auto& words : {std::vector<std::string>{"inspect", "--tablebase", folder.path()},
                            {"tablebase", "--men", "3", "--out", folder.path()},
                            {"uci", "--tablebase", folder.path()}}) {
    const Finished asked = run(words);
    EXPECT_EQ(asked.code, 2);
    EXPECT_THAT(asked.error, HasSubstr("KRvK.sztb: is cut: 1000 bytes, expected"));
  }
}

}  // namespace
}  // namespace app
