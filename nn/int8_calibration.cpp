#include "nn/int8_calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "base/rng.h"
#include "nn/inference.h"
#include "rules/history.h"
#include "rules/table_spread.h"
#include "tactics/lookahead.h"

namespace nn {
namespace {

constexpr int kPositions = 256;
constexpr std::uint64_t kSeed = 1;

constexpr float kSpare = 1.1f;
constexpr float kLeastRange = 1e-6f;  // of a channel, as a fraction of its layer's

// Raises the channels' greatest activations to those seen here.
void raise(std::span<const float> activations, std::vector<float>& tops) {
  for (std::size_t i = 0; i < activations.size(); i += tops.size()) {
    for (std::size_t c = 0; c < tops.size(); ++c) tops[c] = std::max(tops[c], activations[i + c]);
  }
}

Steps steps_for(const std::vector<float>& tops) {
  const float most = std::max(1e-6f, *std::max_element(tops.begin(), tops.end()));
  Steps steps;
  for (const float top : tops) {
    steps.push_back(kSpare * std::sqrt(std::max(top, kLeastRange * most) * most) / 255);
  }
  return steps;
}

// How far scoring tables are moved: as in self-play.
constexpr rules::TableSpread kUnmoved{};
constexpr std::array kSpreads{kUnmoved, kUnmoved, rules::kNearTables, rules::kWideTables};

template <class Numbers>
double total_variation(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(double{a[i]} - double{b[i]});
  return sum / 2;
}

}  // namespace

Batch random_play(const rules::Repertoire& repertoire, int positions, std::uint64_t seed) {
  const Encoder encoder(repertoire);
  Batch batch;
  tactics::Lookahead lookahead;
  base::Rng rng(seed), tables = rng.split(0);
  while (batch.size() < positions) {
    const rules::RuleSet rules = repertoire.draw(rng);
    rules::History past;
    rules::Position position = draw_start(rules, rng);
    while (batch.size() < positions) {
      const int occurrences = past.occurrences(position);
      const auto moves = position.legal_moves();
      const auto& spread = kSpreads[tables.below(kSpreads.size())];
      const auto table = rules::drawn_around(rules.table(), spread, /*pawn_too=*/true, tables);
      if (position.outcome(table, occurrences) || moves.empty()) break;
      rules::MoveList survivors;
      position.surviving_moves(survivors);
      const auto finding =
          lookahead.find(position, table, survivors, static_cast<int>(tables.below(5)));
      batch.add(encoder, position, occurrences, table, finding, {moves.data(), moves.size()});
      past.add(position);
      position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
  return batch;
}

ActivationSteps calibrate(const FoldedWeights& weights, const rules::Repertoire& repertoire) {
  const Batch batch = random_play(repertoire, kPositions, kSeed);
  const std::vector<float> none(static_cast<std::size_t>(weights.stem.out), 0.0f);
  std::vector<std::vector<float>> tops(2 * weights.blocks.size() + 1, none);
  const auto pass =
      float_forward_pass(weights, [&tops](std::size_t layer, std::span<const float> activations) {
        raise(activations, tops[layer]);
      });
  Outputs unread;
  unread.fit(batch);
  pass->finish(batch, 0, unread);
  ActivationSteps steps;
  for (std::size_t layer = 0; layer < tops.size(); ++layer) {
    (layer % 2 == 0 ? steps.trunk : steps.inner).push_back(steps_for(tops[layer]));
  }
  return steps;
}

Deviation deviation(const Batch& batch, const Outputs& a, const Outputs& b) {
  Deviation sum;
  for (std::size_t i = 0; i < batch.positions.size(); ++i) {
    const std::size_t begin = batch.policy_begin[i], count = batch.policy_begin[i + 1] - begin;
    const auto policy = [&](const Outputs& of) {
      std::vector<float> p(count);
      if (count > 0) softmax(std::span(of.policy_logits).subspan(begin, count), p);
      return p;
    };
    sum.policy += total_variation(policy(a), policy(b));
    sum.outcomes += total_variation(a.outcomes[i], b.outcomes[i]);
  }
  const double count = std::max(1, batch.size());
  return {sum.policy / count, sum.outcomes / count};
}

}  // namespace nn
