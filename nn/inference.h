#pragma once
// A network that answers batches. Includes no LibTorch: positions in, floats out.

#include <memory>
#include <string>

#include "nn/batch.h"
#include "nn/network_config.h"
#include "nn/precision.h"
#include "nn/weights.h"
#include "rules/repertoire.h"

namespace nn {

class ForwardPass;

struct InferenceOptions {
  std::string device = "cpu";                 // "cpu", "cuda", "cuda:N"
  Precision precision = Precision::kFloat32;  // one of precisions_on(device)
  int max_batch = 256;
  // All games that the network is made for (NetworkFile::repertoire), also where only some of them
  // are played: they decide its encoder, and int8 is calibrated on random games of all of them.
  rules::Repertoire repertoire{};
  // On a CPU a position's answer does not depend on what else is in its batch, so that games do not
  // depend on how they are divided among threads. Then fp32 is computed in parts of 16 rows, and
  // bf16 in batches of at least 16; int8 needs nothing.
  bool batch_invariant = false;
};

// What all inferences of one network share, computed once: its weights with every batch norm folded
// in and, for int8, the steps of its activations. Constant: copies share it, in any thread.
class PlayingNetwork {
 public:
  // Throws CheckpointError where the weights do not fit the config, std::invalid_argument where the
  // config's shape is not that of the repertoire.
  PlayingNetwork(const NetworkConfig& config, const Weights& weights,
                 const InferenceOptions& options);
  const InferenceOptions& options() const;

 private:
  friend class Inference;
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

// Owned and called by one thread. Holds a copy of the weights in its own form.
class Inference {
 public:
  explicit Inference(const PlayingNetwork& network);
  // For a network that no other inference shares.
  Inference(const NetworkConfig& config, const Weights& weights, const InferenceOptions& options)
      : Inference(PlayingNetwork(config, weights, options)) {}
  ~Inference();
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // Throws std::invalid_argument where the batch is larger than max_batch, CheckpointError where an
  // output is not finite.
  void run(const Batch& batch, Outputs& outputs);

 private:
  int max_batch_;
  std::unique_ptr<ForwardPass> form_;
};

// Sets the calling thread's LibTorch thread count to one (LibTorch's setting holds per thread).
void use_one_torch_thread();

// Sets the calling thread's LibTorch thread count; the destructor restores it.
class TorchThreads {
 public:
  explicit TorchThreads(int count);
  ~TorchThreads();
  TorchThreads(const TorchThreads&) = delete;
  TorchThreads& operator=(const TorchThreads&) = delete;

 private:
  int before_;
};

}  // namespace nn
