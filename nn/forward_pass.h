#pragma once
// The forms of a network's forward pass. On a CPU: the program's own in fp32 (Winograd's
// convolutions), oneDNN's in eight-bit integers, LibTorch's in bf16. On a GPU LibTorch's, on a
// simulated device a hash.

#include <algorithm>
#include <bit>
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

// The most batches that a device has at once of one forward pass.
inline constexpr std::size_t kFlights = 2;

// Owned and called by one thread.
class ForwardPass {
 public:
  virtual ~ForwardPass() = default;
  // Whether a device works between start() and finish(), and up to kFlights batches may be there.
  // Others do all work in finish().
  virtual bool is_on_device() const { return false; }
  // Hands the batch over; it does not change until finish(). `flight` (below kFlights) is none that
  // is in use. Throws DeviceMemoryError where the device has no memory for the batch, which then is
  // not started. REQUIRES: 0 < batch.size() <= the rows it was made for.
  virtual void start(const Batch& /*batch*/, std::size_t /*flight*/) {}
  // Waits for the batch that was started in the flight. Throws DeviceHungError where a device does
  // not answer (nn/device_use.h). REQUIRES: `outputs` sized for the batch.
  virtual void finish(const Batch& batch, std::size_t flight, Outputs& outputs) = 0;
};

// Returns how many rows a device computes for a batch of `rows`: the next multiple of an eighth of
// the power of two that holds them, at least of eight, at most max_batch. So it sees few shapes and
// computes few rows in vain, also where max_batch is far above them.
inline int padded_rows(int rows, int max_batch) {
  const int step = std::max(8, static_cast<int>(std::bit_ceil(static_cast<unsigned>(rows))) / 8);
  return std::min((rows + step - 1) / step * step, max_batch);
}

// Reads the value head's outputs (7 outcome logits, moves left before softplus, auxiliary) of the
// positions [first, first + count) from rows of kValueOutputs numbers.
inline void read_values(const float* row, std::size_t first, std::size_t count, Outputs& outputs) {
  const auto softplus = [](float x) { return x > 20 ? x : std::log1p(std::exp(x)); };
  for (std::size_t i = first; i < first + count; ++i, row += kValueOutputs) {
    softmax({row, 7}, outputs.outcomes[i]);
    outputs.moves_left[i] = kMovesLeftScale * softplus(row[7]);
  }
}

// A device's forward pass that goes on where it can: a batch that fails is tried once more; where
// the device has no memory for a batch, all inferences on it send batches of half the size at most
// from then on, whose order stays. Each is logged. Throws base::EnvironmentError where a batch
// fails twice or the smallest is too large.
std::unique_ptr<ForwardPass> careful_forward_pass(std::unique_ptr<ForwardPass> inner,
                                                  const std::string& device, int max_batch);

// LibTorch's: on a device, or on a CPU in bf16. `batch_invariant` as in InferenceOptions. REQUIRES:
// a precision other than kInt8, and on a CPU kBFloat16.
std::unique_ptr<ForwardPass> torch_forward_pass(const FoldedWeights& weights,
                                                const std::string& device, Precision precision,
                                                int max_batch, bool batch_invariant);

// Is shown the inputs of the trunk's layers, of a part of a batch at a time: of block i those of
// its first convolution (layer 2 i) and its second (2 i + 1), and the heads' (2 * blocks). None is
// negative, [position][square][channel].
using Observer = std::function<void(std::size_t layer, std::span<const float> activations)>;
// In fp32 on a CPU. One thread. A row's answer does not depend on its batch. The observer may be
// empty.
std::unique_ptr<ForwardPass> float_forward_pass(const FoldedWeights& weights,
                                                Observer observer = {});

// What the number 1 of an eight-bit activation stands for, by channel.
using Steps = std::vector<float>;

struct ActivationSteps {
  std::vector<Steps> trunk;  // blocks + 1: inputs of each block, and of the heads
  std::vector<Steps> inner;  // blocks: between a block's two convolutions
};

// A simulated device's: answers by a hash of the encoded row, the same whatever the weights and the
// batch, after the device's time. Of matches between networks it makes those of one with itself.
std::unique_ptr<ForwardPass> simulated_forward_pass(const Shape& shape, const std::string& device,
                                                    int max_batch);

// oneDNN's, on a CPU with VNNI instructions. All convolutions of the trunk, and the first of each
// head, multiply unsigned activations with signed weights, which have a scale for each output
// channel. Their sums, the sum along the residual blocks, the affine layers and the heads' last
// layers stay in floats. One thread. A row's answer does not depend on its batch.
std::unique_ptr<ForwardPass> quantized_forward_pass(const FoldedWeights& weights,
                                                    const ActivationSteps& steps);

}  // namespace nn
