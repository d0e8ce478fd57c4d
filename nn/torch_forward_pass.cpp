#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nn/device_graph.h"
#include "nn/device_use.h"
#include "nn/forward_pass.h"
#include "nn/stream.h"

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

// A GPU that does a convolution with its bias, an addition and ReLU at once spares their passes
// over memory, a third of the network's time.
struct TorchConvolution {
  at::Tensor weight, bias;
  int padding = 0;
  bool fused = false;

  at::Tensor operator()(const at::Tensor& x) const {
    return at::conv2d(x, weight, bias, 1, padding);
  }
  // ReLU of the convolution of x.
  at::Tensor relu(const at::Tensor& x) const {
    if (!fused) return (*this)(x).relu_();
    return at::cudnn_convolution_relu(x, weight, bias, {1, 1}, {padding, padding}, {1, 1}, 1);
  }
  // ReLU of the convolution of x plus z.
  at::Tensor add_relu(const at::Tensor& x, const at::Tensor& z) const {
    if (!fused) return (*this)(x).add_(z).relu_();
    return at::cudnn_convolution_add_relu(x, weight, z, 1, bias, {1, 1}, {padding, padding}, {1, 1},
                                          1);
  }
};

// Whether the device has such convolutions in the type of play: all GPUs that cuDNN knows them for.
bool has_fused_convolutions(at::Device device, at::ScalarType type) {
  if (!device.is_cuda() || type == at::kFloat) return false;
  const auto one = [&](at::IntArrayRef shape) {
    return at::ones(shape, at::TensorOptions(type).device(device));
  };
  const auto image = [&](at::IntArrayRef shape) {
    return one(shape).contiguous(at::MemoryFormat::ChannelsLast);
  };
  const TorchConvolution layer{image({16, 16, 3, 3}), one({16}), 1, true};
  try {
    const at::Tensor x = image({8, 16, 8, 8});
    return layer.add_relu(layer.relu(x), x).min().item<float>() > 0;
  } catch (const c10::Error&) {
    return false;
  }
}

struct TorchAffine {
  at::Tensor weight, bias;

  at::Tensor operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }
};

using TorchLayers = Layers<TorchConvolution, TorchAffine>;

// Copies weights to the device and the type of play.
class Placer {
 public:
  Placer(at::Device device, at::ScalarType type)
      : device_(device), type_(type), fused_(has_fused_convolutions(device, type)) {}

  TorchLayers operator()(const FoldedWeights& weights) const {
    TorchLayers layers{
        place(weights.stem),          place(weights.global_shift), {},
        place(weights.policy_hidden), place(weights.policy_out),   place(weights.policy_pairs),
        place(weights.value_hidden),  place(weights.value_first),  place(weights.value_out)};
    for (const auto& [first, second, squeeze, excite] : weights.blocks) {
      layers.blocks.push_back({place(first), place(second), place(squeeze), place(excite)});
    }
    return layers;
  }

 private:
  TorchConvolution place(const Convolution& layer) const {
    const at::Tensor weight = copy(layer.weight, {layer.out, layer.in, layer.kernel, layer.kernel});
    return {weight.contiguous(at::MemoryFormat::ChannelsLast), copy(layer.bias, {layer.out}),
            layer.kernel / 2, fused_};
  }
  TorchAffine place(const Affine& layer) const {
    return {copy(layer.weight, {layer.out, layer.in}), copy(layer.bias, {layer.out})};
  }
  std::optional<TorchAffine> place(const std::optional<Affine>& layer) const {
    return layer ? std::optional(place(*layer)) : std::nullopt;
  }
  at::Tensor copy(const std::vector<float>& values, at::IntArrayRef shape) const {
    const at::Tensor borrowed = at::from_blob(const_cast<float*>(values.data()), shape, at::kFloat);
    return borrowed.to(device_, type_, /*non_blocking=*/false, /*copy=*/true);
  }
  at::Device device_;
  at::ScalarType type_;
  bool fused_;
};

// What the layers give, in the play type but for the values.
struct TorchOutputs {
  at::Tensor policy;  // [n, 64, move planes]
  at::Tensor pairs;   // [n, 64, 64], by the squares left and arrived at; undefined: none
  at::Tensor values;  // [n, kValueOutputs], fp32
};

at::Tensor run_block(const TorchLayers::Block& block, const at::Tensor& x,
                     const at::Tensor& globals) {
  const at::Tensor inner = block.first.relu(x);
  if (!block.squeeze) return block.second.add_relu(inner, x);
  at::Tensor y = block.second(inner);
  const at::Tensor hidden = (*block.squeeze)(at::cat({y.mean({2, 3}), globals}, 1)).relu_();
  const auto parts = (*block.excite)(hidden).unsqueeze(2).unsqueeze(3).chunk(2, 1);
  if (block.second.fused) return at::addcmul(x, y, parts[0] + 1).add_(parts[1]).relu_();
  y.addcmul_(y, parts[0]).add_(parts[1]);
  return y.add_(x).relu_();
}

// planes [n, planes, 8, 8] channels-last, globals [n, globals].
TorchOutputs run_layers(const TorchLayers& layers, const at::Tensor& planes,
                        const at::Tensor& globals) {
  at::Tensor x = layers.stem(planes);
  x = x.add_(layers.global_shift(globals).unsqueeze(2).unsqueeze(3)).relu_();
  for (const auto& block : layers.blocks) x = run_block(block, x, globals);
  const at::Tensor hidden_policy = layers.policy_hidden.relu(x);
  TorchOutputs out{layers.policy_out(hidden_policy).permute({0, 2, 3, 1}).flatten(1, 2), {}, {}};
  if (layers.policy_pairs) {
    const auto keys =
        (*layers.policy_pairs)(hidden_policy.permute({0, 2, 3, 1}).flatten(1, 2)).chunk(2, 2);
    out.pairs = at::bmm(keys[0], keys[1].transpose(1, 2));
  }
  const at::Tensor value = layers.value_hidden.relu(x).permute({0, 2, 3, 1}).flatten(1);
  const at::Tensor hidden = layers.value_first(at::cat({value, globals}, 1)).relu_();
  out.values = layers.value_out(hidden).to(at::kFloat);
  return out;
}

class TorchForwardPass final : public ForwardPass {
 public:
  TorchForwardPass(const FoldedWeights& weights, const std::string& device, Precision precision,
                   int max_batch, bool batch_invariant)
      : device_(device),
        type_(scalar_type(precision)),
        shape_(weights.shape()),
        layers_(Placer(device_, type_)(weights)),
        cuda_(device_.is_cuda()),
        square_pairs_(square_pairs(shape_)),
        least_rows_(batch_invariant && !cuda_ ? kInvariantRows : 1),
        max_batch_(std::max(max_batch, least_rows_)) {
    const c10::InferenceMode guard;
    const auto host = at::TensorOptions().pinned_memory(cuda_);
    flights_.resize(cuda_ ? kFlights : 1);
    for (Flight& flight : flights_) {
      flight.planes = cuda_ ? at::zeros({max_batch_, shape_.planes}, host.dtype(at::kLong))
                            : at::zeros({max_batch_, 8, 8, shape_.planes}, host.dtype(type_));
      flight.globals = at::zeros({max_batch_, shape_.globals}, host.dtype(at::kFloat));
    }
    if (cuda_) make_streams();
  }
  ~TorchForwardPass() override {
    for (const Flight& flight : flights_) {  // a batch may be there that nobody waits for
      try {
        if (flight.stream && !hung_) wait_for(flight);
      } catch (...) {  // the device is gone, and with it what it held
      }
    }
  }
  TorchForwardPass(const TorchForwardPass&) = delete;
  TorchForwardPass& operator=(const TorchForwardPass&) = delete;

  bool is_on_device() const override { return cuda_; }
  void start(const Batch& batch, std::size_t flight) override {
    if (!cuda_) return;
    try {
      start_on_gpu(batch, flights_[flight]);
    } catch (const c10::OutOfMemoryError& error) {
      wait_for(flights_[flight]);  // part of it may be there
      throw DeviceMemoryError(error.what_without_backtrace());
    }
  }
  void finish(const Batch& batch, std::size_t flight, Outputs& outputs) override {
    const c10::InferenceMode guard;
    if (cuda_) {
      wait_for(flights_[flight]);
      return finish_on_gpu(flights_[flight], outputs);
    }
    const Flight& own = flights_[0];
    fill(batch.positions, own);
    const int rows = std::max(batch.size(), least_rows_);
    const TorchOutputs out = run_layers(layers_, planes(rows, own), globals(rows, own));
    read_values(out.values.contiguous().data_ptr<float>(), 0, batch.positions.size(), outputs);
    gather(batch, out, outputs);
  }

 private:
  // The rounding of oneDNN depends on the number of rows of a call, in bf16 where they are few: to
  // be batch invariant a CPU computes at least as many. Rows beyond the batch hold an earlier
  // one's, whose answers nobody reads.
  static constexpr int kInvariantRows = 16;

  // The layers' work for so many rows of a GPU's batch.
  struct Recorded {
    int runs = 0;  // before it was recorded
    std::unique_ptr<DeviceGraph> graph;
    TorchOutputs out;
  };

  // What a batch has of its own while a GPU works on it; a CPU has one. Tensors lie on the host,
  // for a GPU in pinned memory, but those that end in _there.
  struct Flight {
    std::unique_ptr<OwnStream> stream;       // a GPU's
    at::Tensor planes, globals;              // max_batch_ rows
    at::Tensor planes_there, globals_there;  // a GPU's copies of them
    std::map<int, Recorded> recorded;        // by rows
    at::Tensor places;                       // of a GPU's batch
    at::Tensor answers;                      // a GPU's: the values, then the logits of legal moves
    std::int64_t values = 0;                 // how many of the answers
    DeviceClock::time_point began;
  };

  // Gives each flight a stream of its own, once the weights are there.
  void make_streams() {
    const c10::impl::VirtualGuardImpl gpu(device_.type());
    gpu.getStream(device_).synchronize();
    for (Flight& flight : flights_) {
      flight.stream = std::make_unique<OwnStream>(device_, OwnStream::Turn::kLast);
      flight.planes_there = at::zeros_like(flight.planes, device_);
      flight.globals_there = at::zeros_like(flight.globals, device_);
    }
    gpu.getStream(device_).synchronize();
  }

  void fill(std::span<const EncodedPosition> positions, const Flight& flight) const {
    copy_globals(positions, shape_.globals, flight.globals.data_ptr<float>());
    if (cuda_) {
      copy_planes(positions, shape_.planes, flight.planes.data_ptr<std::int64_t>());
    } else {
      constexpr std::uint16_t kOne = 0x3f80;  // in bf16
      expand(positions, shape_.planes, kOne, static_cast<std::uint16_t*>(flight.planes.data_ptr()));
    }
  }

  at::Tensor planes(int n, const Flight& flight) const {
    const at::Tensor rows = flight.planes.narrow(0, 0, n);
    return rows.permute({0, 3, 1, 2});
  }
  at::Tensor globals(int n, const Flight& flight) const {
    return flight.globals.narrow(0, 0, n).to(type_);
  }

  // Reads the wanted logits, which lie on a CPU.
  void gather(const Batch& batch, const TorchOutputs& out, Outputs& outputs) const {
    using T = at::BFloat16;
    const at::Tensor by_move = out.policy.contiguous();
    const T* policy = by_move.data_ptr<T>();
    const at::Tensor by_pair = out.pairs.defined() ? out.pairs.contiguous() : at::Tensor();
    const T* pairs = by_pair.defined() ? by_pair.data_ptr<T>() : nullptr;
    for (std::size_t i = 0; i < batch.positions.size(); ++i) {
      for (std::uint32_t k = batch.policy_begin[i]; k < batch.policy_begin[i + 1]; ++k) {
        const std::uint16_t index = batch.policy_indices[k];
        float& logit = outputs.policy_logits[k] = static_cast<float>(policy[index]);
        if (pairs != nullptr) logit += static_cast<float>(pairs[square_pairs_[index]]);
      }
      policy += shape_.policy_size();
      if (pairs != nullptr) pairs += 64 * 64;
    }
  }

  // Copies all inputs before the network runs, and the wanted outputs alone back at once; waits for
  // nothing. Rows beyond the batch hold earlier ones', whose answers nobody reads.
  void start_on_gpu(const Batch& batch, Flight& flight) {
    const c10::InferenceMode guard;
    const c10::StreamGuard its_stream(flight.stream->get());
    flight.began = DeviceClock::now();
    const at::Tensor wanted = places(batch, flight).to(device_, /*non_blocking=*/true);
    fill(batch.positions, flight);
    const int rows = padded_rows(batch.size(), max_batch_);
    send(rows, flight.planes, flight.planes_there);
    send(rows, flight.globals, flight.globals_there);
    const TorchOutputs& out = run_on_gpu(rows, flight);
    const auto logits = [](const at::Tensor& all, const at::Tensor& at) {
      return all.flatten().index_select(0, at).to(at::kFloat);
    };
    at::Tensor policy = logits(out.policy, wanted[0]);
    if (out.pairs.defined()) policy += logits(out.pairs, wanted[1]);
    const at::Tensor answers = at::cat({out.values.flatten(), policy});
    grow(flight.answers, answers.numel(), at::kFloat);
    flight.values = out.values.numel();
    flight.answers.narrow(0, 0, answers.numel()).copy_(answers, /*non_blocking=*/true);
  }

  static void send(int rows, const at::Tensor& here, const at::Tensor& there) {
    there.narrow(0, 0, rows).copy_(here.narrow(0, 0, rows), /*non_blocking=*/true);
  }

  // What the network gives for the flight's first rows, until the next call. A number of rows that
  // comes again and again is recorded.
  const TorchOutputs& run_on_gpu(int rows, Flight& flight) {
    constexpr int kRunsBefore = 3;
    Recorded& own = flight.recorded[rows];
    const auto run = [&] {
      own.out = run_layers(layers_, expanded(flight.planes_there.narrow(0, 0, rows), type_),
                           flight.globals_there.narrow(0, 0, rows).to(type_));
    };
    if (!own.graph && records_ && ++own.runs > kRunsBefore) record(run, flight, own);
    if (own.graph) {
      own.graph->start();
    } else {
      run();
    }
    return own.out;
  }

  void record(const std::function<void()>& run, const Flight& flight, Recorded& own) {
    const DeviceGraph* like = nullptr;
    for (const auto& [rows, other] : flight.recorded) like = other.graph ? other.graph.get() : like;
    try {
      own.graph = std::make_unique<DeviceGraph>(run, like);
    } catch (const c10::Error& error) {
      records_ = false;
      spdlog::warn("no CUDA graph of the network: {}", error.what_without_backtrace());
    }
  }

  // Waits for the flight's batch.
  void wait_for(const Flight& flight) {
    try {
      nn::wait_for(flight.stream->get());
    } catch (const DeviceHungError&) {
      hung_ = true;
      throw;
    }
  }

  // REQUIRES: the batch is done.
  static void finish_on_gpu(const Flight& flight, Outputs& outputs) {
    note_device_work(flight.began, DeviceClock::now());
    const float* answers = flight.answers.data_ptr<float>();
    read_values(answers, 0, outputs.outcomes.size(), outputs);
    std::copy_n(answers + flight.values, outputs.policy_logits.size(),
                outputs.policy_logits.begin());
  }

  // Makes room on the host for so many numbers, and for as many again.
  void grow(at::Tensor& buffer, std::int64_t count, at::ScalarType type) const {
    if (buffer.defined() && buffer.numel() >= count) return;
    buffer = at::empty({2 * count}, at::TensorOptions(type).pinned_memory(cuda_));
  }

  // [2, policy indices]: where each stands in the flat TorchOutputs::policy, and in its pairs.
  at::Tensor places(const Batch& batch, Flight& flight) const {
    const auto count = static_cast<std::int64_t>(batch.policy_indices.size());
    grow(flight.places, 2 * count, at::kLong);
    const at::Tensor found = flight.places.narrow(0, 0, 2 * count).view({2, count});
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
  TorchLayers layers_;
  bool cuda_;
  std::vector<std::uint16_t> square_pairs_;
  int least_rows_, max_batch_;
  bool hung_ = false;  // the device did not answer
  bool records_ = DeviceGraph::available();
  std::vector<Flight> flights_;
};

}  // namespace

std::unique_ptr<ForwardPass> torch_forward_pass(const FoldedWeights& weights,
                                                const std::string& device, Precision precision,
                                                int max_batch, bool batch_invariant) {
  return std::make_unique<TorchForwardPass>(weights, device, precision, max_batch, batch_invariant);
}

}  // namespace nn
