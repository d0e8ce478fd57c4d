#include "studies/piece_values.h"

// The matrices are small, and GCC 12 warns of its own AVX-512 headers (GCC bug 105593).
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>
#include <map>

namespace studies {
namespace {

using rules::Color;
using rules::PieceType;
using rules::Position;

constexpr Eigen::Index kUnknowns = std::ssize(kMaterialNames) + 1;  // with the constant
constexpr double kRidge = 1;

// The sums that the least squares of some samples need.
struct Normal {
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(kUnknowns, kUnknowns);
  Eigen::VectorXd products = Eigen::VectorXd::Zero(kUnknowns);

  void add(const MaterialSample& sample) {
    Eigen::VectorXd row(kUnknowns);
    for (std::size_t i = 0; i < sample.material.size(); ++i) {
      row[static_cast<Eigen::Index>(i)] = sample.material[i];
    }
    row[kUnknowns - 1] = 1;
    squares += sample.weight * row * row.transpose();
    products += sample.weight * sample.points_white * row;
  }
  void add(const Normal& other, double times) {
    squares += times * other.squares;
    products += times * other.products;
  }
  std::vector<double> solution() const {
    Eigen::MatrixXd ridged = squares;
    for (Eigen::Index i = 0; i + 1 < kUnknowns; ++i) ridged(i, i) += kRidge;
    const Eigen::VectorXd values = ridged.ldlt().solve(products);
    return {values.begin(), values.end() - 1};
  }
};

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

std::vector<arena::Estimate> piece_values(std::span<const MaterialSample> samples, int rounds,
                                          base::Rng rng) {
  std::map<std::uint64_t, Normal> by_cluster;
  for (const MaterialSample& sample : samples) by_cluster[sample.cluster].add(sample);
  std::vector<std::uint64_t> clusters;
  std::vector<const Normal*> sums;
  for (const auto& [cluster, sum] : by_cluster) {
    clusters.push_back(cluster);
    sums.push_back(&sum);
  }
  return bootstrap(clusters, rounds, rng, [&](std::span<const double> times) {
    Normal drawn;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (times[i] != 0) drawn.add(*sums[i], times[i]);
    }
    return drawn.solution();
  });
}

}  // namespace studies
