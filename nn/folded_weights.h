#pragma once
// A trained network as it plays: every batch norm folded into its convolution, as plain floats.

#include <optional>
#include <vector>

#include "nn/network_config.h"
#include "nn/weights.h"

namespace nn {

// A convolution of stride 1 that keeps the board's size.
struct Convolution {
  int in = 0, out = 0, kernel = 0;
  std::vector<float> weight;  // [out][in][kernel][kernel]
  std::vector<float> bias;    // [out]
};

struct Affine {
  int in = 0, out = 0;
  std::vector<float> weight;  // [out][in]
  std::vector<float> bias;    // [out]
};

struct FoldedBlock {
  Convolution first, second;
  std::optional<Affine> squeeze, excite;  // of a conditioned block
};

struct FoldedWeights {
  Convolution stem;
  Affine global_shift;
  std::vector<FoldedBlock> blocks;
  Convolution policy_hidden, policy_out;
  // The squares left (the first half of what comes out) and arrived at: a move's logit gains their
  // product.
  std::optional<Affine> policy_pairs;
  Convolution value_hidden;
  Affine value_first, value_out;

  Shape shape() const { return {stem.in, global_shift.in, policy_out.out}; }
};

// Of what weights_of() gives for a NetworkImpl of the config. Throws CheckpointError naming the
// first array that is missing or of another shape, or where there are unknown ones.
FoldedWeights fold(const NetworkConfig& config, const Weights& weights);

}  // namespace nn
