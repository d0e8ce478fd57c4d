#pragma once
// The forward pass in eight-bit integers, by oneDNN on a CPU with VNNI instructions.

#include <memory>
#include <vector>

#include "nn/folded_weights.h"
#include "nn/forward_pass.h"

namespace nn {

// What the number 1 of an eight-bit activation stands for, by channel.
using Steps = std::vector<float>;

struct ActivationSteps {
  std::vector<Steps> torso;  // blocks + 1: of what goes into each block, and into the heads
  std::vector<Steps> inner;  // blocks: between a block's two convolutions
};

// All convolutions of the torso, and the first of each head, multiply unsigned activations with
// signed weights, which have a scale for each output channel. What they add up to, and the sum
// along the residual blocks, stays in floats, as do the affine layers and the heads' ends. One
// thread. What the other rows hold does not matter to a row. Its place and the batch's size may:
// they can change the affine layers' last bits, and an activation at the edge between two bytes
// with them.
class QuantizedForwardPass final : public ForwardPass {
 public:
  QuantizedForwardPass(const FoldedWeights& weights, const ActivationSteps& steps);
  ~QuantizedForwardPass() override;
  void run(const Batch& batch, Outputs& outputs) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nn
