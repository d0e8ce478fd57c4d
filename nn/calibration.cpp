#include "nn/calibration.h"

#include <algorithm>
#include <cmath>

#include "nn/torch_forward_pass.h"
#include "rules/history.h"
#include "rules/rng.h"

namespace nn {
namespace {

constexpr int kPositions = 256;
constexpr std::uint64_t kSeed = 1;

constexpr float kSpare = 1.1f;
constexpr float kLeastShare = 1e-6f;  // of its layer's largest activation, that a channel counts as

Steps steps_for(std::span<const float> activations, std::size_t channels) {
  Steps tops(channels, 0.0f);
  for (std::size_t i = 0; i < activations.size(); i += channels) {
    for (std::size_t c = 0; c < channels; ++c) tops[c] = std::max(tops[c], activations[i + c]);
  }
  const float most = std::max(1e-6f, *std::max_element(tops.begin(), tops.end()));
  Steps steps;
  for (const float top : tops) {
    steps.push_back(kSpare * std::sqrt(std::max(top, kLeastShare * most) * most) / 255);
  }
  return steps;
}

}  // namespace

Batch random_play(const rules::Repertoire& repertoire, int positions, std::uint64_t seed) {
  const Encoder encoder(repertoire);
  Batch batch;
  rules::Rng rng(seed);
  while (batch.size() < positions) {
    const rules::RuleSet rules = repertoire.draw(rng);
    const rules::ScoringTable table = rules.table();
    rules::History past;
    rules::Position position = draw_start(rules, rng);
    while (batch.size() < positions) {
      const int occurrences = past.occurrences(position);
      const auto moves = position.legal_moves();
      if (position.outcome(table, occurrences) || moves.empty()) break;
      batch.add(encoder, position, occurrences, table, {moves.data(), moves.size()});
      past.add(position);
      position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
  return batch;
}

ActivationSteps calibrate(const FoldedWeights& weights, const rules::Repertoire& repertoire) {
  TorchForwardPass network(weights, "cpu", Precision::kFloat32, kPositions);
  const auto channels = static_cast<std::size_t>(weights.stem.out);
  ActivationSteps steps;
  bool torso = true;
  network.run_observed(
      random_play(repertoire, kPositions, kSeed), [&](std::span<const float> activations) {
        (torso ? steps.torso : steps.inner).push_back(steps_for(activations, channels));
        torso = !torso;
      });
  return steps;
}

Deviation deviation(const Batch& batch, const Outputs& a, const Outputs& b) {
  Deviation sum;
  for (std::size_t i = 0; i < batch.positions.size(); ++i) {
    for (std::size_t o = 0; o < 7; ++o) {
      sum.outcomes += std::abs(a.outcomes[i][o] - b.outcomes[i][o]) / 2;
    }
    const std::size_t begin = batch.policy_begin[i], end = batch.policy_begin[i + 1];
    double total_a = 0, total_b = 0;
    for (std::size_t k = begin; k < end; ++k) {
      total_a += std::exp(a.policy_logits[k]);
      total_b += std::exp(b.policy_logits[k]);
    }
    for (std::size_t k = begin; k < end; ++k) {
      sum.policy += std::abs(std::exp(a.policy_logits[k]) / total_a -
                             std::exp(b.policy_logits[k]) / total_b) /
                    2;
    }
  }
  const double count = std::max(1, batch.size());
  return {sum.policy / count, sum.outcomes / count};
}

}  // namespace nn
