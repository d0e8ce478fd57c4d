#include "app/named/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/nnue_file.h"
#include "tests/temporary_folder.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// A run's folder with two checkpoints, started at that time; empty: it does not say when.
void add_run(const fs::path& folder, const std::string& started) {
  fs::create_directories(folder / "checkpoints" / "000003");
  fs::create_directories(folder / "checkpoints" / "000012");
  std::ofstream(folder / "config.toml") << "[run]\n";
  if (started.empty()) return;
  std::ofstream(folder / "run.json")
      << nlohmann::json{{"starts", {{{"time", "2020-01-01T00:00:00Z"}}, {{"time", started}}}}};
}

std::vector<std::string> names_of(const std::vector<ListedNetwork>& all) {
  std::vector<std::string> names;
  for (const ListedNetwork& one : all) names.push_back(one.name);
  return names;
}

TEST(Networks, TheStrongestComesFirstAndRunsByTheirOwnStarts) {
  const TemporaryFolder runs;
  add_run(runs / "older", "2026-03-01T10:00:00Z");
  add_run(runs / "newer", "2026-03-01T11:00:00Z");
  add_run(runs / "silent", "");
  fs::create_directories(runs / "no_network");
  fs::create_directories(runs / "evaluator");
  std::ofstream(fs::path(runs.path()) / "evaluator" / nn::kNnueFile) << "x";
  // Dates of files that come from elsewhere say nothing.
  const auto future = fs::file_time_type::clock::now() + std::chrono::hours(40000);
  for (const char* name : {"older", "silent"}) {
    for (const auto& entry : fs::recursive_directory_iterator(runs / name)) {
      fs::last_write_time(entry.path(), future);
    }
    fs::last_write_time(runs / name, future);
  }
  fs::last_write_time(runs / "evaluator", fs::file_time_type::clock::now());
  const auto all = listed_networks(RunList(runs.path(), {}));
  EXPECT_THAT(names_of(all), ElementsAre("chess_sharp", "evaluator", "newer", "older", "silent",
                                         "chess_sharp-5x64"));
  EXPECT_TRUE(all.front().comes_along);
  EXPECT_FALSE(all[2].comes_along);
  EXPECT_EQ(network_of(all, "newer").path, fs::path(runs / "newer"));
  EXPECT_THAT([&] { network_of(all, "newest"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("there is no network 'newest'")));
}

TEST(Networks, WhatIsChosenComesFirstAndStandsThereOnce) {
  const TemporaryFolder runs;
  add_run(runs / "mine", "2026-03-01T10:00:00Z");
  const auto all = listed_networks(RunList(runs.path(), {}), runs / "mine");
  EXPECT_THAT(names_of(all), ElementsAre("mine", "chess_sharp", "chess_sharp-5x64"));
}

TEST(Networks, TheEloOfARunIsThatOfItsNewestCheckpoint) {
  const TemporaryFolder runs;
  add_run(runs / "rated", "2026-03-01T10:00:00Z");
  std::ofstream(runs / "rated/ratings.json") << R"([
    {"player": "checkpoint 000003", "elo": {"mean": 300.7}},
    {"player": "checkpoint 000012", "elo": {"mean": 712.4}}])";
  add_run(runs / "broken", "2026-03-01T11:00:00Z");
  std::ofstream(runs / "broken/ratings.json") << "{";
  const auto all = listed_networks(RunList(runs.path(), {}));
  EXPECT_EQ(network_of(all, "rated").elo, 712);
  EXPECT_EQ(network_of(all, "broken").elo, 0);
  EXPECT_EQ(all.front().elo, kAlphaBetaLevels.all.back().elo);
}

}  // namespace
}  // namespace app
