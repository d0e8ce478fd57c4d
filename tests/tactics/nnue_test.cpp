#include "tactics/nnue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <set>
#include <string>

#include "base/rng.h"
#include "tests/rules/random_position.h"
#include "tests/tactics/random_nnue.h"

namespace tactics {
namespace {

using namespace rules;
using S = NnueShape;

std::multiset<int> features(const Position& position, Color view) {
  std::array<std::uint16_t, S::kMaxActive> out;
  const int count = nnue_features(position, view, out);
  return {out.begin(), out.begin() + count};
}

// Kinds of features with the king in that place.
std::multiset<int> at_place(int place, std::multiset<int> kinds) {
  std::multiset<int> found;
  for (const int kind : kinds) found.insert(place * S::kKinds + kind);
  return found;
}

TEST(Nnue, ItsFeaturesAreThoseOfTheirPieces) {
  const Position position = Position::from_fen("3k4/8/8/8/8/8/P7/4K3[NNq] w - - 17 30");
  // Own pawn a2 and king e1, enemy king d8; two own knights and the enemy queen in hand; 16 plies;
  // White. Its king is on the right, so that it sees the pawn on h2, the kings on d1 and e8.
  EXPECT_EQ(features(position, Color::kWhite),
            at_place(2, {15, 5 * 64 + 3, 384 + 5 * 64 + 60, 768, 769, 776 + 6, 784, 785, 796}));
  EXPECT_EQ(features(position, Color::kBlack),
            at_place(2, {384 + 48, 384 + 5 * 64 + 60, 5 * 64 + 3, 776, 777, 768 + 6, 784, 785}));
}

TEST(Nnue, LooksByTheKingsPlace) {
  const auto eye = [](const char* board, Color view) {
    return nnue_eye(Position::from_fen(std::string(board) + " w - - 0 30"), view);
  };
  const char* const split = "7k/8/8/8/1K6/8/8/8";
  EXPECT_EQ(eye(split, Color::kWhite), (NnueEye{4, false}));
  EXPECT_EQ(eye(split, Color::kBlack), (NnueEye{1, true}));
  const char* const second = "8/4k3/8/8/8/8/8/2K5";
  EXPECT_EQ(eye(second, Color::kWhite), (NnueEye{2, false}));
  EXPECT_EQ(eye(second, Color::kBlack), (NnueEye{3, true}));
  const char* const held = "5k2/8/8/8/8/8/8/8[K]";
  EXPECT_EQ(eye(held, Color::kWhite), (NnueEye{0, true})) << "as the enemy's king says";
  EXPECT_EQ(eye(held, Color::kBlack), (NnueEye{2, true}));
  EXPECT_EQ(eye("8/8/8/8/8/8/8/8[Kk]", Color::kBlack), (NnueEye{0, false}));
}

TEST(Nnue, AMirroredPositionLooksTheSame) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Position position = random_position(seed, static_cast<int>(seed));
    const Position mirrored = position.mirrored();
    for (const Color view : kColors) {
      const bool seen = position.king_on_board(view) || position.king_on_board(~view);
      if (!seen) continue;
      EXPECT_EQ(features(position, view), features(mirrored, view)) << position.to_fen();
    }
  }
}

TEST(Nnue, ItsStackIsThePhase) {
  EXPECT_EQ(nnue_stack(Position::start({})), 0);
  std::set<int> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Position position = random_position(seed, static_cast<int>(2 * seed));
    int held = 0;
    for (const Color color : kColors) {
      for (const PieceType type : kAllTypes) held += position.reserve(color, type);
    }
    const auto men = std::popcount(position.occupied());
    const int expected = held >= 12  ? 0
                         : held >= 8 ? 1
                         : held >= 4 ? 2
                         : held >= 1 ? 3
                         : men >= 21 ? 4
                         : men >= 14 ? 5
                         : men >= 8  ? 6
                                     : 7;
    EXPECT_EQ(nnue_stack(position), expected) << position.to_fen();
    seen.insert(expected);
  }
  EXPECT_GE(seen.size(), 6u);
}

TEST(Nnue, TwoQueensInReserveAreOneTwice) {
  const Position position =
      Position::from_fen("8/8/8/8/8/8/8/4K3[QQkqq] w - - 0 30", kChessDoubleSharp);
  EXPECT_EQ(features(position, Color::kWhite),
            at_place(2, {5 * 64 + 3, 768 + 6, 768 + 6, 776 + 6, 776 + 6, 776 + 7, 796}));
}

TEST(Nnue, IsToldOfTheTableAsTheSideToMoveSeesIt) {
  ScoringTable table;
  table.points_white[1] = 1;
  const auto white = nnue_table(table, Color::kWhite), black = nnue_table(table, Color::kBlack);
  EXPECT_FLOAT_EQ(white[0], -1);
  EXPECT_FLOAT_EQ(white[1], -0.8f);
  EXPECT_FLOAT_EQ(black[5], 0.8f) << "a stalemated White pays Black nine";
  EXPECT_FLOAT_EQ(black[1], -0.6f);
  EXPECT_FLOAT_EQ(white[11], 9.0f / 21);
}

// The same sums as the header's formulas, written down plainly.
std::array<float, kOutcomes> reference(const NnueWeights& w, const Position& position,
                                       const ScoringTable& table) {
  const Color mover = position.side_to_move();
  const NnueStack& stack = w.stacks[static_cast<std::size_t>(nnue_stack(position))];
  std::vector<int> inputs;
  for (const Color view : {mover, ~mover}) {
    std::vector<int> sums(w.bias.begin(), w.bias.end());
    for (const int feature : features(position, view)) {
      for (std::size_t i = 0; i < S::kSums; ++i)
        sums[i] += w.feature[static_cast<std::size_t>(feature)][i];
    }
    for (const int sum : sums) {
      const int cut = std::clamp(sum, 0, 255);
      inputs.push_back(cut * cut >> 9);
    }
  }
  const auto h = [](double z) { return std::pow(std::clamp(z, 0.0, 1.0), 2); };
  const auto told = nnue_table(table, mover);
  std::array<double, S::kHidden> a{}, b{};
  for (std::size_t k = 0; k < S::kHidden; ++k) {
    int sum = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) sum += inputs[i] * stack.first[k][i];
    a[k] = static_cast<double>(stack.first_bias[k]) + sum / (127.0 * 64);
    for (std::size_t n = 0; n < told.size(); ++n)
      a[k] += static_cast<double>(told[n] * stack.table[n][k]);
  }
  for (std::size_t k = 0; k < S::kHidden; ++k) {
    b[k] = static_cast<double>(stack.second_bias[k]);
    for (std::size_t j = 0; j < S::kHidden; ++j)
      b[k] += h(a[j]) * static_cast<double>(stack.second[j][k]);
  }
  std::array<double, kOutcomes> odds{};
  double sum = 0;
  for (std::size_t o = 0; o < kOutcomes; ++o) {
    double logit = static_cast<double>(stack.out_bias[o]);
    for (std::size_t j = 0; j < S::kHidden; ++j)
      logit += h(b[j]) * static_cast<double>(stack.out[j][o]);
    sum += odds[o] = std::exp(logit);
  }
  std::array<float, kOutcomes> shares;
  for (std::size_t o = 0; o < kOutcomes; ++o) shares[o] = static_cast<float>(odds[o] / sum);
  return shares;
}

TEST(Nnue, AgreesWithItsFormulas) {
  const auto weights = random_nnue(1);
  Nnue nnue(weights);
  ScoringTable table;
  table.points_white[3] = 5.5;
  nnue.set_table(table);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Position position = random_position(seed, static_cast<int>(seed),
                                              seed % 2 == 0 ? RuleSet{} : kChessDoubleSharp);
    nnue.start(position);
    const auto expected = reference(*weights, position, table);
    const auto found = nnue.outcomes();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(found[i], expected[i], 1e-4f) << position.to_fen() << " outcome " << i;
    }
  }
}

// Also where every product is as large as it can be, and all have one sign.
TEST(Nnue, AnswersAlikeAtEveryLevelOfProcessors) {
  const auto extreme = std::make_shared<NnueWeights>(*random_nnue(6));
  extreme->bias.fill(10000);
  for (NnueStack& stack : extreme->stacks) {
    for (std::size_t k = 0; k < S::kHidden; ++k) {
      stack.first[k].fill(static_cast<std::int8_t>(k % 2 == 0 ? 127 : -127));
      stack.first_scale[k] = 1.0f / (127 * 127 * 2 * S::kSums);
    }
  }
  for (const auto& weights : {random_nnue(6), std::shared_ptr<const NnueWeights>(extreme)}) {
    Nnue baseline(weights, base::CpuLevel::kBaseline);
    for (const base::CpuLevel level : base::available_cpu_levels()) {
      Nnue nnue(weights, level);
      for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Position position = random_position(seed, static_cast<int>(seed));
        for (Nnue* each : {&baseline, &nnue}) {
          each->start(position);
          if (const auto moves = position.legal_moves(); !moves.empty()) {
            each->push(position.after(moves[0]));
          }
        }
        ASSERT_EQ(nnue.outcomes(), baseline.outcomes()) << name(level) << position.to_fen();
        ASSERT_EQ(nnue.value_stm(), baseline.value_stm()) << name(level) << position.to_fen();
      }
    }
  }
}

TEST(Nnue, FollowsALineAsThoughItBeganAnewEachTime) {
  const auto weights = random_nnue(2);
  Nnue follows(weights), fresh(weights);
  base::Rng rng(3);
  for (int game = 0; game < 20; ++game) {
    std::vector<Position> line{Position::start(game % 2 == 0 ? RuleSet{} : kChessDoubleSharp)};
    follows.start(line.front());
    for (int step = 0; step < 300; ++step) {
      MoveList moves;
      line.back().surviving_moves(moves);
      const bool back =
          moves.empty() || line.back().outcome({}) || line.size() > 200 || rng.below(3) == 0;
      if (back && line.size() > 1) {
        follows.pop();
        line.pop_back();
      } else if (!moves.empty()) {
        const bool pass = rng.below(16) == 0;
        line.push_back(
            pass ? line.back().passed()
                 : line.back().after(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]));
        follows.push(line.back());
      }
      if (rng.below(4) == 0) continue;  // not every position is asked for
      fresh.start(line.back());
      ASSERT_EQ(follows.outcomes(), fresh.outcomes()) << line.back().to_fen();
    }
  }
}

// The random networks' sums are alike; with biases of all kinds some are nearly never active.
TEST(Nnue, AnswersAlikeWithItsSumsInOrder) {
  const auto weights = std::make_shared<NnueWeights>(*random_nnue(4));
  for (std::size_t i = 0; i < S::kSums; ++i) {
    weights->bias[i] = static_cast<std::int16_t>(static_cast<int>(i * 37 % S::kSums) * 4 - 600);
  }
  const auto ordered = std::make_shared<NnueWeights>(*weights);
  order_sums(*ordered);
  EXPECT_NE(ordered->bias, weights->bias);
  Nnue nnue(weights), other(ordered);
  const auto active = [](const NnueWeights& of, const Position& position, std::size_t from) {
    int count = 0;
    for (std::size_t i = from; i < from + S::kSums / 4; ++i) {
      int sum = of.bias[i];
      for (const int feature : features(position, Color::kWhite))
        sum += of.feature[static_cast<std::size_t>(feature)][i];
      count += std::clamp(sum, 0, 255) * std::clamp(sum, 0, 255) >> 9 != 0;
    }
    return count;
  };
  int first = 0, last = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Position position = random_position(seed, static_cast<int>(seed));
    for (Nnue* each : {&nnue, &other}) each->start(position);
    ASSERT_EQ(nnue.outcomes(), other.outcomes()) << position.to_fen();
    first += active(*ordered, position, 0);
    last += active(*ordered, position, S::kSums * 3 / 4);
  }
  EXPECT_LT(10 * first, last) << "those that are seldom active come first";
}

TEST(Nnue, TellsTheColoursByOneFeatureAlone) {
  const auto weights = std::make_shared<NnueWeights>(*random_nnue(4));
  ScoringTable fair;  // the standard one pays Black more for an even impasse
  fair.points_white[3] = 5;
  Nnue tells(weights);
  tells.set_table(fair);
  tells.start(random_position(1, 40));
  const auto told = tells.outcomes();
  tells.start(random_position(1, 40).color_flipped());
  EXPECT_NE(tells.outcomes(), told);
  for (std::size_t place = 0; place < S::kKingPlaces; ++place) {
    weights->feature[place * S::kKinds + S::kWhite].fill(0);
  }
  Nnue nnue(weights);
  nnue.set_table(fair);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Position position = random_position(seed, 40);
    nnue.start(position);
    const auto outcomes = nnue.outcomes();
    const float value = nnue.value_stm();
    nnue.start(position.color_flipped());
    EXPECT_EQ(nnue.outcomes(), outcomes);
    EXPECT_EQ(nnue.value_stm(), value);
    nnue.start(position.passed());
    EXPECT_NE(nnue.outcomes(), outcomes) << "who is to move matters";
  }
}

TEST(Nnue, PricesItsOutcomesByTheTable) {
  const auto weights = random_nnue(5);
  Nnue nnue(weights);
  const Position position = random_position(7, 31);
  ASSERT_EQ(position.side_to_move(), Color::kBlack);
  nnue.start(position);
  const auto shares = nnue.outcomes();
  double points = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    points += static_cast<double>(shares[i]) *
              (10 - ScoringTable{}.points_white[outcome_seen_by(i, Color::kBlack)]);
  }
  EXPECT_NEAR(nnue.value_stm(), points / 5 - 1, 1e-5);
}

}  // namespace
}  // namespace tactics
