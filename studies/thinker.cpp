#include "studies/thinker.h"

#include <algorithm>

#include "arena/alphabeta_player.h"
#include "arena/search_player.h"
#include "arena/side_by_side.h"
#include "engine/nnue_evaluator.h"
#include "mcts/search.h"

namespace studies {
namespace {

using rules::Position;

std::vector<double> points_of(const std::vector<tactics::SearchReport>& reports) {
  std::vector<double> points;
  for (const tactics::SearchReport& report : reports) points.push_back(report.points_white);
  return points;
}

class TreeThinker final : public Thinker {
 public:
  explicit TreeThinker(EvaluatorFactory make_evaluator)
      : make_evaluator_(std::move(make_evaluator)), evaluator_(make_evaluator_()) {}

  mcts::Evaluator& evaluator() override { return *evaluator_; }
  bool asks_of_quiet_alone() const override { return false; }
  std::vector<tactics::SearchReport> search(const std::vector<Position>& positions,
                                            const rules::ScoringTable& table, int budget) override;
  std::vector<double> points_white(const std::vector<Position>& positions,
                                   const rules::ScoringTable& table, int budget) override {
    return points_of(search(positions, table, budget));
  }
  std::unique_ptr<arena::Player> player(const PlayerBudget& how) override {
    return std::make_unique<arena::SearchPlayer>(
        make_evaluator_(),
        arena::SearchPlayerOptions{.name = "",
                                   .search = {},
                                   .limits = {.nodes = static_cast<std::uint64_t>(how.budget)},
                                   .opening_plies = how.opening_plies,
                                   .opening_temperature = static_cast<float>(how.temperature),
                                   .tablebase = how.tablebase});
  }
  int deep_budget() const override { return 3200; }

 private:
  EvaluatorFactory make_evaluator_;
  std::unique_ptr<mcts::Evaluator> evaluator_;
};

// Side by side, so that they share the evaluator's batches.
std::vector<tactics::SearchReport> TreeThinker::search(const std::vector<Position>& positions,
                                                       const rules::ScoringTable& table,
                                                       int budget) {
  std::vector<mcts::Search> searches;
  std::vector<mcts::Search*> all;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    searches.emplace_back(mcts::SearchConfig{}, positions[i], table, base::Rng(i));
    searches.back().start({.nodes = static_cast<std::uint64_t>(budget)});
  }
  for (mcts::Search& search : searches) all.push_back(&search);
  mcts::LeafBatch batch;
  while (arena::search_round(all, 1, *evaluator_, batch)) {
  }
  std::vector<tactics::SearchReport> out;
  for (const mcts::Search& search : searches) {
    tactics::SearchReport& found = out.emplace_back();
    found.points_white =
        rules::points_white(static_cast<double>(search.value_stm()), search.root().side_to_move());
    found.moves = search.root_moves();
  }
  return out;
}

class NnueThinker final : public Thinker {
 public:
  explicit NnueThinker(std::shared_ptr<const tactics::NnueWeights> weights)
      : weights_(std::move(weights)), evaluator_(weights_) {}

  mcts::Evaluator& evaluator() override { return evaluator_; }
  bool asks_of_quiet_alone() const override { return true; }
  std::vector<tactics::SearchReport> search(const std::vector<Position>& positions,
                                            const rules::ScoringTable& table, int budget) override {
    return search_lines(positions, table, budget, arena::kSampledMoves);
  }
  std::vector<double> points_white(const std::vector<Position>& positions,
                                   const rules::ScoringTable& table, int budget) override {
    return points_of(search_lines(positions, table, budget, 1));
  }
  std::unique_ptr<arena::Player> player(const PlayerBudget& how) override {
    arena::AlphaBetaPlayerOptions options;
    options.limits.nodes = static_cast<std::uint64_t>(how.budget);
    options.hash_mib = 1;
    options.temperature = how.temperature;
    options.temperature_plies = how.opening_plies;
    options.tablebase = how.tablebase;
    return std::make_unique<arena::AlphaBetaPlayer>(weights_, options);
  }
  int deep_budget() const override { return 400000; }

 private:
  std::vector<tactics::SearchReport> search_lines(const std::vector<Position>& positions,
                                                  const rules::ScoringTable& table, int budget,
                                                  int lines) const;

  std::shared_ptr<const tactics::NnueWeights> weights_;
  engine::NnueEvaluator evaluator_;
};

std::vector<tactics::SearchReport> NnueThinker::search_lines(const std::vector<Position>& positions,
                                                             const rules::ScoringTable& table,
                                                             int budget, int lines) const {
  constexpr int kNodesPerMib = 4096;  // a small table for a small search, as each begins with none
  tactics::AlphaBetaSearch engine(tactics::Evaluator(weights_), 1,
                                  std::clamp(budget / kNodesPerMib, 1, 64));
  const tactics::SearchLimits limits{.nodes = static_cast<std::uint64_t>(budget),
                                     .multi_pv = lines};
  std::vector<tactics::SearchReport> out;
  for (const Position& position : positions) {
    engine.clear();
    out.push_back(engine.search(position, table, {}, limits));
  }
  return out;
}

}  // namespace

MakeThinker tree_thinker(EvaluatorFactory make_evaluator) {
  return [make_evaluator = std::move(make_evaluator)] {
    return std::make_unique<TreeThinker>(make_evaluator);
  };
}

MakeThinker nnue_thinker(std::shared_ptr<const tactics::NnueWeights> weights) {
  return [weights = std::move(weights)] { return std::make_unique<NnueThinker>(weights); };
}

}  // namespace studies
