// The mirrored game is searched as the mirror image, the game with colours swapped as the game.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Position;

// Answers alike for the four images of a position: it hashes the least of them.
class SymmetricEvaluator final : public Evaluator {
 public:
  void evaluate(LeafBatch& batch) override {
    batch.priors.resize(batch.moves.size());
    for (Leaf& leaf : batch.leaves) {
      const Position& p = leaf.position;
      const bool white = p.side_to_move() == rules::Color::kWhite;
      const Position own = white ? p : p.color_flipped();
      const Position other = own.mirrored();
      const bool mirror = other.key() < own.key();
      const std::uint64_t key = std::min(own.key(), other.key());
      double sum = 0;
      for (std::size_t i = 0; i < rules::kOutcomes; ++i) {
        const std::size_t place = white ? i : rules::kOutcomes - 1 - i;
        leaf.evaluation.outcomes[place] = unit(key + i);
        sum += static_cast<double>(leaf.evaluation.outcomes[place]);
      }
      double points = 0;
      for (std::size_t i = 0; i < rules::kOutcomes; ++i) {
        leaf.evaluation.outcomes[i] /= static_cast<float>(sum);
        points += static_cast<double>(leaf.evaluation.outcomes[i]) * leaf.table->points_white[i];
      }
      leaf.evaluation.value_stm = static_cast<float>(rules::value_stm(points, p.side_to_move()));
      leaf.evaluation.moves_left = 50 * unit(key);
      const auto priors = batch.priors_of(leaf);
      float total = 0;
      for (std::size_t i = 0; i < priors.size(); ++i) {
        rules::Move move = batch.moves_of(leaf)[i];
        if (!white) move = rules::flipped(move);
        if (mirror) move = rules::mirrored(move);
        priors[i] = unit(key ^ (std::uint64_t{move.raw()} << 40));
        total += priors[i];
      }
      for (float& prior : priors) prior /= total;
    }
  }

 private:
  static float unit(std::uint64_t x) {
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
    x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
    return (static_cast<float>((x ^ (x >> 33)) >> 40) + 1) * 0x1p-24f;
  }
};

std::map<std::uint16_t, int> visits_after_search(const Position& root, const SearchConfig& config,
                                                 const rules::ScoringTable& table, float* value) {
  SymmetricEvaluator evaluator;
  Search search = make_search(root, config, table);
  search.start({.nodes = 600});
  run(search, evaluator);
  *value = search.value_stm();
  std::map<std::uint16_t, int> visits;
  for (const RootMove& m : search.root_moves()) visits[m.move.raw()] = m.visits;
  return visits;
}

// Symmetric under swapping the colours.
rules::ScoringTable fair_table() {
  rules::ScoringTable table;
  table.points_white = {0, 2, 3, 5, 7, 8, 10};
  return table;
}

void expect_symmetric(const SearchConfig& config) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Position position = random_position(seed, 4 + static_cast<int>(seed) * 4);
    float value = 0, mirrored_value = 0, flipped_value = 0;
    const auto visits = visits_after_search(position, config, fair_table(), &value);
    const auto mirrored =
        visits_after_search(position.mirrored(), config, fair_table(), &mirrored_value);
    const auto flipped =
        visits_after_search(position.color_flipped(), config, fair_table(), &flipped_value);
    ASSERT_GT(visits.size(), 1u);
    for (const auto& [raw, count] : visits) {
      const rules::Move move = rules::Move::from_raw(raw);
      EXPECT_EQ(mirrored.at(rules::mirrored(move).raw()), count) << position.to_fen();
      EXPECT_EQ(flipped.at(rules::flipped(move).raw()), count) << position.to_fen();
    }
    EXPECT_NEAR(mirrored_value, value, 1e-5f);
    EXPECT_NEAR(flipped_value, value, 1e-5f);
  }
}

TEST(Symmetry, MirroredAndColorFlippedRootsGiveTheSameSearch) {
  for (const bool gumbel : {false, true}) {
    for (const bool solver : {false, true}) {
      SearchConfig config = without_solver();
      config.gumbel = gumbel;
      config.solver = solver;
      expect_symmetric(config);
    }
  }
}

}  // namespace
}  // namespace mcts
