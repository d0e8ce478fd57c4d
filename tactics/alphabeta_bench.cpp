#include "tactics/alphabeta_bench.h"

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/stopwatch.h"
#include "rules/move_list.h"
#include "tactics/alphabeta.h"
#include "tactics/random_positions.h"

namespace tactics {
namespace {

constexpr double kSeconds = 1;  // for each figure, at least
constexpr std::size_t kPositions = 256;
constexpr std::uint64_t kNodes = 200000;

}  // namespace

NnueSpeed bench_nnue(std::shared_ptr<const NnueWeights> weights) {
  NnueSpeed speed;
  Nnue nnue(weights);
  nnue.set_table({});
  struct Family {  // a position and what each of its moves leads to
    rules::Position position;
    std::vector<rules::Position> after;
  };
  std::vector<Family> all;
  for (const rules::Position& position : random_positions(kPositions)) {
    rules::MoveList moves;
    position.surviving_moves(moves);
    Family& family = all.emplace_back(Family{position, {}});
    for (const rules::Move move : moves) family.after.push_back(position.after(move));
  }
  volatile float sum = 0;  // without it the evaluations might be left out
  std::uint64_t evaluations = 0;
  auto begin = std::chrono::steady_clock::now();
  while (base::seconds_since(begin) < kSeconds) {
    for (const Family& family : all) {
      nnue.start(family.position);
      for (const rules::Position& after : family.after) {
        nnue.push(after);
        sum = sum + nnue.value_stm();
        nnue.pop();
      }
      evaluations += family.after.size();
    }
  }
  speed.evals_per_s = static_cast<double>(evaluations) / base::seconds_since(begin);

  AlphaBetaSearch search(Evaluator(weights), 1, 64);
  std::uint64_t nodes = 0;
  begin = std::chrono::steady_clock::now();
  while (base::seconds_since(begin) < kSeconds) {
    search.clear();
    nodes += search.search(rules::Position::start(), {}, {}, {.nodes = kNodes}).nodes;
  }
  speed.nodes_per_s = static_cast<double>(nodes) / base::seconds_since(begin);
  return speed;
}

std::uint64_t alphabeta_signature() {
  constexpr int kDepth = 8, kFullWidthDepth = 3;
  constexpr std::size_t kEvery = 16;  // of the positions
  AlphaBetaSearch search(Evaluator(), 1, 1);
  std::uint64_t hash = 0;
  const std::vector<rules::Position> all = random_positions(kPositions);
  for (std::size_t i = 0; i < all.size(); i += kEvery) {
    for (const bool full_width : {false, true}) {
      search.clear();
      const int depth = full_width ? kFullWidthDepth : kDepth;
      const auto found = search.search(all[i], {}, {}, {.depth = depth, .full_width = full_width});
      const auto score = static_cast<std::uint16_t>(found.best().score);
      hash = base::mix64(hash ^ found.nodes << 32 ^ std::uint64_t{found.best().move.raw()} << 16 ^
                         score);
    }
  }
  return hash;
}

}  // namespace tactics
