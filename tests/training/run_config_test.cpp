#include "training/run_config.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace training
