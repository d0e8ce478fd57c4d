#include "nn/folded_weights.h"

#include <cmath>

namespace nn {
namespace {

constexpr float kEpsilon = 1e-5f;  // of LibTorch's batch norm

// Reads layers by their names in NetworkImpl, no array twice.
class Reader {
 public:
  explicit Reader(const Weights& weights) : weights_(weights) {}

  // A ConvNorm as one convolution.
  Convolution folded(const std::string& name, int in, int out, int kernel) {
    Convolution folded{in, out, kernel, array(name + ".conv.weight", {out, in, kernel, kernel}),
                       array(name + ".norm.bias", {out})};
    const std::vector<float>& gain = array(name + ".norm.weight", {out});
    const std::vector<float>& mean = array(name + ".norm.running_mean", {out});
    const std::vector<float>& variance = array(name + ".norm.running_var", {out});
    const std::size_t row = folded.weight.size() / gain.size();
    for (std::size_t i = 0; i < gain.size(); ++i) {
      const float scale = gain[i] / std::sqrt(variance[i] + kEpsilon);
      folded.bias[i] -= mean[i] * scale;
      for (std::size_t k = i * row; k < (i + 1) * row; ++k) folded.weight[k] *= scale;
    }
    return folded;
  }
  // A convolution of one square with a bias.
  Convolution convolution(const std::string& name, int in, int out) {
    return {in, out, 1, array(name + ".weight", {out, in, 1, 1}), array(name + ".bias", {out})};
  }
  Affine affine(const std::string& name, int in, int out) {
    return {in, out, array(name + ".weight", {out, in}), array(name + ".bias", {out})};
  }
  void require_end() const {
    if (read_ != weights_.size()) {
      throw CheckpointError("unknown arrays beside the network's own");
    }
  }

 private:
  const std::vector<float>& array(const std::string& name, const std::vector<std::int64_t>& shape) {
    ++read_;
    return find_array(weights_, name, shape).values;
  }

  const Weights& weights_;
  std::size_t read_ = 0;
};

FoldedWeights::Block block(Reader& read, const NetworkConfig& config, int index) {
  const std::string name = "block" + std::to_string(index);
  const int channels = config.channels;
  FoldedWeights::Block out;
  out.first = read.folded(name + ".first", channels, channels, 3);
  out.second = read.folded(name + ".second", channels, channels, 3);
  if (config.conditioned(index)) {
    out.squeeze =
        read.affine(name + ".condition.squeeze", channels + config.shape.globals, kSqueezed);
    out.excite = read.affine(name + ".condition.excite", kSqueezed, 2 * channels);
  }
  return out;
}

// The products' scale, 1 / sqrt(channels), is folded into the keys of the squares left.
std::optional<Affine> policy_pairs(Reader& read, const NetworkConfig& config) {
  const int channels = config.policy_attention;
  if (channels == 0) return std::nullopt;
  Affine pairs = read.affine("policy_pairs", config.policy_channels, 2 * channels);
  const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(channels)));
  for (int i = 0; i < channels * pairs.in; ++i) pairs.weight[static_cast<std::size_t>(i)] *= scale;
  for (int i = 0; i < channels; ++i) pairs.bias[static_cast<std::size_t>(i)] *= scale;
  return pairs;
}

}  // namespace

FoldedWeights fold(const NetworkConfig& config, const Weights& weights) {
  Reader read(weights);
  const auto& [planes, globals, move_planes] = config.shape;
  const int channels = config.channels;
  FoldedWeights out;
  out.stem = read.folded("stem", planes, channels, 3);
  out.global_shift = read.affine("global_shift", globals, channels);
  out.policy_hidden = read.folded("policy_hidden", channels, config.policy_channels, 1);
  out.policy_out = read.convolution("policy_out", config.policy_channels, move_planes);
  out.policy_pairs = policy_pairs(read, config);
  out.value_hidden = read.folded("value_hidden", channels, config.value_channels, 1);
  out.value_first =
      read.affine("value_first", config.value_channels * 64 + globals, config.value_hidden);
  out.value_out = read.affine("value_out", config.value_hidden, kValueOutputs);
  for (int i = 0; i < config.blocks; ++i) out.blocks.push_back(block(read, config, i));
  read.require_end();
  return out;
}

}  // namespace nn
