#pragma once
// The network as it is trained. (Play runs a folded copy of it: Inference.)

#include <torch/nn.h>

#include <vector>

#include "nn/encoder.h"
#include "nn/network_config.h"
#include "nn/weights.h"

namespace nn {

// Logits of moves, the sum of two parts.
struct MoveLogits {
  torch::Tensor by_move;  // [n, policy size]
  torch::Tensor by_pair;  // [n, 64 * 64], by the squares left and arrived at; undefined: none
  torch::Tensor pair_of;  // [policy size]: square_pairs(); defined as by_pair is

  torch::Tensor at(const torch::Tensor& indices) const;  // policy indices [n, k] -> fp32 [n, k]
  torch::Tensor all() const;                             // [n, policy size]
};

struct NetworkOutputs {
  MoveLogits policy;
  torch::Tensor outcomes;    // [n, 7] logits: side to move loses … wins
  torch::Tensor moves_left;  // [n] plies / 50, not negative
  torch::Tensor auxiliary;   // [n, kAuxiliary]
};

// Convolution without bias, then batch norm.
struct ConvNormImpl : torch::nn::Module {
  ConvNormImpl(int in, int out, int kernel);
  torch::Tensor forward(const torch::Tensor& x) { return norm(conv(x)); }
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
};
TORCH_MODULE(ConvNorm);

// Scales and shifts each channel as the board's means and the global inputs say
// (squeeze-excitation with FiLM: Hu and others 2018, Perez and others 2018).
struct ConditionImpl : torch::nn::Module {
  ConditionImpl(int channels, int globals);
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& globals);
  torch::nn::Linear squeeze;
  torch::nn::Linear excite;
};
TORCH_MODULE(Condition);

struct BlockImpl : torch::nn::Module {
  BlockImpl(const NetworkConfig& config, bool conditioned);
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& globals);
  ConvNorm first, second;
  Condition condition{nullptr};
};
TORCH_MODULE(Block);

struct NetworkImpl : torch::nn::Module {
  explicit NetworkImpl(const NetworkConfig& config);
  // planes [n, planes, 8, 8] (rank, file), globals [n, globals], as config.shape has them.
  NetworkOutputs forward(const torch::Tensor& planes, const torch::Tensor& globals);

  NetworkConfig config;
  ConvNorm stem;
  torch::nn::Linear global_shift;
  std::vector<Block> blocks;
  ConvNorm policy_hidden;
  torch::nn::Conv2d policy_out;
  torch::nn::Linear policy_pairs{nullptr};  // query and key; empty without policy_attention
  ConvNorm value_hidden;
  torch::nn::Linear value_first, value_out;  // value_out: kValueOutputs

 private:
  void mask_sight();
  MoveLogits policy(const torch::Tensor& hidden);
  // Buffers, which weights_of() leaves out as they are no floats.
  torch::Tensor pair_of;                    // MoveLogits::pair_of
  torch::Tensor seen_planes, seen_globals;  // false for the inputs of sight; undefined: all seen
};
TORCH_MODULE(Network);

// The tensor as floats, wherever it lies.
Array array_of(const torch::Tensor& tensor);
// Returns every parameter and batch-norm statistic by its name.
Weights weights_of(const torch::nn::Module& module);
// Throws CheckpointError naming the first array that is missing, unknown or of another shape.
void check_weights(const torch::nn::Module& module, const Weights& weights);
// Does so too, and then changes nothing.
void set_weights(torch::nn::Module& module, const Weights& weights);

}  // namespace nn
