#include <algorithm>

#include "nn/cpu_forward_pass.h"
#include "nn/float_layers.h"

namespace nn {
namespace {

// A convolution of 1×1, which treats every square as a row.
Affine as_affine(const Convolution& layer) {
  return {layer.in, layer.out, layer.weight, layer.bias};
}

class FloatTrunk {
 public:
  using Plane = float;
  static constexpr int kPart = BoardConvolution::kMostRows;

  FloatTrunk(const FoldedWeights& weights, Observer observer)
      : observer_(std::move(observer)),
        channels_(static_cast<std::size_t>(weights.stem.out)),
        stem_(weights.stem),
        policy_hidden_(as_affine(weights.policy_hidden)),
        value_hidden_(as_affine(weights.value_hidden)),
        planes_(kPart * kSquares * static_cast<std::size_t>(weights.stem.in)),
        trunk_(kPart * kSquares * channels_),
        inner_(trunk_.size()),
        second_(trunk_.size()) {
    std::size_t scratch = stem_.scratch_size();
    for (const auto& block : weights.blocks) {
      const bool conditioned = block.squeeze.has_value();
      const Block& placed = blocks_.emplace_back(
          Block{BoardConvolution(block.first), BoardConvolution(block.second), conditioned});
      scratch = std::max({scratch, placed.first.scratch_size(), placed.second.scratch_size()});
    }
    scratch_ = AlignedFloats(scratch);
  }

  static int part_of(int left) { return std::min(left, kPart); }
  float* planes() { return planes_.data(); }
  float* trunk() { return trunk_.data(); }
  float* second() { return second_.data(); }
  void stem(int rows) { stem_(planes_.data(), rows, After::kNothing, trunk_.data(), scratch_); }
  void settle(int /*row*/, std::size_t /*layer*/) {}
  void first(std::size_t block, int rows) {
    blocks_[block].first(trunk_.data(), rows, After::kRelu, inner_.data(), scratch_);
    observe(2 * block, trunk_, rows);
    observe(2 * block + 1, inner_, rows);
  }
  void second(std::size_t block, int rows) {
    const Block& own = blocks_[block];
    own.second(inner_.data(), rows, own.conditioned ? After::kNothing : After::kAddToOutputThenRelu,
               own.conditioned ? second_.data() : trunk_.data(), scratch_);
  }
  const float* policy_hidden(int rows) {
    observe(2 * blocks_.size(), trunk_, rows);
    return head(policy_hidden_, rows, policy_);
  }
  const float* value_hidden(int rows) { return head(value_hidden_, rows, value_); }

 private:
  struct Block {
    BoardConvolution first, second;
    bool conditioned;
  };

  const float* head(const PackedAffine& layer, int rows, std::vector<float>& out) const {
    const int squares = rows * static_cast<int>(kSquares);
    out.resize(static_cast<std::size_t>(squares * layer.out()));
    layer(trunk_.data(), squares, out.data());
    float_kernels().relu(out.data(), out.size());
    return out.data();
  }
  void observe(std::size_t layer, const std::vector<float>& activations, int rows) const {
    const auto count = static_cast<std::size_t>(rows) * kSquares * channels_;
    if (observer_) observer_(layer, {activations.data(), count});
  }

  Observer observer_;
  std::size_t channels_;
  BoardConvolution stem_;
  std::vector<Block> blocks_;
  PackedAffine policy_hidden_, value_hidden_;
  std::vector<float> planes_, trunk_, inner_, second_, policy_, value_;
  AlignedFloats scratch_;
};

}  // namespace

std::unique_ptr<ForwardPass> float_forward_pass(const FoldedWeights& weights, Observer observer) {
  return std::make_unique<CpuForwardPass<FloatTrunk>>(
      weights, FloatTrunk(weights, std::move(observer)), FloatTrunk::kPart);
}

}  // namespace nn
