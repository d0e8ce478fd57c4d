#pragma once
// What a network is asked, and what it answers.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/encoder.h"

namespace nn {

// The input: positions, and for each the policy indices whose logits are wanted. clear() keeps the
// memory.
struct Batch {
  std::vector<EncodedPosition> positions;
  std::vector<std::uint16_t> policy_indices;
  std::vector<std::uint32_t> policy_begin{0};  // position i: [policy_begin[i], policy_begin[i + 1])

  int size() const { return static_cast<int>(positions.size()); }
  // Adds a position with these of its moves. `occurrences` as for Position::outcome, `finding` as
  // for Encoder::encode().
  void add(const Encoder& encoder, const rules::Position& position, int occurrences,
           const rules::ScoringTable& table, const tactics::Finding& finding,
           std::span<const rules::Move> moves) {
    encoder.encode(position, occurrences, table, finding, positions.emplace_back());
    for (const rules::Move move : moves) {
      policy_indices.push_back(
          static_cast<std::uint16_t>(encoder.policy_index(move, position.side_to_move())));
    }
    policy_begin.push_back(static_cast<std::uint32_t>(policy_indices.size()));
  }
  void clear() {
    positions.clear();
    policy_indices.clear();
    policy_begin.assign(1, 0);
  }
};

// The output, seen by the side to move.
struct Outputs {
  std::vector<float> policy_logits;            // in the order of Batch::policy_indices
  std::vector<std::array<float, 7>> outcomes;  // probabilities: side to move loses … wins
  std::vector<float> moves_left;               // plies to the end

  // Makes room for the answers to the batch.
  void fit(const Batch& batch) {
    policy_logits.resize(batch.policy_indices.size());
    outcomes.resize(batch.positions.size());
    moves_left.resize(batch.positions.size());
  }
};

// Writes the probabilities of the logits, as many and at least one, to `p`.
inline void softmax(std::span<const float> logits, std::span<float> p) {
  const float top = *std::max_element(logits.begin(), logits.end());
  float sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) sum += p[i] = std::exp(logits[i] - top);
  for (float& x : p) x /= sum;
}

}  // namespace nn
