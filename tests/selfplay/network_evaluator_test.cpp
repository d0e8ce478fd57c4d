#include "selfplay/network_evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "arena/openings.h"
#include "base/rng.h"
#include "mcts/search.h"
#include "nn/weights.h"
#include "selfplay/generate.h"

namespace selfplay {
namespace {

using rules::Position;

constexpr int kGlobals = nn::kChessSharpShape.globals;

nn::NetworkConfig small() { return {2, 16, 2, 8, 4, 16, nn::kChessSharpShape, 0}; }

// Every array that such a network has, drawn at random, variances positive.
nn::Weights random_weights() {
  const nn::NetworkConfig config = small();
  const std::int64_t c = config.channels, p = config.policy_channels, v = config.value_channels;
  nn::Weights weights;
  base::Rng rng(5);
  const auto add = [&](const std::string& name, std::vector<std::int64_t> shape, bool positive) {
    std::int64_t size = 1;
    for (const std::int64_t d : shape) size *= d;
    nn::Array& array = weights[name];
    array.shape = std::move(shape);
    for (std::int64_t i = 0; i < size; ++i) {
      const auto drawn = static_cast<float>(0.15 * rng.normal());
      array.values.push_back(positive ? 1 + std::abs(drawn) : drawn);
    }
  };
  const auto add_conv = [&](const std::string& name, std::int64_t in, std::int64_t out, int size) {
    add(name + ".conv.weight", {out, in, size, size}, false);
    add(name + ".norm.weight", {out}, true);
    add(name + ".norm.bias", {out}, false);
    add(name + ".norm.running_mean", {out}, false);
    add(name + ".norm.running_var", {out}, true);
  };
  const auto add_affine = [&](const std::string& name, std::vector<std::int64_t> shape) {
    const std::int64_t out = shape[0];
    add(name + ".weight", std::move(shape), false);
    add(name + ".bias", {out}, false);
  };
  add_conv("stem", nn::kChessSharpShape.planes, c, 3);
  add_affine("global_shift", {c, kGlobals});
  for (const std::string block : {"block0", "block1"}) {
    add_conv(block + ".first", c, c, 3);
    add_conv(block + ".second", c, c, 3);
  }
  add_affine("block1.condition.squeeze", {nn::kSqueezed, c + kGlobals});
  add_affine("block1.condition.excite", {2 * c, nn::kSqueezed});
  add_conv("policy_hidden", c, p, 1);
  add_affine("policy_out", {nn::kChessSharpShape.move_planes, p, 1, 1});
  add_conv("value_hidden", c, v, 1);
  add_affine("value_first", {config.value_hidden, 64 * v + kGlobals});
  add_affine("value_out", {nn::kValueOutputs, config.value_hidden});
  return weights;
}

// Makes the network deaf to inputs [from, to) of the array, counted from its input `base`.
void silence(nn::Weights& weights, const std::string& name, std::int64_t base, std::int64_t from,
             std::int64_t to) {
  nn::Array& array = weights.at(name);
  const std::int64_t outs = array.shape[0], ins = array.shape[1];
  const std::int64_t cell = static_cast<std::int64_t>(array.values.size()) / (outs * ins);
  for (std::int64_t out = 0; out < outs; ++out) {
    std::fill_n(array.values.begin() + (out * ins + base + from) * cell, (to - from) * cell, 0.0f);
  }
}

void silence_globals(nn::Weights& weights, std::int64_t from, std::int64_t to) {
  silence(weights, "global_shift.weight", 0, from, to);
  silence(weights, "block1.condition.squeeze.weight", small().channels, from, to);
  silence(weights, "value_first.weight", 64 * small().value_channels, from, to);
}

struct Tree {
  std::vector<std::string> visits;
  float value_stm = 0;
  bool operator==(const Tree&) const = default;
};

std::vector<Tree> trees(const nn::Weights& weights, const rules::ScoringTable& table) {
  NetworkEvaluator evaluator(small(), weights, {.batch_invariant = true});
  std::vector<Tree> found;
  base::Rng rng(3);
  for (int i = 0; i < 12; ++i) {
    const auto line = random_line({}, table, 10 + 4 * i, rng);
    if (!line) continue;
    mcts::Search search(mcts::SearchConfig{}.for_play(), line->position(), table, rng.split(1));
    search.start({.nodes = 120});
    mcts::LeafBatch batch;
    while (!search.done()) {
      batch.clear();
      if (search.collect(8, batch) > 0) evaluator.evaluate(batch);
      search.apply(batch, 0, batch.leaves.size());
    }
    Tree tree{{}, search.value_stm()};
    for (const mcts::RootMove& m : search.root_moves()) {
      tree.visits.push_back(std::to_string(m.move.raw()) + ":" + std::to_string(m.visits));
    }
    found.push_back(tree);
  }
  return found;
}

// Piece values are what the network is told, no more: nothing else compares moves by them.
TEST(NetworkEvaluator, PieceValuesReachTheSearchThroughTheNetworkAlone) {
  const auto reversed =
      rules::ScoringTable::from_changes("pawn=9,knight=5,bishop=3,rook=3,queen=1");
  const nn::Weights hearing = random_weights();
  EXPECT_NE(trees(hearing, {}), trees(hearing, reversed)) << "it is told";
  nn::Weights deaf = hearing;
  silence(deaf, "stem.conv.weight", 0, nn::kOwnWinners, nn::kBoard);
  silence_globals(deaf, 7, 12);   // the table's piece values
  silence_globals(deaf, 14, 18);  // material on the board, which decides an impasse
  silence_globals(deaf, kGlobals - nn::kSightGlobals, kGlobals);
  const std::vector<Tree> plain = trees(deaf, {});
  EXPECT_GT(plain.size(), 8u);
  EXPECT_EQ(plain, trees(deaf, reversed));
}

// Not on its times either, which decide in what order batches are answered.
TEST(NetworkEvaluator, OnASimulatedDeviceGamesDependOnTheSeedAlone) {
  const auto games_on = [](const std::string& device, int threads, std::uint64_t seed) {
    WorkerSetup setup;
    setup.config.games = 6;
    setup.config.simulations = 4;
    setup.config.fast_simulations = 2;
    const auto workers = make_workers(setup, threads, seed);
    const nn::PlayingNetwork network(small(), random_weights(), {device, {}, 6});
    GenerateOptions how;
    how.limit.games = 6;
    how.evaluator = [&] { return std::make_unique<NetworkEvaluator>(network); };
    std::vector<std::vector<std::byte>> games;
    generate(
        workers,
        [&](std::span<const GameRecord> more) {
          for (const GameRecord& game : more) games.push_back(encode(game));
        },
        how);
    return games;
  };
  const auto games = games_on("simulated:launch_us=200,row_ns=5000", 1, 4);
  EXPECT_EQ(games.size(), 6u);
  EXPECT_EQ(games_on("simulated:launch_us=200,row_ns=5000", 3, 4), games);
  EXPECT_EQ(games_on("simulated:launch_us=0,row_ns=0", 2, 4), games);
  EXPECT_NE(games_on("simulated:launch_us=0,row_ns=0", 2, 5), games);
}

// A network that hears of the finding hears of its depth.
TEST(NetworkEvaluator, LooksAsFarAsTheSearchAsks) {
  nn::Weights weights = random_weights();
  NetworkEvaluator evaluator(small(), weights, {.batch_invariant = true});
  const rules::ScoringTable table;
  mcts::LeafBatch batch;
  rules::MoveList moves;
  const Position position =
      Position::from_fen("r3k3/1p3ppp/8/3n4/8/2P5/PP1R1PPP/4K3[Nb] w - - 0 30");
  position.surviving_moves(moves);
  for (const int plies : {0, 2, 4, 2}) {
    mcts::Leaf& leaf = batch.add(position, table, {moves.data(), moves.size()});
    leaf.lookahead = plies;
  }
  evaluator.evaluate(batch);
  EXPECT_NE(batch.leaves[0].evaluation.value_stm, batch.leaves[1].evaluation.value_stm);
  EXPECT_NE(batch.leaves[1].evaluation.value_stm, batch.leaves[2].evaluation.value_stm);
  EXPECT_EQ(batch.leaves[1].evaluation.value_stm, batch.leaves[3].evaluation.value_stm);
}

}  // namespace
}  // namespace selfplay
