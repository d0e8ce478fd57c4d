#include "training/run_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "rules/rule_set.h"

namespace training {
namespace {

RunConfig config_of(std::string rule_set, std::string table) {
  RunConfig config;
  config.rules.rule_set = std::move(rule_set);
  config.rules.scoring_table = std::move(table);
  return config;
}

TEST(RunConfig, WithoutATableOutcomesPayWhatTheRuleSetSays) {
  for (const auto& set : rules::kRuleSets) {
    EXPECT_EQ(scoring_table(config_of(std::string(set.name), "default")), set.rules.table());
  }
  EXPECT_EQ(scoring_table(RunConfig{}), rules::ScoringTable{});
}

TEST(RunConfig, ATableIsAListOfChangesToTheRuleSetsOwn) {
  rules::ScoringTable expected = rules::kChess.table();
  expected.points_white[1] = 4;
  EXPECT_EQ(scoring_table(config_of("chess", "white_stalemated=4")), expected);
}

// The config in a run's folder, from which the run goes on.
TEST(RunConfig, WhatARunWritesGivesItsTableAgain) {
  for (const char* table : {"default", "stalemate=4,bishop=3.25"}) {
    RunConfig before = config_of("stalemate_win", table), after;
    std::vector<Option> options = options_of(after);
    read_options(to_toml(before, true), "config.toml", options);
    EXPECT_EQ(scoring_table(after), scoring_table(before));
  }
}

RunConfig preset(const std::string& name) {
  return load_config(std::filesystem::path(SHARPZERO_CONFIGS) / (name + ".toml"));
}

TEST(RunConfig, WarnsOfSoFewPliesThatShortGamesComeFirst) {
  RunConfig config;
  config.selfplay.games = 256;
  config.run.plies_per_generation = 64 * 256;
  EXPECT_THAT(warnings(config), testing::IsEmpty());
  --config.run.plies_per_generation;
  EXPECT_THAT(warnings(config), testing::ElementsAre(testing::HasSubstr("is 63 plies a game")));
}

TEST(RunConfig, PresetsWarnOfNothing) {
  for (const char* name : {"quick", "cpu", "gpu-overnight"}) {
    EXPECT_THAT(warnings(preset(name)), testing::IsEmpty()) << name;
  }
}

// What a processor's run was measured to learn by is what a GPU's learns by.
TEST(RunConfig, TheGpuPresetDiffersFromTheCpuPresetInSizesAlone) {
  const std::set<std::string> sizes{"simulations", "fast_simulations", "games",      "final_games",
                                    "batch",       "window_min",       "window_max", "every"};
  const auto gpu = to_json(preset("gpu-overnight")), cpu = to_json(preset("cpu"));
  for (const auto& [section, options] : gpu.items()) {
    if (section == "run" || section == "network") continue;
    for (const auto& [key, option] : options.items()) {
      if (sizes.contains(key)) continue;
      EXPECT_EQ(option["value"], cpu[section][key]["value"]) << section << "." << key;
    }
  }
}

}  // namespace
}  // namespace training
