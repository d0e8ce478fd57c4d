#pragma once
// A network that answers batches. Free of torch: positions in, floats out.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nn/encoder.h"
#include "nn/network_config.h"
#include "nn/weights.h"

namespace nn {

// What goes in: positions, and for each the policy indices whose logits are wanted. Reused: clear()
// keeps the memory.
struct Batch {
  std::vector<EncodedPosition> positions;
  std::vector<std::uint16_t>
      policy_indices;  // those of position i: [policy_begin[i], policy_begin[i + 1])
  std::vector<std::uint32_t> policy_begin{0};

  int size() const { return static_cast<int>(positions.size()); }
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

enum class Precision { kFloat32, kBFloat16, kFloat16 };

struct InferenceOptions {
  std::string device = "cpu";  // "cpu", "cuda", "cuda:N"
  Precision precision = Precision::kFloat32;
  int max_batch = 256;
};

// The fastest precision on this device for such a network, by a measurement of well under a second;
// fp32 where nothing else is at least 5 % faster.
Precision fastest_precision(const NetworkConfig& config, const std::string& device);
std::string name(Precision precision);  // "fp32", "bf16", "fp16"
// REQUIRES: a name() of one.
Precision precision_of(const std::string& name);

// Owned and called by one thread. Batch-norm is folded into the convolutions, the weights are
// copied.
class Inference {
 public:
  // Throws CheckpointError where the weights do not fit the config.
  Inference(const NetworkConfig& config, const Weights& weights, const InferenceOptions& options);
  ~Inference();
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // REQUIRES: batch.size() <= max_batch.
  void run(const Batch& batch, Outputs& outputs);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// One LibTorch thread for the calling thread (LibTorch's setting holds per thread).
void use_one_torch_thread();

}  // namespace nn
