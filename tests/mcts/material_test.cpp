// The material that steers the search: by minimax over the tree.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mcts/tree.h"
#include "rules/notation.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Position;

// Compares every node's material with what its moves and its own evaluation make of it.
class Audit {
 public:
  explicit Audit(const Tree& tree) : tree_(tree) { visit(tree.root()); }
  int refuted = 0, improved = 0;  // nodes where the tree knows better than their own evaluation

 private:
  float known_white(const Node& node) const {
    const float white =
        node.bounds.proven() ? tree_.prices().value_white(node.bounds.lower) : node.material_white;
    return tree_.prices().clamp(white, node.bounds);
  }

  void visit(const Node& node) {
    const float own = seen_by(node.own_material_white, node.side_to_move);
    bool open = node.edge_count < node.move_count;
    float best = -2;
    for (const Edge& edge : tree_.edges(node)) {
      const Node* const below = tree_.child(edge);
      if (below != nullptr && below->visits > 0) visit(*below);
      if (!edge.pruned && !tree_.valued(edge)) open = true;
      if (edge.pruned || !tree_.valued(edge)) continue;
      const float white =
          below != nullptr ? known_white(*below) : tree_.prices().value_white(edge.end().outcome);
      best = std::max(best, seen_by(white, node.side_to_move));
    }
    if (node.bounds.proven() || !node.expanded()) return;
    if (open) best = std::max(best, own);
    ASSERT_FLOAT_EQ(seen_by(node.material_white, node.side_to_move), best);
    refuted += best < own ? 1 : 0;
    improved += best > own ? 1 : 0;
  }

  const Tree& tree_;
};

// Values and material as unlike each other as can be.
class TwoMinds final : public Evaluator {
 public:
  void evaluate(LeafBatch& batch) override {
    values_.evaluate(batch);
    for (Leaf& leaf : batch.leaves) {
      leaf.evaluation.material_stm = std::remainder(7919 * leaf.evaluation.moves_left, 1.9f);
    }
  }

 private:
  HashEvaluator values_;
};

TEST(Material, IsMinimaxOverWhatWasWalked) {
  TwoMinds evaluator;
  int refuted = 0, improved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SearchConfig config;
    config.gumbel = seed % 2 == 0;
    config.solver = seed % 3 != 0;
    config.scan_visits = seed % 4 < 2 ? 16 : 3;
    config.max_tree_mib = seed % 5 == 0 ? 1 : 64;  // a small one is recycled
    const Position root = random_position(seed, 20 + 4 * static_cast<int>(seed));
    Tree tree(config, root, {});
    search(tree, evaluator, 3000);
    const Audit audit(tree);
    refuted += audit.refuted;
    improved += audit.improved;
  }
  EXPECT_GT(refuted, 100);
  EXPECT_GT(improved, 1000);
}

// A line is worth what the best answer leaves of it, not the mean over the answers tried.
TEST(Material, OneGoodAnswerIsEnough) {
  class OneAnswer final : public Evaluator {  // all is well for White, but for d7d6
   public:
    void evaluate(LeafBatch& batch) override {
      UniformEvaluator().evaluate(batch);
      for (Leaf& leaf : batch.leaves) {
        const auto man = leaf.position.piece_at(rules::Square{43});
        leaf.evaluation.material_stm =
            seen_by(man == rules::PieceType::kPawn ? -0.5f : 0.1f, leaf.position.side_to_move());
      }
    }
  };
  OneAnswer evaluator;
  Tree tree({}, Position::from_fen("4k3/3p4/8/8/8/8/4P3/4K3[] w - - 0 30"), {});
  search(tree, evaluator, 1000);
  EXPECT_EQ(tree.root().edge_count, tree.root().move_count);
  EXPECT_FLOAT_EQ(tree.root().material_white, -0.5f);
  EXPECT_LT(tree.value_white(tree.root()), -0.2f);
}

// A move that was hoped for and has been tried no longer speaks for those that were not.
TEST(Material, WhatWasForeseenAndRefutedIsWithdrawn) {
  const Position root = Position::from_fen("1n2k3/3p4/8/8/8/3P4/8/1N2K3[] w - - 0 30");
  class Hopeful final : public Evaluator {  // at the root; everywhere else all is even
   public:
    explicit Hopeful(const Position& root)
        : key_(root.key()), hoped_(rules::parse_uci(root, "d3d4")) {}
    void evaluate(LeafBatch& batch) override {
      UniformEvaluator().evaluate(batch);
      for (Leaf& leaf : batch.leaves) {
        if (leaf.position.key() != key_) continue;
        leaf.evaluation.material_stm = 0.8f;
        leaf.evaluation.material_move = hoped_;
        const auto moves = batch.moves_of(leaf);
        for (std::size_t i = 0; i < moves.size(); ++i) {
          batch.priors_of(leaf)[i] = moves[i] == hoped_ ? 0.5f : 0.05f;
        }
      }
    }

   private:
    std::uint64_t key_;
    rules::Move hoped_;
  };
  Hopeful evaluator(root);
  Tree tree({}, root, {});
  search(tree, evaluator, 1, 1);
  EXPECT_FLOAT_EQ(tree.root().material_white, 0.8f);
  search(tree, evaluator, 4, 1);
  EXPECT_LT(tree.root().edge_count, tree.root().move_count);
  EXPECT_FLOAT_EQ(tree.root().material_white, 0);
}

}  // namespace
}  // namespace mcts
