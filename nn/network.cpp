#include "nn/network.h"

#include <cmath>

namespace nn {
namespace {

torch::nn::Conv2dOptions conv_options(int in, int out, int kernel) {
  return torch::nn::Conv2dOptions(in, out, kernel).padding(kernel / 2).bias(false);
}

torch::nn::Conv2d head_conv(int in, int out) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 1));
}

// [n, move planes, 8, 8] -> [n, policy size].
torch::Tensor by_move(const torch::Tensor& logits) {
  return logits.permute({0, 2, 3, 1}).flatten(1);
}

}  // namespace

torch::Tensor MoveLogits::at(const torch::Tensor& indices) const {
  // Floats first: the gradient of a gather of bfloat16 is slow.
  const auto logits = by_move.to(torch::kFloat32).gather(1, indices);
  if (!by_pair.defined()) return logits;
  const auto pairs = pair_of.index_select(0, indices.flatten());
  return logits + by_pair.to(torch::kFloat32).gather(1, pairs.view_as(indices));
}

torch::Tensor MoveLogits::all() const {
  if (!by_pair.defined()) return by_move;
  return by_move + by_pair.index_select(1, pair_of);
}

ConvNormImpl::ConvNormImpl(int in, int out, int kernel)
    : conv(register_module("conv", torch::nn::Conv2d(conv_options(in, out, kernel)))),
      norm(register_module("norm", torch::nn::BatchNorm2d(out))) {
  torch::nn::init::kaiming_normal_(conv->weight, 0, torch::kFanOut, torch::kReLU);
}

ConditionImpl::ConditionImpl(int channels, int globals)
    : squeeze(register_module("squeeze", torch::nn::Linear(channels + globals, kSqueezed))),
      excite(register_module("excite", torch::nn::Linear(kSqueezed, 2 * channels))) {
  torch::nn::init::zeros_(excite->weight);
  torch::nn::init::zeros_(excite->bias);
}

torch::Tensor ConditionImpl::forward(const torch::Tensor& x, const torch::Tensor& globals) {
  // The mean of a channels-last view has a channels-last gradient, which is cheap to add to others.
  const auto means = x.permute({0, 2, 3, 1}).flatten(1, 2).mean(1);
  const auto hidden = torch::relu(squeeze(torch::cat({means, globals.to(means.scalar_type())}, 1)));
  const auto parts = excite(hidden).unsqueeze(2).unsqueeze(3).chunk(2, 1);
  return torch::addcmul(x + parts[1], x, parts[0]);
}

BlockImpl::BlockImpl(const NetworkConfig& config, bool conditioned)
    : first(register_module("first", ConvNorm(config.channels, config.channels, 3))),
      second(register_module("second", ConvNorm(config.channels, config.channels, 3))) {
  torch::nn::init::zeros_(second->norm->weight);  // a new block is the identity
  if (conditioned) {
    condition = register_module("condition", Condition(config.channels, config.shape.globals));
  }
}

torch::Tensor BlockImpl::forward(const torch::Tensor& x, const torch::Tensor& globals) {
  auto y = second(torch::relu(first(x)));
  if (!condition.is_empty()) y = condition(y, globals);
  return torch::relu(y + x);
}

NetworkImpl::NetworkImpl(const NetworkConfig& c)
    : config(c),
      stem(register_module("stem", ConvNorm(c.shape.planes, c.channels, 3))),
      global_shift(register_module("global_shift", torch::nn::Linear(c.shape.globals, c.channels))),
      policy_hidden(register_module("policy_hidden", ConvNorm(c.channels, c.policy_channels, 1))),
      policy_out(register_module("policy_out", head_conv(c.policy_channels, c.shape.move_planes))),
      value_hidden(register_module("value_hidden", ConvNorm(c.channels, c.value_channels, 1))),
      value_first(register_module(
          "value_first",
          torch::nn::Linear(c.value_channels * 64 + c.shape.globals, c.value_hidden))),
      value_out(register_module("value_out", torch::nn::Linear(c.value_hidden, kValueOutputs))) {
  for (int i = 0; i < c.blocks; ++i) {
    blocks.push_back(register_module("block" + std::to_string(i), Block(c, c.conditioned(i))));
  }
  if (c.policy_attention > 0) {
    policy_pairs = register_module("policy_pairs",
                                   torch::nn::Linear(c.policy_channels, 2 * c.policy_attention));
    const torch::NoGradGuard no_grad;
    policy_pairs->weight.slice(0, 0, c.policy_attention).zero_();  // at first without effect
    policy_pairs->bias.zero_();
    const auto pairs = square_pairs(c.shape);
    pair_of = register_buffer("pair_of",
                              torch::tensor(std::vector<std::int64_t>(pairs.begin(), pairs.end())));
  }
  if (!c.sight) mask_sight();
  // An untrained network is indifferent: equal priors, equal outcomes.
  for (const auto& zero :
       {policy_out->weight, policy_out->bias, value_out->weight, value_out->bias}) {
    torch::nn::init::zeros_(zero);
  }
}

// Masks the inputs of sight and sets their weights to 0. The weights stay 0, as training passes no
// gradient to them: so play needs no masks.
void NetworkImpl::mask_sight() {
  const torch::NoGradGuard no_grad;
  const std::int64_t end = kChessSharpShape.globals, begin = end - kSightGlobals;
  seen_planes =
      register_buffer("seen_planes", torch::ones({config.shape.planes, 1, 1}, torch::kBool));
  seen_planes.slice(0, kFirstSightPlane, kEndOfSightPlanes).zero_();
  seen_globals = register_buffer("seen_globals", torch::ones({config.shape.globals}, torch::kBool));
  seen_globals.slice(0, begin, end).zero_();
  stem->conv->weight.mul_(seen_planes);
  const auto forget = [&](torch::nn::Linear& layer, std::int64_t before) {
    layer->weight.slice(1, before + begin, before + end).zero_();
  };
  forget(global_shift, 0);
  forget(value_first, 64 * config.value_channels);
  for (Block& block : blocks) {
    if (!block->condition.is_empty()) forget(block->condition->squeeze, config.channels);
  }
}

MoveLogits NetworkImpl::policy(const torch::Tensor& hidden) {
  MoveLogits logits{by_move(policy_out(hidden)), {}, pair_of};
  if (policy_pairs.is_empty()) return logits;
  const auto keys = policy_pairs(hidden.permute({0, 2, 3, 1}).flatten(1, 2)).chunk(2, 2);
  const double scale = 1 / std::sqrt(static_cast<double>(config.policy_attention));
  logits.by_pair = torch::bmm(keys[0] * scale, keys[1].transpose(1, 2)).flatten(1);
  return logits;
}

NetworkOutputs NetworkImpl::forward(const torch::Tensor& all_planes,
                                    const torch::Tensor& all_globals) {
  torch::Tensor planes = all_planes, globals = all_globals;
  if (seen_planes.defined()) {
    planes = planes * seen_planes;
    globals = globals * seen_globals;
  }
  auto x = stem(planes);
  x = torch::relu(x + global_shift(globals).to(x.scalar_type()).unsqueeze(2).unsqueeze(3));
  for (auto& block : blocks) x = block(x, globals);

  const auto hidden_policy = torch::relu(policy_hidden(x));
  const auto value = torch::relu(value_hidden(x)).permute({0, 2, 3, 1}).flatten(1);
  const auto hidden =
      torch::relu(value_first(torch::cat({value, globals.to(value.scalar_type())}, 1)));
  const auto out = value_out(hidden).to(torch::kFloat32);
  NetworkOutputs outputs;
  outputs.policy = policy(hidden_policy);
  outputs.outcomes = out.slice(1, 0, 7);
  outputs.moves_left = torch::softplus(out.select(1, 7));
  outputs.auxiliary = out.slice(1, 8, kValueOutputs);
  return outputs;
}

namespace {

template <class F>
void for_each_array(const torch::nn::Module& module, F&& f) {
  for (const auto& item : module.named_parameters()) f(item.key(), item.value());
  for (const auto& item : module.named_buffers()) {
    // Not num_batches_tracked, nor the network's masks and indices.
    if (item.value().is_floating_point()) f(item.key(), item.value());
  }
}

}  // namespace

Array array_of(const torch::Tensor& tensor) {
  const auto flat = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  return {flat.sizes().vec(), {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()}};
}

Weights weights_of(const torch::nn::Module& module) {
  Weights weights;
  for_each_array(module, [&](const std::string& name, const torch::Tensor& tensor) {
    weights[name] = array_of(tensor);
  });
  return weights;
}

void check_weights(const torch::nn::Module& module, const Weights& weights) {
  std::size_t used = 0;
  for_each_array(module, [&](const std::string& name, const torch::Tensor& tensor) {
    find_array(weights, name, tensor.sizes());
    ++used;
  });
  if (used != weights.size()) throw CheckpointError("unknown arrays beside the network's own");
}

void set_weights(torch::nn::Module& module, const Weights& weights) {
  check_weights(module, weights);
  const torch::NoGradGuard no_grad;
  for_each_array(module, [&](const std::string& name, torch::Tensor tensor) {
    const Array& array = weights.at(name);
    tensor.copy_(torch::from_blob(const_cast<float*>(array.values.data()), array.shape));
  });
}

}  // namespace nn
