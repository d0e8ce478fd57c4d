// `match` and the games that commands write, as a user meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rules/history.h"
#include "rules/notation.h"
#include "rules/pgn.h"
#include "tests/app/process.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFairy = "/usr/games/fairy-stockfish";
const std::string kStartFen = rules::Position::start().to_fen();

Finished match(const std::string& a, const std::string& b, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"match", "--a", a, "--b", b, "--threads", "2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

// Every game of a PGN file, as our own import reads it; a game that was not given up must have the
// outcome that its moves come to.
std::vector<rules::PgnGame> games_in(const std::string& file, rules::RuleSet untagged = {}) {
  std::ifstream in(file);
  rules::PgnReader reader(in, untagged);
  std::vector<rules::PgnGame> games;
  while (auto game = reader.next()) {
    rules::Position position = game->start;
    for (const rules::Move move : game->moves) position.play(move);
    const rules::History past(game->start, game->moves);
    if (game->adjudication == rules::Adjudication::kNone) {
      EXPECT_EQ(position.outcome(game->table, past.occurrences(position)), game->outcome);
    }
    games.push_back(std::move(*game));
  }
  return games;
}

std::string tag(const rules::PgnGame& game, const std::string& key) {
  for (const auto& [name, value] : game.more_tags) {
    if (name == key) return value;
  }
  return "";
}

TEST(Match, PlaysOtherRuleSetsButNotWithANetworkForChessSharp) {
  const TemporaryFolder folder;
  const std::string file = folder / "games.pgn";
  const Finished finished = match(
      "alphabeta:1", "uniform:20",
      {"--games", "4", "--pgn", file, "--json", "--rules", "chess960", "--table", "stalemate=2"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  const json result = json::parse(finished.out);
  EXPECT_EQ(result["rules"], "chess960");
  EXPECT_EQ(result["table"], "stalemate=2");
  for (const auto& game : games_in(file)) EXPECT_EQ(game.rules, rules::kChess960);
  const std::string net = SHARPZERO_SOURCE "/networks/chess_sharp-5x64.safetensors";
  const Finished refused = match("random", net, {"--games", "2", "--rules", "chess"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.error, HasSubstr("expected one for chess (--rules)\n"));
}

TEST(Match, ItsClassicalGamesAreReadByPythonChess) {
  if (run_program({"python3", "-c", "import chess"}).code != 0) GTEST_SKIP() << "no python-chess";
  const TemporaryFolder folder;
  for (const std::string set : {"chess", "chess960"}) {
    const std::string file = folder / (set + ".pgn");
    const Finished played = match("alphabeta:1", "random",
                                  {"--games", "20", "--pgn", file, "--rules", set, "--seed", "3"});
    ASSERT_EQ(played.code, 0) << played.error;
    const Finished read = run_program({"python3", SHARPZERO_SOURCE "/tests/app/read_pgn.py", file});
    ASSERT_EQ(read.code, 0) << read.error;
    std::istringstream lines(read.out);
    for (const rules::PgnGame& game : games_in(file, rules::kChess)) {
      std::string line;
      ASSERT_TRUE(std::getline(lines, line)) << set;
      const json other = json::parse(line);
      rules::Position end = game.start;
      for (const rules::Move move : game.moves) end.play(move);
      EXPECT_TRUE(other["errors"].empty()) << set << " " << other["errors"].dump();
      EXPECT_EQ(other["plies"], game.moves.size()) << set;
      EXPECT_EQ(other["fen"], end.to_fen()) << set;
      if (other["checkmate"]) {
        EXPECT_EQ(other["result"], end.side_to_move() == rules::Color::kBlack ? "1-0" : "0-1");
      }
    }
  }
}

// The program as the engine, told the rule set by its own command line.
TEST(Match, KnowsItselfAsAnEngineOfOtherRuleSets) {
  const std::string engine = "uci:nodes=20:" SHARPZERO_PROGRAM " uci --threads 1 --rules ";
  for (const std::string set : {"chess960", "chess_plus"}) {
    const Finished finished =
        match(engine + set, "random", {"--games", "2", "--json", "--rules", set});
    ASSERT_EQ(finished.code, 0) << finished.error;
    EXPECT_EQ(json::parse(finished.out)["forfeits_a"], 0);
  }
  EXPECT_EQ(match(engine + "chess", "random", {"--games", "2", "--rules", "chess_plus"}).code, 2);
}

TEST(Match, WritesGamesWhoseOutcomesAddUpToItsResult) {
  const TemporaryFolder folder;
  const std::string file = folder / "games.pgn";
  const Finished finished = match(
      "alphabeta:1", "greedy",
      {"--games", "20", "--pgn", file, "--json", "--table", "impasse_equal=4.9,stalemate=2.5"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  const json result = json::parse(finished.out);
  std::map<std::string, int> as_white;
  double points = 0;
  const auto games = games_in(file);
  ASSERT_EQ(games.size(), 20U);
  for (const auto& game : games) {
    const bool a_is_white = game.white == "alphabeta:1";
    const double white = game.table.white_points(*game.outcome);
    points += (a_is_white ? white : 10 - white) / 20;
    if (a_is_white) ++as_white[std::string(rules::name(*game.outcome))];
    EXPECT_EQ(game.table.to_changes(), result["table"]);
    EXPECT_EQ(tag(game, "OpeningPlies"), "6");
  }
  EXPECT_NEAR(result["points"]["mean"].get<double>(), points, 1e-9);
  for (const auto& [outcome, count] : result["a_white"].items()) {
    EXPECT_EQ(count, as_white[outcome]) << outcome;
  }
}

TEST(Match, PlaysABookWithBothColours) {
  const TemporaryFolder folder;
  const std::string fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[QRRBBNNqrrbbnn] w - - 2 2";
  const std::string book =
      folder.write("book.txt", "# two openings\n" + kStartFen + " moves K@e1 K@e8\n" + fen + "\n");
  const std::string file = folder / "games.pgn";
  const Finished finished =
      match("greedy", "random", {"--games", "8", "--openings", book, "--pgn", file});
  ASSERT_EQ(finished.code, 0) << finished.error;
  EXPECT_THAT(finished.error, HasSubstr("2 openings for 4 pairs"));
  const auto games = games_in(file);
  ASSERT_EQ(games.size(), 8U);
  for (std::size_t i = 0; i < games.size(); ++i) {
    const bool from_fen = i / 2 % 2 == 1;
    EXPECT_EQ(games[i].start.to_fen(), from_fen ? fen : kStartFen);
    EXPECT_EQ(tag(games[i], "OpeningPlies"), from_fen ? "" : "2");
    EXPECT_EQ(games[i].white, i % 2 == 0 ? "greedy" : "random");
    if (!from_fen) {
      EXPECT_EQ(rules::to_uci(games[i].moves.at(1)), "K@e8");
    }
  }
}

TEST(Match, RefusesWhatItCannotPlayOrWrite) {
  const TemporaryFolder folder;
  const std::string book = folder.write("book.txt", kStartFen + " moves e2e5\n");
  const std::string file = folder / "games.pgn";
  {
    SideBySide checks;
    const auto refused = [&](const std::string& a, const std::string& b,
                             const std::vector<std::string>& more, int code,
                             const std::string& what) {
      checks.add([=] {
        const Finished finished = match(a, b, more);
        EXPECT_EQ(finished.code, code);
        EXPECT_THAT(finished.error, HasSubstr(what));
        EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
      });
    };
    refused("greedy", "random", {"--openings", folder / "none"}, 2, "none");
    refused("greedy", "random", {"--openings", book, "--pgn", file}, 2, "book.txt:1: ");
    refused("greedy", "nobody", {"--pgn", file}, 2, "nobody");
    refused("random", "random", {"--pgn", file, "--opening-plies", "1"}, 2, "error: ");
    refused("random", "random", {"--pgn", file, "--games", "3"}, 2, "3");
    refused("random", "greedy", {"--pgn", file, "--opening-plies", "0", "--sprt", "0,50"}, 2,
            "all games begin alike");
    refused("greedy", "uci:/no/such/engine", {"--pgn", file}, 3, "/no/such/engine");
    refused("greedy", "uci:/no/such/engine", {"--games", "2"}, 3, "/no/such/engine");
    refused("greedy", "random", {"--games", "2", "--pgn", "/nonexistent/g.pgn"}, 3,
            "/nonexistent/g.pgn");
  }
  EXPECT_FALSE(std::filesystem::exists(file));
}

// The network that comes along.
std::string network() {
  for (const auto& entry : std::filesystem::directory_iterator(SHARPZERO_SOURCE "/networks")) {
    if (entry.path().extension() == ".safetensors") return entry.path().string();
  }
  return "no network";
}

TEST(Match, WarnsWhereAllGamesBeginAlike) {
  const std::vector<std::string> how{"--games", "2", "--opening-plies", "0", "--rules"};
  const auto error_of = [&](const std::string& rules) {
    std::vector<std::string> more = how;
    more.push_back(rules);
    return match("greedy", "random", more).error;
  };
  EXPECT_THAT(error_of("chess"), HasSubstr("warning: --opening-plies 0"));
  EXPECT_THAT(error_of("chess960"), Not(HasSubstr("warning")));
}

TEST(Match, ANetworkPlaysInTheNumberFormatItIsTold) {
  const std::vector<std::string> how{"--games", "2", "--device", "cpu"};
  const Finished fine = match(network() + ":sims=2,precision=fp32", "random", how);
  EXPECT_EQ(fine.code, 0) << fine.error;
  const Finished bad = match(network() + ":precision=fp16", "random", how);
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.error, HasSubstr("precision fp16: expected on cpu one of auto fp32"));
}

TEST(Match, ASequentialTestAnswersByItsExitCode) {
  EXPECT_EQ(match("alphabeta:1", "random", {"--games", "400", "--sprt", "0,50"}).code, 0);
  const Finished no =
      match("random", "alphabeta:1", {"--games", "400", "--sprt", "0,50", "--json"});
  EXPECT_EQ(no.code, 1);
  EXPECT_EQ(json::parse(no.out)["sprt"]["verdict"], "h0");
  EXPECT_LT(json::parse(no.out)["games"], 400);
}

// The openings run out long after a hundred games.
TEST(Match, ASequentialTestHasNoLimitOfGamesAndSaysWhereItStands) {
  const Finished finished =
      match("random", "random", {"--sprt", "-1,1", "--opening-plies", "2", "--seed", "2"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_GT(std::stoi(finished.out), 200);
  EXPECT_THAT(finished.out, ContainsRegex("undecided, LLR -?[0-9.]+ \\[-2.94, 2.94\\]\n"));
  EXPECT_THAT(finished.error, ContainsRegex("LLR -?[0-9.]+ \\[-2.94, 2.94\\]\n"));
  EXPECT_THAT(finished.error, HasSubstr("warning: no further opening of 2 plies"));
}

// White's move ends the game: by stalemating Black, 8 points, or by an impasse, 7.
constexpr const char* kStalemateOrImpasse = "7k/8/6KP/8/8/8/8/8[] w - - 99 90";
constexpr const char* kImpassePays = "impasse_unequal=0.5";  // White 9.5

// What A scores where both have White once, in a match of one pair from there.
double points_from_there(const std::string& a, const std::string& b, const std::string& table) {
  const TemporaryFolder folder;
  const std::string book = folder.write("book.txt", kStalemateOrImpasse);
  const Finished finished =
      match(a, b, {"--games", "2", "--openings", book, "--table", table, "--json"});
  EXPECT_EQ(finished.code, 0) << finished.error;
  return json::parse(finished.out)["points"]["mean"];
}

// With White the one takes the impasse, the other gives a stalemate.
TEST(Match, APlayerThatIsToldTheTableBeatsOneThatIsNot) {
  const std::string net = network() + ":precision=fp32,", told = net + "sims=50";
  const std::string untold = net + "table=impasse_equal=3,stalemate=2,sims=50";
  EXPECT_NEAR(points_from_there(told, untold, kImpassePays), (9.5 + 10 - 8) / 2, 1e-9);
  EXPECT_NEAR(points_from_there(untold, told, kImpassePays), (8 + 10 - 9.5) / 2, 1e-9);
  // A belief does not change what is paid.
  const std::string misled = net + "sims=50,table=" + kImpassePays;
  EXPECT_NEAR(points_from_there(misled, told, "default"), (7 + 10 - 8) / 2.0, 1e-9);
}

TEST(Match, APlayerByTimeIsToldTheTableAndAnEngineItsOwn) {
  const std::string timed = network() + ":precision=fp32,movetime=50";
  const std::string untold = "uci:table=default:nodes=50:" SHARPZERO_PROGRAM " uci";
  EXPECT_NEAR(points_from_there(timed, untold, kImpassePays), (9.5 + 10 - 8) / 2, 1e-9);
}

TEST(Match, APlayersTableMayBeAFileAndIsNamedWhereItIsBad) {
  const TemporaryFolder folder;
  const std::string table = folder.write("t.toml", "impasse_unequal = 0.5\n");
  const double points =
      points_from_there(network() + ":precision=fp32,sims=50,table=" + table,
                        network() + ":precision=fp32,sims=50,table=default", kImpassePays);
  EXPECT_NEAR(points, (9.5 + 10 - 8) / 2, 1e-9);
  for (const std::string bad : {"impasse_even=5", "impasse_equal=5,smis=4", "none.toml"}) {
    const std::string name = network() + ":table=" + bad;
    const Finished refused = match(name, "random", {});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.error, HasSubstr("error: player '" + name + "': "));
    EXPECT_EQ(std::ranges::count(refused.error, '\n'), 1) << refused.error;
  }
}

TEST(Match, IsPlayedByOneProcessAtATime) {
  const TemporaryFolder folder;
  const std::string file = folder / "match.jsonl";
  const std::vector<std::string> how{"--games", "100000", "--resume", file};
  std::vector<std::string> words{"match", "--a", "random", "--b", "random"};
  words.insert(words.end(), how.begin(), how.end());
  Running first(words);
  while (read_file(file).find('\n') == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Finished second = match("random", "random", how);
  EXPECT_EQ(second.code, 3);
  EXPECT_EQ(second.error, "error: " + file + ": another process plays this match\n");
  first.signal(SIGKILL);
  first.wait();
  const Finished third = match("random", "random", {"--games", "2", "--resume", file});
  EXPECT_EQ(third.code, 0) << third.error;  // what died holds nothing
}

TEST(Match, GoesOnWhereItWasKilled) {
  const TemporaryFolder folder;
  const std::string file = folder / "match.jsonl";
  const auto play = [&](const std::vector<std::string>& more) {
    std::vector<std::string> how{"--json", "--resume", file};
    how.insert(how.end(), more.begin(), more.end());
    return match("alphabeta:1", "random", how);
  };
  const Finished whole = play({"--games", "20", "--seed", "3"});
  ASSERT_EQ(whole.code, 0) << whole.error;
  const std::string kept = read_file(file);
  EXPECT_EQ(std::ranges::count(kept, '\n'), 21);
  // Killed while it wrote a game.
  std::ofstream(file, std::ios::binary) << kept.substr(0, kept.size() / 2);
  const auto left = std::ranges::count(kept.substr(0, kept.size() / 2), '\n') - 1;
  const std::string pgn = folder / "games.pgn";
  const Finished resumed = play({"--games", "20", "--seed", "3", "--pgn", pgn});
  EXPECT_EQ(resumed.out, whole.out);
  EXPECT_THAT(resumed.error, HasSubstr("going on after " + std::to_string(left) + " games\n"));
  EXPECT_EQ(games_in(pgn).size(), 20U);
  EXPECT_EQ(std::ranges::count(read_file(file), '\n'), 21);
}

// Under Chess#'s own table White's win would pay less than a stalemate.
TEST(Match, AnEnginesTableIsReadUnderTheRulesOfTheMatch) {
  const TemporaryFolder folder;
  const std::string engine =
      "uci:table=white_wins=6:nodes=2:" SHARPZERO_PROGRAM " uci --threads 1 --rules chess";
  const Finished finished = match(
      engine, "random", {"--games", "2", "--rules", "chess", "--resume", folder / "match.jsonl"});
  EXPECT_EQ(finished.code, 0) << finished.error;
}

TEST(Match, GoesOnOnlyWithTheSettingsItBeganWith) {
  const TemporaryFolder folder;
  const std::string file = folder / "match.jsonl";
  const std::vector<std::string> how{"--games", "2", "--resume", file};
  const auto refused = [&](const std::string& a, std::vector<std::string> more,
                           const std::string& what) {
    const std::string before = read_file(file);
    more.insert(more.end(), how.begin(), how.end());
    const Finished finished = match(a, "random", more);
    EXPECT_EQ(finished.code, 2);
    EXPECT_THAT(finished.error, HasSubstr("match.jsonl:1: holds a match with " + what));
    EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
    EXPECT_EQ(read_file(file), before);
  };
  ASSERT_EQ(match("greedy", "random", how).code, 0);
  refused("random", {}, "a \"greedy\", expected \"random\"");
  refused("greedy", {"--seed", "2"}, "seed 1, expected 2");
  refused("greedy", {"--table", "stalemate=3"}, "table \"default\", expected \"stalemate=3\"");
  refused("greedy", {"--openings", folder.write("book.txt", kStartFen)},
          "openings \"6 random plies\"");
  const std::string damaged = folder.write("damaged.jsonl", read_file(file) + "{\"game\":9}\n");
  const std::string notes = folder.write("notes.txt", "not a match");
  for (const std::string& bad : {damaged, notes}) {
    const Finished finished = match("greedy", "random", {"--games", "2", "--resume", bad});
    EXPECT_EQ(finished.code, 2);
    EXPECT_THAT(finished.error, HasSubstr("expected a match that --resume has kept"));
  }
  EXPECT_EQ(read_file(notes), "not a match");
}

TEST(Match, AnEngineThatDoesNotStartAgainLeavesWhatWasPlayed) {
  const TemporaryFolder folder;
  const std::string script =
      folder.write("engine.sh", "mkdir " + folder / "started" +
                                    " || exit 1\nexec " SHARPZERO_FAKE_ENGINE " crash 3000\n");
  const Finished finished = run({"match", "--a", "uci:movetime=1:sh " + script, "--b", "random",
                                 "--games", "1000", "--threads", "1", "--json"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.error, HasSubstr("error: engine 'sh " + script + "': no uciok"));
  const json result = json::parse(finished.out);
  EXPECT_GT(result["games"], 0);
  EXPECT_EQ(result["stopped"], true);
}

TEST(Match, CtrlCCountsWhatIsFinished) {
  const TemporaryFolder folder;
  const std::string file = folder / "games.pgn";
  Running stopped({"match", "--a", "random", "--b", "random", "--games", "1000000", "--threads",
                   "1", "--opening-plies", "0", "--pgn", file, "--json"});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (read_file(file).empty() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  stopped.signal(SIGINT);
  const json result = json::parse(stopped.wait_text("\n}\n", std::chrono::seconds(60)));
  EXPECT_EQ(stopped.wait(), 130);
  EXPECT_EQ(result["stopped"], true);
  EXPECT_EQ(result["games"], games_in(file).size());
}

TEST(Match, FairyStockfishPlaysAndItsStandInsAreReported) {
  if (!std::filesystem::exists(kFairy)) GTEST_SKIP() << kFairy << " is not installed";
  const Finished finished =
      match(std::string("uci-fairy:nodes=30:") + kFairy, "alphabeta:1", {"--games", "8", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  const json result = json::parse(finished.out);
  EXPECT_EQ(result["games"], 8);
  EXPECT_EQ(result["forfeits_a"], 0);
  EXPECT_TRUE(result["stand_ins_a"]["no_move"].is_number_integer());
  EXPECT_TRUE(result["stand_ins_a"]["illegal"].is_number_integer());
  EXPECT_EQ(result["stand_ins_b"], (json{{"no_move", 0}, {"illegal", 0}}));
}

TEST(Match, OurOwnEngineIsAnOpponentLikeAnyOther) {
  const Finished finished =
      match("uci:nodes=10:" SHARPZERO_PROGRAM " uci --threads 1", "random", {"--games", "4"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  EXPECT_THAT(finished.out, HasSubstr("4 games: "));
  EXPECT_EQ(finished.out.find("time-out"), std::string::npos) << finished.out;
}

}  // namespace
}  // namespace app
