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

inline Batch batch_of(const std::vector<rules::Position>& positions,
                      const rules::ScoringTable& table = {}) {
  const Encoder encoder;
  Batch batch;
  for (const rules::Position& position : positions) {
    const rules::MoveList moves = position.legal_moves();
    batch.add(encoder, position, 1, table, {}, {moves.data(), moves.size()});
  }
  return batch;
}

}  // namespace nn
