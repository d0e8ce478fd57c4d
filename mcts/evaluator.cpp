#include "mcts/evaluator.h"

#include <algorithm>
#include <cmath>

namespace mcts {
namespace {

std::uint64_t mix(std::uint64_t x) {  // the finaliser of splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Uniform in (0, 1], from the upper half of a hash.
float unit(std::uint64_t x) { return (static_cast<float>(x >> 40) + 1.0f) * 0x1p-24f; }

float priced_stm(const Leaf& leaf, const std::array<float, rules::kOutcomes>& outcomes) {
  const double points = leaf.table->white_points(outcomes);
  return static_cast<float>(rules::value_stm(points, leaf.position.side_to_move()));
}

void normalize(std::span<float> weights) {
  float sum = 0;
  for (const float w : weights) sum += w;
  const float scale = 1.0f / sum;
  for (float& w : weights) w *= scale;
}

}  // namespace

float material_value(tactics::Lookahead& lookahead, const rules::Position& position,
                     std::span<const rules::Move> survivors, int plies, rules::Move* best) {
  constexpr float kScale = 1000;    // centipawns
  constexpr float kMost = 0.9999f;  // 1 is a king's
  const tactics::Finding found = lookahead.find(position, survivors, plies);
  if (best != nullptr) *best = found.best;
  if (found.king_falls()) return found.value > 0 ? 1.0f : -1.0f;
  return std::clamp(std::tanh(static_cast<float>(found.value) / kScale), -kMost, kMost);
}

void HashEvaluator::evaluate(LeafBatch& batch) {
  batch.priors.resize(batch.moves.size());
  for (Leaf& leaf : batch.leaves) {
    const std::uint64_t key = mix(leaf.position.key() + seed_ * 0x9e3779b97f4a7c15);
    Evaluation& e = leaf.evaluation;
    for (std::size_t i = 0; i < e.outcomes.size(); ++i) {
      const float u = unit(mix(key + i + 1));
      e.outcomes[i] = u * u * u;  // cubed: some positions are nearly decided
    }
    normalize(e.outcomes);
    e.value_stm = priced_stm(leaf, e.outcomes);
    e.material_stm = e.value_stm;
    e.moves_left = 100.0f * unit(mix(key));
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
  for (Leaf& leaf : batch.leaves) {
    Evaluation& e = leaf.evaluation;
    e.outcomes.fill(0);
    e.outcomes.front() = e.outcomes.back() = 0.5f;
    e.value_stm = priced_stm(leaf, e.outcomes);
    e.moves_left = 60;
    e.material_stm = material_value(lookahead_, leaf.position, batch.moves_of(leaf), leaf.lookahead,
                                    &e.material_move);
    for (float& p : batch.priors_of(leaf)) p = 1.0f / static_cast<float>(leaf.move_count);
  }
}

}  // namespace mcts
