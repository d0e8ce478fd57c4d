#include "training/run/generation_report.h"

#include <gtest/gtest.h>

namespace training {
namespace {

using rules::Outcome;

selfplay::GameRecord ended(Outcome outcome, const rules::ScoringTable& table = {}) {
  selfplay::GameRecord game;
  game.outcome = outcome;
  game.table = table;
  game.plies.resize(30);
  return game;
}

TEST(GenerationReport, WhitesPointsAreOfTheGamesUnderTheRunsTable) {
  const auto other = rules::ScoringTable::from_changes("white_wins=9");
  GenerationReport report;
  report.learned.steps = 1;
  for (int i = 0; i < 100; ++i) {
    const Outcome won = i % 2 == 0 ? Outcome::kWhiteWins : Outcome::kBlackWins;
    report.summary.add(ended(won), {});
    report.summary.add(ended(Outcome::kWhiteWins, other), {});
  }
  const auto record = record_of(report, {}, 1);
  EXPECT_EQ(record["points_white"], 7.5);  // all outcomes at the run's prices
  const auto& points = record["points_white_run_table"];
  EXPECT_EQ(points["games"], 100);
  EXPECT_DOUBLE_EQ(points["mean"].get<double>(), 5);
  EXPECT_NEAR(points["low"].get<double>(), 5 - 10 * 1.96 * 0.5 / 10, 0.1);
  EXPECT_NEAR(points["high"].get<double>(), 5 + 10 * 1.96 * 0.5 / 10, 0.1);
  EXPECT_EQ(record["outcomes"][rules::index(Outcome::kWhiteWins)], 0.75);
  EXPECT_EQ(record["plies_mean"], 30);
}

TEST(GenerationReport, WhatWasNotMeasuredIsNoZero) {
  GenerationReport report;
  report.games_seconds = 1;
  const auto record = nlohmann::json::parse(record_of(report, {}, 1).dump());
  for (const char* key :
       {"loss", "policy_loss", "outcome_loss", "points_white", "outcomes", "plies_mean"}) {
    EXPECT_TRUE(record.at(key).is_null()) << key;
  }
  EXPECT_FALSE(record.contains("points_white_run_table"));
}

}  // namespace
}  // namespace training
