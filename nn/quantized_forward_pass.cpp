#include <omp.h>

#include <array>
#include <memory>

#include "nn/cpu_forward_pass.h"
#include "nn/quantized_layers.h"

namespace nn {
namespace {

using dnnl::memory;
using Type = memory::data_type;

// Numbers of rows for which oneDNN's operations are made, so that no row is wasted.
constexpr std::array<int, 3> kParts{16, 4, 1};
constexpr int kMostRows = kParts[0];

// Sets OpenMP to one thread, for which operations are made and run; the destructor restores it.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

// Memory for the numbers that pass between the layers: on each square of a part's rows so many.
template <class T>
struct Buffer {
  std::size_t width;  // numbers a row
  memory whole;

  Buffer(const dnnl::engine& engine, int channels)
      : width(kSquares * static_cast<std::size_t>(channels)),
        whole({{static_cast<memory::dim>(kMostRows * width * sizeof(T))},
               Type::u8,
               memory::format_tag::a},
              engine) {}
  T* row(int i) const {
    return static_cast<T*>(whole.get_data_handle()) + static_cast<std::size_t>(i) * width;
  }
};

class QuantizedTrunk {
 public:
  using Plane = std::uint8_t;

  QuantizedTrunk(const FoldedWeights& weights, const ActivationSteps& steps)
      : stem_(quantize(engine_, weights.stem,
                       Steps(static_cast<std::size_t>(weights.stem.in), 1.0f), {})),
        policy_hidden_(quantize(engine_, weights.policy_hidden, steps.trunk.back(), {})),
        value_hidden_(quantize(engine_, weights.value_hidden, steps.trunk.back(), {})),
        inverse_steps_(steps.trunk),
        planes_(engine_, weights.stem.in),
        trunk_bytes_(engine_, weights.stem.out),
        inner_bytes_(engine_, weights.stem.out),
        trunk_(engine_, weights.stem.out),
        second_(engine_, weights.stem.out),
        policy_(engine_, weights.policy_hidden.out),
        value_(engine_, weights.value_hidden.out) {
    for (Steps& of_input : inverse_steps_) {
      for (float& step : of_input) step = 1 / step;
    }
    for (std::size_t i = 0; i < weights.blocks.size(); ++i) {
      const FoldedWeights::Block& block = weights.blocks[i];
      blocks_.push_back({quantize(engine_, block.first, steps.trunk[i], steps.inner[i]),
                         quantize(engine_, block.second, steps.inner[i], {}),
                         block.squeeze.has_value()});
    }
    for (const int rows : kParts) plans_.push_back(plan(rows));
  }

  int part_of(int left) {
    plan_ = 0;
    while (plans_[plan_].rows > left) ++plan_;
    return plans_[plan_].rows;
  }
  std::uint8_t* planes() const { return planes_.row(0); }
  float* trunk() const { return trunk_.row(0); }
  float* second() const { return second_.row(0); }
  void stem(int /*rows*/) const { plans_[plan_].stem(stream_); }
  // Turns the row into bytes.
  void settle(int row, std::size_t layer) const {
    const Steps& inverse = inverse_steps_[layer];
    float_kernels().to_bytes(trunk_.row(row), inverse.data(), inverse.size(),
                             trunk_bytes_.row(row));
  }
  void first(std::size_t block, int /*rows*/) const { plans_[plan_].blocks[block].first(stream_); }
  void second(std::size_t block, int /*rows*/) const {
    plans_[plan_].blocks[block].second(stream_);
  }
  const float* policy_hidden(int /*rows*/) const {
    plans_[plan_].policy_hidden(stream_);
    return policy_.row(0);
  }
  const float* value_hidden(int /*rows*/) const {
    plans_[plan_].value_hidden(stream_);
    return value_.row(0);
  }

 private:
  struct Block {
    QuantizedConvolution first, second;
    bool conditioned;
  };
  // The convolutions for one number of rows.
  struct Plan {
    struct Block {
      Operation first, second;
    };
    int rows;
    Operation stem;
    std::vector<Block> blocks;
    Operation policy_hidden, value_hidden;
  };

  Plan plan(int rows) {
    const OperationMaker make(engine_, rows);
    const memory& trunk = trunk_bytes_.whole;
    Plan out{rows,
             make.convolution(stem_, planes_.whole, trunk_.whole, Type::f32, After::kNothing),
             {},
             make.convolution(policy_hidden_, trunk, policy_.whole, Type::f32, After::kRelu),
             make.convolution(value_hidden_, trunk, value_.whole, Type::f32, After::kRelu)};
    for (Block& block : blocks_) {
      out.blocks.push_back(
          {make.convolution(block.first, trunk, inner_bytes_.whole, Type::u8, After::kRelu),
           make.convolution(block.second, inner_bytes_.whole,
                            block.conditioned ? second_.whole : trunk_.whole, Type::f32,
                            block.conditioned ? After::kNothing : After::kAddToOutputThenRelu)});
    }
    return out;
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  QuantizedConvolution stem_;
  std::vector<Block> blocks_;
  QuantizedConvolution policy_hidden_, value_hidden_;
  std::vector<Steps> inverse_steps_;  // of ActivationSteps::trunk
  Buffer<std::uint8_t> planes_, trunk_bytes_, inner_bytes_;
  Buffer<float> trunk_, second_, policy_, value_;
  std::vector<Plan> plans_;  // by kParts
  std::size_t plan_ = 0;     // of the part at hand
};

// Runs the pass on one thread of OpenMP.
class QuantizedForwardPass final : public ForwardPass {
 public:
  QuantizedForwardPass(const FoldedWeights& weights, const ActivationSteps& steps)
      : pass_(weights, QuantizedTrunk(weights, steps), kMostRows) {}
  void finish(const Batch& batch, std::size_t flight, Outputs& outputs) override {
    const OneThread guard;
    pass_.finish(batch, flight, outputs);
  }

 private:
  CpuForwardPass<QuantizedTrunk> pass_;
};

}  // namespace

std::unique_ptr<ForwardPass> quantized_forward_pass(const FoldedWeights& weights,
                                                    const ActivationSteps& steps) {
  const OneThread guard;
  return std::make_unique<QuantizedForwardPass>(weights, steps);
}

}  // namespace nn
