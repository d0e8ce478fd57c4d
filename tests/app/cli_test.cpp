#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/process.h"
#include "tests/temporary_folder.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kStart = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";

std::vector<json> json_lines(const std::string& text) {
  std::vector<json> values;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) values.push_back(json::parse(line));
  return values;
}

// A refusal says one line on stderr and nothing on stdout.
void expect_refused(const Finished& finished, int code, const std::string& what) {
  EXPECT_EQ(finished.code, code);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.error, StartsWith("error: "));
  EXPECT_THAT(finished.error, HasSubstr(what));
  EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
}

// Refusals of which two may run at the same time.
struct Refusals {
  void add(const std::vector<std::string>& words, int code, const std::string& what) {
    checks.add([=] { expect_refused(run(words), code, what); });
  }
  SideBySide checks;
};

TEST(Perft, CountsTheStartToDepthFive) {
  const Finished finished = run({"perft", "--depth", "5"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.out, "21475692\n");
}

TEST(Perft, DivideAddsUp) {
  const Finished finished = run({"perft", "--depth", "3", "--divide", "--json"});
  const json answer = json::parse(finished.out);
  std::uint64_t sum = 0;
  for (const auto& [move, leaves] : answer["divide"].items()) sum += leaves.get<std::uint64_t>();
  EXPECT_EQ(answer["divide"].size(), 32U);  // four kinds of piece on eight squares
  EXPECT_EQ(answer["leaves"], sum);
  EXPECT_EQ(run({"perft", "--depth", "3"}).out, std::to_string(sum) + "\n");
}

TEST(Perft, EndsStopsGamesAtAnImpasse) {
  const std::vector<std::string> base{"perft", "--depth", "2", "--fen",
                                      "4k3/8/8/8/8/8/8/4K3[] w - - 99 60"};
  std::vector<std::string> ends = base;
  ends.push_back("--ends");
  EXPECT_EQ(run(base).out, "25\n");
  EXPECT_EQ(run(ends).out, "0\n");
}

TEST(Perft, RefusesBadInput) {
  expect_refused(run({"perft", "--depth", "-1"}), 2, "--depth");
  expect_refused(run({"perft"}), 2, "--depth");
  expect_refused(run({"perft", "--depth", "1", "--fen", "8/8"}), 2, "'8/8'");
  expect_refused(run({"perft", "--depth", "1", "--rules", "checkers"}), 2, "'checkers'");
}

// A game from a file is played, learned and known without the file.
TEST(Rules, AGameOfOnesOwnGoesThroughAllCommands) {
  const TemporaryFolder folder;
  const std::string file = folder / "own.toml", run_folder = folder / "run";
  std::ofstream(file) << "title = 'Two Rows'\n[placing]\nsquares = ['1', '2']\n[setup]\n"
                         "rows = ['8', '8', 'PPPPPPPP']\nreserve = 'KQRBN'\n[ends]\n"
                         "impasse_turns = 10\n";
  const Finished told = run({"rules", "check", file});
  EXPECT_EQ(told.code, 0) << told.error;
  for (const char* part : {"Two Rows\n", "of rows 1 or 2", "10 turns of each side",
                           "perft 64, 4096", "a random game: ", "nothing suspicious"}) {
    EXPECT_THAT(told.out, HasSubstr(part));
  }
  EXPECT_EQ(run({"perft", "--depth", "2", "--rules", file}).out, "4096\n");
  const Finished trained = run({"train", "--config", "tiny", "--rules", file, "--run", run_folder});
  ASSERT_EQ(trained.code, 0) << trained.error;
  std::ofstream(file) << "[pawns]\ndouble_step = [3]\n";  // the run goes on with what it began with
  const Finished longer = run({"train", "--run", run_folder, "--generations", "4"});
  EXPECT_EQ(longer.code, 0) << longer.error;
  expect_refused(run({"selfplay", "--net", run_folder, "--games", "1", "--out", folder / "games",
                      "--rules", file}),
                 2, "a network for the rule set Two Rows");
  std::vector<std::string> match{
      "match", "--a",     SHARPZERO_SOURCE "/networks/nnue/chess_sharp.safetensors:nodes=50",
      "--b",   "random",  "--games",
      "2",     "--rules", file};
  expect_refused(run(match), 2, "expected one for own");
  match.push_back("--any-rules");
  const Finished tried = run(match);
  EXPECT_EQ(tried.code, 0) << tried.error;
  EXPECT_THAT(tried.error, HasSubstr("learned chess_sharp, and plays own all the same"));
  const Finished games = run({"games", "--run", run_folder, "--last", "1", "--pgn", "-"});
  EXPECT_THAT(games.out, HasSubstr("[Variant \"Two Rows{setup={"));
  EXPECT_THAT(run({"rules", "keys"}).out, HasSubstr("[placing]"));
  std::ofstream(file) << "[pawns]\ndouble_step = [9]\n";
  expect_refused(run({"perft", "--depth", "1", "--rules", file}), 2,
                 "own.toml:2: pawns.double_step");
}

TEST(Inspect, DescribesPositionsAndGoesOnAfterABadLine) {
  const std::string input = std::string(kStart) + "\n" + "not a position\n" + kStart +
                            " moves B@a1 K@a8 R@b1\r\n" + kStart + " moves e2e3\n" +
                            "4k3/8/8/8/8/8/8/4K3[] w - - 100 60\n" +
                            "4k3/8/8/8/8/8/8/4K3[] w - - 100 60 moves e1e2\n";
  const Finished finished = run({"inspect"}, input);
  EXPECT_EQ(finished.code, 2);
  const auto lines = json_lines(finished.out);
  ASSERT_EQ(lines.size(), 6U);

  EXPECT_EQ(lines[0]["fen"], kStart);
  EXPECT_EQ(lines[0]["outcome"], "ongoing");
  EXPECT_TRUE(lines[0]["points_white"].is_null());
  EXPECT_EQ(lines[0]["moves"].size(), 32U);
  EXPECT_EQ(lines[0]["moves"], lines[0]["san"]);
  EXPECT_TRUE(std::ranges::is_sorted(lines[0]["moves"]));

  EXPECT_EQ(lines[1]["line"], 2);
  EXPECT_TRUE(lines[1]["error"].is_string());
  EXPECT_EQ(lines[2]["fen"], "k7/pppppppp/8/8/8/8/PPPPPPPP/BR6[KQRBNNqrrbbnn] b - - 3 2");
  EXPECT_EQ(lines[3]["line"], 4);
  EXPECT_THAT(lines[3]["error"].get<std::string>(), HasSubstr("e2e3"));

  EXPECT_EQ(lines[4]["outcome"], "impasse_equal");
  EXPECT_EQ(lines[4]["points_white"], 4);
  EXPECT_TRUE(lines[4]["moves"].empty());
  EXPECT_EQ(lines[5]["line"], 6);
}

TEST(Inspect, BytesThatAreNoTextGiveAnErrorObject) {
  const auto lines = json_lines(run({"inspect"}, "\xff\xfe\n\n").out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].contains("error"));
  EXPECT_TRUE(lines[1].contains("error"));
}

TEST(Inspect, AnswersALineBeforeTheNextIsWritten) {
  Running inspect({"inspect"});
  for (int i = 0; i < 3; ++i) {
    inspect.write(std::string(kStart) + "\n");
    EXPECT_NE(inspect.wait_line("{", std::chrono::seconds(10)), "");
  }
  inspect.close_input();
  EXPECT_EQ(inspect.wait(), 0);
}

// By exit code 130, not by the signal.
TEST(CtrlC, EndsCommandsThatSaveNothing) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"inspect"}, {"perft", "--depth", "12"}, {"uci"}}) {
    Running running(command);
    ASSERT_TRUE(running.wait_until_caught(SIGINT, std::chrono::seconds(60))) << command.front();
    running.signal(SIGINT);
    EXPECT_EQ(running.wait(), 130) << command.front();
    EXPECT_FALSE(running.ended_by_signal()) << command.front();
  }
}

TEST(Config, EachKeyHasItsWorthInTheDocs) {
  const std::string page = read_file(SHARPZERO_SOURCE "/docs/options.md");
  const json config = json::parse(run({"config", "--json"}).out);
  int keys = 0;
  for (const auto& section : config) {
    for (const auto& [key, value] : section.items()) {
      ++keys;
      EXPECT_THAT(page, HasSubstr("`" + key + "`"));
    }
  }
  EXPECT_GT(keys, 50);
}

TEST(Config, PrintsWhatItsOwnCheckAccepts) {
  const TemporaryFolder folder;
  const Finished printed = run({"config"});
  EXPECT_EQ(printed.code, 0);
  EXPECT_THAT(printed.out, HasSubstr("[selfplay]\n# "));
  const std::string file = folder.write("all.toml", printed.out);
  const Finished checked = run({"config", "--check", file});
  EXPECT_EQ(checked.code, 0) << checked.error;
  EXPECT_EQ(checked.out, "");
  EXPECT_TRUE(json::parse(run({"config", "--json"}).out)["network"]["blocks"].contains("value"));
}

TEST(Config, NamesAnUnknownKeyAndTheNearestKnownOne) {
  const TemporaryFolder folder;
  const std::string file = folder.write("bad.toml", "[network]\nblokcs = 3\n");
  expect_refused(run({"config", "--check", file}), 2,
                 "bad.toml:2: unknown key network.blokcs (nearest: network.blocks)");
  expect_refused(run({"config", "--check", folder / "none.toml"}), 2, "none.toml");
  expect_refused(run({"config", "--check", folder.write("section.toml", "[runs]\n")}), 2,
                 "section.toml:1: unknown section [runs] (nearest: [run])");
  const std::string all_held_out = folder.write("held.toml", "[learner]\nhold_out = 1\n");
  expect_refused(run({"config", "--check", all_held_out}), 2, "expected 0 or at least 2");
  expect_refused(run({"config", "--preset", "none"}), 2, "expected one of");
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
  expect_refused(run({}), 2, "subcommand");
  expect_refused(run({"gamse"}), 2, "unknown command 'gamse' (nearest: games)");
  expect_refused(run({"inspect", "--wings"}), 2, "--wings");
  expect_refused(run({"store", "prune", "--store", "games.db", "--games", "0"}), 2, "--games");
  expect_refused(run({"--wings"}), 2, "unknown option '--wings'");
  for (const char* command : {"match", "perft", "games", "report", "export", "selfplay"}) {
    expect_refused(run({command, "--wings", "5"}), 2, "unknown option '--wings'");
  }
  expect_refused(run({"games", "--run", "/nonexistent"}), 2, "/nonexistent");
}

TEST(CommandLine, WholeNumbersAreDecimal) {
  for (const char* bad : {"-5", "99999999999999999999", "9007199254740993", "010", "0x10", "1e3"}) {
    expect_refused(run({"perft", "--depth", "1", "--seed", bad}), 2, bad);
  }
  EXPECT_EQ(run({"perft", "--depth", "1", "--seed", "9007199254740992"}).code, 0);
  expect_refused(run({"perft", "--depth", "03"}), 2, "03");
  expect_refused(run({"match", "--a", "random", "--b", "greedy", "--games", "010"}), 2, "010");
  expect_refused(run({"advantage", "--player", "random", "--sims", "8,010"}), 2, "010");
}

TEST(CommandLine, SaysWhatItExpectsOfANumberOrAName) {
  const TemporaryFolder folder;
  const std::vector<std::string> match{"match", "--a", "random", "--b", "greedy"};
  const auto with = [&](const std::string& option, const std::string& value) {
    std::vector<std::string> words = match;
    words.insert(words.end(), {option, value});
    return run(words);
  };
  expect_refused(with("--games", "0"), 2, "Value 0 not in range 1 to 1000000000");
  expect_refused(with("--games", "2147483648"), 2, "not in range 1 to 1000000000");
  expect_refused(run({"perft", "--depth", "1.5"}), 2, "1.5: expected a whole number");
  expect_refused(with("--table", ""), 2, "--table");
  expect_refused(run({"config", "--check", ""}), 2, "--check");
  std::filesystem::create_directory(folder / "d.toml");
  expect_refused(with("--table", folder / "d.toml"), 2, "cannot read scoring table");
  const std::string table = folder.write("t.toml", "pawn = 1\nbishp = 3\n");
  expect_refused(with("--table", table), 2, "t.toml:2: ");
  expect_refused(run({"train", "--config", "tiny", "--max-time", "999999h"}), 2, "at most a year");
  Refusals refusals;
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"train", "--config", "tiny"},
                                             {"bench", "search"},
                                             {"selfplay", "--games", "1", "--out", "o"}}) {
    const auto with_rules = [&](const std::string& rules) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--rules", rules});
      return all;
    };
    refusals.add(with_rules("bogus"), 2, "error: rule set 'bogus'");
    refusals.add(with_rules("chess,chess_sharp"), 2, "that pay the same");
  }
}

TEST(CommandLine, WritesNoGamesOrAnswersAmongARuns) {
  const TemporaryFolder folder;
  folder.write("config.toml", "");  // it has no checkpoints yet
  const std::string run_folder = folder / "";
  expect_refused(run({"selfplay", "--games", "1", "--out", run_folder}), 2, "the folder of a run");
  expect_refused(run({"advantage", "--games", "1", "--out", run_folder}), 2, "the folder of a run");
  expect_refused(run({"advantage", "--player", "random", "--out", run_folder}), 2,
                 "the folder of a run");
  EXPECT_FALSE(std::filesystem::exists(folder / "games.db"));
}

TEST(CommandLine, ATimeOfNothingIsNoTime) {
  for (const char* none : {"0m", "0s", "0h0m", "-1m", "1", "m"}) {
    expect_refused(run({"train", "--config", "none.toml", "--max-time", none}), 2, none);
  }
}

TEST(CommandLine, ANameThatIsTooLongForAFileIsBadInput) {
  const std::string name(300, 'a');
  const TemporaryFolder folder;
  Refusals refusals;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"match", "--a", name, "--b", "random"},
        {"uci", "--net", name},
        {"play", "--net", name},
        {"selfplay", "--games", "1", "--net", name, "--out", folder / "games"},
        {"advantage", "--net", name, "--out", folder / "study"},
        {"report", "--run", name}}) {
    refusals.add(words, 2, name);
  }
}

TEST(CommandLine, AFullDiskIsTheMachinesFault) {
  expect_refused(run({"export", "--to", "/dev/full"}), 3, "cannot write /dev/full: No space left");
}

TEST(CommandLine, ANameThatJsonCannotHoldIsBadInput) {
  const TemporaryFolder folder;
  const std::string file = folder / "config\xff.toml";
  std::ofstream(file) << "[run]\n";
  EXPECT_EQ(run({"config", "--check", file}).code, 0);
  const Finished finished = run({"config", "--check", file, "--json"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.error, HasSubstr("not UTF-8"));
}

TEST(CommandLine, APresetOfConfigsNeedsNoPath) {
  const TemporaryFolder folder;
  const std::vector<std::string> words{"train", "--run",         folder / "run",
                                       "--set", "run.nothing=1", "--config"};
  const auto with = [&](const std::string& config) {
    std::vector<std::string> all = words;
    all.push_back(config);
    return all;
  };
  Refusals refusals;
  refusals.add(with("tiny"), 2, "unknown key run.nothing");
  refusals.add(with("tinny"), 2, "cannot read config file tinny");
  refusals.add(with(folder.write("tiny", "[run]\nseeds = 1\n")), 2, "tiny:2: ");
}

TEST(CommandLine, APlayersSettingIsNamedAsItWasTyped) {
  Refusals refusals;
  const std::string net = SHARPZERO_SOURCE "/networks/chess_sharp-5x64.safetensors";
  const auto refused = [&](const std::string& settings, const std::string& what) {
    refusals.add({"match", "--a", net + ":" + settings, "--b", "random"}, 2,
                 "player '" + net + ":" + settings + "': " + what);
  };
  refused("sims=abc", "sims = abc: expected a whole number from 1 to");
  refused("sims=4,evals=-1", "evals = -1: expected a whole number from 0 to");
  refused("smis=4", "unknown key smis (nearest: sims)");
  refused("sims=4,explore", "'explore': expected key=value");
  refused("explore=true,movetime=5", "explore and movetime: expected one of them");
}

TEST(CommandLine, RefusesANetworkForAnotherRuleSet) {
  const TemporaryFolder folder;
  Refusals refusals;
  const std::string net = SHARPZERO_SOURCE "/networks/chess_sharp-5x64.safetensors";
  const std::string set = "chess_sharp+sprint", what = "expected one for " + set;
  refusals.add({"uci", "--net", net, "--rules", set}, 2, what);
  refusals.add({"play", "--net", net, "--rules", set}, 2, what);
  refusals.add({"advantage", "--net", net, "--out", folder / "a", "--rules", set}, 2, what);
  refusals.add({"selfplay", "--games", "1", "--net", net, "--out", folder / "s", "--rules", set}, 2,
               what);
  const Finished unnamed =
      run({"selfplay", "--games", "1", "--out", folder / "s", "--rules", "chess"});
  EXPECT_THAT(unnamed.error, HasSubstr(".safetensors: a network for the rule set"));
}

TEST(CommandLine, HelpAndVersionEverywhere) {
  EXPECT_THAT(run({"--version"}).out, StartsWith("sharpzero "));
  const Finished help = run({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"inspect", "perft", "games", "config", "advantage", "scoring"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
    const Finished one = run({command, "--help"});
    EXPECT_EQ(one.code, 0);
    EXPECT_THAT(one.out, HasSubstr("Usage: sharpzero " + std::string(command)));
    EXPECT_THAT(one.out, HasSubstr("--rules and --json: see `sharpzero --help`"));
  }
}

TEST(CommandLine, HelpNamesArgumentsAndDefaultsAndNoTypes) {
  EXPECT_THAT(run({"--help"}).out, HasSubstr("the options above may follow it"));
  for (const char* command :
       {"inspect", "perft", "games", "config", "train", "selfplay", "match", "ladder", "advantage",
        "scoring", "calibration", "report", "export", "bench", "play", "serve", "uci"}) {
    const std::string help = run({command, "--help"}).out;
    for (const char* noise : {"above may follow", "INT", "TEXT", "1000000000", "]="}) {
      EXPECT_THAT(help, Not(HasSubstr(noise))) << command;
    }
  }
  const std::string match = run({"match", "--help"}).out;
  EXPECT_THAT(match, ContainsRegex("--sims N +a network's simulations a move \\(default: 64\\)\n"));
  EXPECT_THAT(match, ContainsRegex("--a P \\(required\\) +a player"));
}

TEST(StartUp, LightCommandsTakeLessThanATenthOfASecond) {
  if (SHARPZERO_SANITIZED) GTEST_SKIP() << "sanitizers are slow to start";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"--help"}, {"perft", "--depth", "1"}, {"inspect"}, {"config"}}) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) best = std::min(best, run(command).seconds);
    EXPECT_LT(best, 0.1) << command.front();
  }
}

}  // namespace
}  // namespace app
