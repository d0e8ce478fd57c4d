#include <omp.h>

#include <algorithm>
#include <array>

#include "nn/forward_pass.h"
#include "nn/packed_affine.h"
#include "nn/quantized_layers.h"

namespace nn {
namespace {

using dnnl::memory;
using Type = memory::data_type;

constexpr int kSquares = 64;
// A batch is split into parts of these sizes: what passes between the layers stays in the
// second-level cache, and no row is wasted.
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

using QuantizedBlock = Layers<QuantizedConvolution, PackedAffine>::Block;

// Memory for the numbers that pass between the layers.
template <class T>
struct Buffer {
  int width;  // numbers a row
  memory whole;

  Buffer(const dnnl::engine& engine, int numbers)
      : width(numbers),
        whole({{kMostRows * numbers * static_cast<memory::dim>(sizeof(T))},
               Type::u8,
               memory::format_tag::a},
              engine) {}
  T* row(int i) const {
    return static_cast<T*>(whole.get_data_handle()) + static_cast<std::ptrdiff_t>(i) * width;
  }
};

void relu(float* x, int count) {
  for (int i = 0; i < count; ++i) x[i] = std::max(x[i], 0.0f);
}

// --- one row, element by element: `channels` numbers a square ---

void to_bytes(const float* x, const Steps& inverse_steps, std::uint8_t* out) {
  const std::size_t channels = inverse_steps.size();
  const float* const inverse = inverse_steps.data();
  for (int square = 0; square < kSquares; ++square, x += channels, out += channels) {
    for (std::size_t c = 0; c < channels; ++c) {
      const float units = x[c] * inverse[c] + 0.5f;
      out[c] = static_cast<std::uint8_t>(static_cast<int>(units < 255.0f ? units : 255.0f));
    }
  }
}

// x = relu(x + by).
void shift(const float* by, std::size_t channels, float* x) {
  for (int square = 0; square < kSquares; ++square, x += channels) {
    for (std::size_t c = 0; c < channels; ++c) x[c] = std::max(x[c] + by[c], 0.0f);
  }
}

// x = relu(x + y * (1 + scale) + by).
void add_conditioned(const float* y, const float* scale, const float* by, std::size_t channels,
                     float* x) {
  for (int square = 0; square < kSquares; ++square, x += channels, y += channels) {
    for (std::size_t c = 0; c < channels; ++c) {
      x[c] = std::max(x[c] + (y[c] + y[c] * scale[c] + by[c]), 0.0f);
    }
  }
}

void means(const float* y, std::size_t channels, float* out) {
  std::fill_n(out, channels, 0.0f);
  for (int square = 0; square < kSquares; ++square, y += channels) {
    for (std::size_t c = 0; c < channels; ++c) out[c] += y[c];
  }
  for (std::size_t c = 0; c < channels; ++c) out[c] /= kSquares;
}

float dot(const float* a, const float* b, int count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

class QuantizedForwardPass final : public ForwardPass {
 public:
  QuantizedForwardPass(const FoldedWeights& weights, const ActivationSteps& steps)
      : channels_(static_cast<std::size_t>(weights.stem.out)),
        shape_(weights.shape()),
        stem_(quantize(engine_, weights.stem, Steps(static_cast<std::size_t>(shape_.planes), 1.0f),
                       {})),
        global_shift_(weights.global_shift),
        policy_hidden_(quantize(engine_, weights.policy_hidden, steps.trunk.back(), {})),
        value_hidden_(quantize(engine_, weights.value_hidden, steps.trunk.back(), {})),
        policy_out_(weights.policy_out),
        square_pairs_(square_pairs(shape_)),
        value_first_(weights.value_first),
        value_out_(weights.value_out),
        inverse_steps_(steps.trunk),
        planes_(engine_, kSquares * shape_.planes),
        trunk_bytes_(engine_, kSquares * weights.stem.out),
        inner_bytes_(engine_, kSquares * weights.stem.out),
        globals_(engine_, shape_.globals),
        shift_(engine_, weights.stem.out),
        trunk_(engine_, kSquares * weights.stem.out),
        second_(engine_, kSquares * weights.stem.out),
        means_(engine_, weights.stem.out + shape_.globals),
        squeezed_(engine_, kSqueezed),
        excited_(engine_, 2 * weights.stem.out),
        policy_(engine_, kSquares * weights.policy_hidden.out),
        pairs_(engine_, weights.policy_pairs ? kSquares * weights.policy_pairs->out : 1),
        value_(engine_, kSquares * weights.value_hidden.out),
        value_in_(engine_, weights.value_first.in),
        value_middle_(engine_, weights.value_first.out),
        values_(engine_, weights.value_out.out) {
    for (Steps& of_input : inverse_steps_) {
      for (float& step : of_input) step = 1 / step;
    }
    for (std::size_t i = 0; i < weights.blocks.size(); ++i) {
      const FoldedWeights::Block& block = weights.blocks[i];
      QuantizedBlock& quantized = blocks_.emplace_back(
          QuantizedBlock{quantize(engine_, block.first, steps.trunk[i], steps.inner[i]),
                         quantize(engine_, block.second, steps.inner[i], {}),
                         {},
                         {}});
      if (block.squeeze) quantized.squeeze.emplace(*block.squeeze);
      if (block.excite) quantized.excite.emplace(*block.excite);
    }
    if (weights.policy_pairs) policy_pairs_.emplace(*weights.policy_pairs);
    for (const int rows : kParts) plans_.push_back(plan(rows));
  }

  void finish(const Batch& batch, std::size_t /*flight*/, Outputs& outputs) override {
    const OneThread guard;
    std::size_t first = 0, left = batch.positions.size();
    for (const Plan& plan : plans_) {
      const auto rows = static_cast<std::size_t>(plan.rows);
      for (; left >= rows; first += rows, left -= rows) run_part(batch, first, plan, outputs);
    }
  }

 private:
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
    for (QuantizedBlock& block : blocks_) {
      const bool conditioned = block.squeeze.has_value();
      out.blocks.push_back(
          {make.convolution(block.first, trunk, inner_bytes_.whole, Type::u8, After::kRelu),
           make.convolution(block.second, inner_bytes_.whole,
                            conditioned ? second_.whole : trunk_.whole, Type::f32,
                            conditioned ? After::kNothing : After::kAddToOutputThenRelu)});
    }
    return out;
  }

  void run_part(const Batch& batch, std::size_t first, const Plan& plan, Outputs& outputs) const {
    const EncodedPosition* positions = batch.positions.data() + first;
    run_stem(positions, plan);
    for (std::size_t i = 0; i < blocks_.size(); ++i) run_block(i, positions, plan);
    run_heads(positions, plan);
    for (int row = 0; row < plan.rows; ++row) {
      read_policy(batch, first + static_cast<std::size_t>(row), row, outputs);
    }
    read_values(values_.row(0), first, static_cast<std::size_t>(plan.rows), outputs);
  }

  void run_stem(const EncodedPosition* positions, const Plan& plan) const {
    const std::span rows(positions, static_cast<std::size_t>(plan.rows));
    expand<std::uint8_t>(rows, shape_.planes, 1, planes_.row(0));
    copy_globals(rows, shape_.globals, globals_.row(0));
    plan.stem(stream_);
    global_shift_(globals_.row(0), plan.rows, shift_.row(0));
    for (int row = 0; row < plan.rows; ++row) {
      shift(shift_.row(row), channels_, trunk_.row(row));
      to_bytes(trunk_.row(row), inverse_steps_[0], trunk_bytes_.row(row));
    }
  }

  void run_block(std::size_t index, const EncodedPosition* positions, const Plan& plan) const {
    const QuantizedBlock& block = blocks_[index];
    plan.blocks[index].first(stream_);
    plan.blocks[index].second(stream_);
    if (block.squeeze) {
      for (int row = 0; row < plan.rows; ++row) {
        means(second_.row(row), channels_, means_.row(row));
        std::copy_n(positions[row].globals.data(), shape_.globals, means_.row(row) + channels_);
      }
      (*block.squeeze)(means_.row(0), plan.rows, squeezed_.row(0));
      relu(squeezed_.row(0), plan.rows * squeezed_.width);
      (*block.excite)(squeezed_.row(0), plan.rows, excited_.row(0));
    }
    for (int row = 0; row < plan.rows; ++row) {
      if (block.squeeze) {
        const float* scale = excited_.row(row);
        add_conditioned(second_.row(row), scale, scale + channels_, channels_, trunk_.row(row));
      }
      to_bytes(trunk_.row(row), inverse_steps_[index + 1], trunk_bytes_.row(row));
    }
  }

  void run_heads(const EncodedPosition* positions, const Plan& plan) const {
    plan.policy_hidden(stream_);
    if (policy_pairs_) (*policy_pairs_)(policy_.row(0), plan.rows * kSquares, pairs_.row(0));
    plan.value_hidden(stream_);
    for (int row = 0; row < plan.rows; ++row) {
      float* in = std::copy_n(value_.row(row), value_.width, value_in_.row(row));
      std::copy_n(positions[row].globals.data(), shape_.globals, in);
    }
    value_first_(value_in_.row(0), plan.rows, value_middle_.row(0));
    relu(value_middle_.row(0), plan.rows * value_middle_.width);
    value_out_(value_middle_.row(0), plan.rows, values_.row(0));
  }

  void read_policy(const Batch& batch, std::size_t position, int row, Outputs& outputs) const {
    const int width = policy_out_.in;
    const float* hidden = policy_.row(row);
    for (auto k = batch.policy_begin[position]; k < batch.policy_begin[position + 1]; ++k) {
      const int square = batch.policy_indices[k] / shape_.move_planes;
      const int plane = batch.policy_indices[k] % shape_.move_planes;
      outputs.policy_logits[k] =
          policy_out_.bias[static_cast<std::size_t>(plane)] +
          dot(hidden + square * width, policy_out_.weight.data() + plane * width, width);
      if (policy_pairs_) {
        const int both = policy_pairs_->out(), channels = both / 2;
        const int pair = square_pairs_[batch.policy_indices[k]];
        outputs.policy_logits[k] += dot(pairs_.row(row) + pair / 64 * both,
                                        pairs_.row(row) + pair % 64 * both + channels, channels);
      }
    }
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::size_t channels_;
  Shape shape_;
  QuantizedConvolution stem_;
  PackedAffine global_shift_;
  std::vector<QuantizedBlock> blocks_;
  QuantizedConvolution policy_hidden_, value_hidden_;
  Convolution policy_out_;
  std::optional<PackedAffine> policy_pairs_;
  std::vector<std::uint16_t> square_pairs_;
  PackedAffine value_first_, value_out_;
  std::vector<Steps> inverse_steps_;  // of ActivationSteps::trunk

  Buffer<std::uint8_t> planes_, trunk_bytes_, inner_bytes_;
  Buffer<float> globals_, shift_, trunk_, second_, means_, squeezed_, excited_, policy_, pairs_,
      value_, value_in_, value_middle_, values_;
  std::vector<Plan> plans_;  // by kParts
};

}  // namespace

std::unique_ptr<ForwardPass> quantized_forward_pass(const FoldedWeights& weights,
                                                    const ActivationSteps& steps) {
  const OneThread guard;
  return std::make_unique<QuantizedForwardPass>(weights, steps);
}

}  // namespace nn
