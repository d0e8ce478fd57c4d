#pragma once
// What the forward passes on a CPU have in common: all but the convolutions of 3×3 and the heads'
// first, which a Trunk computes, in its own form of numbers.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nn/float_layers.h"
#include "nn/folded_weights.h"
#include "nn/forward_pass.h"

namespace nn {

// A batch is computed in parts, whose numbers stay in the second-level cache between the layers. A
// Trunk has:
//
//   int part_of(int left)       the rows of the next part of a batch of which so many are left
//   Plane* planes()             the part's input, [row][square][plane], 0 or 1
//   void stem(rows)             trunk() = convolution of planes()
//   float* trunk()              [row][square][channel]
//   void settle(row, layer)     the row of trunk() is now the input of that block, or of the heads
//   void first(block, rows)     the block's inner activations from its input
//   void second(block, rows)    their convolution: into second() in a conditioned block, else
//                               trunk() = relu(trunk() + it)
//   float* second()             [row][square][channel]
//   const float* policy_hidden(rows), value_hidden(rows)   the same of the heads, after ReLU
//
// One thread. A row's answer does not depend on its batch.
template <class Trunk>
class CpuForwardPass final : public ForwardPass {
 public:
  // `part`: the most rows that trunk.part_of() gives.
  CpuForwardPass(const FoldedWeights& weights, Trunk trunk, std::size_t part)
      : channels_(static_cast<std::size_t>(weights.stem.out)),
        shape_(weights.shape()),
        trunk_(std::move(trunk)),
        global_shift_(weights.global_shift),
        policy_out_(weights.policy_out),
        square_pairs_(square_pairs(shape_)),
        value_first_(weights.value_first),
        value_out_(weights.value_out),
        policy_width_(static_cast<std::size_t>(weights.policy_hidden.out)),
        value_width_(kSquares * static_cast<std::size_t>(weights.value_hidden.out)),
        globals_(part, weights.global_shift.in),
        shift_(part, weights.stem.out),
        means_(part, weights.stem.out + shape_.globals),
        squeezed_(part, kSqueezed),
        excited_(part, 2 * weights.stem.out),
        pairs_(part * kSquares, weights.policy_pairs ? weights.policy_pairs->out : 0),
        value_in_(part, weights.value_first.in),
        value_middle_(part, weights.value_first.out),
        values_(part, weights.value_out.out) {
    for (const auto& [first, second, squeeze, excite] : weights.blocks) {
      Condition& condition = conditions_.emplace_back();
      if (squeeze) condition.squeeze.emplace(*squeeze);
      if (excite) condition.excite.emplace(*excite);
    }
    if (weights.policy_pairs) policy_pairs_.emplace(*weights.policy_pairs);
  }

  void finish(const Batch& batch, std::size_t /*flight*/, Outputs& outputs) override {
    for (int first = 0; first < batch.size();) {
      const int rows = trunk_.part_of(batch.size() - first);
      run_part(batch, static_cast<std::size_t>(first), rows, outputs);
      first += rows;
    }
  }

 private:
  struct Condition {
    std::optional<PackedAffine> squeeze, excite;
  };
  // Rows of so many floats.
  struct Rows {
    std::size_t width;
    std::vector<float> numbers;
    Rows(std::size_t rows, int floats)
        : width(static_cast<std::size_t>(floats)), numbers(rows * width) {}
    float* row(int i) { return numbers.data() + static_cast<std::size_t>(i) * width; }
  };

  void run_part(const Batch& batch, std::size_t first, int rows, Outputs& outputs) {
    const std::span positions(batch.positions.data() + first, static_cast<std::size_t>(rows));
    expand<typename Trunk::Plane>(positions, shape_.planes, 1, trunk_.planes());
    copy_globals(positions, shape_.globals, globals_.row(0));
    run_stem(rows);
    for (std::size_t i = 0; i < conditions_.size(); ++i) run_block(i, rows);
    run_heads(rows);
    for (int row = 0; row < rows; ++row) {
      read_policy(batch, first + static_cast<std::size_t>(row), row, outputs);
    }
    read_values(values_.row(0), first, static_cast<std::size_t>(rows), outputs);
  }

  float* of_row(float* numbers, int row) const {
    return numbers + static_cast<std::size_t>(row) * kSquares * channels_;
  }

  void run_stem(int rows) {
    trunk_.stem(rows);
    global_shift_(globals_.row(0), rows, shift_.row(0));
    for (int row = 0; row < rows; ++row) {
      kernels_->shift(shift_.row(row), channels_, of_row(trunk_.trunk(), row));
      trunk_.settle(row, 0);
    }
  }

  void run_block(std::size_t block, int rows) {
    trunk_.first(block, rows);
    trunk_.second(block, rows);
    if (conditions_[block].squeeze) condition(conditions_[block], rows);
    for (int row = 0; row < rows; ++row) trunk_.settle(row, block + 1);
  }

  // trunk = relu(trunk + second * (1 + scale) + shift).
  void condition(const Condition& condition, int rows) {
    for (int row = 0; row < rows; ++row) {
      kernels_->means(of_row(trunk_.second(), row), channels_, means_.row(row));
      std::copy_n(globals_.row(row), globals_.width, means_.row(row) + channels_);
    }
    (*condition.squeeze)(means_.row(0), rows, squeezed_.row(0));
    kernels_->relu(squeezed_.row(0), static_cast<std::size_t>(rows) * squeezed_.width);
    (*condition.excite)(squeezed_.row(0), rows, excited_.row(0));
    for (int row = 0; row < rows; ++row) {
      const float* const scale = excited_.row(row);
      kernels_->condition(of_row(trunk_.second(), row), scale, scale + channels_, channels_,
                          of_row(trunk_.trunk(), row));
    }
  }

  void run_heads(int rows) {
    policy_ = trunk_.policy_hidden(rows);
    if (policy_pairs_) {
      (*policy_pairs_)(policy_, rows * static_cast<int>(kSquares), pairs_.row(0));
    }
    const float* value = trunk_.value_hidden(rows);
    for (int row = 0; row < rows; ++row, value += value_width_) {
      float* const rest = std::copy_n(value, value_width_, value_in_.row(row));
      std::copy_n(globals_.row(row), globals_.width, rest);
    }
    value_first_(value_in_.row(0), rows, value_middle_.row(0));
    kernels_->relu(value_middle_.row(0), static_cast<std::size_t>(rows) * value_middle_.width);
    value_out_(value_middle_.row(0), rows, values_.row(0));
  }

  // Computes the logits of legal moves alone.
  void read_policy(const Batch& batch, std::size_t position, int row, Outputs& outputs) {
    const std::size_t width = policy_width_, half = pairs_.width / 2;
    const int square = row * static_cast<int>(kSquares);
    for (auto k = batch.policy_begin[position]; k < batch.policy_begin[position + 1]; ++k) {
      const int index = batch.policy_indices[k], left = index / shape_.move_planes;
      const auto plane = static_cast<std::size_t>(index % shape_.move_planes);
      float& logit = outputs.policy_logits[k] = policy_out_.bias[plane];
      logit += kernels_->dot(policy_ + static_cast<std::size_t>(square + left) * width,
                             policy_out_.weight.data() + plane * width, width);
      if (policy_pairs_) {
        const int pair = square_pairs_[static_cast<std::size_t>(index)];
        logit += kernels_->dot(pairs_.row(square + pair / 64),
                               pairs_.row(square + pair % 64) + half, half);
      }
    }
  }

  const FloatKernels* kernels_ = &float_kernels();
  std::size_t channels_;
  Shape shape_;
  Trunk trunk_;
  PackedAffine global_shift_;
  std::vector<Condition> conditions_;  // by block
  Convolution policy_out_;
  std::optional<PackedAffine> policy_pairs_;
  std::vector<std::uint16_t> square_pairs_;
  PackedAffine value_first_, value_out_;
  std::size_t policy_width_, value_width_;  // a square's, and a row's
  const float* policy_ = nullptr;           // the part's policy_hidden
  Rows globals_, shift_, means_, squeezed_, excited_;
  Rows pairs_;  // by square
  Rows value_in_, value_middle_, values_;
};

}  // namespace nn
