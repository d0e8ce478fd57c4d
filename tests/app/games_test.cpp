// The command `games` on files of others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/process.h"
#include "tests/temporary_folder.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST(Games, ReadsTheGoodOnesAndNamesTheBad) {
  const TemporaryFolder folder;
  const std::string bad = "[Event \"2\"]\n[Result \"1-0\"]\n\n1. e4 e9 1-0\n\n";
  const std::string file = folder.write(
      "games.pgn", "[Event \"1\"]\n\n1. e4 e5 1-0\n\n" + bad + "[Event \"3\"]\n\n1. d4 d5 1-0\n");
  const auto read = [&](const std::string& pgn) {
    return run({"games", "--run", folder / "read", "--read", pgn, "--rules", "chess", "--json"});
  };
  const Finished some = read(file);
  EXPECT_EQ(some.code, 1);
  EXPECT_EQ(json::parse(some.out), (json{{"read", 2}, {"added", 2}, {"refused", 1}}));
  EXPECT_THAT(some.error, HasSubstr("games.pgn: game 2, line 8, column 7: move 'e9'"));
  EXPECT_EQ(std::ranges::count(some.error, '\n'), 1) << some.error;
  EXPECT_EQ(read(folder.write("bad.pgn", bad)).code, 2);
}

TEST(Games, WritesWhatTheAppReads) {
  const TemporaryFolder folder;
  const std::string games = SHARPZERO_SOURCE "/tests/data/app_games.pgn";
  const std::string mine = folder / "mine.pgn";
  ASSERT_EQ(run({"games", "--run", folder / "a", "--read", games}).code, 0);
  ASSERT_EQ(run({"games", "--run", folder / "a", "--pgn", mine, "--dialect", "app"}).code, 0);
  const Finished read = run({"games", "--run", folder / "b", "--read", mine, "--json"});
  EXPECT_EQ(json::parse(read.out)["read"], 22);
  const auto text = run({"games", "--run", folder / "b", "--pgn", "-", "--dialect", "app"}).out;
  EXPECT_THAT(text, HasSubstr("[Result \"3–7\"]\n[Variant \"Chess♯\"]\n\n"));
  EXPECT_EQ(run({"games", "--run", folder / "a", "--dialect", "app"}).code, 2);
}

}  // namespace
}  // namespace app
