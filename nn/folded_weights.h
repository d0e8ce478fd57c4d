#pragma once
// A trained network as it plays: every batch norm folded into its convolution, as plain floats.

#include <optional>
#include <vector>

#include "nn/network_config.h"
#include "nn/weights.h"

namespace nn {

// The layers of a network that plays, each as a ConvolutionLayer or an AffineLayer.
template <class ConvolutionLayer, class AffineLayer>
struct Layers {
  struct Block {
    ConvolutionLayer first, second;
    std::optional<AffineLayer> squeeze, excite;  // of a conditioned block
  };

  ConvolutionLayer stem;
  AffineLayer global_shift;
  std::vector<Block> blocks;
  ConvolutionLayer policy_hidden, policy_out;
  // Keys of the squares left (the first half of the outputs) and arrived at: a move's logit gains
  // the product of its two.
  std::optional<AffineLayer> policy_pairs;
  ConvolutionLayer value_hidden;
  AffineLayer value_first, value_out;
};

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

struct FoldedWeights : Layers<Convolution, Affine> {
  Shape shape() const { return {stem.in, global_shift.in, policy_out.out}; }
};

// Folds what weights_of() gives for a NetworkImpl of the config. Throws CheckpointError naming the
// first array that is missing or of another shape, or where there are unknown ones.
FoldedWeights fold(const NetworkConfig& config, const Weights& weights);

}  // namespace nn
