#include "training/settings/night_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "nn/network.h"
#include "tests/temporary_folder.h"

namespace training {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Batch norm has two weights a channel where the folded layer has one bias.
TEST(NetworkCost, WeightsAreThoseOfTheNetwork) {
  nn::NetworkConfig config;
  config.blocks = 4;
  config.channels = 24;
  double weights = 0, norms = 0;
  const nn::Network network(config);
  for (const auto& item : network->named_parameters()) {
    weights += static_cast<double>(item.value().numel());
    if (item.key().ends_with("norm.bias")) norms += static_cast<double>(item.value().numel());
  }
  EXPECT_EQ(cost_of(config).weights, weights - norms);
  config.policy_attention = 0;
  EXPECT_LT(cost_of(config).weights, weights - norms);
}

TEST(NetworkCost, TheTrunkIsNearlyAllOfTheWork) {
  nn::NetworkConfig config;
  config.blocks = 20;
  config.channels = 256;
  const double trunk = 20 * 2 * 2 * 64.0 * 9 * 256 * 256;
  EXPECT_GT(cost_of(config).flops, trunk);
  EXPECT_LT(cost_of(config).flops, 1.05 * trunk);
}

RunConfig night() {
  RunConfig config;
  config.run.max_minutes = 100;
  config.run.generations = 1000;
  config.run.plies_per_generation = 10000;
  config.run.keep_checkpoints = 10;
  config.selfplay.full_share = 0.5f;
  config.selfplay.simulations = 60;
  config.selfplay.fast_simulations = 20;
  config.learner.reuse = 2;
  config.evaluation.every = 5;
  config.evaluation.games = 50;
  config.evaluation.simulations = 80;
  return config;
}

// 40 s of games; 25 s of learning, in which games lose two fifths; matches: 50 games of 100 plies
// with one and a half networks a ply, each move 40 evaluations, every 5 generations: 60,000
// evaluations a generation, which take four times as long as in games, 48 s.
TEST(NightPlan, FollowsTheFormula) {
  MeasuredSpeeds speeds{5000, 20, 100, 500, 0.6, 400};
  RunConfig config = night();
  const NightPlan found = plan(config, speeds);
  EXPECT_DOUBLE_EQ(found.generation_s, 40 + 10 + 48);
  EXPECT_DOUBLE_EQ(found.generations, 6000.0 / 98);
  EXPECT_DOUBLE_EQ(found.seconds, 6000);
  EXPECT_DOUBLE_EQ(found.games_fraction, 40.0 / 98);
  EXPECT_DOUBLE_EQ(found.learning_fraction, 10.0 / 98);
  EXPECT_DOUBLE_EQ(found.learns_fraction, 25.0 / 98);
  EXPECT_DOUBLE_EQ(found.games, found.generations * 100);
  EXPECT_DOUBLE_EQ(found.evaluations, found.generations * 200000);
  EXPECT_DOUBLE_EQ(found.positions_learned, found.generations * 10000);
  EXPECT_NEAR(found.disk_bytes,
              50 * found.plies +
                  20 * cost_of(config.network).weights * (11 + (found.generations - 10) / 10),
              1);
  config.run.generations = 7;
  EXPECT_DOUBLE_EQ(plan(config, speeds).seconds, 7 * 98);
  config.run.max_minutes = 0;
  EXPECT_DOUBLE_EQ(plan(config, speeds).generations, 7);
  speeds.beside_positions_per_s = 100;  // games wait for the learner
  EXPECT_DOUBLE_EQ(plan(config, speeds).generation_s, 100 + 48);
  speeds = {5000, 20, 100, 500};  // one after the other
  EXPECT_DOUBLE_EQ(plan(config, speeds).generation_s, 40 + 20 + 48);
}

// As measured on an H200 with 16 cores (docs/gpu.md), at the most evaluations a ply that were seen.
TEST(NightPlan, OfTheLargePresetHasItsCheckpoints) {
  const RunConfig config =
      load_config(std::filesystem::path(SHARPZERO_CONFIGS) / "gpu-overnight.toml");
  const NightPlan found = plan(config, {210000, 71, 150, 25500, 124.0 / 210, 22500});
  EXPECT_GE(found.generations, 80);
  EXPECT_LE(found.matches_fraction, 0.02);
  EXPECT_LE(found.learns_fraction, 0.5) << "learning keeps up";
}

TEST(NightPlan, ReadsWhatBenchPrints) {
  const TemporaryFolder folder;
  const std::string good =
      R"({"selfplay_evals_per_s": 5000, "selfplay_evals_per_move": 20, "selfplay_moves_per_s": 250,)"
      R"("selfplay_games_per_h": 9000, "train_positions_per_s": 500, "device": "cuda",)"
      R"("net": "gpu: 6 blocks of 64 channels"})";
  const MeasuredSpeeds speeds = read_speeds(folder.write("good", good), {});
  EXPECT_DOUBLE_EQ(speeds.plies_per_game, 100);
  EXPECT_DOUBLE_EQ(speeds.train_positions_per_s, 500);
  EXPECT_EQ(speeds.beside_positions_per_s, 0) << "not measured";
  const std::string beside =
      good.substr(0, good.size() - 1) +
      R"(,"beside_evals_per_s": 3, "alone_evals_per_s": 4, "beside_positions_per_s": 400})";
  const MeasuredSpeeds both = read_speeds(folder.write("beside", beside), {});
  EXPECT_DOUBLE_EQ(both.left_beside, 0.75);
  EXPECT_DOUBLE_EQ(both.beside_positions_per_s, 400);
  EXPECT_THAT(
      [&] { read_speeds(folder.write("bad", R"({"net": "6 blocks of 64 channels"})"), {}); },
      ThrowsMessage<base::InputError>(HasSubstr("bad: no number above 0 for selfplay_evals")));
  EXPECT_THAT([&] { read_speeds(folder.write("other", good), {.blocks = 10}); },
              ThrowsMessage<base::InputError>(HasSubstr("expected the plan's network, 10 blocks")));
  EXPECT_THROW(read_speeds(folder.write("list", "[1]"), {}), base::InputError);
  EXPECT_THROW(read_speeds(folder / "none", {}), base::InputError);
}

}  // namespace
}  // namespace training
