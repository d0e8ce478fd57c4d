#pragma once
// The forms of a network's forward pass: LibTorch's, and oneDNN's in eight-bit integers.

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nn/batch.h"
#include "nn/folded_weights.h"
#include "nn/precision.h"

namespace nn {

// Owned and called by one thread.
class ForwardPass {
 public:
  virtual ~ForwardPass() = default;
  // REQUIRES: 0 < batch.size() <= the rows it was made for; `outputs` sized for the batch.
  virtual void run(const Batch& batch, Outputs& outputs) = 0;
};

// Reads the value head's outputs (7 outcome logits, moves left before softplus, auxiliary) of the
// positions [first, first + count) from rows of kValueOutputs numbers.
inline void read_values(const float* row, std::size_t first, std::size_t count, Outputs& outputs) {
  const auto softplus = [](float x) { return x > 20 ? x : std::log1p(std::exp(x)); };
  for (std::size_t i = first; i < first + count; ++i, row += kValueOutputs) {
    softmax({row, 7}, outputs.outcomes[i]);
    outputs.moves_left[i] = kMovesLeftScale * softplus(row[7]);
  }
}

// LibTorch's, channels-last on a CPU. `batch_invariant` as in InferenceOptions. REQUIRES: a
// precision other than kInt8.
std::unique_ptr<ForwardPass> torch_forward_pass(const FoldedWeights& weights,
                                                const std::string& device, Precision precision,
                                                int max_batch, bool batch_invariant);

// Runs the network on the CPU in fp32 and shows the observer each input of a block's convolutions,
// in their order, and the heads' input last: none is negative, [position][square][channel].
using Observer = std::function<void(std::span<const float> activations)>;
void observe_activations(const FoldedWeights& weights, const Batch& batch,
                         const Observer& observer);

// What the number 1 of an eight-bit activation stands for, by channel.
using Steps = std::vector<float>;

struct ActivationSteps {
  std::vector<Steps> trunk;  // blocks + 1: inputs of each block, and of the heads
  std::vector<Steps> inner;  // blocks: between a block's two convolutions
};

// oneDNN's, on a CPU with VNNI instructions. All convolutions of the trunk, and the first of each
// head, multiply unsigned activations with signed weights, which have a scale for each output
// channel. Their sums, the sum along the residual blocks, the affine layers and the heads' last
// layers stay in floats. One thread. A row does not depend on what the other rows hold. Its place
// and the batch's size may change the affine layers' last bits, and with them an activation at the
// edge between two bytes.
std::unique_ptr<ForwardPass> quantized_forward_pass(const FoldedWeights& weights,
                                                    const ActivationSteps& steps);

}  // namespace nn
