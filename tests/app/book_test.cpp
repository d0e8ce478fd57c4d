#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/process.h"
#include "tests/book_rows.h"
#include "tests/temporary_folder.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

std::vector<std::string> book_words(const std::string& folder, std::vector<std::string> more) {
  more.insert(more.begin(), {"book", "--out", folder});
  return more;
}
// A book of one thread that takes a second.
Finished grow_book(const std::string& folder, int positions, int threads = 1) {
  return run(book_words(folder, {"--nodes", "400", "--positions", std::to_string(positions),
                                 "--threads", std::to_string(threads), "--json"}));
}

TEST(BookCommand, GrowsAndExportsWhatOthersRead) {
  const TemporaryFolder folder;
  const std::string book = folder / "book";
  ASSERT_EQ(grow_book(book, 30).code, 0);
  const Finished more = grow_book(book, 60, 2);
  ASSERT_EQ(more.code, 0) << more.error;
  const json answer = json::parse(more.out);
  EXPECT_EQ(answer["positions"], 60);
  EXPECT_LE(answer["low"], answer["value"]);
  EXPECT_LE(answer["value"], answer["high"]);
  const Finished exported =
      run(book_words(book, {"--html", folder / "b.html", "--pgn", folder / "b.pgn", "--epd",
                            folder / "b.epd", "--games", "4", "--game-nodes", "50"}));
  ASSERT_EQ(exported.code, 0) << exported.error;
  EXPECT_THAT(exported.out, HasSubstr("main line: "));
  EXPECT_THAT(exported.out, HasSubstr("temperature 0.3: White "));
  EXPECT_EQ(json::parse(grow_book(book, 60).out)["positions"], 60);  // nothing has changed
  const std::string epd = read_file(folder / "b.epd");
  EXPECT_EQ(std::ranges::count(epd, '\n'), 60);
  EXPECT_EQ(run({"inspect"}, epd).code, 0);
  EXPECT_THAT(read_file(folder / "b.pgn"), HasSubstr("[PointsWhite \""));
  EXPECT_THAT(read_file(folder / "b.html"), HasSubstr("Under best play of both sides"));
}

TEST(BookCommand, KilledTwentyTimesItIsTheBookOfOneThread) {
  const TemporaryFolder folder;
  const std::string whole = folder / "whole", killed = folder / "killed";
  ASSERT_EQ(grow_book(whole, 100).code, 0);
  for (int i = 0; i < 20; ++i) {
    Running growing(book_words(killed, {"--nodes", "400", "--positions", "100", "--threads", "1"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(15 * i));
    growing.signal(SIGKILL);
    growing.wait();
  }
  ASSERT_EQ(grow_book(killed, 100).code, 0);
  EXPECT_EQ(book_rows(killed), book_rows(whole));
}

TEST(BookCommand, StopsByCtrlCAndGoesOn) {
  const TemporaryFolder folder;
  Running growing(book_words(folder.path(), {"--nodes", "400", "--threads", "1"}));
  ASSERT_TRUE(growing.wait_until_caught(SIGINT, 60s));
  std::this_thread::sleep_for(500ms);
  growing.signal(SIGINT);
  EXPECT_EQ(growing.wait(), 130);
  EXPECT_EQ(run(book_words(folder.path(), {"--html", folder / "b.html"})).code, 0);
}

TEST(BookCommand, RefusesBadInputInOneLine) {
  const TemporaryFolder folder;
  const std::string book = folder / "book";
  ASSERT_EQ(grow_book(book, 5).code, 0);
  SideBySide checks;
  const auto refused = [&](std::vector<std::string> words, const std::string& what) {
    checks.add([=] {
      const Finished finished = run(words);
      EXPECT_EQ(finished.code, 2) << what;
      EXPECT_THAT(finished.error, HasSubstr(what));
      EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
    });
  };
  refused(book_words(folder / "r", {"--rules", "raindrop"}), "expected a game without chance");
  refused(book_words(folder / "r", {"--rules", "chess"}), "expected one for chess");
  refused(book_words(folder / "r", {"--hours", "soon"}), "expected hours");
  refused(book_words(folder / "r", {"--net", "/nonexistent"}), "/nonexistent");
  refused(book_words(folder / "r", {"--html", folder / "x.html"}), "expected a book");
  refused(book_words(folder / "r", {"--fen", "8/8/8/8/8/8/8/K6k[] w - - 100 80"}), "over there");
  refused(book_words(book, {"--nodes", "500", "--positions", "9"}),
          "a book of nodes 400, expected");
  refused(book_words(book, {"--nodes", "400", "--table", "stalemate=2.2"}), "a book of table");
  refused({"serve", "--book", folder / "none"}, "expected the folder of a book");
  refused(
      {"match", "--a", "greedy", "--b", "random", "--openings", "book:" + book, "--rules", "chess"},
      "a book of chess_sharp, expected one of chess");
  refused({"match", "--a", "greedy", "--b", "random", "--openings", "book:" + book + ",within=x"},
          "expected within=POINTS");
}

TEST(BookCommand, MatchesBeginAtItsEndsAndTheEnginePlaysIt) {
  const TemporaryFolder folder;
  const std::string book = folder / "book";
  ASSERT_EQ(grow_book(book, 60).code, 0);
  const Finished match =
      run({"match", "--a", "greedy", "--b", "random", "--games", "8", "--openings",
           "book:" + book + ",within=0.5", "--pgn", folder / "m.pgn"});
  ASSERT_EQ(match.code, 0) << match.error;
  EXPECT_THAT(read_file(folder / "m.pgn"), HasSubstr("[OpeningPlies \""));
  Conversation engine;
  engine.say("setoption name Book value " + book);
  engine.say("setoption name OwnBook value true");
  engine.say("position startpos");
  engine.say("go nodes 10");
  EXPECT_THAT(engine.wait("info string book:"), HasSubstr("White "));
  const std::string best = engine.wait("bestmove");
  EXPECT_GT(best.size(), 9U);
  engine.say("go nodes 10 searchmoves K@e1");  // not a question for the book
  EXPECT_EQ(engine.wait("bestmove").substr(0, 13), "bestmove K@e1");
  engine.say("setoption name OwnBook value false");
  engine.say("go nodes 10");
  EXPECT_THAT(engine.wait("info depth"), HasSubstr("nodes"));
  EXPECT_EQ(engine.end(), 0);
}

}  // namespace
}  // namespace app
