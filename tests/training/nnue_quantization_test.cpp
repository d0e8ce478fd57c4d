// What is learned in floats plays in integers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "nn/nnue_file.h"
#include "tactics/nnue.h"
#include "tests/nn/random_positions.h"
#include "tests/training/by_stack.h"
#include "training/learner/nnue_learner.h"

namespace training {
namespace {

using rules::Position;

// Learns from the material on the board, so that its answers are far apart.
nn::NnueFloatWeights taught(const rules::ScoringTable& table) {
  NnueBatch batch;
  for (const Position& position : by_stack(random_positions(2000, 1))) {
    const bool white = position.side_to_move() == rules::Color::kWhite;
    const double lead = position.material_balance_white(table) * (white ? 1 : -1);
    OutcomeTarget target{};
    target[lead < -2 ? 0 : lead > 2 ? 6 : 3] = 1;
    batch.add(position, tactics::nnue_table(table, position.side_to_move()), target);
  }
  LearnerConfig config;
  config.batch = config.shard_rows = batch.rows;
  config.learning_rate = 2e-3f;
  config.warmup_positions = 0;
  config.weight_decay = 0;
  NnueLearner learner(config, 1, 3);
  learner.train([&](int, base::Rng&, NnueBatch& out) { out = batch; }, 100, 0);
  return learner.averaged_weights();
}

void expect_agreement(const nn::NnueFloatWeights& weights, const rules::ScoringTable& table,
                      double spread) {
  const auto positions = by_stack(random_positions(400, 2));
  NnueBatch batch;
  for (const Position& position : positions) {
    batch.add(position, tactics::nnue_table(table, position.side_to_move()), {});
  }
  const std::vector<float> learned = outcomes_of(weights, batch);
  tactics::Nnue nnue(nn::quantize(weights));
  nnue.set_table(table);
  double largest = 0, mean = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    nnue.start(positions[i]);
    const auto played = nnue.outcomes();
    for (std::size_t o = 0; o < played.size(); ++o) {
      const double error = std::abs(played[o] - learned[i * 7 + o]);
      largest = std::max(largest, error);
      mean += error / static_cast<double>(learned.size());
    }
  }
  testing::Test::RecordProperty("largest", std::to_string(largest));
  testing::Test::RecordProperty("mean", std::to_string(mean));
  EXPECT_LT(largest, 0.03);  // 0.010 to 0.022 by seed
  EXPECT_LT(mean, 0.001);
  const auto [least, most] = std::ranges::minmax(learned);
  EXPECT_GT(most - least, spread) << "all answers are alike: nothing was compared";
}

TEST(NnueQuantization, AnswersAsWasLearned) {
  for (const char* changes : {"default", "impasse_equal=5,queen=12"}) {
    SCOPED_TRACE(changes);
    const auto table = rules::ScoringTable::from_changes(changes);
    expect_agreement(initial_nnue(3), table, 0.02);
    expect_agreement(taught(table), table, 0.9);
  }
}

}  // namespace
}  // namespace training
