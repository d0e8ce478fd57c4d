#include "nn/torch_forward_pass.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "nn/bit_planes.h"

namespace nn {
namespace {

at::ScalarType scalar_type(Precision precision) {
  switch (precision) {
    case Precision::kBFloat16:
      return at::kBFloat16;
    case Precision::kFloat16:
      return at::kHalf;
    case Precision::kFloat32:
    case Precision::kInt8:
      break;
  }
  return at::kFloat;
}

struct TorchConvolution {
  at::Tensor weight, bias;
  int padding = 0;

  at::Tensor operator()(const at::Tensor& x) const {
    return at::conv2d(x, weight, bias, 1, padding);
  }
};

struct TorchAffine {
  at::Tensor weight, bias;
  at::Tensor operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }
};

struct TorchBlock {
  TorchConvolution first, second;
  std::optional<TorchAffine> squeeze, excite;
};

// Copies weights to the device and the type of play.
class Placer {
 public:
  Placer(at::Device device, at::ScalarType type) : device_(device), type_(type) {}

  TorchConvolution operator()(const Convolution& layer) const {
    const at::Tensor weight =
        place(layer.weight, {layer.out, layer.in, layer.kernel, layer.kernel});
    return {weight.contiguous(at::MemoryFormat::ChannelsLast), place(layer.bias, {layer.out}),
            layer.kernel / 2};
  }
  TorchAffine operator()(const Affine& layer) const {
    return {place(layer.weight, {layer.out, layer.in}), place(layer.bias, {layer.out})};
  }
  TorchBlock operator()(const FoldedBlock& block) const {
    TorchBlock placed{(*this)(block.first), (*this)(block.second), {}, {}};
    if (block.squeeze) placed.squeeze = (*this)(*block.squeeze);
    if (block.excite) placed.excite = (*this)(*block.excite);
    return placed;
  }

 private:
  at::Tensor place(const std::vector<float>& values, at::IntArrayRef shape) const {
    const at::Tensor borrowed = at::from_blob(const_cast<float*>(values.data()), shape, at::kFloat);
    return borrowed.to(device_, type_, /*non_blocking=*/false, /*copy=*/true);
  }
  at::Device device_;
  at::ScalarType type_;
};

// Tells the observer of a channels-last tensor.
void tell(const TorchForwardPass::Observer& observer, const at::Tensor& x) {
  const at::Tensor rows = x.permute({0, 2, 3, 1}).contiguous();
  observer({rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())});
}

// What the layers give, in the play type but for the values.
struct TorchOutputs {
  at::Tensor policy;  // [n, 64, move planes]
  at::Tensor pairs;   // [n, 64, 64], by the squares left and arrived at; undefined: none
  at::Tensor values;  // [n, kValueOutputs], fp32
};

// A chain of layers.
class TorchNetwork {
 public:
  TorchNetwork(const FoldedWeights& weights, const Placer& place)
      : stem_(place(weights.stem)),
        global_shift_(place(weights.global_shift)),
        policy_hidden_(place(weights.policy_hidden)),
        policy_out_(place(weights.policy_out)),
        value_hidden_(place(weights.value_hidden)),
        value_first_(place(weights.value_first)),
        value_out_(place(weights.value_out)) {
    for (const FoldedBlock& block : weights.blocks) blocks_.push_back(place(block));
    if (weights.policy_pairs) policy_pairs_ = place(*weights.policy_pairs);
  }

  // planes [n, planes, 8, 8] channels-last, globals [n, globals]. The observer may be empty.
  TorchOutputs forward(const at::Tensor& planes, const at::Tensor& globals,
                       const TorchForwardPass::Observer& observer) const {
    at::Tensor x = stem_(planes);
    x = x.add_(global_shift_(globals).unsqueeze(2).unsqueeze(3)).relu_();
    for (const TorchBlock& block : blocks_) x = run(block, x, globals, observer);
    if (observer) tell(observer, x);
    const at::Tensor hints = policy_hidden_(x).relu_();
    TorchOutputs out{policy_out_(hints).permute({0, 2, 3, 1}).flatten(1, 2), {}, {}};
    if (policy_pairs_) {
      const auto halves = (*policy_pairs_)(hints.permute({0, 2, 3, 1}).flatten(1, 2)).chunk(2, 2);
      out.pairs = at::bmm(halves[0], halves[1].transpose(1, 2));
    }
    const at::Tensor value = value_hidden_(x).relu_().permute({0, 2, 3, 1}).flatten(1);
    const at::Tensor hidden = value_first_(at::cat({value, globals}, 1)).relu_();
    out.values = value_out_(hidden).to(at::kFloat);
    return out;
  }

 private:
  static at::Tensor run(const TorchBlock& block, const at::Tensor& x, const at::Tensor& globals,
                        const TorchForwardPass::Observer& observer) {
    const at::Tensor inner = block.first(x).relu_();
    if (observer) {
      tell(observer, x);
      tell(observer, inner);
    }
    at::Tensor y = block.second(inner);
    if (block.squeeze) {
      const at::Tensor hidden = (*block.squeeze)(at::cat({y.mean({2, 3}), globals}, 1)).relu_();
      const auto parts = (*block.excite)(hidden).unsqueeze(2).unsqueeze(3).chunk(2, 1);
      y.addcmul_(y, parts[0]).add_(parts[1]);
    }
    return y.add_(x).relu_();
  }

  TorchConvolution stem_;
  TorchAffine global_shift_;
  std::vector<TorchBlock> blocks_;
  TorchConvolution policy_hidden_, policy_out_, value_hidden_;
  std::optional<TorchAffine> policy_pairs_;
  TorchAffine value_first_, value_out_;
};

}  // namespace

class TorchForwardPass::Impl {
 public:
  Impl(const FoldedWeights& weights, const std::string& device, Precision precision, int max_batch,
       bool batch_invariant)
      : device_(device),
        type_(scalar_type(precision)),
        shape_(weights.shape()),
        network_(weights, Placer(device_, type_)),
        cuda_(device_.is_cuda()),
        square_pairs_(square_pairs(shape_)),
        in_parts_(batch_invariant && !cuda_ && type_ == at::kFloat) {
    const c10::InferenceMode guard;
    const auto host = at::TensorOptions().pinned_memory(cuda_);
    if (in_parts_) max_batch = kPartRows;
    planes_ = cuda_ ? at::zeros({max_batch, shape_.planes}, host.dtype(at::kLong))
                    : at::zeros({max_batch, 8, 8, shape_.planes}, host.dtype(type_));
    globals_ = at::zeros({max_batch, shape_.globals}, host.dtype(at::kFloat));
  }

  void run(const Batch& batch, Outputs& outputs) {
    const c10::InferenceMode guard;
    if (cuda_) {
      run_on_gpu(batch, outputs);
      return;
    }
    const std::size_t all = batch.positions.size();
    if (!in_parts_) return run_rows(batch, 0, all, static_cast<int>(all), outputs);
    for (std::size_t first = 0; first < all; first += kPartRows) {
      run_rows(batch, first, std::min(all - first, std::size_t{kPartRows}), kPartRows, outputs);
    }
  }

  TorchOutputs forward(const Batch& batch, const Observer& observer) {
    const c10::InferenceMode guard;
    fill(batch.positions);
    return network_.forward(planes(batch.size()), globals(batch.size()), observer);
  }

 private:
  // What BLAS and oneDNN round depends on how many rows they are given at once: each part has as
  // many. What the last part does not need holds rows of an earlier one, whose answers nobody
  // reads.
  static constexpr int kPartRows = 16;

  // The network of `rows` rows, the first `count` of which are the batch's from `first` on.
  void run_rows(const Batch& batch, std::size_t first, std::size_t count, int rows,
                Outputs& outputs) {
    fill(std::span(batch.positions).subspan(first, count));
    const TorchOutputs out = network_.forward(planes(rows), globals(rows), {});
    read(out.values.contiguous().data_ptr<float>(), first, count, outputs);
    if (type_ == at::kBFloat16) {
      gather<at::BFloat16>(batch, out, first, count, outputs);
    } else {
      gather<float>(batch, out, first, count, outputs);
    }
  }

  void fill(std::span<const EncodedPosition> positions) {
    float* globals = globals_.data_ptr<float>();
    for (const EncodedPosition& position : positions) {
      globals = std::copy_n(position.globals.begin(), shape_.globals, globals);
    }
    if (cuda_) {
      std::int64_t* packed = planes_.data_ptr<std::int64_t>();
      for (const EncodedPosition& position : positions) {
        const auto planes = static_cast<std::size_t>(shape_.planes);
        std::memcpy(packed, position.planes.data(), planes * sizeof position.planes[0]);
        packed += planes;
      }
    } else if (type_ == at::kBFloat16) {
      auto* out = reinterpret_cast<std::uint16_t*>(planes_.data_ptr());
      for (const EncodedPosition& position : positions) {
        expand<std::uint16_t>(position, shape_.planes, 0x3f80, out);
        out += 64 * shape_.planes;
      }
    } else {
      float* out = planes_.data_ptr<float>();
      for (const EncodedPosition& position : positions) {
        expand<float>(position, shape_.planes, 1.0f, out);
        out += 64 * shape_.planes;
      }
    }
  }

  at::Tensor planes(int n) const {
    const at::Tensor rows = planes_.narrow(0, 0, n);
    if (!cuda_) return rows.permute({0, 3, 1, 2});
    const at::Tensor packed = rows.to(device_, /*non_blocking=*/true);
    const at::Tensor shifts = at::arange(64, packed.options());
    return packed.unsqueeze(1)
        .bitwise_right_shift(shifts.view({1, 64, 1}))
        .bitwise_and(1)
        .to(type_)
        .view({n, 8, 8, shape_.planes})
        .permute({0, 3, 1, 2});
  }
  at::Tensor globals(int n) const {
    return globals_.narrow(0, 0, n).to(device_, type_, /*non_blocking=*/true);
  }

  // From the rows of TorchOutputs::values, those of positions from `first` on.
  static void read(const float* values, std::size_t first, std::size_t count, Outputs& outputs) {
    for (std::size_t i = first; i < first + count; ++i, values += kValueOutputs) {
      read_values(values, i, outputs);
    }
  }

  template <class T>
  void gather(const Batch& batch, const TorchOutputs& out, std::size_t first, std::size_t count,
              Outputs& outputs) const {
    const at::Tensor by_move = out.policy.contiguous();
    const T* policy = by_move.data_ptr<T>();
    const at::Tensor by_pair = out.pairs.defined() ? out.pairs.contiguous() : at::Tensor();
    const T* pairs = by_pair.defined() ? by_pair.data_ptr<T>() : nullptr;
    for (std::size_t i = first; i < first + count; ++i) {
      for (std::uint32_t k = batch.policy_begin[i]; k < batch.policy_begin[i + 1]; ++k) {
        const std::uint16_t index = batch.policy_indices[k];
        float& logit = outputs.policy_logits[k] = static_cast<float>(policy[index]);
        if (pairs != nullptr) logit += static_cast<float>(pairs[square_pairs_[index]]);
      }
      policy += shape_.policy_size();
      if (pairs != nullptr) pairs += 64 * 64;
    }
  }

  // All that is asked is under way before the network runs, and what is wanted, and no more, comes
  // back at once: one wait a batch.
  void run_on_gpu(const Batch& batch, Outputs& outputs) {
    const at::Tensor wanted = places(batch).to(device_, /*non_blocking=*/true);
    const TorchOutputs out = forward(batch, {});
    const auto logits = [](const at::Tensor& all, const at::Tensor& at) {
      return all.flatten().index_select(0, at).to(at::kFloat);
    };
    at::Tensor policy = logits(out.policy, wanted[0]);
    if (out.pairs.defined()) policy += logits(out.pairs, wanted[1]);
    const at::Tensor back = at::cat({out.values.flatten(), policy}).to(at::kCPU);
    read(back.data_ptr<float>(), 0, outputs.outcomes.size(), outputs);
    std::copy_n(back.data_ptr<float>() + out.values.numel(), outputs.policy_logits.size(),
                outputs.policy_logits.begin());
  }

  // [2, policy indices]: where each stands among all of TorchOutputs::policy, and of its pairs.
  at::Tensor places(const Batch& batch) {
    const auto count = static_cast<std::int64_t>(batch.policy_indices.size());
    if (places_.numel() < 2 * count) {
      places_ = at::empty({4 * count}, at::TensorOptions(at::kLong).pinned_memory(cuda_));
    }
    const at::Tensor found = places_.narrow(0, 0, 2 * count).view({2, count});
    std::int64_t* by_move = found.data_ptr<std::int64_t>();
    std::int64_t* by_pair = by_move + count;
    for (std::size_t i = 0; i + 1 < batch.policy_begin.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i);
      for (std::uint32_t k = batch.policy_begin[i]; k < batch.policy_begin[i + 1]; ++k) {
        const std::uint16_t index = batch.policy_indices[k];
        *by_move++ = row * shape_.policy_size() + index;
        *by_pair++ = row * 64 * 64 + square_pairs_[index];
      }
    }
    return found;
  }

  at::Device device_;
  at::ScalarType type_;
  Shape shape_;
  TorchNetwork network_;
  bool cuda_;
  std::vector<std::uint16_t> square_pairs_;
  bool in_parts_;
  at::Tensor planes_, globals_;  // host side, max_batch rows
  at::Tensor places_;            // host side, of a GPU's batch
};

TorchForwardPass::TorchForwardPass(const FoldedWeights& weights, const std::string& device,
                                   Precision precision, int max_batch, bool batch_invariant)
    : impl_(std::make_unique<Impl>(weights, device, precision, max_batch, batch_invariant)) {}
TorchForwardPass::~TorchForwardPass() = default;

void TorchForwardPass::run(const Batch& batch, Outputs& outputs) { impl_->run(batch, outputs); }

void TorchForwardPass::run_observed(const Batch& batch, const Observer& observer) {
  impl_->forward(batch, observer);
}

}  // namespace nn
