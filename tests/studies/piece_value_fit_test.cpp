#include "studies/piece_value_fit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace studies {
namespace {

// Positions of games whose expected points are those of planted logits, and noise of the whole
// game.
std::vector<MaterialSample> planted(const Material& logits, int games, base::Rng& rng) {
  std::vector<MaterialSample> samples;
  for (int game = 0; game < games; ++game) {
    const double luck = 3 * rng.normal();
    for (int i = 0; i < 10; ++i) {
      MaterialSample sample;
      sample.cluster = static_cast<std::uint64_t>(game);
      sample.weight = 0.1;
      double logit = 0.1;
      for (std::size_t k = 0; k < logits.size(); ++k) {
        sample.material[k] = static_cast<double>(rng.below(5)) - 2;
        logit += logits[k] * sample.material[k];
      }
      sample.points_white = 10 / (1 + std::exp(-logit)) + luck;
      samples.push_back(sample);
    }
  }
  return samples;
}

TEST(PieceValues, ArePlantedOnesWithinTheirIntervals) {
  // Enough that points come near 0 and 10, where a straight line would make queens too cheap.
  const Material truth{0.2, 0.5, 0.6, 0.8, 1.6, 0.4, 0.5, 0.7, 1.4, -0.2, 0.1};
  base::Rng rng(11);
  int covered = 0;
  constexpr int kRuns = 40;
  for (int run = 0; run < kRuns; ++run) {
    const auto samples = planted(truth, 300, rng);
    const auto values = piece_values(samples, 400, rng.split(1));
    ASSERT_EQ(values.size(), truth.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double elo = truth[i] * 400 / std::log(10), points = 10 / (1 + std::exp(-truth[i])) - 5;
      EXPECT_NEAR(values[i].elo.mean, elo, 80) << kMaterialNames[i];
      EXPECT_NEAR(values[i].points.mean, points, 1) << kMaterialNames[i];
      EXPECT_NEAR(values[i].with_knight_3.mean, 3 * truth[i] / truth[1], 2.5) << kMaterialNames[i];
      covered += values[i].elo.low <= elo && elo <= values[i].elo.high ? 1 : 0;
    }
  }
  EXPECT_NEAR(covered / static_cast<double>(kRuns * truth.size()), 0.95, 0.04);
}

TEST(PieceValues, SeeNothingWhereNothingIsPlanted) {
  base::Rng rng(12);
  const auto samples = planted({}, 400, rng);
  for (const PieceValue& value : piece_values(samples, 200, rng.split(1))) {
    EXPECT_LT(value.points.low, 0.05);
    EXPECT_GT(value.points.high, -0.05);
  }
}

TEST(Phase, IsOfReserveThenOfPiecesLeft) {
  const auto phase = [](const char* fen) { return phase_of(rules::Position::from_fen(fen)); };
  EXPECT_EQ(phase_of(rules::Position::start()), Phase::kPlacing);
  EXPECT_EQ(phase("1k6/8/8/8/8/8/8/K7[q] w - - 0 30"), Phase::kPlacing);
  EXPECT_EQ(phase("rnbk4/q7/8/8/8/8/8/KQRN4[] w - - 0 30"), Phase::kMiddle);
  EXPECT_EQ(phase("rnbk4/8/8/8/8/8/8/KQRN4[] w - - 0 30"), Phase::kEnding);
}

TEST(Material, CountsBoardAndReserve) {
  const auto start = material_of(rules::Position::start());
  EXPECT_EQ(start.back(), 1);
  for (std::size_t i = 0; i + 1 < start.size(); ++i) EXPECT_EQ(start[i], 0);
  const auto material = material_of(
      rules::Position::from_fen("8/pppppp2/8/8/8/8/PPPPPPPP/RB6[KQRBNNkqrrbbnn] b - - 2 2"));
  EXPECT_EQ(material[0], 2);    // pawns
  EXPECT_EQ(material[2], 1);    // bishop on the board
  EXPECT_EQ(material[3], 1);    // rook
  EXPECT_EQ(material[6], -1);   // bishop in reserve
  EXPECT_EQ(material[7], -1);   // rook in reserve
  EXPECT_EQ(material[9], 0);    // king
  EXPECT_EQ(material[10], -1);  // the turn
}

}  // namespace
}  // namespace studies
