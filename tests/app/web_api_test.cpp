#include "app/web/web_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "app/play/backend.h"
#include "mcts/evaluator.h"
#include "tests/app/process.h"

namespace app {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

Backend guesses(const Opponent&) {
  return {tree_engine([] { return std::make_unique<mcts::HashEvaluator>(3); }, 1), "a test"};
}

class WebApiTest : public ::testing::Test {
 protected:
  WebReply post(const std::string& path, const std::string& body = "") {
    return api_.handle("POST", path, body);
  }
  WebReply get(const std::string& path) { return api_.handle("GET", path, ""); }
  std::string new_game(const std::string& body = R"({"level": 1})") {
    const WebReply reply = post("/games", body);
    EXPECT_EQ(reply.status, 201) << reply.json;
    return "/games/" + reply.json.value("id", "");
  }
  // The first `most` reports of a stream, and "end" where that comes before.
  std::vector<ordered_json> listen(const std::string& path, const WebParameters& parameters,
                                   std::size_t most) {
    std::vector<ordered_json> events;
    const auto opened = api_.open_stream(path, parameters);
    if (const auto* refused = std::get_if<WebReply>(&opened)) return {refused->json};
    std::get<WebStream>(opened)([&](std::string_view name, const ordered_json& data) {
      if (!data.is_null()) events.push_back(name == "end" ? ordered_json("end") : data);
      return events.size() < most;
    });
    return events;
  }

  WebSettings settings_ = [] {
    WebSettings settings;
    settings.most_games = 3;
    settings.runs = "no runs";  // whatever lies where the test is started
    return settings;
  }();
  WebApi api_{settings_, guesses, {.threads = 1, .hash_mib = 16}};
};

TEST_F(WebApiTest, ShowsABookWhereThereIsOne) {
  EXPECT_EQ(get("/book").json, ordered_json({{"book", nullptr}}));
  EXPECT_EQ(get("/book/0").status, 404);
  const TemporaryFolder folder;
  ASSERT_EQ(run({"book", "--out", folder.path(), "--nodes", "200", "--positions", "40"}).code, 0);
  WebSettings with_book = settings_;
  with_book.book = folder.path();
  WebApi api(with_book, guesses, {.threads = 1, .hash_mib = 16});
  const ordered_json about = api.handle("GET", "/book", "").json["book"];
  EXPECT_EQ(about["positions"], 40);
  const ordered_json nodes = api.handle("GET", "/book/0", "").json;
  EXPECT_EQ(nodes["0"]["value"], about["value"]);
  double shares = nodes["0"]["others"]["share"];
  double lost = 0;
  for (const ordered_json& move : nodes["0"]["moves"]) {
    EXPECT_GE(move["lost"], lost) << "the best come first";
    lost = move["lost"];
    shares += move["share"].get<double>();
    EXPECT_EQ(nodes[std::to_string(move["to"].get<int>())]["value"], move["value"]);
  }
  EXPECT_NEAR(shares, 1, 0.02);
  EXPECT_EQ(api.handle("GET", "/book/40", "").status, 400);
  EXPECT_EQ(api.handle("POST", "/book", "").status, 405);
}

TEST_F(WebApiTest, TellsWhatCanBePlayed) {
  const ordered_json about = get("/about").json;
  EXPECT_EQ(about["rule_sets"].size(), rules::kRuleSets.size());
  EXPECT_EQ(about["rule_sets_with_options"],
            (ordered_json{"chess_sharp", "chess_double_sharp", "chess_flat", "chess_double_flat",
                          "chess_triple_flat"}));
  EXPECT_EQ(about["levels"].size(), kTreeLevels.all.size());
  EXPECT_EQ(about["elos"].size(), kTreeLevels.all.size());
  EXPECT_EQ(about["table"]["points_white"][3], 4);
}

TEST_F(WebApiTest, PlaysMovesAndTakesThemBack) {
  const std::string game = new_game();
  ordered_json state = post(game + "/move", R"({"move": "K@e1"})").json;
  EXPECT_TRUE(state["engines_turn"].get<bool>());
  state = post(game + "/answer").json;
  ASSERT_EQ(state["plies"].size(), 2U);
  EXPECT_EQ(state["plies"][0]["san"], "K@e1");
  EXPECT_EQ(state["plies"][1]["fen"], state["fen"]);
  EXPECT_FALSE(state["engines_turn"].get<bool>());
  EXPECT_EQ(state["evaluation"]["outcomes"].size(), 7U);
  EXPECT_THAT(get(game + "/pgn").json["pgn"].get<std::string>(), HasSubstr("1. K@e1"));
  EXPECT_EQ(post(game + "/undo").json["plies"].size(), 0U);
}

TEST_F(WebApiTest, AMoveFromAnEarlierPositionDropsWhatCameAfterIt) {
  const std::string game = new_game(R"({"side": "none", "moves": "K@e1 K@e8 e2e3"})");
  EXPECT_THAT(get(game + "/positions/1").json["fen"].get<std::string>(), HasSubstr(" b "));
  const ordered_json state = post(game + "/move", R"({"move": "K@d8", "ply": 1})").json;
  ASSERT_EQ(state["plies"].size(), 2U);
  EXPECT_EQ(state["plies"][1]["uci"], "K@d8");
}

TEST_F(WebApiTest, ResignsAndPlaysUnderATableOfItsOwn) {
  const std::string game = new_game(R"({"side": "b", "table": "stalemate=2.5"})");
  EXPECT_EQ(get(game).json["table"]["points_white"][1], 2.5);
  const ordered_json state = post(game + "/resign").json;
  EXPECT_EQ(state["outcome"], "white_wins");
  EXPECT_TRUE(state["moves"].empty());
  EXPECT_EQ(post(game + "/answer").status, 409);
  EXPECT_EQ(post(game + "/resign").status, 409);
}

TEST_F(WebApiTest, LoadsPgnAndOtherRuleSets) {
  const std::string first = new_game(R"({"side": "none", "moves": "K@e1 K@e8"})");
  const ordered_json pgn = get(first + "/pgn").json;
  const std::string second = new_game(ordered_json{{"pgn", pgn["pgn"]}}.dump());
  EXPECT_EQ(get(second).json["fen"], get(first).json["fen"]);
  EXPECT_EQ(get(new_game(R"({"rules": "chess_plus"})")).json["rules"], "chess_plus");
}

// An end that the players may claim is the game's, but of one that was loaded there or beyond.
TEST_F(WebApiTest, ALoadedGameGoesOnWhereNobodyHasClaimedItsEnd) {
  const std::string repeated = "g1f3 b8c6 f3g1 c6b8 g1f3 b8c6 f3g1 c6b8";
  const ordered_json asked{{"rules", "chess"}, {"side", "b"}, {"moves", repeated}, {"level", 1}};
  const std::string game = new_game(asked.dump());
  EXPECT_EQ(get(game).json["outcome"], "ongoing");
  EXPECT_TRUE(get(game).json["engines_turn"].get<bool>());
  EXPECT_EQ(post(game + "/answer").json["plies"].size(), 9U);
  const ordered_json clock{{"rules", "chess"}, {"fen", "8/8/4k3/8/8/3K4/8/R7 w - - 100 90"}};
  EXPECT_GT(get(new_game(clock.dump())).json["moves"].size(), 10U);
}

TEST_F(WebApiTest, GivesPgnForTheApp) {
  const std::string first = new_game(R"({"side": "none", "moves": "K@e1 K@e8"})");
  const ordered_json for_app = get(first + "/pgn/app").json;
  EXPECT_THAT(for_app["pgn"].get<std::string>(), HasSubstr("[Variant \"Chess♯\"]"));
  const std::string second = new_game(ordered_json{{"pgn", for_app["pgn"]}}.dump());
  EXPECT_EQ(get(second).json["fen"], get(first).json["fen"]);
  const std::string chess = new_game(R"({"rules": "chess"})");
  EXPECT_EQ(get(chess + "/pgn/app").status, 400);
}

TEST_F(WebApiTest, OneGameTooManyIsToldSo) {
  const std::string first = new_game();
  new_game();
  new_game();
  const WebReply refused = post("/games");
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.json["error"].get<std::string>(), HasSubstr("3 games are under way"));
  const std::string other = new_game(R"({"instead": ")" + first.substr(7) + R"("})");
  EXPECT_EQ(get(first).status, 404);
  EXPECT_EQ(api_.handle("DELETE", other, "").status, 200);
  EXPECT_EQ(post("/games").status, 201);
  EXPECT_EQ(get(other).status, 404);
}

TEST_F(WebApiTest, WhatIsWrongIsRefusedInOneLine) {
  const std::string game = new_game();
  const std::string deep(100, '[');
  const struct {
    std::string method, path, body;
    int status;
  } cases[] = {
      {"GET", "/", "", 404},
      {"GET", "/games", "", 404},
      {"GET", "/games/../../etc/passwd", "", 404},
      {"POST", "/games", "{", 400},
      {"POST", "/games", "[]", 400},
      {"POST", "/games", "{\"a\":" + deep, 400},
      {"POST", "/games", R"({"rules": "checkers"})", 400},
      {"POST", "/games", R"({"rules": 3})", 400},
      {"POST", "/games", R"({"side": "x"})", 400},
      {"POST", "/games", R"({"level": 7})", 400},
      {"POST", "/games", R"({"level": 1.5})", 400},
      {"POST", "/games", R"({"move_ms": 1e9})", 400},
      {"POST", "/games", R"({"table": "/etc/passwd"})", 400},
      {"POST", "/games", R"({"table": "impasse_equal=11"})", 400},
      {"POST", "/games", R"({"fen": "8/8 w"})", 400},
      {"POST", "/games", R"({"moves": "e2e9"})", 400},
      {"POST", "/games", R"({"pgn": "1. e9"})", 400},
      {"POST", game + "/move", R"({"move": "e4"})", 400},
      {"POST", game + "/move", R"({"move": "K@e1", "ply": 1})", 400},
      {"POST", game + "/move", "", 400},
      {"POST", game + "/dance", "", 404},
      {"POST", game + "/undo", "", 400},
      {"PUT", game, "", 405},
      {"GET", game + "/positions/1", "", 400},
      {"GET", game + "/positions/x", "", 400},
  };
  for (const auto& [method, path, body, status] : cases) {
    const WebReply reply = api_.handle(method, path, body);
    EXPECT_EQ(reply.status, status) << method << " " << path << " " << body << reply.json;
    const auto error = reply.json.value("error", "");
    EXPECT_FALSE(error.empty()) << path;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST_F(WebApiTest, AnalysisReportsLinesUnderTheTableAtHand) {
  const std::string game = new_game(R"({"side": "none", "moves": "K@e1 K@e8"})");
  const auto reports = listen(game + "/analysis", {{"lines", "2"}}, 3);
  ASSERT_EQ(reports.size(), 3U);
  const ordered_json& report = reports.back();
  ASSERT_EQ(report["lines"].size(), 2U);
  EXPECT_EQ(report["lines"][0]["moves"].size() > 0, true);
  EXPECT_EQ(report["outcomes"].size(), 7U);
  // Where all graded outcomes pay ten, White expects all but what Black's wins take.
  const auto other = listen(game + "/analysis",
                            {{"table",
                              "white_stalemated=10,impasse_black_more=10,impasse_equal=10,"
                              "impasse_white_more=10,black_stalemated=10"}},
                            1);
  const double lost = other[0]["outcomes"][0];
  EXPECT_NEAR(other[0]["points_white"].get<double>(), 10 * (1 - lost), 0.02);
  EXPECT_THAT(listen(game + "/analysis", {{"lines", "0"}}, 1)[0].value("error", ""),
              HasSubstr("lines '0'"));
  EXPECT_THAT(listen(game + "/analysis", {{"table", "x=1"}}, 1)[0].value("error", ""),
              HasSubstr("x"));
}

TEST_F(WebApiTest, TheCurveHasEveryPosition) {
  const std::string game = new_game(R"({"side": "none", "moves": "K@e1 K@e8 e2e3"})");
  const auto points = listen(game + "/curve", {}, 100);
  ASSERT_EQ(points.size(), 5U);
  for (std::size_t ply = 0; ply < 4; ++ply) EXPECT_EQ(points[ply]["ply"], ply);
  EXPECT_EQ(points.back(), "end");
}

TEST_F(WebApiTest, ASecondStreamOfAGameEndsTheFirstAndAStopAll) {
  const std::string game = new_game(R"({"side": "none"})");
  ordered_json last;
  std::jthread first([&] { last = listen(game + "/analysis", {}, 100000).back(); });
  std::this_thread::sleep_for(300ms);
  listen(game + "/analysis", {}, 1);
  first.join();
  EXPECT_EQ(last, "end");
  api_.stop();
  EXPECT_EQ(listen(game + "/analysis", {}, 100000), std::vector<ordered_json>{"end"});
}

TEST_F(WebApiTest, AnAnalysisMakesRoomForAnswers) {
  const std::string analysed = new_game(R"({"side": "none"})");
  const std::string played = new_game(R"({"side": "b", "level": 1})");
  std::jthread other([&] { listen(analysed + "/analysis", {}, 100000); });
  std::this_thread::sleep_for(300ms);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(post(played + "/answer").status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 20s);
  api_.stop();
}

// The time that is asked for is shared by those who wait.
TEST(EngineQueue, ManyAnswersAtOnceKeepTheirTime) {
  const WebSettings settings;
  WebApi api(settings, guesses, {.threads = 1, .hash_mib = 16});
  std::vector<std::string> games;
  for (std::size_t i = 0; i < settings.most_games; ++i) {
    const WebReply made = api.handle("POST", "/games", R"({"side": "b", "move_ms": 4000})");
    ASSERT_EQ(made.status, 201);
    games.push_back("/games/" + made.json.value("id", ""));
  }
  EXPECT_EQ(api.handle("POST", "/games", "").status, 503);
  const auto began = std::chrono::steady_clock::now();
  std::vector<std::chrono::duration<double>> took(games.size());
  {
    std::vector<std::jthread> visitors;
    for (std::size_t i = 0; i < games.size(); ++i) {
      visitors.emplace_back([&, i] {
        EXPECT_EQ(api.handle("POST", games[i] + "/answer", "").status, 200);
        took[i] = std::chrono::steady_clock::now() - began;
      });
    }
  }
  // Twenty whole times would be 80 s; the cores of a test may be busy.
  EXPECT_LT(std::ranges::max(took).count(), 12);
}

TEST_F(WebApiTest, AgreesToAnImpasseThatItExpects) {
  // An impasse in two plies, whatever is played; then one far from it, and one by hand.
  const std::string over = new_game(R"({"level": 1, "fen": "8/8/8/4k3/8/8/8/K7[] w - - 98 90"})");
  const ordered_json agreed = post(over + "/fast_fifty").json;
  EXPECT_TRUE(agreed["accepted"].get<bool>()) << agreed;
  EXPECT_EQ(agreed["outcome"], "impasse_equal");
  EXPECT_TRUE(agreed["fast_fifty"].get<bool>());
  EXPECT_EQ(agreed["points_white"], 4);
  EXPECT_THAT(get(over + "/pgn").json["pgn"].get<std::string>(),
              HasSubstr("[Termination \"impasse_equal by fast_fifty\"]"));
  EXPECT_EQ(post(over + "/fast_fifty").status, 409);
  EXPECT_EQ(post(over + "/undo").json["outcome"], "ongoing");

  const std::string lost =
      new_game(R"({"level": 1, "fen": "8/8/8/4k3/8/8/1q6/K7[] b - - 0 90", "side": "b"})");
  const ordered_json declined = post(lost + "/fast_fifty").json;  // White's king can be taken
  EXPECT_FALSE(declined["accepted"].get<bool>());
  EXPECT_EQ(declined["outcome"], "ongoing");

  api_.handle("DELETE", over, "");
  const std::string by_hand = new_game(R"({"side": "none"})");
  EXPECT_TRUE(post(by_hand + "/fast_fifty").json["accepted"].get<bool>());
  api_.handle("DELETE", by_hand, "");
  const std::string engines = new_game(R"({"side": "b"})");
  EXPECT_EQ(post(engines + "/fast_fifty").status, 409);
}

TEST_F(WebApiTest, PlaysANetworkThatIsListed) {
  const ordered_json networks = get("/about").json["networks"];
  ASSERT_EQ(networks.size(), 2U);  // those that come along, the stronger first
  EXPECT_EQ(networks[0]["unit"], "nodes");
  EXPECT_GT(networks[0]["elo"], 1000);
  EXPECT_EQ(networks[1]["unit"], "simulations");
  const std::string name = networks[1]["name"];
  const std::string game = new_game(ordered_json{{"network", name}}.dump());
  EXPECT_EQ(get(game).json["network"], name);
  EXPECT_EQ(get(new_game()).json["network"], "");
  EXPECT_EQ(post("/games", R"({"network": "../x"})").status, 400);
}

}  // namespace
}  // namespace app
