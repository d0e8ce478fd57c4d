#include "training/learner/nnue_learner.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>

#include "base/rng.h"
#include "nn/inference.h"

namespace training {
namespace {

using Shape = tactics::NnueShape;
using nn::NnueFloatWeights;
constexpr std::size_t kSums = Shape::kSums;
// The first hidden layer has 512 inputs that are never negative, so that steps of equal size add
// up: at the full rate a few of them drive all its outputs to where the activation is flat, and the
// network forever answers the same.
constexpr float kFirstLayerRate = 0.1f;
// The slope that the hidden layers' activation is taken to have where it is flat, so that what has
// come there comes back.
constexpr double kFlatSlope = 0.03;
constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

// A tensor that looks at the array.
torch::Tensor view_of(const std::vector<float>& values, std::initializer_list<std::int64_t> shape) {
  return torch::from_blob(const_cast<float*>(values.data()), shape);
}

// Sixteen floats in one register, or in two: so the compiler keeps a row's sums in registers, which
// is half as fast again as what it makes of a plain loop.
using Lanes [[gnu::vector_size(64)]] = float;
using SumLanes = std::array<Lanes, kSums / 16>;
static_assert(sizeof(SumLanes) == kSums * sizeof(float));

// The sums of both views of each row, clamped to [0, 1]: [rows, 2 * kSums].
void clamped_sums(const NnueBatch& batch, const NnueFloatWeights& weights,
                  std::vector<float>& out) {
  const auto rows = static_cast<std::size_t>(batch.rows);
  out.resize(rows * 2 * kSums);
  for (std::size_t i = 0; i < 2 * rows; ++i) {
    SumLanes sums, row;
    std::memcpy(&sums, weights.bias.data(), sizeof sums);
    for (const std::uint16_t feature : batch.views[i % 2].row(i / 2)) {
      std::memcpy(&row, weights.feature.data() + feature * kSums, sizeof row);
      for (std::size_t k = 0; k < row.size(); ++k) sums[k] += row[k];
    }
    float* const clamped = out.data() + i * kSums;
    std::memcpy(clamped, &sums, sizeof sums);
    for (std::size_t j = 0; j < kSums; ++j) clamped[j] = std::min(std::max(clamped[j], 0.0f), 1.0f);
  }
}

// Adds to the gradients of features and bias what the gradient of the squares of `clamped` gives.
void add_sums_gradient(const NnueBatch& batch, const std::vector<float>& clamped,
                       const float* of_squares, NnueFloatWeights& gradient) {
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(batch.rows); ++i) {
    const float* const c = clamped.data() + i * kSums;
    const float* const outer = of_squares + i * kSums;
    std::array<float, kSums> own;
    for (std::size_t j = 0; j < kSums; ++j) own[j] = c[j] < 1.0f ? 2 * c[j] * outer[j] : 0.0f;
    for (std::size_t j = 0; j < kSums; ++j) gradient.bias[j] += own[j];
    for (const std::uint16_t feature : batch.views[i % 2].row(i / 2)) {
      float* const row = gradient.feature.data() + feature * kSums;
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

// The layers behind the sums, as tensors that look at the arrays.
struct Dense {
  torch::Tensor first, first_bias, table, second, second_bias, out, out_bias;

  explicit Dense(const NnueFloatWeights& w)
      : first(view_of(w.first, {Shape::kHidden, 2 * Shape::kSums})),
        first_bias(view_of(w.first_bias, {Shape::kHidden})),
        table(view_of(w.table, {Shape::kTable, Shape::kHidden})),
        second(view_of(w.second, {Shape::kHidden, Shape::kHidden})),
        second_bias(view_of(w.second_bias, {Shape::kHidden})),
        out(view_of(w.out, {Shape::kHidden, NnueFloatWeights::kOutcomes})),
        out_bias(view_of(w.out_bias, {NnueFloatWeights::kOutcomes})) {}

  std::vector<torch::Tensor*> all() {
    return {&first, &first_bias, &table, &second, &second_bias, &out, &out_bias};
  }

  // Logits [rows, 7] from the squared sums [rows, 2 * kSums] and the tables [rows, kTable].
  torch::Tensor logits(const torch::Tensor& squares, const torch::Tensor& tables) const {
    const auto a = torch::addmm(first_bias, squares, first.t()) + tables.mm(table);
    const auto b = torch::addmm(second_bias, activated(a), second);
    return torch::addmm(out_bias, activated(b), out);
  }
};

torch::Tensor tables_of(const NnueBatch& batch) {
  return view_of(batch.tables, {batch.rows, Shape::kTable});
}

torch::Tensor cross_entropy(const torch::Tensor& logits, const NnueBatch& batch) {
  const auto targets = view_of(batch.outcomes, {batch.rows, NnueFloatWeights::kOutcomes});
  return -(targets * torch::log_softmax(logits, 1)).sum() / batch.rows;
}

// The piece whose presence a feature says, in the order of the piece-square features, or none: the
// clock, the colour.
constexpr std::size_t kPieces = 2 * rules::kPieceTypes;
constexpr auto kPieceOf = [] {
  constexpr std::array<std::size_t, 8> kHeld{1, 1, 2, 2, 3, 3, 4, 5};  // by reserve feature
  std::array<std::size_t, Shape::kFeatures> pieces{};
  for (std::size_t feature = 0; feature < pieces.size(); ++feature) {
    const std::size_t reserve = feature - Shape::kPieceSquares;
    pieces[feature] = feature < Shape::kPieceSquares ? feature / 64
                      : reserve < Shape::kReserves
                          ? reserve / 8 * rules::kPieceTypes + kHeld[reserve % 8]
                          : kPieces;
  }
  return pieces;
}();

std::vector<std::span<float>> arrays_of(NnueFloatWeights& weights) {
  std::vector<std::span<float>> arrays;
  NnueFloatWeights::visit(weights, [&](const char*, std::vector<float>& values, const auto&) {
    arrays.emplace_back(values);
  });
  return arrays;
}

void clip(std::vector<float>& values, float largest) {
  for (float& v : values) v = std::clamp(v, -largest, largest);
}

void fill_uniform(std::vector<float>& values, double largest, base::Rng& rng) {
  for (float& v : values) v = static_cast<float>((2 * rng.uniform() - 1) * largest);
}

}  // namespace

// Weights as of PyTorch's linear layers, biases in the middle of where the activation has a slope.
// About 35 features are active, so that sums spread by about 0.4 around their bias.
NnueFloatWeights initial_nnue(std::uint64_t seed) {
  base::Rng rng(seed);
  NnueFloatWeights weights;
  fill_uniform(weights.feature, std::sqrt(1.0 / 60), rng);
  fill_uniform(weights.first, std::sqrt(1.0 / (2 * Shape::kSums + Shape::kTable)), rng);
  fill_uniform(weights.table, std::sqrt(1.0 / (2 * Shape::kSums + Shape::kTable)), rng);
  fill_uniform(weights.second, std::sqrt(1.0 / Shape::kHidden), rng);
  fill_uniform(weights.out, std::sqrt(1.0 / Shape::kHidden), rng);
  for (auto* bias : {&weights.bias, &weights.first_bias, &weights.second_bias}) {
    std::ranges::fill(*bias, 0.5f);
  }
  return weights;
}

class NnueLearner::Impl {
 public:
  explicit Impl(const NnueFloatWeights& start) : weights_(start) { clip_weights(); }

  float step(const NnueBatch& batch, double lr) {
    const nn::TorchThreads one(1);
    NnueFloatWeights gradient;
    const float loss = backward(batch, gradient);
    if (!std::isfinite(loss)) return loss;
    adam(gradient, lr);
    clip_weights();
    return loss;
  }

  torch::Tensor logits(const NnueBatch& batch) const {
    const torch::NoGradGuard no_gradient;
    clamped_sums(batch, weights_, clamped_);
    return Dense(weights_).logits(squares(batch.rows), tables_of(batch));
  }

  const NnueFloatWeights& weights() const { return weights_; }
  std::int64_t steps_taken() const { return steps_; }

  nn::Weights state() const {
    nn::Weights all;
    const auto add = [&all](const std::string& prefix, const NnueFloatWeights& part) {
      for (auto& [name, array] : nn::to_arrays(part)) all[prefix + name] = array;
    };
    add("live.", weights_);
    add("first.", first_moment_);
    add("second.", second_moment_);
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(kPieces), Shape::kSums};
    all["pieces.first"] = {shape, piece_first_};
    all["pieces.second"] = {shape, piece_second_};
    all["steps"] = {{2}, {static_cast<float>(steps_ >> 20), static_cast<float>(steps_ & 0xfffff)}};
    return all;
  }

  void restore(const nn::Weights& state) {
    const auto part = [&state](const std::string& prefix) {
      nn::Weights found;
      for (const auto& [name, array] : state) {
        if (name.starts_with(prefix)) found[name.substr(prefix.size())] = array;
      }
      return nn::from_arrays(found);
    };
    const std::vector<float> steps =
        nn::find_array(state, "steps", std::vector<std::int64_t>{2}).values;
    NnueFloatWeights live = part("live."), first = part("first."), second = part("second.");
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(kPieces), Shape::kSums};
    piece_first_ = nn::find_array(state, "pieces.first", shape).values;
    piece_second_ = nn::find_array(state, "pieces.second", shape).values;
    weights_ = std::move(live);
    first_moment_ = std::move(first);
    second_moment_ = std::move(second);
    steps_ = static_cast<std::int64_t>(steps[0]) << 20 | static_cast<std::int64_t>(steps[1]);
  }

 private:
  torch::Tensor squares(int rows) const {
    return view_of(clamped_, {rows, 2 * Shape::kSums}).square();
  }

  // Returns the loss and adds its gradient.
  float backward(const NnueBatch& batch, NnueFloatWeights& gradient) const {
    clamped_sums(batch, weights_, clamped_);
    Dense dense(weights_), gradients(gradient);
    for (torch::Tensor* layer : dense.all()) layer->requires_grad_();
    const torch::Tensor inputs = squares(batch.rows).requires_grad_();
    const torch::Tensor loss = cross_entropy(dense.logits(inputs, tables_of(batch)), batch);
    loss.backward();
    const auto layers = dense.all(), sums = gradients.all();
    for (std::size_t i = 0; i < layers.size(); ++i) sums[i]->add_(layers[i]->grad());
    const torch::Tensor of_squares = inputs.grad().contiguous();
    add_sums_gradient(batch, clamped_, of_squares.data_ptr<float>(), gradient);
    return loss.item<float>();
  }

  // Kingma and Ba, "Adam", 2015, algorithm 1.
  struct Adam {
    float rate, scale;
    float step(float g, float& first, float& second) const {
      constexpr auto kKeep1 = static_cast<float>(kBeta1), kKeep2 = static_cast<float>(kBeta2);
      first = kKeep1 * first + (1 - kKeep1) * g;
      second = kKeep2 * second + (1 - kKeep2) * g * g;
      return rate * first / (std::sqrt(second) * scale + static_cast<float>(kEpsilon));
    }
  };

  void adam(NnueFloatWeights& gradient, double lr) {
    ++steps_;
    const auto steps = static_cast<double>(steps_);
    const Adam full{static_cast<float>(lr / (1 - std::pow(kBeta1, steps))),
                    static_cast<float>(1 / std::sqrt(1 - std::pow(kBeta2, steps)))};
    const Adam slow{kFirstLayerRate * full.rate, full.scale};
    const auto values = arrays_of(weights_), slopes = arrays_of(gradient);
    const auto first = arrays_of(first_moment_), second = arrays_of(second_moment_);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const bool is_slow =
          values[k].data() == weights_.first.data() || values[k].data() == weights_.table.data();
      const Adam& by = is_slow ? slow : full;
      for (std::size_t i = 0; i < values[k].size(); ++i) {
        values[k][i] -= by.step(slopes[k][i], first[k][i], second[k][i]);
      }
    }
    step_pieces(gradient.feature, full);
  }

  // A piece is learned on all its squares and in hand at once, too: as if each feature's row were
  // the sum of its own and one of its piece.
  void step_pieces(const std::vector<float>& gradient, const Adam& by) {
    std::vector<float> change(kPieces * kSums);
    for (std::size_t feature = 0; feature < kPieceOf.size(); ++feature) {
      if (kPieceOf[feature] == kPieces) continue;
      const float* row = gradient.data() + feature * kSums;
      float* sum = change.data() + kPieceOf[feature] * kSums;
      for (std::size_t j = 0; j < kSums; ++j) sum[j] += row[j];
    }
    for (std::size_t i = 0; i < change.size(); ++i) {
      change[i] = by.step(change[i], piece_first_[i], piece_second_[i]);
    }
    for (std::size_t feature = 0; feature < kPieceOf.size(); ++feature) {
      if (kPieceOf[feature] == kPieces) continue;
      float* row = weights_.feature.data() + feature * kSums;
      const float* of_piece = change.data() + kPieceOf[feature] * kSums;
      for (std::size_t j = 0; j < kSums; ++j) row[j] -= of_piece[j];
    }
  }

  void clip_weights() {
    clip(weights_.feature, nn::kMaxNnueFeature);
    clip(weights_.bias, nn::kMaxNnueFeature);
  }

  NnueFloatWeights weights_, first_moment_, second_moment_;
  std::vector<float> piece_first_ = std::vector<float>(kPieces * kSums);  // moments by piece
  std::vector<float> piece_second_ = std::vector<float>(kPieces * kSums);
  std::int64_t steps_ = 0;
  mutable std::vector<float> clamped_;  // of the batch at hand: [rows, 2 * kSums]
};

NnueLearner::NnueLearner(const NnueFloatWeights& start) : impl_(std::make_unique<Impl>(start)) {}
NnueLearner::~NnueLearner() = default;
float NnueLearner::step(const NnueBatch& batch, double lr) { return impl_->step(batch, lr); }
float NnueLearner::loss(const NnueBatch& batch) const {
  const nn::TorchThreads one(1);
  return cross_entropy(impl_->logits(batch), batch).item<float>();
}
std::vector<float> NnueLearner::outcomes(const NnueBatch& batch) const {
  const nn::TorchThreads one(1);
  const torch::Tensor found = torch::softmax(impl_->logits(batch), 1).contiguous();
  return {found.data_ptr<float>(), found.data_ptr<float>() + found.numel()};
}
const NnueFloatWeights& NnueLearner::weights() const { return impl_->weights(); }
std::int64_t NnueLearner::steps_taken() const { return impl_->steps_taken(); }
nn::Weights NnueLearner::state() const { return impl_->state(); }
void NnueLearner::restore(const nn::Weights& state) { impl_->restore(state); }

}  // namespace training
