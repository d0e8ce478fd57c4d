#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rules/pgn.h"
#include "tests/app/process.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> train(const std::string& run, std::vector<std::string> more = {},
                               const std::string& threads = "1",
                               const std::string& config = "tiny") {
  std::vector<std::string> arguments{
      "train", "--config", SHARPZERO_SOURCE "/configs/" + config + ".toml",
      "--run", run,        "--threads",
      threads, "--device", "cpu"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// One run of the smallest config, shared by the tests that only look at it.
class Trained : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    finished_ = new Finished(run(train(folder())));
  }
  static void TearDownTestSuite() {
    delete finished_;
    delete folder_;
  }
  static std::string folder() { return *folder_ / "run"; }

  static inline TemporaryFolder* folder_ = nullptr;
  static inline Finished* finished_ = nullptr;
};

TEST_F(Trained, LeavesAFolderThatExplainsItself) {
  ASSERT_EQ(finished_->code, 0) << finished_->error;
  EXPECT_EQ(finished_->out, "");
  for (const char* name : {"config.toml", "run.json", "games.db", "metrics.jsonl", "report.html",
                           "checkpoints/000003/network.safetensors"}) {
    EXPECT_TRUE(fs::exists(folder() + "/" + name)) << name;
  }
  EXPECT_EQ(run({"config", "--check", folder() + "/config.toml"}).code, 0);
  EXPECT_TRUE(json::parse(read_file(folder() + "/run.json"))["format_version"].is_number_integer());
}

TEST_F(Trained, MeasuresEveryGeneration) {
  const auto records = metrics_of(folder());
  ASSERT_EQ(records.size(), 3U);
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i]["generation"], i + 1);
    for (const char* key :
         {"elapsed_s", "games", "positions", "evals", "loss", "policy_loss", "outcome_loss",
          "learning_rate", "points_white", "plies_mean", "games_per_h", "evals_per_s"}) {
      EXPECT_TRUE(records[i][key].is_number()) << key;
    }
    EXPECT_EQ(records[i]["outcomes"].size(), 7U);
  }
  for (const char* key : {"mean", "low", "high", "games"}) {
    EXPECT_TRUE(records.back()["score_vs_random"][key].is_number()) << key;
  }
}

TEST_F(Trained, ItsGamesAreListedAndWrittenAsPgn) {
  const Finished games = run({"games", "--run", folder(), "--last", "2", "--json"});
  std::istringstream lines(games.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const json game = json::parse(line);
    for (const char* key :
         {"id", "generation", "start_fen", "moves", "outcome", "points_white", "table", "ended"}) {
      EXPECT_TRUE(game.contains(key)) << key;
    }
  }
  EXPECT_EQ(count, 2);
  const TemporaryFolder out;
  EXPECT_EQ(run({"games", "--run", folder(), "--pgn", out / "games.pgn"}).code, 0);
  EXPECT_THAT(read_file(out / "games.pgn"), HasSubstr("[Variant \"Chess#\"]"));
  const Finished all = run({"games", "--run", folder(), "--json"});
  std::ifstream pgn(out / "games.pgn");
  rules::PgnReader reader(pgn);
  lines = std::istringstream(all.out);
  for (std::string line; std::getline(lines, line);) {
    const json listed = json::parse(line);
    const auto game = reader.next();
    ASSERT_TRUE(game.has_value());
    EXPECT_EQ(rules::name(*game->outcome), listed["outcome"]);
    EXPECT_EQ(game->moves.size(), listed["moves"].size());
    rules::Position position = game->start;
    for (const rules::Move move : game->moves) position.play(move);
    if (listed["ended"] == "rules") {
      EXPECT_EQ(position.outcome(game->table), game->outcome);
    }
  }
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_EQ(run({"games", "--run", folder(), "--pgn", "/nonexistent/games.pgn"}).code, 3);
}

TEST_F(Trained, GamesAreWrittenWholeOrNotAtAll) {
  const TemporaryFolder copy;
  fs::copy(folder() + "/games.db", copy / "games.db");
  EXPECT_EQ(run({"games", "--run", copy / "", "--json", "--pgn", copy / "games.pgn"}).code, 2);
  const std::string before = "what was there\n";
  const std::string file = copy.write("games.pgn", before);
  const int damaged =
      json::parse(run({"games", "--run", copy / "", "--last", "1", "--json"}).out)["id"];
  SQLite::Database(copy / "games.db", SQLite::OPEN_READWRITE)
      .exec("UPDATE games SET record = substr(record, 1, 40) WHERE id = " +
            std::to_string(damaged));
  EXPECT_EQ(run({"games", "--run", copy / "", "--pgn", file}).code, 2);
  EXPECT_EQ(read_file(file), before);
  for (const auto& entry : fs::directory_iterator(copy.path())) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".new")));
  }
  EXPECT_EQ(run({"games", "--run", copy / "", "--generation", "1", "--pgn", file}).code, 0);
  EXPECT_THAT(read_file(file), ::testing::StartsWith("[Event "));
}

TEST_F(Trained, SelfPlayTellsHowManyGamesAreNew) {
  const TemporaryFolder other;
  const auto play = [&](const char* seed) {
    const Finished finished =
        run({"selfplay", "--net", folder(), "--games", "3", "--out", other / "games", "--config",
             SHARPZERO_SOURCE "/configs/tiny.toml", "--threads", "1", "--device", "cpu", "--seed",
             seed, "--json"});
    EXPECT_EQ(finished.code, 0) << finished.error;
    const json answer = json::parse(finished.out);
    EXPECT_EQ(answer["games"], 3);
    EXPECT_EQ(answer["new"] == 0, finished.error.find("another --seed") != std::string::npos);
    return answer["new"].get<int>();
  };
  EXPECT_EQ(play("1"), 3);
  EXPECT_EQ(play("1"), 0);
  EXPECT_EQ(play("2"), 3);
}

TEST_F(Trained, ItsNetworkPlays) {
  const Finished match = run({"match", "--a", folder(), "--b", "random", "--games", "4", "--sims",
                              "4", "--threads", "1", "--json"});
  ASSERT_EQ(match.code, 0) << match.error;
  EXPECT_EQ(json::parse(match.out)["games"], 4);
  Running engine({"uci", "--net", folder(), "--threads", "1"});
  engine.write("go nodes 20\n");
  EXPECT_THAT(engine.wait_line("bestmove", std::chrono::seconds(60)), HasSubstr("@"));
  engine.close_input();
  EXPECT_EQ(engine.wait(), 0);
}

// Its network plays the family's member that it learned, and no other.
TEST_F(Trained, AMemberOfChessSharpsFamilyIsLearnedAndPlayed) {
  const std::string other = *folder_ / "flat";
  const Finished trained =
      run(train(other, {"--set", "rules.rule_set=chess_flat", "--set", "run.generations=1"}));
  ASSERT_EQ(trained.code, 0) << trained.error;
  const std::string net = other + "/checkpoints/000001/network.safetensors";
  const auto match = [&](const std::string& rules) {
    return run(
        {"match", "--a", net, "--b", "random", "--games", "2", "--sims", "4", "--rules", rules});
  };
  EXPECT_EQ(match("chess_flat").code, 0) << match("chess_flat").error;
  EXPECT_EQ(match("chess-flat").code, 0) << "the app's name";
  for (const char* rules : {"chess_sharp", "chess_double_sharp", "chess_flat+sprint"}) {
    const Finished refused = match(rules);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(
        refused.error,
        HasSubstr("a network for the rule set chess_flat, expected one for " + std::string(rules)));
  }
}

TEST_F(Trained, ItsLadderHasErrorBarsAndAnAnchor) {
  const std::vector<std::string> arguments{"ladder", "--run",     folder(), "--checkpoints",
                                           "2",      "--games",   "4",      "--sims",
                                           "4",      "--threads", "2"};
  std::vector<std::string> with_json = arguments;
  with_json.push_back("--json");
  const Finished finished = run(with_json);
  ASSERT_EQ(finished.code, 0) << finished.error;
  const json ratings = json::parse(finished.out);
  EXPECT_EQ(ratings, json::parse(read_file(folder() + "/ratings.json")));
  ASSERT_EQ(ratings.size(), 6U);  // four baselines, two checkpoints
  std::set<std::string> players;
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    const json& elo = ratings[i]["elo"];
    const std::string player = ratings[i]["player"];
    players.insert(player);
    if (player == "random") {
      EXPECT_EQ(elo["low"], 0);
      EXPECT_EQ(elo["high"], 0);
    } else {
      EXPECT_LT(elo["low"], elo["mean"]);
      EXPECT_GT(elo["high"], elo["mean"]);
    }
    if (i > 0) {
      EXPECT_LE(elo["mean"], ratings[i - 1]["elo"]["mean"]);
    }
    EXPECT_GE(ratings[i]["games"], 12);
    EXPECT_EQ(ratings[i]["table"], "default");
    EXPECT_EQ(ratings[i]["seed"], 1);
    const bool searches = player.starts_with("checkpoint") || player.starts_with("uniform");
    EXPECT_EQ(ratings[i].value("simulations", 0), searches ? 4 : 0) << player;
  }
  EXPECT_TRUE(players.contains("random"));
  EXPECT_TRUE(players.contains("alphabeta:2"));
  EXPECT_TRUE(players.contains("checkpoint 000003"));
  EXPECT_THAT(read_file(folder() + "/report.html"), HasSubstr("checkpoint 000003"));
  const Finished table = run(arguments);
  EXPECT_EQ(table.code, 0);
  EXPECT_EQ(std::ranges::count(table.out, '\n'), 7);
  EXPECT_EQ(run({"ladder", "--run", "/nonexistent"}).code, 2);
  const Finished other = run({"ladder", "--run", folder(), "--rules", "chess"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.error, HasSubstr("the run plays chess_sharp, not chess (--rules)"));
}

// By the names of the configs.
class EitherStudent : public Trained, public ::testing::WithParamInterface<const char*> {};

TEST_P(EitherStudent, OnAnyNumberOfThreadsAlsoAfterAKillItIsTheSame) {
  const TemporaryFolder folder_of_ours;
  const std::string config = GetParam(), broken = folder_of_ours / "broken";
  const bool is_nnue = config == "tiny-nnue";
  const std::string unbroken = is_nnue ? folder_of_ours / "unbroken" : folder();
  if (is_nnue) {
    ASSERT_EQ(run(train(unbroken, {}, "1", config)).code, 0);
  }
  {
    Running killed(train(broken, {}, "4", config));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (metrics_of(broken).empty() && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    killed.signal(SIGKILL);
    EXPECT_EQ(killed.wait(), 128 + SIGKILL);
  }
  ASSERT_FALSE(fs::exists(broken + "/checkpoints/000003"));
  const Finished resumed = run(train(broken, {}, "2", config));
  ASSERT_EQ(resumed.code, 0) << resumed.error;
  EXPECT_THAT(resumed.error, HasSubstr("going on from"));
  const std::string network =
      std::string("/checkpoints/000003/") + (is_nnue ? "nnue" : "network") + ".safetensors";
  EXPECT_EQ(read_file(broken + network), read_file(unbroken + network));
  const auto games_of = [](const std::string& path) {
    return run({"games", "--run", path, "--json"}).out;
  };
  EXPECT_EQ(games_of(broken), games_of(unbroken));
  const auto whole = metrics_of(unbroken), mended = metrics_of(broken);
  ASSERT_EQ(mended.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char* key : {"generation", "games", "positions", "loss", "points_white"}) {
      EXPECT_EQ(mended[i][key], whole[i][key]) << key << " of generation " << i + 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Student, EitherStudent, ::testing::Values("tiny", "tiny-nnue"),
                         [](const auto& config) { return config.index == 0 ? "network" : "nnue"; });

// The rows that a terminal shows after this output, which moves its cursor by \r and \n alone.
std::vector<std::string> rows_of(const std::string& output) {
  std::vector<std::string> rows(1);
  std::size_t column = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    std::string& row = rows.back();
    if (output[i] == '\n') {
      rows.emplace_back();
      column = 0;
    } else if (output[i] == '\r') {
      column = 0;
    } else if (output[i] == '\x1b') {
      i = output.find_first_not_of("[0123456789;", i + 1);
      if (output[i] == 'K') row.resize(std::min(row.size(), column));
    } else {
      row.resize(std::max(row.size(), column + 1), ' ');
      row[column++] = output[i];
    }
  }
  return rows;
}

TEST_F(Trained, OnATerminalTheLogAndTheEndHaveRowsOfTheirOwn) {
  const TemporaryFolder other;
  const std::string path = other / "run", games = other / "games";
  Running training(train(path), Ends::kTerminal);
  const std::string output = training.wait_text("report.html\r\n", std::chrono::seconds(120));
  EXPECT_EQ(training.wait(), 0);
  EXPECT_THAT(output, HasSubstr(" of 3000 plies, "));
  const std::regex two_lines(
      ".+(run /|[0-9]{2}:[0-9]{2}:[0-9]{2} |generation [0-9]+: [0-9]+ of ).*");
  for (const std::string& row : rows_of(output)) {
    EXPECT_FALSE(std::regex_match(row, two_lines)) << row;
  }

  Running playing({"selfplay", "--net", path, "--games", "3", "--out", games, "--threads", "1",
                   "--config", SHARPZERO_SOURCE "/configs/tiny.toml", "--device", "cpu"},
                  Ends::kTerminal);
  const auto rows = rows_of(playing.wait_text("games.db\r\n", std::chrono::seconds(60)));
  EXPECT_EQ(playing.wait(), 0);
  EXPECT_THAT(rows.at(rows.size() - 3), HasSubstr(" of 3 games, "));
  EXPECT_EQ(rows.at(rows.size() - 2), "3 games, 3 of them new, in " + games + "/games.db");
}

TEST_F(Trained, CtrlCSavesAndSaysSo) {
  const TemporaryFolder folder_of_ours;
  const std::string path = folder_of_ours / "run";
  Running stopped(train(path, {"--generations", "100000"}));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!fs::exists(path + "/checkpoints/000002") && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  stopped.signal(SIGINT);
  EXPECT_EQ(stopped.wait(), 130);
}

TEST_F(Trained, AVeryShortTimeIsALimitToo) {
  const TemporaryFolder other;
  const Finished finished = run(train(other / "run", {"--max-time", "0.00001s"}));
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_LT(metrics_of(other / "run").size(), 3U);
}

TEST_F(Trained, BadInputStopsBeforeAnythingIsWritten) {
  const TemporaryFolder other;
  const std::string path = other / "run";
  SideBySide checks;
  const auto refused = [&](const std::vector<std::string>& words, int code,
                           const std::string& what) {
    checks.add([=] {
      const Finished finished = run(words);
      EXPECT_EQ(finished.code, code);
      EXPECT_THAT(finished.error, HasSubstr(what));
      EXPECT_FALSE(fs::exists(path));
    });
  };
  refused(train(path, {"--set", "learner.btach=3"}), 2, "nearest: learner.batch");
  refused(train(path, {"--max-time", "soon"}), 2, "soon");
  refused({"train", "--config", SHARPZERO_SOURCE "/configs/tiny.toml", "--run", path, "--device",
           "cuda:77"},
          3, "cuda:77");
  refused({"train", "--config", "/nonexistent.toml"}, 2, "/nonexistent.toml");
  refused(train("/proc/run"), 3, "/proc/run");
}

}  // namespace
}  // namespace app
