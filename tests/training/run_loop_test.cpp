#include "training/run/run_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "arena/openings.h"
#include "base/errors.h"
#include "base/rng.h"
#include "nn/checkpoint.h"
#include "nn/nnue_file.h"
#include "selfplay/game_pgn.h"
#include "selfplay/game_store.h"
#include "tests/training/runs.h"
#include "training/learner/replay_window.h"
#include "training/page/metrics.h"
#include "training/run/run_state.h"

namespace training {
namespace {

using testing::HasSubstr;

std::size_t plies_of(const selfplay::GameStore& store) {
  std::size_t plies = 0;
  for (const auto& game : store.load(1, store.last_id())) plies += game.plies.size();
  return plies;
}

TEST_P(EitherStudent, AnInterruptedRunEndsWithTheWeightsOfAnUnbrokenOne) {
  ASSERT_EQ(run("whole"), RunEnd::kFinished);
  for (const char* checkpoint : {"000001", "000002", "000003"}) run_until("broken", checkpoint);
  ASSERT_EQ(run("broken"), RunEnd::kFinished);
  for (const std::string& path :
       {network_of("000005"), std::string("checkpoints/000005/trainer.safetensors")}) {
    ASSERT_FALSE(bytes("whole", path).empty());
    EXPECT_TRUE(bytes("whole", path) == bytes("broken", path)) << path;
  }
  const selfplay::GameStore whole(root_ / "whole" / "games.db", selfplay::StoreMode::kRead);
  const selfplay::GameStore broken(root_ / "broken" / "games.db", selfplay::StoreMode::kRead);
  EXPECT_GT(whole.count(), 5);
  EXPECT_EQ(whole.count(), broken.count());
  EXPECT_EQ(plies_of(whole), plies_of(broken));
  EXPECT_EQ(read_metrics(root_ / "broken").size(), 5u);
}

TEST_P(EitherStudent, AFullWindowIsReadBackAsItWas) {
  config_ = tiny({"run.generations=5", "evaluation.every=0", "evaluation.final_games=0",
                  "learner.window_min=60", "learner.window_max=80", "selfplay.full_share=0.2"});
  ASSERT_EQ(run("whole"), RunEnd::kFinished);
  const auto records = read_metrics(root_ / "whole");
  ASSERT_GT(records.back()["positions"], 80) << "the window has let games go";
  for (const char* checkpoint : {"000002", "000004"}) run_until("broken", checkpoint);
  ASSERT_EQ(run("broken"), RunEnd::kFinished);
  const std::string path = network_of("000005");
  EXPECT_TRUE(bytes("whole", path) == bytes("broken", path));
  EXPECT_EQ(read_metrics(root_ / "broken").back()["window"], records.back()["window"]);
}

TEST_P(EitherStudent, LostGamesOrCheckpointsAreNotMadeAnew) {
  config_.run.generations = 1;
  run("lost");
  config_.run.generations = 2;
  const fs::path database = root_ / "lost" / "games.db", aside = root_ / "aside";
  fs::rename(database, aside);
  EXPECT_THROW(run("lost"), base::InputError);
  std::ofstream{database};
  EXPECT_THROW(run("lost"), base::InputError);
  fs::remove(database);
  fs::remove(database.string() + "-wal");
  fs::remove(database.string() + "-shm");
  fs::rename(aside, database);
  fs::rename(root_ / "lost" / "checkpoints", aside);
  EXPECT_THROW(run("lost"), base::InputError);
  fs::remove_all(root_ / "lost" / "checkpoints");
  fs::rename(aside, root_ / "lost" / "checkpoints");
  EXPECT_EQ(run("lost"), RunEnd::kFinished);
}

TEST_F(Runs, ANewRunLearnsFromTheGamesOfAnother) {
  config_.run.generations = 2;
  run("teacher");
  const selfplay::GameStore teacher(root_ / "teacher" / "games.db", selfplay::StoreMode::kRead);
  config_.run.generations = 1;
  RunOptions warm = options("warm");
  warm.games = {root_ / "teacher"};
  ASSERT_EQ(RunLoop(config_, warm).run(), RunEnd::kFinished);
  const selfplay::GameStore games(root_ / "warm" / "games.db", selfplay::StoreMode::kRead);
  std::int64_t taken = 0, own = 0;
  double own_plies = 0;
  games.visit({}, [&](const selfplay::GameRecord& game) {
    ++(game.generation == 0 ? taken : own);
    if (game.generation > 0) own_plies += static_cast<double>(game.plies.size());
    return true;
  });
  EXPECT_EQ(taken, teacher.count());
  EXPECT_GT(own, 0);
  const auto measured = read_metrics(root_ / "warm").back();
  EXPECT_EQ(measured["games"], own) << "others' games say nothing of how the run plays";
  EXPECT_EQ(measured["plies_mean"], own_plies / static_cast<double>(own));
  EXPECT_EQ(measured["evals"], 0);
  EXPECT_EQ(measured["evals_per_s"], 0) << "without a network there are none";
  // Killed before its first checkpoint, it finds them again; what is going on takes no more.
  RunOptions killed = options("killed");
  killed.games = {root_ / "teacher"};
  { const RunLoop begun(config_, killed); }
  fs::remove_all(root_ / "killed" / "checkpoints");
  killed.games = {root_ / "teacher"};
  ASSERT_EQ(RunLoop(config_, killed).run(), RunEnd::kFinished);
  const std::string path = "checkpoints/000001/network.safetensors";
  EXPECT_TRUE(bytes("warm", path) == bytes("killed", path));
  ASSERT_EQ(RunLoop(config_, killed).run(), RunEnd::kFinished);
  EXPECT_EQ(games.count(),
            selfplay::GameStore(root_ / "killed" / "games.db", selfplay::StoreMode::kRead).count());
}

TEST_F(Runs, ANewRunLearnsFromTheGamesOfSeveral) {
  config_.run.generations = 1;
  run("one");
  ++config_.run.seed;
  run("two");
  RunOptions both = options("both");
  both.games = {root_ / "one", root_ / "two", root_ / "one"};
  config_.run.plies_per_generation = 0;
  ASSERT_EQ(RunLoop(config_, both).run(), RunEnd::kFinished);
  const auto count = [&](const char* run) {
    return selfplay::GameStore(root_ / run / "games.db", selfplay::StoreMode::kRead).count();
  };
  EXPECT_EQ(count("both"), count("one") + count("two")) << "what is there twice counts once";
}

TEST_P(EitherStudent, ARunThatPlaysNothingLearnsFromTheGivenGamesAlone) {
  config_.run.generations = 2;
  ASSERT_EQ(run("teacher"), RunEnd::kFinished);
  config_.run.plies_per_generation = 0;
  config_.run.generations = 4;
  config_.learner.reuse = 6;
  config_.learner.anneal_share = 1;
  EXPECT_THAT(refusal(config_, options("nothing")), HasSubstr("expected games to learn from"));
  EXPECT_FALSE(fs::exists(root_ / "nothing"));

  RunOptions asked = options("whole");
  asked.games = {root_ / "teacher"};
  ASSERT_EQ(RunLoop(config_, asked).run(), RunEnd::kFinished);
  const selfplay::GameStore teacher(root_ / "teacher" / "games.db", selfplay::StoreMode::kRead);
  const selfplay::GameStore games(root_ / "whole" / "games.db", selfplay::StoreMode::kRead);
  EXPECT_EQ(games.count(), teacher.count());
  const auto records = read_metrics(root_ / "whole");
  ASSERT_EQ(records.size(), 4u);
  EXPECT_LT(records[3]["learning_rate"], records[1]["learning_rate"]);
  const double each =
      std::ceil(records[3]["positions"].get<double>() / 4 * 6 / config_.learner.batch);
  EXPECT_EQ(records[3]["steps"], 4 * each);

  asked.folder = root_ / "broken";
  { const RunLoop begun(config_, asked); }
  run_until("broken", "000002");
  ASSERT_EQ(run("broken"), RunEnd::kFinished) << "its games are in its own store now";
  EXPECT_TRUE(bytes("whole", network_of("000004")) == bytes("broken", network_of("000004")));
}

// A store of short games of random moves, which are targets where `taught` says so.
void write_games(const fs::path& file, const RunConfig& config, int count,
                 const std::function<bool(const selfplay::GameRecord&)>& taught) {
  base::Rng rng(1);
  std::vector<selfplay::GameRecord> games;
  while (std::ssize(games) < count) {
    selfplay::GameRecord game;
    game.rules = config.rules.repertoire().first();
    game.table = scoring_table(config);
    game.seed = rng.next();
    const auto line = selfplay::random_line(game.rules, game.table, 10, rng);
    if (!line) continue;
    game.start_fen = line->start.to_fen();
    const bool is_target = taught(game);
    for (const rules::Move move : line->moves) {
      selfplay::PlyRecord& ply = game.plies.emplace_back();
      ply.played = move;
      ply.is_target = is_target;
      if (is_target) ply.policy = {{move, 1.0f}};
    }
    games.push_back(std::move(game));
  }
  selfplay::GameStore(file, selfplay::StoreMode::kWrite).append(games);
}

TEST_F(Runs, GamesWithoutAPolicyAreRefusedByANewRun) {
  fs::create_directories(root_ / "studies");
  write_games(root_ / "studies" / "games.db", config_, 3,
              [](const selfplay::GameRecord&) { return false; });
  RunOptions asked = options("new");
  asked.games = {root_ / "studies"};
  EXPECT_THAT(refusal(config_, asked),
              HasSubstr("studies: 3 games, none with a policy to learn from"));
  EXPECT_FALSE(fs::exists(asked.folder));
}

TEST_F(Runs, GamesHeldOutWithoutAPolicyMeasureNothing) {
  config_.run.generations = 1;
  config_.run.first_plies = 1;  // from the start: too few to end a game of its own
  config_.selfplay.random_opening_share = 0;
  config_.learner.hold_out = 2;
  const fs::path file = root_ / "games.db";
  fs::create_directories(root_);
  write_games(file, config_, 100, [this](const selfplay::GameRecord& game) {
    return !is_validation_game(game, config_.learner);
  });
  RunOptions asked = options("new");
  asked.games = {file};
  ASSERT_EQ(RunLoop(config_, asked).run(), RunEnd::kFinished);
  const auto record = read_metrics(root_ / "new").back();
  EXPECT_GT(record["loss"], 0);
  EXPECT_FALSE(record.contains("held_out_policy_gap"));
}

TEST_P(EitherStudent, WhatLearningGainsIsCountedOverRestarts) {
  const fs::path file = root_ / "games.db";
  fs::create_directories(root_);
  config_.learner.hold_out = 2;
  config_.learner.anneal_share = 0;
  config_.run.plies_per_generation = 0;
  config_.run.generations = 1;
  write_games(file, config_, 100, [](const selfplay::GameRecord&) { return true; });
  RunOptions asked = options("counted");
  asked.games = {file};
  ASSERT_EQ(RunLoop(config_, asked).run(), RunEnd::kFinished);
  const auto record = read_metrics(root_ / "counted").back();
  EXPECT_GT(record["held_out_gain"], 0) << "of the first steps";
  EXPECT_GT(record["window_gain"], 0);
  config_.run.generations = 2;
  ASSERT_EQ(run("counted"), RunEnd::kFinished);
  const RunState state = load_state(root_ / "counted" / "checkpoints" / "000002");
  EXPECT_EQ(state.counters.plateau.generations, 2);
  EXPECT_GT(state.counters.plateau.positions, 0);
}

TEST_F(Runs, ANewRunThatIsRefusedLeavesNothingBehind) {
  RunOptions asked = options("refused");
  asked.games = {root_ / "nothing.pgn"};
  EXPECT_THROW(RunLoop(config_, asked), base::InputError);
  EXPECT_FALSE(fs::exists(asked.folder));

  config_.run.generations = 1;
  run("first");
  asked.games.clear();
  asked.init = root_ / "first";
  const RunConfig before = config_;
  config_.network.channels = 16;
  EXPECT_THROW(RunLoop(config_, asked), base::InputError);
  EXPECT_FALSE(fs::exists(asked.folder));
  asked.init = root_ / "first" / "config.toml";
  EXPECT_THROW(RunLoop(config_, asked), nn::CheckpointError);
  EXPECT_FALSE(fs::exists(asked.folder));
  asked.init = root_ / "first";
  EXPECT_EQ(RunLoop(before, asked).run(), RunEnd::kFinished);
}

TEST_F(Runs, ANewRunMayAddBlocksAndAttentionToTheNetworkThatItStartsFrom) {
  config_.run.generations = 1;
  config_.network.policy_attention = 0;
  run("first");
  const nn::Weights before = nn::load_network(root_ / "first").weights;
  RunOptions asked = options("grown");
  asked.init = root_ / "first";
  config_.network.blocks = 3;
  config_.network.policy_attention = 4;
  config_.run.plies_per_generation = 3000;
  EXPECT_EQ(RunLoop(config_, asked).run(), RunEnd::kFinished);
  const nn::NetworkFile start = nn::load_network(root_ / "grown" / "checkpoints" / "000000");
  EXPECT_EQ(start.config, config_.network);
  for (const auto& [name, array] : before) EXPECT_EQ(start.weights.at(name), array) << name;
  const nn::Array& pairs = start.weights.at("policy_pairs.weight");
  const auto half = pairs.values.begin() + static_cast<std::ptrdiff_t>(pairs.values.size() / 2);
  EXPECT_TRUE(std::all_of(pairs.values.begin(), half, [](float x) { return x == 0; }));
  EXPECT_FALSE(std::all_of(half, pairs.values.end(), [](float x) { return x == 0; }));
  EXPECT_NE(nn::load_network(root_ / "grown").weights.at("policy_pairs.weight"), pairs);

  const auto refusal = [&](const nn::NetworkConfig& network) -> std::string {
    RunConfig config = config_;
    config.network = network;
    RunOptions refused = options("refused");
    refused.init = root_ / "grown";
    try {
      RunLoop(config, refused);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "taken";
  };
  nn::NetworkConfig fewer = config_.network, plain = config_.network, wider = config_.network;
  fewer.blocks = 1;  // what a network has is not taken away
  EXPECT_THAT(refusal(fewer), testing::HasSubstr("network.blocks is 3, not 1"));
  plain.policy_attention = 0;
  EXPECT_THAT(refusal(plain), testing::HasSubstr("network.policy_attention is 4, not 0"));
  wider.channels = 16;
  EXPECT_THAT(refusal(wider),
              testing::HasSubstr("network.channels is 8, not 16 (allowed: fewer blocks"));
}

TEST_P(EitherStudent, AnOldCheckpointThatIsDamagedCostsItsMatchAlone) {
  config_.run.generations = 1;
  config_.evaluation.final_games = 2;
  run("old");
  fs::resize_file(root_ / "old" / network_of("000000"), 100);
  config_.run.generations = 2;
  ASSERT_EQ(run("old"), RunEnd::kFinished);
  EXPECT_TRUE(read_metrics(root_ / "old").back().contains("score_vs_random"));
  EXPECT_FALSE(read_metrics(root_ / "old").back().contains("score_vs_start"));
}

TEST_P(EitherStudent, LastMatchesThatWereCutShortArePlayedLater) {
  config_.run.generations = 2;
  ASSERT_EQ(run("ended"), RunEnd::kFinished);  // as if they had been
  const auto before = read_metrics(root_ / "ended");
  config_.evaluation.final_games = 2;
  ASSERT_EQ(run("ended"), RunEnd::kFinished);
  const auto after = read_metrics(root_ / "ended");
  ASSERT_EQ(after.size(), 2u);
  EXPECT_TRUE(after[1].contains("score_vs_random"));
  EXPECT_EQ(after[1]["loss"], before[1]["loss"]);
  ASSERT_EQ(run("ended"), RunEnd::kFinished);
  EXPECT_EQ(read_metrics(root_ / "ended"), after) << "once is enough";
}

TEST_P(EitherStudent, LastMatchesThatAreStoppedAreKeptAllOrNone) {
  config_.run.generations = 1;
  ASSERT_EQ(run("ended"), RunEnd::kFinished);
  config_.evaluation.final_games = 4;
  RunEnd end = RunEnd::kStopped;
  for (int delay_ms = 4; end == RunEnd::kStopped; delay_ms += delay_ms / 2) {
    end = run_for("ended", std::chrono::milliseconds(delay_ms));
    const auto record = read_metrics(root_ / "ended").back();
    EXPECT_EQ(record.contains("score_vs_random"), record.contains("score_vs_start")) << delay_ms;
  }
  EXPECT_EQ(run("ended"), RunEnd::kFinished);
  EXPECT_TRUE(read_metrics(root_ / "ended").back().contains("score_vs_start"));
}

TEST_P(EitherStudent, MatchesOfAnOrdinaryGenerationAreNotTheLast) {
  config_.run.generations = 2;
  config_.evaluation.every = 1;
  config_.evaluation.games = 2;
  run("shortened");
  fs::remove_all(root_ / "shortened" / "checkpoints" / "000002");
  EXPECT_EQ(read_metrics(root_ / "shortened").front()["score_vs_greedy"]["games"], 2);
  config_.run.generations = 1;
  config_.evaluation.final_games = 4;
  stop_ = true;  // in the last ones: they do not cost the others
  ASSERT_EQ(run("shortened"), RunEnd::kStopped);
  stop_ = false;
  EXPECT_EQ(read_metrics(root_ / "shortened").back()["score_vs_greedy"]["games"], 2);
  ASSERT_EQ(run("shortened"), RunEnd::kFinished);
  EXPECT_EQ(read_metrics(root_ / "shortened").back()["score_vs_random"]["games"], 4);
}

TEST_P(EitherStudent, AResumedRunKnowsTheNetworkThatWasComparedLast) {
  const fs::path checkpoints = root_ / "resumed" / "checkpoints";
  config_.run.generations = 3;
  config_.evaluation.every = 1;
  config_.evaluation.games = 2;
  run("resumed");
  ASSERT_TRUE(read_metrics(root_ / "resumed")[1].contains("score_vs_previous"));
  for (const char* name : {"000002", "000003"}) fs::remove_all(checkpoints / name);
  run("resumed");
  EXPECT_TRUE(read_metrics(root_ / "resumed")[1].contains("score_vs_previous"));
  // Last matches that are made up for are played against that network too, not against none.
  fs::remove_all(checkpoints / "000003");
  config_.run.generations = 2;
  config_.evaluation.final_games = 4;
  run("resumed");
  EXPECT_EQ(read_metrics(root_ / "resumed").back()["score_vs_previous"]["games"], 4);
}

TEST_P(EitherStudent, ARunThatItsTimeHasEndedKnowsItLater) {
  config_ = tiny({"run.max_minutes=0.01", "evaluation.every=1", "evaluation.games=8",
                  "evaluation.final_games=2", "run.generations=1000"});
  ASSERT_EQ(run("ended"), RunEnd::kFinished);
  const auto records = read_metrics(root_ / "ended");
  ASSERT_EQ(run("ended"), RunEnd::kFinished);
  EXPECT_EQ(read_metrics(root_ / "ended"), records);
}

// The time is nearly all spent in an ordinary generation's matches, and so ends there.
TEST_F(Runs, LastMatchesTakeThePlaceOfOrdinaryOnesWhole) {
  config_.run.generations = 1;
  config_.evaluation.every = 1;
  config_.evaluation.final_games = 2;
  run("timed");
  const auto first = read_metrics(root_ / "timed").back();
  const double elapsed_s = first["elapsed_s"].get<double>() + first["matches_s"].get<double>();
  config_.run.generations = 1000;
  config_.run.max_minutes = (elapsed_s + 0.6) / 60;
  config_.run.plies_per_generation = 100;
  config_.evaluation.games = 20;
  config_.evaluation.simulations = 4;
  ASSERT_EQ(run("timed"), RunEnd::kFinished);
  const auto records = read_metrics(root_ / "timed");
  for (std::size_t i = 1; i < records.size(); ++i) {
    EXPECT_TRUE(records[i].contains("score_vs_previous")) << "generation " << i + 1;
  }
}

// The matches' time counts, and so does what the generation before them took.
TEST_F(Runs, TheTimeOfTheLastGenerationIsRememberedWhole) {
  config_.run.generations = 1;
  run("timed");
  auto record = read_metrics(root_ / "timed").back();
  record["matches_s"] = 560;
  std::ofstream(root_ / "timed" / "metrics.jsonl") << record.dump() << "\n";
  config_.run.generations = 2;
  config_.run.max_minutes = 9;
  ASSERT_EQ(run("timed"), RunEnd::kFinished);
  EXPECT_EQ(read_metrics(root_ / "timed").size(), 1u);

  config_.run.max_minutes = 10;  // a tenth of the generation would be left, were it a short one
  RunState state = load_state(root_ / "timed" / "checkpoints" / "000001");
  state.record["selfplay_s"] = 400;
  save_state(state, root_ / "timed");
  ASSERT_EQ(run("timed"), RunEnd::kFinished);
  EXPECT_EQ(read_metrics(root_ / "timed").size(), 1u);
}

// As where a kill comes between the checkpoint and the record.
TEST_P(EitherStudent, ARecordThatWasNotWrittenComesFromTheCheckpoint) {
  config_.run.generations = 2;
  run("killed");
  const auto before = read_metrics(root_ / "killed");
  ASSERT_EQ(before.size(), 2u);
  std::ofstream(root_ / "killed" / "metrics.jsonl") << before[0].dump() << "\n";
  config_.run.generations = 3;
  run("killed");
  const auto after = read_metrics(root_ / "killed");
  ASSERT_EQ(after.size(), 3u);
  EXPECT_EQ(after[1]["games"], before[1]["games"]);
  EXPECT_EQ(after[1]["loss"], before[1]["loss"]);
}

TEST_P(EitherStudent, AnotherSeedMakesAnotherNetwork) {
  config_.run.generations = 2;
  run("one");
  config_.run.seed = 99;
  run("two");
  EXPECT_NE(bytes("one", network_of("000002")), bytes("two", network_of("000002")));
}

TEST_P(EitherStudent, AFinishedRunThatIsStartedAgainLearnsNoMore) {
  config_.run.generations = 2;
  ASSERT_EQ(run("ended"), RunEnd::kFinished);
  const auto records = read_metrics(root_ / "ended");
  const std::string trainer = bytes("ended", "checkpoints/000002/trainer.safetensors");
  ASSERT_EQ(run("ended"), RunEnd::kFinished);
  EXPECT_EQ(read_metrics(root_ / "ended"), records);
  EXPECT_EQ(nn::list_checkpoints(root_ / "ended").back().filename(), "000002");
  EXPECT_EQ(bytes("ended", "checkpoints/000002/trainer.safetensors"), trainer);
}

// The learning rate has fallen by then: no steps come on top of the time.
TEST_P(EitherStudent, ARunEndsInItsTime) {
  config_ = tiny({"run.max_minutes=0.05", "run.generations=100000", "evaluation.every=0",
                  "evaluation.final_games=0", "learner.warmup_positions=0"});
  ASSERT_EQ(run("timed"), RunEnd::kFinished);
  const auto records = read_metrics(root_ / "timed");
  ASSERT_GT(records.size(), 2u);
  const auto& last = records.back();
  EXPECT_LT(records[records.size() - 2]["elapsed_s"], 3);
  EXPECT_LT(last["learning_rate"], 0.9 * records[0]["learning_rate"].get<double>());
}

INSTANTIATE_TEST_SUITE_P(Student, EitherStudent, testing::Values("network", "nnue"),
                         [](const auto& student) { return std::string(student.param); });

TEST_F(Runs, AnotherNumberOfThreadsPlaysGamesOfItsOwn) {
  config_.run.generations = 1;
  run("changed");
  config_.run.generations = 2;
  config_.run.plies_per_generation = 6000;
  ASSERT_EQ(RunLoop(config_, options("changed", 1)).run(), RunEnd::kFinished);
  const selfplay::GameStore store(root_ / "changed" / "games.db", selfplay::StoreMode::kRead);
  std::set<std::uint64_t> seeds;
  std::map<int, int> games;  // by generation
  store.visit({}, [&](const selfplay::GameRecord& game) {
    EXPECT_TRUE(seeds.insert(game.seed).second) << "generation " << game.generation;
    ++games[game.generation];
    return true;
  });
  EXPECT_GE(games[1], 4);
  EXPECT_GE(games[2], 4);
}

}  // namespace
}  // namespace training
