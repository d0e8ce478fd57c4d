#pragma once
// What a network is asked, and what it answers.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/encoder.h"

namespace nn {

// What goes in: positions, and for each the policy indices whose logits are wanted. Reused: clear()
// keeps the memory.
struct Batch {
  std::vector<EncodedPosition> positions;
  std::vector<std::uint16_t>
      policy_indices;  // those of position i: [policy_begin[i], policy_begin[i + 1])
  std::vector<std::uint32_t> policy_begin{0};

  int size() const { return static_cast<int>(positions.size()); }
  // One more position, with all these moves of it. `occurrences` as of Position::outcome, `finding`
  // as of Encoder::encode().
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

// What comes out. All from the mover's side.
struct Outputs {
  std::vector<float> policy_logits;            // beside Batch::policy_indices
  std::vector<std::array<float, 7>> outcomes;  // probabilities: mover loses … mover wins
  std::vector<float> moves_left;               // plies to the end
};

}  // namespace nn
