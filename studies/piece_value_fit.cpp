#include "studies/piece_value_fit.h"

// The matrices are small, and GCC 12 warns of its own AVX-512 headers (GCC bug 105593).
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace studies {
namespace {

using rules::Color;
using rules::PieceType;
using rules::Position;

constexpr Eigen::Index kUnknowns = std::ssize(kMaterialNames) + 1;  // with the constant
constexpr double kRidge = 0.25;                                     // the curvature of an even game
constexpr Eigen::Index kKnight = 1;                                 // of kMaterialNames

double share_of(double logit) { return 1 / (1 + std::exp(-logit)); }

// The log likelihood's first two derivatives at some values, summed over samples.
struct Slopes {
  Eigen::MatrixXd curvature = Eigen::MatrixXd::Zero(kUnknowns, kUnknowns);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(kUnknowns);

  void add(const MaterialSample& sample, const Eigen::VectorXd& values) {
    Eigen::VectorXd row(kUnknowns);
    std::ranges::copy(sample.material, row.begin());
    row[kUnknowns - 1] = 1;
    const double share = share_of(row.dot(values));
    curvature += sample.weight * share * (1 - share) * row * row.transpose();
    gradient += sample.weight * (sample.points_white / 10 - share) * row;
  }
  void add(const Slopes& other, double times) {
    curvature += times * other.curvature;
    gradient += times * other.gradient;
  }
  // From `values`, where the slopes were taken.
  Eigen::VectorXd newton_step(const Eigen::VectorXd& values) const {
    Eigen::MatrixXd ridged = curvature;
    Eigen::VectorXd uphill = gradient;
    for (Eigen::Index i = 0; i + 1 < kUnknowns; ++i) {
      ridged(i, i) += kRidge;
      uphill[i] -= kRidge * values[i];
    }
    return ridged.ldlt().solve(uphill);
  }
};

using SlopesByCluster = std::map<std::uint64_t, Slopes>;
SlopesByCluster slopes_at(std::span<const MaterialSample> samples, const Eigen::VectorXd& values) {
  SlopesByCluster slopes;
  for (const MaterialSample& sample : samples) slopes[sample.cluster].add(sample, values);
  return slopes;
}

// In logits.
Eigen::VectorXd fitted(std::span<const MaterialSample> samples) {
  constexpr int kSteps = 30;
  constexpr double kClose = 1e-9;
  Eigen::VectorXd values = Eigen::VectorXd::Zero(kUnknowns);
  for (int i = 0; i < kSteps; ++i) {
    Slopes sum;
    for (const MaterialSample& sample : samples) sum.add(sample, values);
    const Eigen::VectorXd step = sum.newton_step(values);
    values += step;
    if (step.norm() < kClose) break;
  }
  return values;
}

}  // namespace

Material material_of(const Position& position) {
  Material material{};
  const auto more = [&](auto count) { return count(Color::kWhite) - count(Color::kBlack); };
  std::size_t at = 0;
  for (const PieceType type : {PieceType::kPawn, PieceType::kKnight, PieceType::kBishop,
                               PieceType::kRook, PieceType::kQueen}) {
    material[at++] = more([&](Color c) { return std::popcount(position.pieces(c, type)); });
  }
  for (const PieceType type : {PieceType::kKnight, PieceType::kBishop, PieceType::kRook,
                               PieceType::kQueen, PieceType::kKing}) {
    material[at++] = more([&](Color c) { return position.reserve(c, type); });
  }
  material[at] = position.side_to_move() == Color::kWhite ? 1 : -1;
  return material;
}

Phase phase_of(const Position& position) {
  int pieces = 0;
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    for (const PieceType type : {PieceType::kKnight, PieceType::kBishop, PieceType::kRook,
                                 PieceType::kQueen, PieceType::kKing}) {
      if (position.reserve(color, type) > 0) return Phase::kPlacing;
      if (type != PieceType::kKing) pieces += std::popcount(position.pieces(color, type));
    }
  }
  constexpr int kEndingPieces = 6;
  return pieces > kEndingPieces ? Phase::kMiddle : Phase::kEnding;
}

std::vector<PieceValue> piece_values(std::span<const MaterialSample> samples, int rounds,
                                     base::Rng rng) {
  const Eigen::VectorXd values = fitted(samples);
  const SlopesByCluster by_cluster = slopes_at(samples, values);
  std::vector<std::uint64_t> clusters;
  std::vector<const Slopes*> sums;
  for (const auto& [cluster, sum] : by_cluster) {
    clusters.push_back(cluster);
    sums.push_back(&sum);
  }
  constexpr std::size_t kKinds = kMaterialNames.size();
  // The logits, and then each in proportion to the knight's.
  const auto estimates = bootstrap(clusters, rounds, rng, [&](std::span<const double> times) {
    Slopes drawn;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (times[i] != 0) drawn.add(*sums[i], times[i]);
    }
    const Eigen::VectorXd logits = values + drawn.newton_step(values);
    const double knight = logits[kKnight];
    std::vector<double> found(logits.begin(), logits.end() - 1);
    for (std::size_t i = 0; i < kKinds; ++i) {
      found.push_back(knight == 0 ? 0 : 3 * found[i] / knight);
    }
    return found;
  });
  std::vector<PieceValue> result;
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto each = [&](auto change) {
      const arena::Estimate& logit = estimates[i];
      return arena::Estimate{change(logit.mean), change(logit.low), change(logit.high)};
    };
    result.push_back({each([](double logit) { return logit * 400 / std::numbers::ln10; }),
                      each([](double logit) { return 10 * (share_of(logit) - 0.5); }),
                      estimates[kKinds + i]});
  }
  return result;
}

}  // namespace studies
