#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "nn/checkpoint.h"
#include "selfplay/game_store.h"
#include "tests/training/runs.h"
#include "training/page/metrics.h"
#include "training/run/run_loop.h"

namespace training {
namespace {

using testing::HasSubstr;

TEST_F(Runs, ADamagedCheckpointIsPassedOver) {
  config_.run.generations = 3;
  run("damaged");
  const fs::path checkpoints = root_ / "damaged" / "checkpoints";
  fs::resize_file(checkpoints / "000003" / "trainer.safetensors",
                  fs::file_size(checkpoints / "000003" / "trainer.safetensors") / 2);
  fs::remove(checkpoints / "000002" / "state.bin");
  fs::create_directory(checkpoints / "000002" / "state.bin");
  config_.run.generations = 4;
  EXPECT_EQ(run("damaged"), RunEnd::kFinished);
  EXPECT_EQ(nn::load_network(root_ / "damaged").generation, 4);
}

TEST_F(Runs, WithoutAWholeCheckpointItSaysSo) {
  config_.run.generations = 1;
  run("damaged");
  for (const fs::path& checkpoint : nn::list_checkpoints(root_ / "damaged")) {
    fs::resize_file(checkpoint / "network.safetensors", 100);
  }
  config_.run.generations = 2;
  EXPECT_THROW(run("damaged"), base::InputError);
}

TEST_F(Runs, ASecondProcessIsRefusedWithTheFirstsPid) {
  const RunLoop first(config_, options("held"));
  try {
    const RunLoop second(config_, options("held"));
    FAIL() << "two loops hold one folder";
  } catch (const base::EnvironmentError& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(getpid())));
  }
}

TEST_F(Runs, ARunOfAnotherVersionOrNetworkIsLeftUntouched) {
  config_.run.generations = 1;
  run("old");
  RunConfig other = config_;
  other.network.channels = 16;
  EXPECT_THROW(RunLoop(other, options("old")), base::InputError);
  const std::string before = bytes("old", "config.toml");
  std::ofstream(root_ / "old" / "run.json") << R"({"format_version": 999})";
  try {
    run("old");
    FAIL() << "a run of another version was taken up";
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("999"));
  }
  EXPECT_EQ(bytes("old", "config.toml"), before);
}

TEST_F(Runs, EveryStartIsDescribed) {
  config_.run.generations = 1;
  run("described");
  const auto starts = [&] {
    return nlohmann::json::parse(bytes("described", "run.json")).value("starts", nlohmann::json());
  };
  const auto first = starts();
  ASSERT_EQ(first.size(), 1U);
  for (const char* key : {"time", "git_revision", "libtorch_version", "device", "threads"}) {
    EXPECT_TRUE(first[0].contains(key)) << key;
  }
  RunLoop(config_, options("described", 1)).run();
  ASSERT_EQ(starts().size(), 2U);
  EXPECT_EQ(starts()[0], first[0]);
  EXPECT_EQ(starts()[1]["threads"], 1);
  EXPECT_THAT(bytes("described", "report.html"), HasSubstr("device cpu"));
}

TEST_F(Runs, TheReportIsThereWhileTheRunGoesOn) {
  config_.run.generations = 2;
  ASSERT_EQ(run("reported"), RunEnd::kFinished);  // what a killed run leaves, too
  EXPECT_THAT(bytes("reported", "report.html"), HasSubstr("\"metrics\":[{\"generation\":1,"));
  // A study's answer that is damaged costs the page, not the night.
  std::ofstream(root_ / "reported" / "ratings.json") << "{";
  config_.run.generations = 3;
  EXPECT_EQ(run("reported"), RunEnd::kFinished);
}

TEST_F(Runs, ARunThatIsRefusedKeepsItsSettings) {
  config_.run.generations = 1;
  run("kept");
  const std::string before = bytes("kept", "config.toml"), described = bytes("kept", "run.json");
  config_.learner.batch = 64;
  for (const char* file : {"games.db", "metrics.jsonl"}) {
    const std::string whole = bytes("kept", file);
    std::ofstream(root_ / "kept" / file, std::ios::binary) << std::string(1000, 'x') << "\n";
    EXPECT_THAT(refusal(config_, options("kept")), HasSubstr(file));
    EXPECT_EQ(bytes("kept", "config.toml"), before) << file;
    EXPECT_EQ(bytes("kept", "run.json"), described) << file;
    std::ofstream(root_ / "kept" / file, std::ios::binary) << whole;
  }
  run("kept");
  EXPECT_EQ(load_config(root_ / "kept" / "config.toml").learner.batch, 64);
}

TEST_F(Runs, AnotherRuleSetInItsConfigCheckpointOrGamesIsRefused) {
  config_.run.generations = 1;
  run("mixed");
  const RunConfig before = config_;
  config_.rules.rule_set = "chess_sharp+sprint";
  EXPECT_THAT(refusal(config_, options("mixed")),
              HasSubstr("the run plays chess_sharp, the config"));

  config_ = before;
  config_.run.generations = 2;
  const fs::path checkpoint = root_ / "mixed" / "checkpoints" / "000001" / "network.safetensors";
  nn::NetworkFile network = nn::load_network(checkpoint);
  const nn::NetworkFile own = network;
  network.repertoire = rules::Repertoire::parse("chess_sharp+sprint");
  nn::save_network(network, checkpoint);
  EXPECT_THAT(refusal(config_, options("mixed")), HasSubstr("000001 chess_sharp+sprint"));
  nn::save_network(own, checkpoint);

  {
    selfplay::GameStore store(root_ / "mixed" / "games.db", selfplay::StoreMode::kWrite);
    selfplay::GameRecord game;
    game.rules = rules::kChess;
    game.start_fen = rules::Position::start(rules::kChess).to_fen();
    store.append({&game, 1});
  }
  EXPECT_THAT(refusal(config_, options("mixed")),
              HasSubstr("was played under chess, the run plays chess_sharp"));
}

TEST_F(Runs, OneNetworkLearnsSeveralRuleSets) {
  config_ = load_config(fs::path(SHARPZERO_CONFIGS) / "tiny.toml",
                        {"run.generations=2", "evaluation.every=0", "evaluation.final_games=2",
                         "rules.rule_set=chess_plus,chess960"});
  ASSERT_EQ(run("several"), RunEnd::kFinished);
  EXPECT_EQ(nn::load_network(root_ / "several").repertoire.name(), "chess_plus,chess960");
  selfplay::GameStore store(root_ / "several" / "games.db", selfplay::StoreMode::kRead);
  std::map<std::string, int> games;
  for (const selfplay::GameRecord& game : store.load(1, store.last_id())) {
    ++games[game.rules.name()];
    EXPECT_NO_THROW(selfplay::replay(game));
  }
  EXPECT_EQ(games.size(), 2u);
  EXPECT_GT(games["chess_plus"], 0);
  EXPECT_GT(games["chess960"], 0);
}

TEST_F(Runs, RuleSetsThatPayDifferentlyAreNotMixed) {
  EXPECT_THROW(
      load_config(fs::path(SHARPZERO_CONFIGS) / "tiny.toml", {"rules.rule_set=chess,chess_sharp"}),
      base::InputError);
}

TEST_F(Runs, ARunStartsFromAnotherNetworksWeights) {
  config_.run.generations = 1;
  run("first");
  RunOptions asked = options("second");
  asked.init = root_ / "first";
  RunLoop(config_, asked).run();
  EXPECT_EQ(bytes("second", "checkpoints/000000/network.safetensors").size(),
            bytes("first", "checkpoints/000001/network.safetensors").size());
  EXPECT_EQ(nn::load_network(root_ / "second" / "checkpoints" / "000000").weights,
            nn::load_network(root_ / "first" / "checkpoints" / "000001").weights);
  // Killed before it learned, it goes on with that network, not with none.
  const auto own = read_metrics(root_ / "second");
  fs::remove_all(root_ / "second" / "checkpoints" / "000001");
  fs::remove(root_ / "second" / "metrics.jsonl");
  run("second");
  EXPECT_EQ(read_metrics(root_ / "second").back()["evals"], own.back()["evals"]);
}

}  // namespace
}  // namespace training
