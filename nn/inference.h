#pragma once
// A network that answers batches. Includes no LibTorch: positions in, floats out.

#include <array>
#include <cstddef>
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
  std::string device = "cpu";                 // a result of resolve_device()
  Precision precision = Precision::kFloat32;  // one of precisions_on(device)
  int max_batch = 256;
  // All games that the network is made for (NetworkFile::repertoire), also where only some of them
  // are played: they decide its encoder, and int8 is calibrated on random games of all of them.
  rules::Repertoire repertoire{};
  // On a CPU a position's answer does not depend on what else is in its batch, so that games do not
  // depend on how they are divided among threads. Then bf16 is computed in batches of
  // at least 16; fp32 and int8 are so by themselves.
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

  // start() and finish() at once, where no batch is in flight.
  void run(const Batch& batch, Outputs& outputs);

  // Hands a batch over, which must not change until it is finished. On a device the thread is free
  // meanwhile; on a CPU the work is done in finish(). Throws std::invalid_argument where the batch
  // is larger than max_batch. REQUIRES: fewer than most_in_flight() batches are in flight.
  void start(const Batch& batch);
  // Waits for the batch that was started first. Throws CheckpointError where an output is not
  // finite. REQUIRES: one is in flight; it no longer is, whatever is thrown.
  void finish(Outputs& outputs);
  int most_in_flight() const;  // 2 on a device, 1 on a CPU

 private:
  int max_batch_;
  std::unique_ptr<ForwardPass> form_;
  std::size_t started_ = 0, finished_ = 0;  // batches so far
  std::array<const Batch*, 2> flights_{};   // by their number modulo the array's size
};

}  // namespace nn
