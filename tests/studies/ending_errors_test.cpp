#include "studies/ending_errors.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "mcts/evaluator.h"
#include "tests/tablebase_folder.h"

namespace studies {
namespace {

const tablebase::Tables& three_pieces() {
  static const TablebaseFolder kFolder;
  return *kFolder.tables;
}

// Knows nothing of a position and expects White to win it.
class ExpectsWhite final : public mcts::Evaluator {
 public:
  void evaluate(mcts::LeafBatch& batch) override {
    batch.priors.assign(batch.moves.size(), 0);
    for (mcts::Leaf& leaf : batch.leaves) {
      batch.make_moves_equally_likely(leaf);
      leaf.evaluation.outcomes = {0, 0, 0, 0, 0, 0, 1};
      leaf.evaluation.value_stm = leaf.position.side_to_move() == rules::Color::kWhite ? 1 : -1;
    }
  }
};

EndingErrors errors_of(const EndingErrorsConfig& config) {
  return ending_errors(three_pieces(), config,
                       tree_thinker([] { return std::make_unique<ExpectsWhite>(); }),
                       [] { return false; });
}

TEST(EndingErrors, AreThoseOfAnEvaluatorThatIsKnown) {
  const EndingErrors errors = errors_of({.positions = 200, .games = 2, .budget = 8, .threads = 2});
  ASSERT_EQ(errors.endings.size(), 5u);
  for (const EndingErrors::OfEnding& one : errors.endings) {
    EXPECT_GT(one.asked, 20u) << one.ending;
    EXPECT_LE(one.asked, 200u);
    // Nothing is worth more than a win: too much is expected, never too little.
    EXPECT_GE(one.difference.mean, 0);
    EXPECT_DOUBLE_EQ(one.error.mean, one.difference.mean);
    EXPECT_GT(one.wrong_moves, 0) << one.ending;
    EXPECT_GT(one.lost.mean, 0);
  }
  // A knight does not win against a bare king, a queen does.
  EXPECT_EQ(errors.endings.front().ending, "KNvK");
  EXPECT_GT(errors.endings.front().difference.mean, 2);
}

TEST(EndingErrors, VanishWhereThePlayerIsToldTheTablebase) {
  const EndingErrorsConfig config{.positions = 1, .games = 40, .budget = 8, .threads = 2};
  const EndingErrors errors = errors_of(config);
  EXPECT_GT(errors.alone.lost.mean, 0.2);
  EXPECT_LT(errors.alone.perfect, 1);
  EXPECT_EQ(errors.with_tablebase.lost.mean, 0);
  EXPECT_EQ(errors.with_tablebase.perfect, 1);
  EXPECT_EQ(json_of(errors, config)["games"]["with_tablebase"]["perfect"], 1);
}

}  // namespace
}  // namespace studies
