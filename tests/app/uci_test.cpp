#include "app/protocols/uci.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <memory>
#include <new>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "base/errors.h"
#include "base/memory.h"
#include "mcts/evaluator.h"
#include "tests/app/process.h"

namespace app {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Backend hash_brain(const std::string& net) {
  if (net == "broken") throw base::InputError("broken: damaged");
  return {tree_engine([] { return std::make_unique<mcts::HashEvaluator>(7); }, 1),
          "network of the test"};
}

// The engine's answer to a whole conversation. `commands` should end searches by a limit: the end
// of input stops what is under way.
std::string talk(const std::string& commands, int threads = 1, rules::RuleSet rules = {},
                 const LoadBackend& load = hash_brain) {
  std::istringstream in(commands);
  std::ostringstream out;
  UciSettings settings;
  settings.rules = rules;
  settings.threads = threads;
  Uci(settings, load, in, out).run();
  return out.str();
}

class FailingEvaluator final : public mcts::Evaluator {
 public:
  void evaluate(mcts::LeafBatch&) override {
    throw std::runtime_error("out of device memory\nand where it happened");
  }
};

TEST(Uci, PlaysOtherRuleSetsWithTheirHistory) {
  const std::string out =
      talk("uci\nsetoption name UCI_Chess960 value false\n", 1, rules::kChess960);
  EXPECT_THAT(out, HasSubstr("option name UCI_Variant type combo default chess var chess\n"));
  EXPECT_THAT(out, HasSubstr("UCI_Chess960 'false': expected true"));
  const std::string line = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
  EXPECT_THAT(talk(line + " f6g8\nd\n", 1, rules::kChess),
              HasSubstr("Outcome: impasse_equal, White's points 5"));
  EXPECT_THAT(talk("position startpos moves f2f3 e7e5 g2g4 d8h4 e2e4\n", 1, rules::kChess),
              HasSubstr("move 'e2e4': expected no move, for the game is over"));
}

TEST(Uci, PlaysTheFamilyUnderOurNamesAndTheApps) {
  for (const auto& [name, app, ours] :
       {std::tuple("chess_sharp", "chess-sharp", "chesssharp"),
        {"chess_double_sharp", "chess-double-sharp", "chessdoublesharp"},
        {"chess_flat", "chess-flat", "chessflat"},
        {"chess_double_flat", "chess-double-flat", "chessdoubleflat"},
        {"chess_triple_flat", "chess-triple-flat", "chesstripleflat"},
        {"classical_chess_sharp", "classical-chess-sharp", "classicalchesssharp"}}) {
    const std::string set = "setoption name UCI_Variant value ";
    const std::string out = talk(
        "uci\n" + set + app + "\n" + set + ours + "\nisready\nposition startpos\ngo nodes 50\n", 1,
        rules::RuleSet::parse(name));
    EXPECT_THAT(out, HasSubstr(std::string("UCI_Variant type combo default ") + ours + " var " +
                               ours + " var " + app + "\n"));
    EXPECT_THAT(out, Not(HasSubstr("error"))) << name;
    EXPECT_THAT(out, HasSubstr("\nbestmove ")) << name;
  }
  const std::string line = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
  EXPECT_THAT(talk(line + "\nd\ngo nodes 10\n", 1, rules::kClassicalChessSharp),
              testing::AllOf(HasSubstr("Outcome: ongoing"), Not(HasSubstr("(none)"))));
}

// A claim is the players' to make: who asks plays on.
TEST(Uci, MovesWhereAnEndIsNotClaimed) {
  const std::string line = "position startpos moves g1f3 b8c6 f3g1 c6b8 g1f3 b8c6 f3g1 c6b8";
  for (const std::string& position : {line, line + " e2e4", line + " g1f3 b8c6",
                                      std::string("position fen "
                                                  "8/8/4k3/8/8/3K4/8/R7 w - - 100 90"),
                                      std::string("position fen 8/8/4k3/8/8/3K4/8/R7 b - - "
                                                  "150 99 moves e6e5 a1a2")}) {
    const std::string out = talk(position + "\ngo nodes 50\n", 1, rules::kChess);
    EXPECT_THAT(out, testing::ContainsRegex("\nbestmove [a-h][1-8][a-h][1-8]")) << position;
    EXPECT_THAT(out, Not(HasSubstr("error"))) << position;
  }
  // A mate is worth more than the clock; what the rules end stays an end.
  EXPECT_THAT(
      talk("position fen k7/8/1K6/8/8/8/8/7R w - - 120 90\ngo nodes 50\n", 1, rules::kChess),
      HasSubstr("bestmove h1h8"));
  EXPECT_EQ(talk("position fen 8/8/4k3/8/8/3K4/8/8 w - - 3 90\ngo nodes 50\n", 1, rules::kChess),
            "bestmove (none)\n");
}

TEST(Uci, ExpectsTheCardsFromTheChessProgram) {
  const std::string drawn = "position startpos moves draw";
  EXPECT_THAT(talk(drawn + "\ngo nodes 10\n", 1, rules::kRaindrop),
              HasSubstr("info string a card is being drawn: give it as ?N in position ... moves\n"
                        "bestmove 0000\n"));
  EXPECT_THAT(talk("position startpos\ngo nodes 10\n", 1, rules::kRaindrop),
              EndsWith("bestmove draw\n"));
  EXPECT_THAT(talk(drawn + " ?N\ngo nodes 10\n", 1, rules::kRaindrop), HasSubstr("bestmove N@"));
  EXPECT_THAT(talk(drawn + " ?B\n", 1, rules::kRaindrop), HasSubstr("error: move '?B'"));
}

TEST(Uci, IntroducesItselfAndItsOptions) {
  const std::string out = talk("uci\n");
  EXPECT_THAT(out, StartsWith("id name sharpzero"));
  for (const char* option :
       {"UCI_Variant type combo", "Net type string", "ScoringTable type string",
        "TablebasePath type string", "Threads type spin", "Hash type spin", "MultiPV type spin",
        "MoveOverhead type spin", "Ponder type check", "Seed type spin"}) {
    EXPECT_THAT(out, HasSubstr("option name " + std::string(option)));
  }
  EXPECT_TRUE(out.ends_with("uciok\n"));
}

TEST(Uci, RefusalsSayOneLineAndChangeNothing) {
  const std::string before = talk("d\n");
  for (const char* refused :
       {"position fen nonsense", "position startpos moves e2e4", "position",
        "position startpos e2e3", "setoption name Threads value 0", "setoption name Hash value x",
        "setoption name None value 1", "setoption name Net value broken",
        "setoption name ScoringTable value bishop=-1",
        "setoption name ScoringTable value white_wins=7", "setoption name UCI_Variant value chess",
        "fly"}) {
    const std::string out = talk(std::string(refused) + "\nd\n");
    EXPECT_THAT(out, StartsWith("info string error: ")) << refused;
    EXPECT_EQ(out.substr(out.find('\n') + 1), before) << refused;
  }
}

// The board before is not the one that was meant.
TEST(Uci, WithoutAPositionThereIsNoMove) {
  const std::string refused = "position startpos moves K@e1\nposition startpos moves e2e4\n";
  const std::string reason =
      "info string error: no move, for the position was refused: move 'e2e4'";
  for (const char* end : {"go nodes 10\n", "go infinite\nstop\n", "go ponder nodes 10\nponderhit\n",
                          "ucinewgame\ngo nodes 10\n"}) {
    const std::string out = talk(refused + end);
    EXPECT_THAT(out, HasSubstr(reason)) << end;
    EXPECT_THAT(out, EndsWith("bestmove (none)\n")) << end;
  }
  EXPECT_THAT(talk("position\ngo nodes 10\n"), EndsWith("bestmove (none)\n"));
  EXPECT_THAT(
      talk("position startpos moves draw\nposition fen x\ngo nodes 5\n", 1, rules::kRaindrop),
      EndsWith("bestmove (none)\n"));
  EXPECT_THAT(talk(refused + "position startpos\ngo nodes 10\n"),
              testing::AllOf(Not(HasSubstr("(none)")), HasSubstr("\nbestmove ")));
}

TEST(Uci, NumbersBeyondTheirRangeAreTheNearestWithin) {
  for (const char* go : {"movetime 9223372036854775807 nodes 300", "depth 1e30 nodes 300",
                         "wtime 99999999999999999999 btime 99999999999999999999 nodes 300",
                         "wtime 60000 btime 60000 winc 18446744073709551615 nodes 300",
                         "wtime 60000 btime 60000 movestogo 99999999999 nodes 300",
                         "wtime -99999999999999999999 btime 5",
                         "nodes 99999999999999999999999999999999999999999999 movetime 30"}) {
    const std::string out = talk("position startpos moves K@e1 K@e8\ngo " + std::string(go) + "\n");
    EXPECT_THAT(out, Not(HasSubstr("error"))) << go;
    EXPECT_THAT(out, HasSubstr("\nbestmove ")) << go;
  }
  for (const char* go : {"movetime -5", "nodes -99999999999999999999", "depth -1"}) {
    const std::string out = talk("go " + std::string(go) + "\n");
    EXPECT_THAT(out, HasSubstr("error: go ")) << go;
    EXPECT_THAT(out, HasSubstr("\nbestmove ")) << go;
  }
}

TEST(Uci, AValueKeepsItsSpaces) {
  std::string asked;
  const LoadBackend load = [&](const std::string& net) {
    asked = net;
    return hash_brain(net);
  };
  talk("setoption name Net value  /my  nets/a   b\t c.net \r\n", 1, {}, load);
  EXPECT_EQ(asked, "/my  nets/a   b\t c.net");
  talk("setoption  name  net  value <empty>\r\n", 1, {}, load);
  EXPECT_EQ(asked, "");
}

TEST(Uci, WordsOfOptionsInAnySpelling) {
  for (const char* option :
       {"Ponder value True", "Ponder value TRUE", "ponder value 1", "Ponder value off",
        "UCI_Variant value chesssharp", "UCI_Variant value chess-sharp",
        "UCI_Variant value Chess_Sharp", "UCI_Variant value Chess#", "UCI_Variant value Chess♯"}) {
    EXPECT_EQ(talk("setoption name " + std::string(option) + "\r\n"), "") << option;
  }
  EXPECT_EQ(talk("setoption name UCI_Chess960 value True\n", 1, rules::kChess960), "");
  EXPECT_THAT(talk("uci\n"), HasSubstr("UCI_Variant type combo default chesssharp var chesssharp "
                                       "var chess-sharp\n"));
}

// Says so, and keeps its evaluator.
TEST(Uci, TakesTheMemoryThatThereIs) {
  if (base::available_memory() >> 20 > 65535) GTEST_SKIP() << "there is as much";
  const std::string out = talk("setoption name Hash value 65535\nisready\ngo nodes 50\n");
  EXPECT_THAT(out, testing::ContainsRegex("info string network of the test\n"
                                          "info string Hash 65535 MiB: there is memory for [0-9]+ "
                                          "MiB, which it takes\nreadyok\n"));
  EXPECT_THAT(out, Not(HasSubstr("error")));
}

TEST(Uci, EveryGoIsAnsweredAndWhatIsWrongInItNamed) {
  for (const auto& [go, named] :
       {std::pair("go nodes", "go nodes: expected a number"),
        {"go nodes searchmoves K@e1", "go nodes: expected a number"},
        {"go nodes -1", "go nodes '-1': expected a whole number"},
        {"go ponder nodes x\nponderhit", "go nodes 'x': expected a whole number"},
        {"go fast", "go: unknown word 'fast'"},
        {"go nodes 20 mate 3", "go: unknown word 'mate'; go: unknown word '3'"},
        {"go nodes 20 searchmoves a1a2", "go searchmoves: expected legal moves, not 'a1a2'"},
        {"go searchmoves a1a2 K@e1 e2 nodes 20", "legal moves, not 'a1a2' 'e2'"}}) {
    const std::string out = talk("isready\n" + std::string(go) + "\n");
    EXPECT_THAT(out, HasSubstr("info string error: ")) << go;
    EXPECT_THAT(out, HasSubstr(named)) << go;
    EXPECT_THAT(out, HasSubstr("\nbestmove ")) << go;
  }
}

// The legal moves among those named are all that is searched; without any all are.
TEST(Uci, IllegalSearchmovesAreLeftOut) {
  EXPECT_THAT(talk("go nodes 200 searchmoves a1a2 K@h1\n"), HasSubstr("\nbestmove K@h1"));
  const std::string all = talk("setoption name MultiPV value 500\ngo nodes 50\n");
  const std::string named =
      talk("setoption name MultiPV value 500\ngo nodes 50 searchmoves a1a2\n");
  const auto lines = [](const std::string& out) {
    const std::regex line("multipv \\d+ ");
    return std::distance(std::sregex_iterator(out.begin(), out.end(), line), {});
  };
  EXPECT_GT(lines(all), 20);
  EXPECT_EQ(lines(named), lines(all));
}

TEST(Uci, AFinishedGameHasNoMove) {
  EXPECT_EQ(talk("position fen 4k3/8/8/8/8/8/8/4K3[] w - - 100 60\ngo nodes 10\n"),
            "bestmove (none)\n");
}

// Without an end of its own it waits, as every search does.
TEST(Uci, AFinishedGameHasNoMoveBeforeTheSearchIsToEnd) {
  const std::string over = "position fen 4k3/8/8/8/8/8/8/4K3[] w - - 100 60\n";
  for (const auto& [go, end] : {std::pair("go infinite\n", "stop\n"),
                                {"go ponder\n", "stop\n"},
                                {"go ponder nodes 10\n", "ponderhit\n"},
                                {"go infinite\n", ""}}) {
    EXPECT_THAT(talk(over + go + "isready\n" + end), EndsWith("readyok\nbestmove (none)\n")) << go;
  }
}

TEST(Uci, AnEvaluatorThatFailsIsToldAndAMoveIsPlayed) {
  const LoadBackend failing = [](const std::string&) {
    return Backend{tree_engine([] { return std::make_unique<FailingEvaluator>(); }, 1),
                   "the test's"};
  };
  const std::string out =
      talk("go nodes 100\nposition startpos moves K@e1\ngo nodes 100 searchmoves K@e8\nd\n", 1, {},
           failing);
  const std::string error = "info string error: out of device memory\n";
  const auto first = out.find(error);
  ASSERT_NE(first, std::string::npos) << out;
  const auto first_move = out.find("\nbestmove ", first);
  ASSERT_NE(first_move, std::string::npos) << out;
  const auto second = out.find(error, first_move);
  ASSERT_NE(second, std::string::npos) << out;
  EXPECT_THAT(out.substr(second), HasSubstr("\nbestmove K@e8\n"));
  EXPECT_THAT(out, HasSubstr("Fen: 8/pppppppp/8/8/8/8/PPPPPPPP/4K3"));
}

class FullEngine final : public engine::Engine {
 public:
  void set_position(const rules::Position&, const rules::ScoringTable&,
                    const rules::History&) override {
    throw std::bad_alloc();
  }
  int hash_mib() const override { return 1024; }
  void clear() override {}
  void start(const tactics::SearchLimits&, Listener) override {}
  void stop() override {}
  void ponder_hit() override {}
  void wait() override {}
  bool running() const override { return false; }
};

TEST(Uci, AnEngineWithoutMemoryForThePositionMovesAllTheSame) {
  const LoadBackend full = [](const std::string&) {
    return Backend{[](const EngineOptions&) { return std::make_unique<FullEngine>(); },
                   "the test's"};
  };
  const std::string out = talk("go nodes 100 searchmoves K@e1\n", 1, {}, full);
  EXPECT_THAT(out, HasSubstr("info string error: std::bad_alloc\n"));
  EXPECT_THAT(out, EndsWith("bestmove K@e1\n"));
}

TEST(Uci, WithoutTheNetworkAskedForItPlaysBySearchAlone) {
  int tries = 0;
  const LoadBackend missing = [&](const std::string& net) -> Backend {
    if (++tries == 1) throw base::InputError(net + "none: no such file");
    return {tree_engine(
                []() -> std::unique_ptr<mcts::Evaluator> {
                  throw base::EnvironmentError("no such device");
                },
                1),
            "loaded"};
  };
  const std::string out =
      talk("isready\ngo nodes 20\nisready\nsetoption name Hash value 16\nisready\ngo nodes 20\n", 1,
           {}, missing);
  const std::string alone = "info string no network: playing by search alone\n";
  EXPECT_THAT(out, StartsWith("info string error: none: no such file\n" + alone + "readyok\n"));
  EXPECT_THAT(out, HasSubstr("info string loaded\ninfo string error: no such device\n" + alone +
                             "readyok\n"));
  EXPECT_EQ(tries, 2);
  const auto move = out.find("\nbestmove ");
  EXPECT_NE(move, std::string::npos) << out;
  EXPECT_NE(out.find("\nbestmove ", move + 1), std::string::npos) << out;
}

TEST(Uci, ABadOptionValueLeavesTheSearchRunning) {
  for (const char* bad : {"Threads value 0", "Net value broken", "ScoringTable value rook=many",
                          "UCI_Variant value chess", "Ponder value maybe", "Seed value -1"}) {
    const std::string out = talk("go infinite\nsetoption name " + std::string(bad) + "\nstop\n");
    EXPECT_THAT(out, HasSubstr("info string error: ")) << bad;
    EXPECT_THAT(out, Not(HasSubstr("there is no search under way"))) << bad;
    EXPECT_LT(out.find("info string error: "), out.find("bestmove ")) << bad;
  }
}

TEST(Uci, DescribesThePosition) {
  const std::string out = talk("position startpos moves K@e1 K@e8\nd\n");
  EXPECT_THAT(out, HasSubstr("8  . . . . k . . .\n"));
  EXPECT_THAT(out, HasSubstr("Fen: 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[QRRBBNNqrrbbnn] w - - 2 2\n"));
  EXPECT_THAT(out, HasSubstr("Outcome: ongoing"));
}

TEST(UciProcess, SearchesToTheNodeLimitAndAgreesWithItself) {
  Conversation engine;
  engine.say("position startpos moves K@e1");
  engine.say("go nodes 300");
  const std::string points = engine.wait("info string points_white");
  EXPECT_TRUE(std::regex_match(
      points, std::regex(R"(info string points_white \d+\.\d\d outcomes( [01]\.\d{4}){7})")))
      << points;
  EXPECT_THAT(engine.wait("bestmove"), HasSubstr("@"));
  EXPECT_EQ(engine.end(), 0);
}

TEST(UciProcess, OneThreadIsReproducible) {
  std::string first;
  for (int i = 0; i < 2; ++i) {
    Conversation engine;
    engine.say("setoption name Threads value 1");
    engine.say("go nodes 400");
    const std::string move = engine.wait("bestmove");
    EXPECT_NE(move, "");
    if (i == 0) first = move;
    EXPECT_EQ(move, first);
  }
}

TEST(UciProcess, MultiPvGivesSoManyLinesAndSearchmovesBindsThem) {
  Conversation engine;
  engine.say("setoption name MultiPV value 3");
  engine.say("go nodes 200");
  EXPECT_THAT(engine.wait("info depth"), HasSubstr("multipv 1"));
  EXPECT_THAT(engine.wait("info depth"), HasSubstr("multipv 2"));
  EXPECT_THAT(engine.wait("info depth"), HasSubstr("multipv 3"));
  engine.wait("bestmove");
  engine.say("go nodes 200 searchmoves N@a1 R@b1");
  std::string line;
  int lines = 0;
  while ((line = engine.wait("")) != "" && line.starts_with("info depth")) {
    EXPECT_TRUE(line.find(" pv N@a1") != std::string::npos ||
                line.find(" pv R@b1") != std::string::npos)
        << line;
    ++lines;
  }
  EXPECT_GE(lines, 2);
}

TEST(UciProcess, AnswersIsreadyDuringASearchAndStops) {
  Conversation engine;
  engine.say("isready");
  EXPECT_EQ(engine.wait("readyok"), "readyok");
  engine.say("go infinite");
  engine.say("isready");
  EXPECT_EQ(engine.wait("readyok"), "readyok");
  engine.say("stop");
  EXPECT_THAT(engine.wait("bestmove"), StartsWith("bestmove "));
  engine.say("go ponder movetime 50");
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  engine.say("ponderhit");
  EXPECT_THAT(engine.wait("bestmove"), StartsWith("bestmove "));
  engine.say("go infinite");
  EXPECT_EQ(engine.end(), 0);  // the end of input is quit
}

TEST(UciProcess, ANetworkThatWasNamedAndCannotBeHadEndsItAtOnce) {
  SideBySide checks;
  const auto ends = [&](const char* option, const std::string& value, int code) {
    checks.add([=] {
      const Finished finished = run({"uci", option, value}, "isready\n");
      EXPECT_EQ(finished.code, code);
      EXPECT_EQ(finished.out, "");
      EXPECT_THAT(finished.error, HasSubstr(value));
    });
  };
  ends("--net", "/nonexistent", 2);
  ends("--net", SHARPZERO_SOURCE "/README.md", 2);
  ends("--device", "cuda:77", 3);
}

TEST(UciProcess, TheLongestMoveTimeIsSearched) {
  Conversation engine;
  engine.say("go movetime 9223372036854775807");
  engine.say("isready");
  engine.wait("readyok");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  engine.say("stop");  // which finds a search under way
  for (std::string line; !line.starts_with("bestmove"); line = engine.wait("")) {
    ASSERT_THAT(line, Not(HasSubstr("error")));
  }
  engine.say("stop");
  EXPECT_THAT(engine.wait(""), HasSubstr("there is no search under way"));
}

// Binds this thread, and the programs that it starts, to one core while it lives.
class OnOneCore {
 public:
  OnOneCore() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OnOneCore() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_{};
};

TEST(UciProcess, ManyThreadsOnOneCoreKeepTheTimeAndAreTold) {
  const std::string network = SHARPZERO_SOURCE "/networks/chess_sharp-5x64.safetensors";
  for (const auto& [threads, net] :
       {std::pair("256", ""), {"4096", ""}, {"256", network.c_str()}}) {
    double seconds = 100;
    for (int attempt = 0; attempt < 3 && seconds > 1.2; ++attempt) {  // on a busy machine
      const OnOneCore one;
      Conversation engine;
      if (*net != 0) engine.say("setoption name Net value " + std::string(net));
      engine.say("setoption name Threads value " + std::string(threads));
      engine.say("isready");
      EXPECT_THAT(engine.wait("info string Threads " + std::string(threads)),
                  HasSubstr(": 1 will search"));
      engine.wait("readyok");
      const auto begin = std::chrono::steady_clock::now();
      engine.say("go movetime 200");
      EXPECT_NE(engine.wait("bestmove"), "");
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (SHARPZERO_SANITIZED) break;
    }
    EXPECT_LT(seconds, SHARPZERO_SANITIZED ? 100 : 1.2) << threads << " threads " << net;
  }
}

TEST(UciProcess, TheClockIsKept) {
  Conversation engine;
  engine.say("isready");
  engine.wait("readyok");
  const auto begin = std::chrono::steady_clock::now();
  engine.say("go wtime 2000 btime 1 winc 0 binc 0");
  EXPECT_NE(engine.wait("bestmove"), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(1500));
}

}  // namespace
}  // namespace app
