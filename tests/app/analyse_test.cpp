// Lines of JSON in, lines of JSON out, in one process: what is asked for, what is refused, in which
// order it comes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/protocols/analysis.h"
#include "engine/alphabeta_engine.h"
#include "mcts/evaluator.h"
#include "tests/app/process.h"
#include "tests/tactics/random_nnue.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

AnalysisSettings small(int threads, std::uint64_t nodes = 50) {
  AnalysisSettings settings;
  settings.threads = threads;
  settings.hash_mib = 8;
  settings.defaults.limits.nodes = nodes;
  return settings;
}

// What is answered to these lines, in the order in which it is.
std::vector<json> answers_to(const std::string& input,
                             const AnalysisSettings& settings = small(2)) {
  std::istringstream in(input);
  std::ostringstream out;
  Analysis(
      settings,
      [](const Opponent&) {
        return Backend{tree_engine([] { return std::make_unique<mcts::HashEvaluator>(3); }, 1),
                       "guesses"};
      },
      in, out)
      .run();
  std::vector<json> all;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
  return all;
}

std::vector<std::string> ids_of(const std::vector<json>& answers) {
  std::vector<std::string> ids;
  for (const json& each : answers) ids.push_back(each.value("id", ""));
  return ids;
}

TEST(Analyse, AnswersEveryPositionOfAGame) {
  const auto all =
      answers_to(R"({"id":"game","moves":"K@e1 K@e8 e3 e7e6","plies":"all","lines":2,"nodes":60})");
  ASSERT_EQ(all.size(), 5U);
  std::set<int> plies;
  for (const json& each : all) {
    SCOPED_TRACE(each.dump());
    plies.insert(each["ply"].get<int>());
    EXPECT_EQ(each["id"], "game");
    EXPECT_EQ(each["partial"], false);
    EXPECT_EQ(each["outcome"], "ongoing");
    EXPECT_EQ(each["ended"], "nodes");
    EXPECT_EQ(each["nodes"], 60);
    EXPECT_EQ(each["side_to_move"], each["ply"].get<int>() % 2 == 0 ? "w" : "b");
    EXPECT_THAT(each["fen"].get<std::string>(),
                HasSubstr(each["side_to_move"] == "w" ? " w " : " b "));
    const auto outcomes = each["outcomes"].get<std::vector<double>>();
    EXPECT_NEAR(std::accumulate(outcomes.begin(), outcomes.end(), 0.0), 1, 1e-4);
    ASSERT_EQ(each["lines"].size(), 2U);
    const json& best = each["lines"][0];
    EXPECT_EQ(best["points_white"], each["points_white"]);
    EXPECT_EQ(best["move"], best["moves"][0]);
    EXPECT_GT(best["visits"], 0);
    EXPECT_FALSE(best["san"].get<std::string>().empty());
  }
  EXPECT_EQ(plies, (std::set<int>{0, 1, 2, 3, 4}));
}

TEST(Analyse, APositionIsAFenWithMovesOrAGame) {
  const std::string fen = R"("fen":"8/8/8/3kK3/8/8/4P3/8[] w - - 3 40")";
  const auto all = answers_to("\n{\"id\":\"a\"," + fen + "}\n{\"id\":\"b\"," + fen +
                                  R"(,"moves":["e2e3","Kd6"]}
{"id":"c","pgn":"[Variant \"Chess#\"]\n\n1. K@e1 K@e8 2. e3 *","plies":[2]}
{"id":"d","pgn":"1. e4 e5 *","rules":"chess"}
)",
                              small(1));
  ASSERT_THAT(ids_of(all), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(all[0]["fen"], "8/8/8/3kK3/8/8/4P3/8[] w - - 3 40");
  EXPECT_EQ(all[1]["fen"], "8/8/3k4/4K3/8/4P3/8/8[] w - - 1 41");
  EXPECT_EQ(all[1]["ply"], 2);
  EXPECT_THAT(all[2]["fen"].get<std::string>(), HasSubstr("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3"));
  EXPECT_EQ(all[3]["fen"], "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
}

TEST(Analyse, AFinishedGameHasItsOutcome) {
  const auto all = answers_to(
      R"({"id":"a","fen":"8/8/8/3kK3/8/8/8/8[] w - - 3 40","moves":"e5d5","plies":"all"}
{"id":"b","fen":"k7/8/8/8/8/8/8/K7[] w - - 100 90","table":"impasse_equal=4.5"})",
      small(1));
  ASSERT_THAT(ids_of(all), ElementsAre("a", "a", "b"));
  EXPECT_EQ(all[0]["ended"], "proven");
  EXPECT_EQ(all[0]["points_white"], 10);
  EXPECT_EQ(all[1]["outcome"], "white_wins");
  EXPECT_EQ(all[1]["ended"], "rules");
  EXPECT_EQ(all[1]["points_white"], 10);
  EXPECT_EQ(all[1]["outcomes"], json({0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}));
  EXPECT_EQ(all[2]["outcome"], "impasse_equal");
  EXPECT_EQ(all[2]["points_white"], 4.5);
}

TEST(Analyse, SearchesTheMovesThatAreLeft) {
  const auto all = answers_to(R"({"id":"a","moves":"","allowed":"K@e1 R@d1","lines":9}
{"id":"b","moves":"","allowed":["K@e1","R@d1"],"avoid":"K@e1","lines":9}
{"id":"c","fen":"8/8/8/3kK3/8/8/8/8[] w - - 3 40","avoid":"Kxd5","lines":9})",
                              small(1));
  ASSERT_THAT(ids_of(all), ElementsAre("a", "b", "c"));
  ASSERT_EQ(all[0]["lines"].size(), 2U);
  ASSERT_EQ(all[1]["lines"].size(), 1U);
  EXPECT_EQ(all[1]["lines"][0]["move"], "R@d1");
  EXPECT_EQ(all[2]["lines"].size(), 7U);
  for (const json& line : all[2]["lines"]) EXPECT_NE(line["move"], "e5d5");
}

TEST(Analyse, EachLimitEndsASearch) {
  const auto all = answers_to(R"({"id":"depth","moves":"","depth":2,"nodes":null}
{"id":"time","moves":"","seconds":0.1,"nodes":null}
{"id":"default","moves":""})",
                              small(1, 3000));
  ASSERT_THAT(ids_of(all), ElementsAre("depth", "time", "default"));
  EXPECT_EQ(all[0]["ended"], "depth");
  EXPECT_EQ(all[1]["ended"], "seconds");
  EXPECT_GE(all[1]["seconds"], 0.09);
  EXPECT_EQ(all[2]["nodes"], 3000);
  EXPECT_THAT(answers_to(R"({"id":"a","moves":""})", small(1, 0))[0]["error"].get<std::string>(),
              HasSubstr("nodes: expected a limit"));
}

TEST(Analyse, TheGreatestPriorityComesFirst) {
  const auto all = answers_to(R"({"id":"first","moves":"","seconds":0.3,"nodes":null,"priority":9}
{"id":"low","moves":"","priority":-3}
{"id":"a","moves":""}
{"id":"b","moves":"K@e1","plies":"all"}
{"id":"high","moves":"","priority":7}
)",
                              small(1));
  EXPECT_THAT(ids_of(all), ElementsAre("first", "high", "a", "b", "b", "low"));
}

TEST(Analyse, ReportsWhileItSearches) {
  const auto all = answers_to(
      R"({"id":"a","moves":"","seconds":0.6,"nodes":null,"report_every":0.1})", small(1));
  ASSERT_GE(all.size(), 3U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i]["partial"], i + 1 < all.size());
    EXPECT_EQ(all[i].contains("ended"), i + 1 == all.size());
    EXPECT_FALSE(all[i]["lines"].empty());
    if (i > 0) {
      EXPECT_GT(all[i]["seconds"], all[i - 1]["seconds"]);
    }
  }
}

TEST(Analyse, TakesTwoRuleSetsAtOnce) {
  std::string input;
  for (int i = 0; i < 6; ++i) {
    const std::string rules = i % 2 == 0 ? "chess" : "raindrop";
    input += json{{"id", std::to_string(i)}, {"moves", ""}, {"rules", rules}}.dump() + "\n";
  }
  input += R"({"id":"6","moves":"draw","rules":"raindrop"})";
  const auto all = answers_to(input);
  ASSERT_EQ(all.size(), 7U);
  for (const json& each : all) {
    const std::string id = each["id"];
    EXPECT_EQ(each["nodes"], 50) << each;
    const std::string move = each["lines"][0]["move"];
    EXPECT_EQ(move.starts_with("?"), id == "6") << move;  // a card is being drawn
    const bool chess = each["fen"].get<std::string>().starts_with("rnbqkbnr/");
    EXPECT_EQ(chess, id == "0" || id == "2" || id == "4") << each;
  }
}

TEST(Analyse, AnAnswerDoesNotDependOnWhatCameBefore) {
  std::string input;
  for (int i = 0; i < 70; ++i)
    input += json{{"id", std::to_string(i)}, {"moves", ""}}.dump() + "\n";
  std::istringstream in(input);
  std::ostringstream out;
  Analysis(
      small(1, 2000),
      [weights = tactics::random_nnue(1)](const Opponent&) {
        return Backend{[weights](const EngineOptions& asked) {
                         return std::make_unique<engine::AlphaBetaEngine>(weights, asked);
                       },
                       "random", kAlphaBetaLevels};
      },
      in, out)
      .run();
  std::istringstream lines(out.str());
  std::set<std::string> different;
  for (std::string line; std::getline(lines, line);) {
    const json answer = json::parse(line);
    EXPECT_TRUE(answer["lines"][0]["visits"].is_null());
    different.insert(answer["nodes"].dump() + answer["outcomes"].dump() + answer["lines"].dump());
  }
  EXPECT_EQ(different.size(), 1U);
}

TEST(Analyse, ActsAtOnce) {
  const auto all = answers_to(R"({"id":"v","action":"version"}
{"id":"c","action":"clear"}
{"id":"t","action":"terminate","of":"nobody"})");
  ASSERT_THAT(ids_of(all), ElementsAre("v", "c", "t"));
  EXPECT_EQ(all[0]["network"], "guesses");
  EXPECT_EQ(all[0]["threads"], 2);
  EXPECT_FALSE(all[0]["version"].get<std::string>().empty());
  EXPECT_EQ(all[1]["action"], "clear");
  EXPECT_EQ(all[2]["terminated"], 0);
}

TEST(Analyse, AnIdIsFreeWhenItsLastPositionIsAnswered) {
  const auto all = answers_to(R"({"id":"a","moves":"","seconds":0.2,"nodes":null}
{"id":"a","moves":""}
)",
                              small(1));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["id"], "a");
  EXPECT_EQ(all[0]["field"], "id");
  EXPECT_EQ(all[0]["line"], 2);
  EXPECT_EQ(all[1]["ended"], "seconds");
}

struct Refused {
  const char* line;
  const char* field;     // "": the line
  const char* expected;  // in the message
};

const Refused kRefused[] = {
    {"{", "", "expected a JSON object"},
    {"hello", "", "expected a JSON object"},
    {"[1]", "", "expected a JSON object"},
    {"\"id\"", "", "expected a JSON object"},
    {R"({"id":"a","moves":""} x)", "", "expected a JSON object"},
    {R"({"id":"a","moves":"","nodes":1e999})", "", "expected a JSON object"},
    {"{\"id\":\"\xff\"}", "", "expected a JSON object"},
    {"{\"id\":\"a\",\"moves\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
     "", "expected a JSON object"},
    {R"({"moves":""})", "id", "expected a text"},
    {R"({"id":7,"moves":""})", "id", "expected text"},
    {R"({"id":null,"moves":""})", "id", "expected a text"},
    {R"({"id":"a"})", "fen", "expected fen, moves or pgn"},
    {R"({"id":"a","moves":"","node":5})", "node", "unknown field 'node' (nearest: nodes)"},
    {R"({"id":"a","fen":7})", "fen", "expected text"},
    {R"({"id":"a","fen":"8/8"})", "fen", "expected"},
    {R"({"id":"a","moves":"K@e1 K@e9"})", "moves", "moves: 2: move 'K@e9'"},
    {R"({"id":"a","moves":"e2e3"})", "moves", "expected a legal move"},
    {R"({"id":"a","moves":[1]})", "moves", "expected moves as text"},
    {R"({"id":"a","moves":{"a":1}})", "moves", "expected moves as text"},
    {R"({"id":"a","fen":"8/8/8/3kK3/8/8/8/8[] w - - 3 40","moves":"e5d5 K@e8"})", "moves",
     "the game is over"},
    {R"({"id":"a","pgn":"1. e9 *"})", "pgn", "game 1"},
    {R"({"id":"a","pgn":""})", "pgn", "expected one game"},
    {R"({"id":"a","pgn":"1. K@e1 *","moves":""})", "moves", "expected nothing beside pgn"},
    {R"({"id":"a","moves":"","rules":"checkers"})", "rules", "checkers"},
    {R"({"id":"a","moves":"","rules":["chess"]})", "rules", "expected text"},
    {R"({"id":"a","moves":"","table":"draw=5"})", "table", "draw"},
    {R"({"id":"a","moves":"","table":"no-such-file.toml"})", "table", "cannot read"},
    {R"({"id":"a","moves":"","plies":"every"})", "plies", "from 0 to 0"},
    {R"({"id":"a","moves":"","plies":[]})", "plies", "from 0 to 0"},
    {R"({"id":"a","moves":"K@e1","plies":[2]})", "plies", "from 0 to 1"},
    {R"({"id":"a","moves":"K@e1","plies":[-1]})", "plies", "from 0 to 1"},
    {R"({"id":"a","moves":"K@e1","plies":[0.5]})", "plies", "from 0 to 1"},
    {R"({"id":"a","moves":"K@e1","plies":[1,1]})", "plies", "different"},
    {R"({"id":"a","moves":"","nodes":0})", "nodes", "from 1 to 2147483647"},
    {R"({"id":"a","moves":"","nodes":"many"})", "nodes", "a whole number"},
    {R"({"id":"a","moves":"","nodes":1.5})", "nodes", "a whole number"},
    {R"({"id":"a","moves":"","nodes":18446744073709551615})", "nodes", "a whole number"},
    {R"({"id":"a","moves":"","nodes":null})", "nodes", "expected a limit"},
    {R"({"id":"a","moves":"","depth":-3})", "depth", "from 1 to 10000"},
    {R"({"id":"a","moves":"","seconds":0})", "seconds", "seconds, from 0.001"},
    {R"({"id":"a","moves":"","seconds":true})", "seconds", "seconds, from 0.001"},
    {R"({"id":"a","moves":"","lines":501})", "lines", "from 1 to 500"},
    {R"({"id":"a","moves":"","report_every":-1})", "report_every", "seconds, from 0.01"},
    {R"({"id":"a","moves":"","priority":18446744073709551615})", "priority", "a whole number"},
    {R"({"id":"a","moves":"","allowed":"e2e3"})", "allowed", "expected a legal move"},
    {R"({"id":"a","moves":"","allowed":[]})", "allowed", "at least one move"},
    {R"({"id":"a","moves":"","allowed":"K@e1","avoid":"K@e1"})", "avoid", "a move that is left"},
    {R"({"id":"a","moves":"draw","rules":"raindrop","avoid":"?N"})", "avoid", "a card"},
    {R"({"id":"a","action":"stop"})", "action", "terminate, clear or version"},
    {R"({"id":"a","action":"clear","of":"b"})", "of", "nothing"},
    {R"({"id":"a","action":"version","moves":""})", "moves", "unknown field"},
};

TEST(Analyse, WhatIsRefusedIsSaidInOneLineAndTheRestGoesOn) {
  std::string input;
  for (const Refused& each : kRefused) input += std::string(each.line) + "\n";
  input += R"({"id":"good","moves":""})";
  const auto all = answers_to(input, small(1));
  ASSERT_EQ(all.size(), std::size(kRefused) + 1);
  for (std::size_t i = 0; i < std::size(kRefused); ++i) {
    const Refused& refused = kRefused[i];
    SCOPED_TRACE(std::string(refused.line) + " " + all[i].dump());
    EXPECT_THAT(all[i]["error"].get<std::string>(), HasSubstr(refused.expected));
    EXPECT_EQ(all[i]["line"], i + 1);
    EXPECT_EQ(all[i]["field"], *refused.field == 0 ? json() : json(refused.field));
    const bool known = *refused.field != 0 && std::string(refused.field) != "id";
    EXPECT_EQ(all[i].value("id", "unknown"), known ? "a" : "unknown");
  }
  EXPECT_EQ(all.back()["id"], "good");
  EXPECT_EQ(all.back()["nodes"], 50);
}

TEST(Analyse, ALineThatIsCutIsRefused) {
  const auto all = answers_to("{\"id\":\"a\",\"moves\":\"\"}\n{\"id\":\"b\",\"mov", small(1));
  ASSERT_EQ(all.size(), 2U);
  const json& cut = all[all[0].contains("error") ? 0 : 1];
  EXPECT_THAT(cut["error"].get<std::string>(), HasSubstr("the input ends in this line"));
  EXPECT_EQ(cut["line"], 2);
}

TEST(Analyse, AWriterThatFailsEndsIt) {
  std::string input;
  for (int i = 0; i < 50; ++i) {
    input += json{{"id", std::to_string(i)}, {"moves", ""}, {"nodes", 2000000000}}.dump() + "\n";
  }
  std::istringstream in(input + R"({"id":"v","action":"version"})");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  Analysis analysis(
      small(2),
      [](const Opponent&) {
        return Backend{tree_engine([] { return std::make_unique<mcts::HashEvaluator>(3); }, 1), ""};
      },
      in, out);
  analysis.run();  // returns
  EXPECT_TRUE(analysis.output_lost());
}

// From outside: as a script or a GUI meets it.
class AnalyseSession : public ::testing::TestWithParam<const char*> {};

TEST_P(AnalyseSession, GoesAsTheScriptExpects) {
  if (run_program({"python3", "--version"}).code != 0) GTEST_SKIP() << "there is no python3";
  const Finished session = run_program(
      {"python3", SHARPZERO_SOURCE "/tests/app/analyse_session.py", SHARPZERO_PROGRAM, GetParam()});
  EXPECT_EQ(session.code, 0) << session.out << session.error;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, AnalyseSession,
                         ::testing::Values("equal", "terminate", "keep", "ids", "closed",
                                           "interrupt", "end"),
                         [](const auto& scenario) { return std::string(scenario.param); });

}  // namespace
}  // namespace app
