#include "training/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "rules/position.h"
#include "training/replay_window.h"

namespace training {
namespace {

nn::NetworkConfig small_network(const nn::Encoder& encoder = {}) {
  return {2, 32, 2, 16, 8, 32, encoder.shape()};
}

LearnerConfig quick_learning() {
  LearnerConfig config;
  config.batch = 64;
  config.learning_rate = 5e-3f;
  config.warmup_steps = 10;
  config.anneal_share = 0;
  config.weight_decay = 0;
  config.search_value_share = 0;
  config.auxiliary_weight = 0.1f;
  return config;
}

// A game of random legal moves whose every move is the target, with certainty.
selfplay::GameRecord random_game(std::uint64_t seed, rules::RuleSet rules = {}) {
  rules::Rng rng(seed);
  for (;;) {
    selfplay::GameRecord game;
    rules::Position position = draw_start(rules, rng);
    rules::History past;
    game.rules = rules;
    game.table = rules.table();
    game.start_fen = position.to_fen();
    game.seed = seed;
    while (!position.outcome(game.table, past.occurrences(position))) {
      rules::MoveList moves;
      position.surviving_moves(moves);
      if (moves.empty()) moves = position.legal_moves();
      selfplay::PlyRecord ply;
      ply.played = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
      ply.policy = {{ply.played, 1.0f}};
      rules::MoveList surviving;
      position.surviving_moves(surviving);
      ply.is_target = !surviving.empty();
      past.add(position);
      position.play(ply.played);
      game.plies.push_back(std::move(ply));
    }
    game.outcome = *position.outcome(game.table, past.occurrences(position));
    if (game.plies.size() < 150) return game;
  }
}

class Overfitting : public testing::TestWithParam<rules::RuleSet> {};

TEST_P(Overfitting, OneGameToNearlyZeroLoss) {
  const nn::Encoder encoder(GetParam());
  ReplayWindow window(quick_learning(), encoder);
  window.add(random_game(3, GetParam()));
  Learner learner(small_network(encoder), quick_learning(), "cpu", 2, 1);
  const LearnerReport first = learner.train(window, 5, 0);
  learner.train(window, 350, 0);
  const LearnerReport last = learner.train(window, 10, 0);
  ASSERT_FALSE(last.diverged);
  EXPECT_GT(first.policy_loss, 1.5);
  EXPECT_LT(last.policy_loss, 0.15);
  EXPECT_LT(last.outcome_loss, 0.02);
}

// Chess960 has castling and en passant, Chess+ entries with a pawn's step, both promotion to less.
INSTANTIATE_TEST_SUITE_P(Learner, Overfitting,
                         testing::Values(rules::RuleSet{}, rules::kChess960, rules::kChessPlus));

TEST(Learner, TheLossesFloorIsTheEntropyOfTheTargets) {
  selfplay::GameRecord game = random_game(4);
  for (selfplay::PlyRecord& ply : game.plies) {
    if (ply.is_target) ply.policy[0].weight = 1.0f;
  }
  ReplayWindow window(quick_learning());
  window.add(game);
  Learner learner(small_network(), quick_learning(), "cpu", 1, 1);
  const LearnerReport report = learner.train(window, 1, 0);
  EXPECT_NEAR(report.policy_floor, 0.0, 1e-5);
  EXPECT_NEAR(report.outcome_loss, std::log(7.0), 1e-3);  // an untrained network is indifferent
}

TEST(Learner, GoesOnFromItsStateToTheSameWeights) {
  ReplayWindow window(quick_learning());
  for (std::uint64_t seed = 10; seed < 14; ++seed) window.add(random_game(seed));
  Learner whole(small_network(), quick_learning(), "cpu", 2, 5);
  whole.train(window, 6, 0);
  const nn::Weights half_way = whole.state();
  whole.train(window, 6, 0.5);

  Learner resumed(small_network(), quick_learning(), "cpu", 2, 5);
  resumed.restore(half_way);
  resumed.train(window, 6, 0.5);
  EXPECT_EQ(whole.state(), resumed.state());
  EXPECT_EQ(whole.averaged_weights(window), resumed.averaged_weights(window));
}

TEST(Learner, WhatAThreadThrowsComesOut) {
  selfplay::GameRecord game = random_game(4);
  game.start_fen = "not a position";
  ReplayWindow window(quick_learning());
  window.add(game);
  Learner learner(small_network(), quick_learning(), "cpu", 2, 1);
  EXPECT_THROW(learner.train(window, 3, 0), rules::RulesError);
}

TEST(Learner, AStepTakesEquallyManyRowsForEachReplica) {
  const auto rows = [](int threads) {
    return Learner(small_network(), quick_learning(), "cpu", threads, 1).rows_per_step();
  };
  EXPECT_EQ(rows(1), 64);
  EXPECT_EQ(rows(2), 64);
  EXPECT_EQ(rows(3), 63);
}

TEST(Learner, SeesWhatItsLastStepDid) {
  LearnerConfig config = quick_learning();
  ReplayWindow window(config);
  window.add(random_game(4));
  Learner tame(small_network(), config, "cpu", 1, 1);
  EXPECT_FALSE(tame.train(window, 1, 0).diverged);
  config.learning_rate = 100;
  config.warmup_steps = 0;
  Learner wild(small_network(), config, "cpu", 1, 1);
  const LearnerReport report = wild.train(window, 1, 0);
  EXPECT_TRUE(report.diverged);
  EXPECT_EQ(report.steps, 1) << "it was taken";
}

TEST(Learner, ReportsTheRateOfItsLastStep) {
  LearnerConfig config = quick_learning();  // ten steps of warm-up
  ReplayWindow window(config);
  window.add(random_game(4));
  Learner learner(small_network(), config, "cpu", 1, 1);
  EXPECT_NEAR(learner.train(window, 1, 0).learning_rate, 5e-4, 1e-8);
  EXPECT_NEAR(learner.train(window, 2, 0).learning_rate, 1.5e-3, 1e-8);
  EXPECT_EQ(learner.train(window, 0, 0).learning_rate, 0);
}

TEST(Learner, RefusesAStateOfAnotherNetwork) {
  Learner learner(small_network(), quick_learning(), "cpu", 1, 5);
  nn::NetworkConfig other = small_network();
  other.channels = 16;
  Learner stranger(other, quick_learning(), "cpu", 1, 5);
  EXPECT_THROW(learner.restore(stranger.state()), nn::CheckpointError);
}

TEST(ReplayWindow, LabelsFollowTheMover) {
  selfplay::GameRecord game = random_game(21);
  game.outcome = rules::Outcome::kWhiteWins;
  LearnerConfig config = quick_learning();
  ReplayWindow window(config);
  window.add(game);
  rules::Rng rng(1);
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

// The answer to the move that was played, as the mover sees the board; its policy where it was
// searched in full.
TEST(ReplayWindow, ReplyIsTheNextPlysPolicy) {
  selfplay::GameRecord game = random_game(21);
  const std::size_t ply = game.plies.size() / 2;
  for (auto& one : game.plies) one.is_target = false;
  game.plies[ply].is_target = true;
  rules::Position position = game.start();
  for (std::size_t i = 0; i < ply; ++i) position.play(game.plies[i].played);
  const rules::Color mover = position.side_to_move();
  rules::MoveList replies;
  position.after(game.plies[ply].played).surviving_moves(replies);
  ASSERT_GT(replies.size(), 1u);
  const nn::Encoder encoder;
  const auto weights_of = [&](const selfplay::GameRecord& record) {
    ReplayWindow window(quick_learning());
    window.add(record);
    rules::Rng rng(1);
    TrainingBatch batch;
    window.sample(40, rng, batch);
    std::vector<std::map<std::int64_t, float>> rows(40);
    for (std::size_t cell = 0; cell < batch.reply.mask.size(); ++cell) {
      if (batch.reply.mask[cell] == 0) continue;
      const std::size_t row = cell / static_cast<std::size_t>(batch.reply.width);
      rows[row][batch.reply.indices[cell]] = batch.reply.targets[cell];
    }
    return rows;
  };
  const auto either_way = [&](rules::Move move) {
    return std::pair(encoder.policy_index(move, mover),
                     encoder.policy_index(rules::mirrored(move), mover));
  };
  const auto [plain, mirrored] = either_way(game.plies[ply + 1].played);
  for (auto& row : weights_of(game)) {
    EXPECT_EQ(row.size(), replies.size());
    EXPECT_EQ(std::max(row[plain], row[mirrored]), 1);
  }
  game.plies[ply + 1].policy = {{replies[0], 0.25f}, {replies[1], 0.75f}};
  game.plies[ply + 1].is_target = true;
  int searched = 0;
  const auto [first, first_mirrored] = either_way(replies[0]);
  for (auto& row : weights_of(game)) {
    if (row.size() != replies.size()) continue;
    searched += std::max(row[first], row[first_mirrored]) == 0.25f ? 1 : 0;
  }
  EXPECT_GT(searched, 5);
}

TEST(ReplayWindow, AfterTheLastMoveThereIsNoReply) {
  selfplay::GameRecord game = random_game(21);
  for (auto& one : game.plies) one.is_target = false;
  game.plies.back().is_target = true;
  ReplayWindow window(quick_learning());
  window.add(game);
  rules::Rng rng(1);
  TrainingBatch batch;
  window.sample(4, rng, batch);
  EXPECT_EQ(batch.reply.mask, std::vector<float>(4));
}

TEST(Learner, LearnsReplies) {
  nn::NetworkConfig network = small_network();
  network.reply_head = true;
  ReplayWindow window(quick_learning());
  window.add(random_game(3));
  Learner learner(network, quick_learning(), "cpu", 2, 1);
  const LearnerReport first = learner.train(window, 5, 0);
  learner.train(window, 200, 0);
  const LearnerReport last = learner.train(window, 10, 0);
  EXPECT_GT(first.reply_loss, 1.5);
  EXPECT_LT(last.reply_loss, 0.5 * first.reply_loss);
}

TEST(ReplayWindow, SurprisingPositionsComeMoreOften) {
  selfplay::GameRecord game = random_game(21);
  for (auto& ply : game.plies) ply.surprise = 0.5f;
  const std::size_t surprising = game.plies.size() / 2;
  game.plies[surprising].surprise = 5;
  LearnerConfig config = quick_learning();
  const auto held = [&](float share) {
    config.surprise_share = share;
    ReplayWindow window(config);
    window.add(game);
    return window.size();
  };
  const auto drawn = [&](float share) {
    config.surprise_share = share;
    ReplayWindow window(config);
    window.add(game);
    EXPECT_EQ(window.total(), held(0)) << "what was played does not depend on it";
    rules::Rng rng(1);
    TrainingBatch batch;
    window.sample(20000, rng, batch);
    const float moves_left = static_cast<float>(game.plies.size() - surprising);
    return static_cast<double>(
               std::count(batch.moves_left.begin(), batch.moves_left.end(), moves_left)) *
           static_cast<double>(held(0)) / 20000;
  };
  EXPECT_NEAR(drawn(0), 1, 0.2);
  const double mean = 0.5 + 4.5 / static_cast<double>(held(0));
  EXPECT_NEAR(drawn(1), 5 / mean, 1.2) << "in proportion, but for a row more or less";
  EXPECT_NEAR(drawn(0.5f), 0.5 + 0.5 * 5 / mean, 1.2);
  EXPECT_NEAR(static_cast<double>(held(1)), static_cast<double>(held(0)),
              0.2 * static_cast<double>(held(0)));
}

TEST(ReplayWindow, KeepsItsSizeAndLetsTheOldestGo) {
  LearnerConfig config = quick_learning();
  config.window_min = 300;
  config.window_max = 500;
  ReplayWindow window(config);
  for (std::uint64_t seed = 0; seed < 30; ++seed) window.add(random_game(seed));
  EXPECT_LE(window.size(), window.capacity());
  EXPECT_LE(window.capacity(), 500);
  EXPECT_GT(window.size(), 150);
  EXPECT_GT(window.total(), 1000);
}

}  // namespace
}  // namespace training
