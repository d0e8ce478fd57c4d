#include "training/learner/nnue_module.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "training/learner/learner.h"
#include "training/learner/losses.h"

namespace training {
namespace {

using Shape = tactics::NnueShape;
constexpr std::size_t kSums = Shape::kSums;
// The first hidden layer has 512 inputs that are never negative, so that steps of equal size add
// up: at the full rate a few of them drive all its outputs to where the activation is flat, and the
// network forever answers the same.
constexpr double kFirstLayerRate = 0.1;
// The slope that the hidden layers' activation is taken to have where it is flat, so that what has
// come there comes back.
constexpr double kFlatSlope = 0.03;

// A tensor that looks at the array.
torch::Tensor view_of(const std::vector<float>& values, std::int64_t rows, std::int64_t columns) {
  return torch::from_blob(const_cast<float*>(values.data()), {rows, columns});
}

// Sixteen floats in one register, or in two: so the compiler keeps a row's sums in registers, which
// is half as fast again as what it makes of a plain loop.
using Lanes [[gnu::vector_size(64)]] = float;
using SumLanes = std::array<Lanes, kSums / 16>;
static_assert(sizeof(SumLanes) == kSums * sizeof(float));

// The sums of both views of each row, clamped to [0, 1]: [rows, 2 * kSums].
void clamped_sums(const NnueBatch& batch, const float* feature, const float* bias,
                  std::vector<float>& out) {
  const auto rows = static_cast<std::size_t>(batch.rows);
  out.resize(rows * 2 * kSums);
  for (std::size_t i = 0; i < 2 * rows; ++i) {
    SumLanes sums, row;
    std::memcpy(&sums, bias, sizeof sums);
    for (const std::uint16_t active : batch.views[i % 2].row(i / 2)) {
      std::memcpy(&row, feature + active * kSums, sizeof row);
      for (std::size_t k = 0; k < row.size(); ++k) sums[k] += row[k];
    }
    float* const clamped = out.data() + i * kSums;
    std::memcpy(clamped, &sums, sizeof sums);
    for (std::size_t j = 0; j < kSums; ++j) clamped[j] = std::min(std::max(clamped[j], 0.0f), 1.0f);
  }
}

// Adds to the gradients of features and bias what the gradient of the squares of `clamped` gives.
void add_sums_gradient(const NnueBatch& batch, const std::vector<float>& clamped,
                       const float* of_squares, float* feature, float* bias) {
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(batch.rows); ++i) {
    const float* const c = clamped.data() + i * kSums;
    const float* const outer = of_squares + i * kSums;
    std::array<float, kSums> own;
    for (std::size_t j = 0; j < kSums; ++j) own[j] = c[j] < 1.0f ? 2 * c[j] * outer[j] : 0.0f;
    for (std::size_t j = 0; j < kSums; ++j) bias[j] += own[j];
    for (const std::uint16_t active : batch.views[i % 2].row(i / 2)) {
      float* const row = feature + active * kSums;
      for (std::size_t j = 0; j < kSums; ++j) row[j] += own[j];
    }
  }
}

// clamp(z, 0, 1)^2, whose gradient is kFlatSlope outside of [0, 1].
torch::Tensor activated(const torch::Tensor& z) {
  const torch::Tensor inside = z.clamp(0, 1);
  if (!z.requires_grad()) return inside.square();
  const torch::Tensor outside = z - inside;
  return inside.square() + kFlatSlope * (outside - outside.detach());
}

torch::Tensor cross_entropy(const torch::Tensor& logits, const torch::Tensor& targets) {
  return -(targets * torch::log_softmax(logits, 1)).sum() / logits.size(0);
}

// The piece whose presence a kind of feature says, in the order of the piece-square features, or
// none: the clock, the colour.
constexpr std::size_t kPieces = 2 * rules::kPieceTypes;
constexpr auto kPieceOf = [] {
  constexpr std::array<std::size_t, 8> kHeld{1, 1, 2, 2, 3, 3, 4, 5};  // by reserve feature
  std::array<std::size_t, Shape::kKinds> pieces{};
  for (std::size_t kind = 0; kind < pieces.size(); ++kind) {
    const std::size_t reserve = kind - Shape::kPieceSquares;
    pieces[kind] = kind < Shape::kPieceSquares ? kind / 64
                   : reserve < Shape::kReserves
                       ? reserve / 8 * rules::kPieceTypes + kHeld[reserve % 8]
                       : kPieces;
  }
  return pieces;
}();

torch::Tensor by_king_place(const torch::Tensor& features) {
  return features.view({Shape::kKingPlaces, Shape::kKinds, Shape::kSums});
}

void clear_gradient(torch::Tensor& parameter) {
  torch::Tensor& gradient = parameter.mutable_grad();
  gradient.defined() ? gradient.zero_() : gradient = torch::zeros_like(parameter);
}

}  // namespace

NnueModule::NnueModule() {
  const auto make = [this](const char* name, std::vector<std::int64_t> shape) {
    return register_parameter(name, torch::zeros(shape));
  };
  feature = make("feature", {Shape::kFeatures, Shape::kSums});
  bias = make("bias", {Shape::kSums});
  first = make("first", {Shape::kStacks, Shape::kHidden, 2 * Shape::kSums});
  first_bias = make("first_bias", {Shape::kStacks, Shape::kHidden});
  table = make("table", {Shape::kStacks, Shape::kTable, Shape::kHidden});
  second = make("second", {Shape::kStacks, Shape::kHidden, Shape::kHidden});
  second_bias = make("second_bias", {Shape::kStacks, Shape::kHidden});
  out = make("out", {Shape::kStacks, Shape::kHidden, rules::kOutcomes});
  out_bias = make("out_bias", {Shape::kStacks, rules::kOutcomes});
  kinds = make("kinds", {Shape::kKinds, Shape::kSums});
  pieces = make("pieces", {kPieces + 1, Shape::kSums});
  piece_of_ = torch::empty({Shape::kKinds}, torch::kInt64);
  for (std::size_t i = 0; i < kPieceOf.size(); ++i) {
    piece_of_[static_cast<std::int64_t>(i)] = static_cast<std::int64_t>(kPieceOf[i]);
  }
}

// The rows of a stack lie together.
torch::Tensor NnueModule::hidden(const torch::Tensor& squares, const NnueBatch& batch) const {
  const std::vector<std::int64_t> sizes(batch.stacks.begin(), batch.stacks.end());
  const auto inputs = squares.split_with_sizes(sizes);
  const auto tables = view_of(batch.tables, batch.rows, Shape::kTable).split_with_sizes(sizes);
  // Taken apart at once, so that the gradient of each is written once.
  const auto w = first.unbind(), w_bias = first_bias.unbind(), t = table.unbind();
  const auto v = second.unbind(), v_bias = second_bias.unbind();
  const auto o = out.unbind(), o_bias = out_bias.unbind();
  std::vector<torch::Tensor> logits;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) continue;
    const auto a = torch::addmm(w_bias[i], inputs[i], w[i].t()) + tables[i].mm(t[i]);
    const auto b = torch::addmm(v_bias[i], activated(a), v[i]);
    logits.push_back(torch::addmm(o_bias[i], activated(b), o[i]));
  }
  return torch::cat(logits);
}

torch::Tensor NnueModule::logits(const NnueBatch& batch) const {
  const torch::NoGradGuard no_grad;
  std::vector<float> clamped;
  clamped_sums(batch, feature.data_ptr<float>(), bias.data_ptr<float>(), clamped);
  return hidden(view_of(clamped, batch.rows, 2 * Shape::kSums).square(), batch);
}

torch::Tensor NnueModule::backward(const NnueBatch& batch) {
  thread_local std::vector<float> clamped;  // [rows, 2 * kSums]
  for (torch::Tensor& p : parameters()) clear_gradient(p);
  clamped_sums(batch, feature.data_ptr<float>(), bias.data_ptr<float>(), clamped);
  const auto squares = view_of(clamped, batch.rows, 2 * Shape::kSums).square().requires_grad_();
  const auto targets = view_of(batch.outcomes, batch.rows, rules::kOutcomes);
  const torch::Tensor loss = cross_entropy(hidden(squares, batch), targets);
  loss.backward();
  const torch::Tensor of_squares = squares.grad().contiguous();
  add_sums_gradient(batch, clamped, of_squares.data_ptr<float>(), feature.grad().data_ptr<float>(),
                    bias.grad().data_ptr<float>());
  const torch::NoGradGuard no_grad;
  kinds.mutable_grad().copy_(by_king_place(feature.grad()).sum(0));
  pieces.mutable_grad().index_add_(0, piece_of_, kinds.grad());
  pieces.mutable_grad()[kPieces].zero_();
  torch::Tensor losses = torch::zeros({kLosses}, torch::kFloat64);
  losses[kOutcomeLoss] = loss.item<double>();
  losses[kTotal] = loss.item<double>() - entropy(targets).item<double>();
  return losses;
}

void NnueModule::settle() {
  const torch::NoGradGuard no_grad;
  by_king_place(feature).add_(kinds + pieces.index_select(0, piece_of_));
  for (const torch::Tensor& weights : {feature, bias}) {
    weights.clamp_(-nn::kMaxNnueFeature, nn::kMaxNnueFeature);
  }
  for (const torch::Tensor& shared : {kinds, pieces}) shared.zero_();
}

std::vector<double> NnueModule::rates(bool last_layer_alone) const {
  std::vector<double> rates;
  for (const auto& item : named_parameters()) {
    const bool slow = item.key() == "first" || item.key() == "table";
    const bool learns = !last_layer_alone || item.key().starts_with("out");
    rates.push_back(!learns ? 0 : slow ? kFirstLayerRate : 1);
  }
  return rates;
}

}  // namespace training
