#include "nn/folded_weights.h"

#include "nn/network.h"

namespace nn {
namespace {

std::vector<float> floats(const torch::Tensor& tensor) {
  const auto flat = tensor.detach().to(torch::kFloat32).contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

Convolution convolution(const torch::Tensor& weight, const torch::Tensor& bias) {
  return {static_cast<int>(weight.size(1)), static_cast<int>(weight.size(0)),
          static_cast<int>(weight.size(2)), floats(weight), floats(bias)};
}

Convolution folded(const ConvNorm& layer) {
  const auto& norm = layer->norm;
  const torch::Tensor scale = norm->weight / torch::sqrt(norm->running_var + norm->options.eps());
  return convolution(layer->conv->weight * scale.view({-1, 1, 1, 1}),
                     norm->bias - norm->running_mean * scale);
}

Affine affine(const torch::nn::Linear& layer) {
  return {static_cast<int>(layer->weight.size(1)), static_cast<int>(layer->weight.size(0)),
          floats(layer->weight), floats(layer->bias)};
}

}  // namespace

FoldedWeights fold(const NetworkConfig& config, const Weights& weights) {
  Network network(config);
  set_weights(*network, weights);
  const torch::NoGradGuard no_grad;
  FoldedWeights out{folded(network->stem),
                    affine(network->global_shift),
                    {},
                    folded(network->policy_hidden),
                    convolution(network->policy_out->weight, network->policy_out->bias),
                    folded(network->value_hidden),
                    affine(network->value_first),
                    affine(network->value_out)};
  for (const Block& block : network->blocks) {
    FoldedBlock& one =
        out.blocks.emplace_back(FoldedBlock{folded(block->first), folded(block->second), {}, {}});
    if (block->condition.is_empty()) continue;
    one.squeeze = affine(block->condition->squeeze);
    one.excite = affine(block->condition->excite);
  }
  return out;
}

}  // namespace nn
