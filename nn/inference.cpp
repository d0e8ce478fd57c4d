#include "nn/inference.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "nn/network.h"

namespace nn {
namespace {

at::ScalarType scalar_type(Precision precision) {
  switch (precision) {
    case Precision::kBFloat16:
      return at::kBFloat16;
    case Precision::kFloat16:
      return at::kHalf;
    case Precision::kFloat32:
      break;
  }
  return at::kFloat;
}

// A convolution with its batch norm folded in.
struct FoldedConv {
  at::Tensor weight, bias;
  int padding = 0;

  at::Tensor operator()(const at::Tensor& x) const {
    return at::conv2d(x, weight, bias, 1, padding);
  }
};

struct Affine {
  at::Tensor weight, bias;
  at::Tensor operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }
};

struct FoldedBlock {
  FoldedConv first, second;
  std::optional<Affine> squeeze, excite;
};

// Copies a trained network's arrays to the device and the type of play.
class Folder {
 public:
  Folder(at::Device device, at::ScalarType type) : device_(device), type_(type) {}

  FoldedConv fold(const ConvNorm& layer) const {
    const auto& norm = layer->norm;
    const at::Tensor scale = norm->weight / at::sqrt(norm->running_var + norm->options.eps());
    return conv(layer->conv->weight * scale.view({-1, 1, 1, 1}),
                norm->bias - norm->running_mean * scale);
  }
  FoldedConv conv(const at::Tensor& weight, const at::Tensor& bias) const {
    FoldedConv folded{place(weight), place(bias), static_cast<int>(weight.size(2) / 2)};
    folded.weight = folded.weight.contiguous(at::MemoryFormat::ChannelsLast);
    return folded;
  }
  Affine affine(const torch::nn::Linear& layer) const {
    return {place(layer->weight), place(layer->bias)};
  }

 private:
  at::Tensor place(const at::Tensor& tensor) const {
    return tensor.detach().to(device_, type_).contiguous();
  }
  at::Device device_;
  at::ScalarType type_;
};

// The forward pass alone: a chain of folded layers.
class FoldedNetwork {
 public:
  FoldedNetwork(Network& network, const Folder& folder)
      : stem_(folder.fold(network->stem)),
        global_shift_(folder.affine(network->global_shift)),
        policy_hidden_(folder.fold(network->policy_hidden)),
        policy_out_(folder.conv(network->policy_out->weight, network->policy_out->bias)),
        value_hidden_(folder.fold(network->value_hidden)),
        value_first_(folder.affine(network->value_first)),
        value_out_(folder.affine(network->value_out)) {
    for (const Block& block : network->blocks) {
      FoldedBlock folded{folder.fold(block->first), folder.fold(block->second), {}, {}};
      if (!block->condition.is_empty()) {
        folded.squeeze = folder.affine(block->condition->squeeze);
        folded.excite = folder.affine(block->condition->excite);
      }
      blocks_.push_back(std::move(folded));
    }
  }

  // planes [n, kPlanes, 8, 8] channels-last, globals [n, kGlobals] -> policy [n, 64, kMovePlanes]
  // of the play type, values [n, 8 + kAuxiliary] fp32.
  std::pair<at::Tensor, at::Tensor> forward(const at::Tensor& planes,
                                            const at::Tensor& globals) const {
    at::Tensor x = stem_(planes);
    x = x.add_(global_shift_(globals).unsqueeze(2).unsqueeze(3)).relu_();
    for (const FoldedBlock& block : blocks_) x = run(block, x, globals);
    const at::Tensor policy = policy_out_(policy_hidden_(x).relu_());
    const at::Tensor value = value_hidden_(x).relu_().permute({0, 2, 3, 1}).flatten(1);
    const at::Tensor hidden = value_first_(at::cat({value, globals}, 1)).relu_();
    return {policy.permute({0, 2, 3, 1}).flatten(1, 2), value_out_(hidden).to(at::kFloat)};
  }

 private:
  static at::Tensor run(const FoldedBlock& block, const at::Tensor& x, const at::Tensor& globals) {
    at::Tensor y = block.second(block.first(x).relu_());
    if (block.squeeze) {
      const at::Tensor hidden = (*block.squeeze)(at::cat({y.mean({2, 3}), globals}, 1)).relu_();
      const auto parts = (*block.excite)(hidden).unsqueeze(2).unsqueeze(3).chunk(2, 1);
      y.addcmul_(y, parts[0]).add_(parts[1]);
    }
    return y.add_(x).relu_();
  }

  FoldedConv stem_;
  Affine global_shift_;
  std::vector<FoldedBlock> blocks_;
  FoldedConv policy_hidden_, policy_out_, value_hidden_;
  Affine value_first_, value_out_;
};

// Expands bit planes to channels-last numbers: out[square][plane]. T holds the bits of 0 and 1.
template <class T>
void expand(const EncodedPosition& position, T one, T* out) {
  std::fill_n(out, 64 * kPlanes, T{0});
  for (int plane = 0; plane < kPlanes; ++plane) {
    for (std::uint64_t squares = position.planes[static_cast<std::size_t>(plane)]; squares;
         squares &= squares - 1) {
      out[std::countr_zero(squares) * kPlanes + plane] = one;
    }
  }
}

std::array<float, 7> softmax(const float* logits) {
  std::array<float, 7> p;
  const float top = *std::max_element(logits, logits + 7);
  float sum = 0;
  for (std::size_t i = 0; i < 7; ++i) sum += p[i] = std::exp(logits[i] - top);
  for (float& x : p) x /= sum;
  return p;
}

float softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }

}  // namespace

class Inference::Impl {
 public:
  Impl(const NetworkConfig& config, const Weights& weights, const InferenceOptions& options)
      : device_(options.device), type_(scalar_type(options.precision)) {
    Network network(config);
    set_weights(*network, weights);
    const c10::InferenceMode guard;
    folded_.emplace(network, Folder(device_, type_));
    const bool pinned = device_.is_cuda();
    const auto host = at::TensorOptions().pinned_memory(pinned);
    planes_ = device_.is_cuda() ? at::zeros({options.max_batch, kPlanes}, host.dtype(at::kLong))
                                : at::zeros({options.max_batch, 8, 8, kPlanes}, host.dtype(type_));
    globals_ = at::zeros({options.max_batch, kGlobals}, host.dtype(at::kFloat));
  }

  void run(const Batch& batch, Outputs& outputs) {
    const c10::InferenceMode guard;
    const int n = batch.size();
    outputs.policy_logits.resize(batch.policy_indices.size());
    outputs.outcomes.resize(static_cast<std::size_t>(n));
    outputs.moves_left.resize(static_cast<std::size_t>(n));
    if (n == 0) return;
    fill(batch);
    const auto [policy, values] = folded_->forward(planes(n), globals(n));
    read_values(values.to(at::kCPU).contiguous(), outputs);
    if (device_.is_cuda()) {
      gather_on_device(batch, policy, outputs);
    } else if (type_ == at::kBFloat16) {
      gather(batch, policy.contiguous().data_ptr<at::BFloat16>(), outputs);
    } else {
      gather(batch, policy.contiguous().data_ptr<float>(), outputs);
    }
  }

 private:
  void fill(const Batch& batch) {
    float* globals = globals_.data_ptr<float>();
    for (const EncodedPosition& position : batch.positions) {
      globals = std::copy(position.globals.begin(), position.globals.end(), globals);
    }
    if (device_.is_cuda()) {
      std::int64_t* packed = planes_.data_ptr<std::int64_t>();
      for (const EncodedPosition& position : batch.positions) {
        std::memcpy(packed, position.planes.data(), sizeof position.planes);
        packed += kPlanes;
      }
    } else if (type_ == at::kBFloat16) {
      auto* out = reinterpret_cast<std::uint16_t*>(planes_.data_ptr());
      for (const EncodedPosition& position : batch.positions) {
        expand<std::uint16_t>(position, 0x3f80, out);
        out += 64 * kPlanes;
      }
    } else {
      float* out = planes_.data_ptr<float>();
      for (const EncodedPosition& position : batch.positions) {
        expand<float>(position, 1.0f, out);
        out += 64 * kPlanes;
      }
    }
  }

  at::Tensor planes(int n) const {
    const at::Tensor rows = planes_.narrow(0, 0, n);
    if (!device_.is_cuda()) return rows.permute({0, 3, 1, 2});
    const at::Tensor packed = rows.to(device_, /*non_blocking=*/true);
    const at::Tensor shifts = at::arange(64, packed.options());
    return packed.unsqueeze(1)
        .bitwise_right_shift(shifts.view({1, 64, 1}))
        .bitwise_and(1)
        .to(type_)
        .view({n, 8, 8, kPlanes})
        .permute({0, 3, 1, 2});
  }
  at::Tensor globals(int n) const {
    return globals_.narrow(0, 0, n).to(device_, type_, /*non_blocking=*/true);
  }

  static void read_values(const at::Tensor& values, Outputs& outputs) {
    const float* row = values.data_ptr<float>();
    for (std::size_t i = 0; i < outputs.outcomes.size(); ++i, row += 8 + kAuxiliary) {
      outputs.outcomes[i] = softmax(row);
      outputs.moves_left[i] = kMovesLeftScale * softplus(row[7]);
    }
  }

  template <class T>
  static void gather(const Batch& batch, const T* policy, Outputs& outputs) {
    for (std::size_t i = 0; i + 1 < batch.policy_begin.size(); ++i, policy += kPolicySize) {
      for (std::uint32_t k = batch.policy_begin[i]; k < batch.policy_begin[i + 1]; ++k) {
        outputs.policy_logits[k] = static_cast<float>(policy[batch.policy_indices[k]]);
      }
    }
  }

  // Only the wanted logits travel back.
  void gather_on_device(const Batch& batch, const at::Tensor& policy, Outputs& outputs) {
    flat_.clear();
    for (std::size_t i = 0; i + 1 < batch.policy_begin.size(); ++i) {
      for (std::uint32_t k = batch.policy_begin[i]; k < batch.policy_begin[i + 1]; ++k) {
        flat_.push_back(static_cast<std::int64_t>(i) * kPolicySize + batch.policy_indices[k]);
      }
    }
    const auto count = static_cast<std::int64_t>(flat_.size());
    const at::Tensor index = at::from_blob(flat_.data(), {count}, at::kLong).to(device_);
    const at::Tensor logits =
        policy.reshape({-1}).index_select(0, index).to(at::kCPU, at::kFloat).contiguous();
    std::copy_n(logits.data_ptr<float>(), flat_.size(), outputs.policy_logits.begin());
  }

  at::Device device_;
  at::ScalarType type_;
  std::optional<FoldedNetwork> folded_;
  at::Tensor planes_, globals_;  // host side, max_batch rows
  std::vector<std::int64_t> flat_;
};

Inference::Inference(const NetworkConfig& config, const Weights& weights,
                     const InferenceOptions& options)
    : impl_(std::make_unique<Impl>(config, weights, options)) {}
Inference::~Inference() = default;

void Inference::run(const Batch& batch, Outputs& outputs) { impl_->run(batch, outputs); }

void use_one_torch_thread() { at::set_num_threads(1); }

std::string name(Precision precision) {
  switch (precision) {
    case Precision::kBFloat16:
      return "bf16";
    case Precision::kFloat16:
      return "fp16";
    case Precision::kFloat32:
      break;
  }
  return "fp32";
}

Precision precision_of(const std::string& text) {
  for (const Precision precision : {Precision::kBFloat16, Precision::kFloat16}) {
    if (name(precision) == text) return precision;
  }
  return Precision::kFloat32;
}

Precision fastest_precision(const NetworkConfig& config, const std::string& device) {
  if (device != "cpu") return Precision::kBFloat16;
  constexpr int kRows = 64;
  const Weights weights = weights_of(*Network(config));
  Batch batch;
  batch.positions.resize(kRows);
  batch.policy_begin.assign(kRows + 1, 0);
  Outputs outputs;
  const auto seconds = [&](Precision precision) {
    Inference inference(config, weights, {device, precision, kRows});
    double best = 1e9;
    for (int i = 0; i < 4; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      inference.run(batch, outputs);
      best = std::min(
          best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
  };
  return seconds(Precision::kBFloat16) < 0.95 * seconds(Precision::kFloat32) ? Precision::kBFloat16
                                                                             : Precision::kFloat32;
}

}  // namespace nn
