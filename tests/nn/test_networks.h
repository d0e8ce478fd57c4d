#pragma once
// Networks and batches for tests.

#include <torch/torch.h>

#include <vector>

#include "nn/batch.h"
#include "nn/network.h"
#include "random_positions.h"

namespace nn {

inline NetworkConfig small(const rules::Repertoire& repertoire = {}) {
  return {2, 16, 2, 8, 4, 16, Encoder(repertoire).shape()};
}

// A network with nothing left at its initial value.
inline Network scrambled(const NetworkConfig& config) {
  torch::manual_seed(7);
  Network network(config);
  const torch::NoGradGuard no_grad;
  for (auto& p : network->parameters()) p.add_(torch::randn_like(p) * 0.1);
  for (auto& b : network->named_buffers()) {
    if (b.key().ends_with("running_mean")) b.value().copy_(torch::randn_like(b.value()) * 0.2);
    if (b.key().ends_with("running_var")) b.value().copy_(torch::rand_like(b.value()) * 1.5 + 0.5);
  }
  network->eval();
  return network;
}

inline Batch batch_of(const std::vector<rules::Position>& positions) {
  const Encoder encoder;
  Batch batch;
  for (const rules::Position& position : positions) {
    batch.positions.emplace_back();
    encoder.encode(position, 1, {}, batch.positions.back());
    for (const rules::Move move : position.legal_moves()) {
      batch.policy_indices.push_back(
          static_cast<std::uint16_t>(encoder.policy_index(move, position.side_to_move())));
    }
    batch.policy_begin.push_back(static_cast<std::uint32_t>(batch.policy_indices.size()));
  }
  return batch;
}

}  // namespace nn
