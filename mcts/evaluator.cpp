#include "mcts/evaluator.h"

#include <cmath>

#include "base/rng.h"

namespace mcts {
namespace {

// Knows of wins alone, White's with that probability, and of no move more than of others.
void expect_win(LeafBatch& batch, Leaf& leaf, float white_wins) {
  leaf.expect({1 - white_wins, 0, 0, 0, 0, 0, white_wins});
  leaf.evaluation.moves_left = 60;
  batch.make_moves_equally_likely(leaf);
}

void normalize(std::span<float> weights) {
  float sum = 0;
  for (const float w : weights) sum += w;
  const float scale = 1.0f / sum;
  for (float& w : weights) w *= scale;
}

}  // namespace

void HashEvaluator::evaluate(LeafBatch& batch) {
  batch.priors.resize(batch.moves.size());
  for (Leaf& leaf : batch.leaves) {
    const std::uint64_t key = base::mix64(leaf.position.key() + seed_ * 0x9e3779b97f4a7c15);
    rules::Outcomes outcomes;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const float u = base::unit(base::mix64(key + i + 1));
      outcomes[i] = u * u * u;  // cubed: some positions are nearly decided
    }
    normalize(outcomes);
    leaf.expect(outcomes);
    leaf.evaluation.moves_left = 100.0f * base::unit(base::mix64(key));
    const std::span<const rules::Move> moves = batch.moves_of(leaf);
    const std::span<float> priors = batch.priors_of(leaf);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const float u = base::unit((key ^ moves[i].raw()) * 0xbf58476d1ce4e5b9 ^ key);
      priors[i] = u * u * u;
    }
    normalize(priors);
  }
}

void UniformEvaluator::evaluate(LeafBatch& batch) {
  batch.priors.resize(batch.moves.size());
  for (Leaf& leaf : batch.leaves) expect_win(batch, leaf, 0.5f);
}

void MaterialEvaluator::evaluate(LeafBatch& batch) {
  constexpr float kScale = 1000;  // centipawns
  batch.priors.resize(batch.moves.size());
  for (Leaf& leaf : batch.leaves) {
    const tactics::Finding found =
        lookahead_.find(leaf.position, *leaf.table, batch.moves_of(leaf), leaf.lookahead);
    const float ahead = std::tanh(static_cast<float>(found.value) / kScale);
    const bool white = leaf.position.side_to_move() == rules::Color::kWhite;
    expect_win(batch, leaf, (1 + (white ? ahead : -ahead)) / 2);
  }
}

}  // namespace mcts
