#include "training/learner/replay_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "tactics/lookahead.h"
#include "tests/training/random_game.h"

namespace training {
namespace {

LearnerConfig window_learning() {
  LearnerConfig config;
  config.search_value_share = 0;
  return config;
}

constexpr int kRows = 8;
constexpr int kLookahead = 1;

// Rows of the game's one target.
TrainingBatch rows_of(const selfplay::GameRecord& game, const LearnerConfig& config) {
  ReplayWindow window(config, {}, {.lookahead = kLookahead});
  window.add(game);
  base::Rng rng(1);
  TrainingBatch batch;
  window.sample(kRows, rng, batch);
  return batch;
}

// The position as the network sees it, and its mirror image.
std::pair<nn::EncodedPosition, nn::EncodedPosition> both_encodings(
    const rules::Position& position, int occurrences, const rules::ScoringTable& table) {
  nn::EncodedPosition plain{}, mirrored{};
  const nn::Encoder encoder;
  rules::MoveList survivors;
  position.surviving_moves(survivors);
  tactics::Lookahead lookahead;
  tactics::Finding finding = lookahead.find(position, table, survivors, kLookahead);
  encoder.encode(position, occurrences, table, finding, plain);
  if (finding.best) finding.best = rules::mirrored(finding.best);
  encoder.encode(position.mirrored(), occurrences, table, finding, mirrored);
  return {plain, mirrored};
}

// What a game of known values teaches of one of its positions, by either side and near its end too.
TEST(ReplayWindow, TargetsAreThoseOfTheGame) {
  LearnerConfig config;
  config.search_value_share = 0.25f;
  config.search_value_plies = 0;
  config.deep_share = 0;
  selfplay::GameRecord game = random_game(21);
  game.table = rules::ScoringTable::from_changes("queen=12,stalemate=3,impasse_equal=5");
  game.outcome = rules::Outcome::kBlackStalemated;  // pays White 7
  ASSERT_GT(game.plies.size(), 60u);
  std::vector<rules::Position> positions{game.start()};
  std::vector<int> occurrences;
  rules::History past;
  for (std::size_t i = 0; i < game.plies.size(); ++i) {
    selfplay::PlyRecord& ply = game.plies[i];
    occurrences.push_back(past.occurrences(positions.back()));
    past.add(positions.back());
    positions.push_back(positions.back().after(ply.played));
    ply.is_target = false;
    ply.root_value_stm = 0.001f * static_cast<float>(i + 1);
    ply.root_outcomes_white = {0, 0.25f, 0, 0, 0.25f, 0, 0.5f};
  }
  const std::size_t plies = game.plies.size();
  for (const std::size_t target : {std::size_t{20}, std::size_t{21}, plies - 10, plies - 3}) {
    SCOPED_TRACE(target);
    game.plies[target].is_target = true;
    const TrainingBatch batch = rows_of(game, config);
    game.plies[target].is_target = false;

    const rules::Position& position = positions[target];
    const bool white = position.side_to_move() == rules::Color::kWhite;
    const auto balance = [&](std::size_t ply) {
      const double for_white = positions[std::min(ply, plies)].material_balance_white(game.table);
      return static_cast<float>(white ? for_white : -for_white) / 10;
    };
    const auto value = [&](std::size_t ply) {
      if (ply >= plies) return white ? 0.4f : -0.4f;
      return 0.001f * static_cast<float>(ply + 1);  // of the same side, for the plies are even
    };
    const std::vector<float> auxiliary{value(target + 6), value(target + 16), balance(target + 6),
                                       balance(target + 16), balance(plies)};
    std::vector<float> outcomes{0, 0.0625f, 0, 0, 0.0625f, 0.75f, 0.125f};
    if (!white) std::ranges::reverse(outcomes);
    const auto [plain, mirrored] = both_encodings(position, occurrences[target], game.table);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t i = 0; i < kAuxiliaryTargets; ++i) {
        EXPECT_FLOAT_EQ(batch.auxiliary[row * kAuxiliaryTargets + i], auxiliary[i]) << i;
      }
      for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_FLOAT_EQ(batch.outcomes[row * 7 + i], outcomes[i]) << i;
      }
      EXPECT_EQ(batch.moves_left[row], static_cast<float>(plies - target));
      EXPECT_EQ(batch.positions[row].globals, plain.globals);
      EXPECT_TRUE(batch.positions[row].planes == plain.planes ||
                  batch.positions[row].planes == mirrored.planes);
    }
  }
}

TEST(ReplayWindow, SomeRowsSeeAsDeepAsPlay) {
  LearnerConfig config = window_learning();
  config.deep_share = 0.25f;
  ReplayWindow window(config, {}, {.lookahead = kLookahead});
  constexpr int kDrawn = 1000;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) window.add(random_game(seed));
  base::Rng rng(1);
  TrainingBatch batch;
  window.sample(kDrawn, rng, batch);
  std::map<float, int> plies;
  for (const nn::EncodedPosition& position : batch.positions) {
    ++plies[4 * position.globals[nn::kChessSharpShape.globals - 1]];
  }
  ASSERT_EQ(plies.size(), 2u);
  EXPECT_EQ(plies[kLookahead] + plies[mcts::SearchConfig{}.play_lookahead], kDrawn);
  EXPECT_NEAR(plies[mcts::SearchConfig{}.play_lookahead], 250, 60);
}

// What later searches say counts half as much with every ply; where they end, the game's end has
// what is left.
TEST(ReplayWindow, OutcomesFollowTheLaterSearches) {
  LearnerConfig config;
  config.search_value_share = 0.8f;
  config.search_value_plies = 1;
  selfplay::GameRecord game = random_game(21);
  game.outcome = rules::Outcome::kWhiteWins;
  ASSERT_GT(game.plies.size(), 60u);
  for (auto& ply : game.plies) ply.is_target = false;
  const auto says = [](std::size_t outcome) {
    std::array<float, 7> outcomes{};
    outcomes[outcome] = 1;
    return outcomes;
  };
  const auto expect = [&](std::size_t target, std::vector<float> outcomes) {
    SCOPED_TRACE(target);
    game.plies[target].is_target = true;
    const TrainingBatch batch = rows_of(game, config);
    game.plies[target].is_target = false;
    if (target % 2 != 0) std::ranges::reverse(outcomes);  // Black's
    for (std::size_t i = 0; i < 7; ++i) EXPECT_FLOAT_EQ(batch.outcomes[i], outcomes[i]) << i;
  };
  ASSERT_EQ(rules::Position::from_fen(game.start_fen).side_to_move(), rules::Color::kWhite);
  for (const std::size_t target : {std::size_t{20}, std::size_t{21}}) {
    game.plies[target].root_outcomes_white = says(0);
    game.plies[target + 1].root_outcomes_white = says(2);
    game.plies[target + 2].root_outcomes_white = says(4);
    game.plies[target + 3].root_outcomes_white = {};
    game.plies[target + 4].root_outcomes_white = says(5);  // behind one that knew nothing
    expect(target, {0.4f, 0, 0.2f, 0, 0.1f, 0.05f, 0.25f});
    game.plies[target].root_outcomes_white = {};
    expect(target, {0, 0, 0.4f, 0, 0.2f, 0.1f, 0.3f});
  }
  game.plies.back().root_outcomes_white = says(1);
  expect(game.plies.size() - 1, {0, 0.4f, 0, 0, 0, 0, 0.6f});
}

TEST(ReplayWindow, LabelsFollowTheMover) {
  selfplay::GameRecord game = random_game(21);
  game.outcome = rules::Outcome::kWhiteWins;
  LearnerConfig config = window_learning();
  ReplayWindow window(config);
  window.add(game);
  base::Rng rng(1);
  TrainingBatch batch;
  window.sample(200, rng, batch);
  int movers[2] = {0, 0};
  for (std::size_t row = 0; row < 200; ++row) {
    // Under the default table an equal impasse pays the mover 4 (White) or 6 (Black).
    const bool white = batch.positions[row].globals[3] < 0;
    ++movers[white];
    EXPECT_EQ(batch.outcomes[row * 7 + (white ? 6 : 0)], 1.0f);
    float sum = 0;
    const PolicyRows& policy = batch.policy;
    for (int k = 0; k < policy.width; ++k) {
      const auto cell = row * static_cast<std::size_t>(policy.width) + static_cast<std::size_t>(k);
      sum += policy.targets[cell];
      EXPECT_LE(policy.targets[cell], policy.mask[cell]);
    }
    EXPECT_FLOAT_EQ(sum, 1.0f);
  }
  EXPECT_GT(movers[0], 20);
  EXPECT_GT(movers[1], 20);
}

TEST(ReplayWindow, KeepsItsSizeAndLetsTheOldestGo) {
  LearnerConfig config;
  config.search_value_share = 1;
  config.search_value_plies = 0;
  config.window_min = 300;
  config.window_max = 500;
  ReplayWindow window(config);
  constexpr std::uint64_t kGames = 30;
  for (std::uint64_t seed = 0; seed < kGames; ++seed) {
    selfplay::GameRecord game = random_game(seed);
    for (auto& ply : game.plies) ply.root_outcomes_white[seed < kGames / 2 ? 2 : 4] = 1;
    if (seed >= kGames / 2) game.table.points_white[3] = 4.5;
    window.add(std::move(game));
  }
  EXPECT_LE(window.size(), window.capacity());
  EXPECT_LE(window.capacity(), 500);
  EXPECT_GT(window.size(), 150);
  EXPECT_GT(window.total(), 1000);
  base::Rng rng(1);
  TrainingBatch batch;
  window.sample(200, rng, batch);
  for (std::size_t row = 0; row < 200; ++row) {
    const bool white = batch.positions[row].globals[3] < 0;
    EXPECT_EQ(batch.outcomes[row * 7 + (white ? 4 : 2)], 1) << "of a game that is gone";
  }
}

}  // namespace
}  // namespace training
