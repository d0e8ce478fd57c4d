#include "mcts/evaluator.h"

#include <cmath>

#include "base/rng.h"

namespace mcts {
namespace {

// Uniform in (0, 1], from the upper half of a hash.
float unit(std::uint64_t x) { return (static_cast<float>(x >> 40) + 1.0f) * 0x1p-24f; }

float priced_stm(const Leaf& leaf, const rules::Outcomes& outcomes) {
  const double points = leaf.table->white_points(outcomes);
  return static_cast<float>(rules::value_stm(points, leaf.position.side_to_move()));
}

// An evaluation that knows of wins alone, White's with that probability; even priors.
void expect_win(Leaf& leaf, float white_wins, std::span<float> priors) {
  Evaluation& e = leaf.evaluation;
  e.outcomes.fill(0);
  e.outcomes.front() = 1 - white_wins;
  e.outcomes.back() = white_wins;
  e.value_stm = priced_stm(leaf, e.outcomes);
  e.moves_left = 60;
  for (float& p : priors) p = 1.0f / static_cast<float>(leaf.move_count);
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
    Evaluation& e = leaf.evaluation;
    for (std::size_t i = 0; i < e.outcomes.size(); ++i) {
      const float u = unit(base::mix64(key + i + 1));
      e.outcomes[i] = u * u * u;  // cubed: some positions are nearly decided
    }
    normalize(e.outcomes);
    e.value_stm = priced_stm(leaf, e.outcomes);
    e.moves_left = 100.0f * unit(base::mix64(key));
    const std::span<const rules::Move> moves = batch.moves_of(leaf);
    const std::span<float> priors = batch.priors_of(leaf);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const float u = unit((key ^ moves[i].raw()) * 0xbf58476d1ce4e5b9 ^ key);
      priors[i] = u * u * u;
    }
    normalize(priors);
  }
}

void UniformEvaluator::evaluate(LeafBatch& batch) {
  batch.priors.resize(batch.moves.size());
  for (Leaf& leaf : batch.leaves) expect_win(leaf, 0.5f, batch.priors_of(leaf));
}

void MaterialEvaluator::evaluate(LeafBatch& batch) {
  constexpr float kScale = 1000;  // centipawns
  batch.priors.resize(batch.moves.size());
  for (Leaf& leaf : batch.leaves) {
    const tactics::Finding found = tactics::find_tactics(lookahead_, leaf.position, *leaf.table,
                                                         batch.moves_of(leaf), leaf.lookahead);
    const float ahead = std::tanh(static_cast<float>(found.value) / kScale);
    const bool white = leaf.position.side_to_move() == rules::Color::kWhite;
    expect_win(leaf, (1 + (white ? ahead : -ahead)) / 2, batch.priors_of(leaf));
  }
}

}  // namespace mcts
