#pragma once
// One game's search. Resumable: it never blocks and never calls a network; it hands out leaves
// (collect) and takes their evaluations (apply), so that many games share one batch.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "mcts/collector.h"
#include "mcts/evaluator.h"
#include "mcts/root_policy.h"
#include "mcts/root_report.h"
#include "mcts/search_config.h"
#include "mcts/tree.h"
#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "tactics/search_limits.h"

namespace mcts {

class Search {
 public:
  // `past`: the positions before the root in its game, which is not over. The table is copied.
  Search(const SearchConfig& config, const rules::Position& root, const rules::ScoringTable& table,
         base::Rng rng, rules::History past = {})
      : tree_(config, root, table, std::move(past)), rng_(rng) {}

  // Starts (or goes on with) a search of the present root. REQUIRES (as advance and reset): no leaf
  // in flight.
  void start(const tactics::SearchLimits& limits);
  // Walks down at most `limit` times and appends the leaves that need an evaluator to the batch;
  // leaves that are exact, or in the batch's cache, are settled on the way and cost none of the
  // limit. Returns how many it appended: 0 when done, when no walk can end elsewhere than at a leaf
  // still in flight, or when `settled_at_once` were settled, a bound for who looks at a clock
  // between two calls.
  int collect(int limit, LeafBatch& batch,
              std::uint64_t settled_at_once = std::numeric_limits<std::uint64_t>::max());
  // Expands and backs up leaves[first, first + count) of the batch, in the order collected.
  void apply(const LeafBatch& batch, std::size_t first, std::size_t count);
  // As Tree::set_tablebase().
  void set_tablebase(const tablebase::Tables* tables) { tree_.set_tablebase(tables); }
  // Enough visits or evaluations, or the root is proven, or only one move survives.
  bool done() const;

  const rules::Position& root() const { return tree_.position(); }
  const rules::ScoringTable& table() const { return tree_.table(); }
  int visits() const { return static_cast<int>(tree_.root().visits); }  // of the root
  // The root's expected points, in [-1, 1]; 0 before the first visit.
  float value_stm() const;
  bool proven() const { return Tree::proven(tree_.root()); }  // value_stm() is exact
  const Tree& tree() const { return tree_; }
  rules::Outcomes outcomes() const { return tree_.outcomes(tree_.root()); }
  PolicyTarget policy_target() const { return mcts::policy_target(tree_, policy_); }
  // Best first: by what choose(0) prefers. Covers every legal root move, also those that lose at
  // once.
  std::vector<RootMove> root_moves() const { return mcts::root_moves(tree_, policy_); }
  // Draws a move by the root's visits, as tactics::sample_by_weight() does; temperature 0 takes the
  // best. Never a move that loses the king at once while another exists.
  rules::Move choose(float temperature);
  // Re-roots at the child (its subtree is kept where the config says so). REQUIRES: legal; the game
  // is not over afterwards.
  void advance(rules::Move move);
  // Clears the tree, whose memory is kept, and starts at another position, as newly made.
  void reset(const rules::Position& root, const rules::ScoringTable& table, base::Rng rng,
             rules::History past = {});

 private:
  void prepare();

  Tree tree_;
  RootPolicy policy_;
  base::Rng rng_;
  tactics::SearchLimits limits_;
  int evaluations_ = 0;  // handed out since start()
  Collector collector_;
};

}  // namespace mcts
