#pragma once
// What a search asks of an evaluator: batches of leaves in, values and priors out.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"
#include "tactics/lookahead.h"

namespace mcts {

struct Evaluation {
  float value_stm = 0;   // expected points of the side to move, in [-1, 1]
  float moves_left = 0;  // expected plies to the end of the game
  rules::Outcomes outcomes{};
};

// One position that waits for its evaluation, or has it.
struct Leaf {
  rules::Position position;
  const rules::ScoringTable* table = nullptr;  // prices the outcomes; outlives the batch
  std::uint32_t first_move = 0;  // its moves are batch.moves[first_move, + move_count)
  std::uint32_t move_count = 0;  // > 0
  std::uint32_t ticket = 0;      // the search's own note: where the answer belongs
  int lookahead = 0;             // SearchConfig::lookahead, for an evaluator that sees tactics
  int occurrences = 1;           // how often its game has come to the position (rules::History)
  Evaluation evaluation;         // written by the evaluator

  // Writes these outcomes, and what they are worth to the side to move.
  void expect(const rules::Outcomes& outcomes) {
    evaluation.outcomes = outcomes;
    evaluation.value_stm = static_cast<float>(
        rules::value_stm(table->white_points(outcomes), position.side_to_move()));
  }
};

class EvaluationCache;

// Leaves of one or many searches, evaluated together. Owned by one thread and reused: clear() keeps
// the memory.
struct LeafBatch {
  // The evaluator's cache; null: none. Leaves found in it are settled on the way.
  EvaluationCache* cache = nullptr;
  std::vector<Leaf> leaves{};
  std::vector<rules::Move> moves{};
  // Beside `moves`; written by the evaluator, sums to 1 over each leaf.
  std::vector<float> priors{};

  // A leaf with these moves (at least one), at the end; valid until the next one comes. The table
  // outlives the batch.
  Leaf& add(const rules::Position& position, const rules::ScoringTable& table,
            std::span<const rules::Move> its_moves) {
    Leaf& leaf = leaves.emplace_back();
    leaf.position = position;
    leaf.table = &table;
    leaf.first_move = static_cast<std::uint32_t>(moves.size());
    leaf.move_count = static_cast<std::uint32_t>(its_moves.size());
    moves.insert(moves.end(), its_moves.begin(), its_moves.end());
    return leaf;
  }
  std::span<const rules::Move> moves_of(const Leaf& leaf) const {
    return {moves.data() + leaf.first_move, leaf.move_count};
  }
  std::span<float> priors_of(const Leaf& leaf) {
    return {priors.data() + leaf.first_move, leaf.move_count};
  }
  std::span<const float> priors_of(const Leaf& leaf) const {
    return {priors.data() + leaf.first_move, leaf.move_count};
  }
  void make_moves_equally_likely(const Leaf& leaf) {
    std::ranges::fill(priors_of(leaf), 1.0f / static_cast<float>(leaf.move_count));
  }
  void clear() {
    leaves.clear();
    moves.clear();
    priors.clear();
  }
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Fills `evaluation` of every leaf and all of `priors` (resized here). Called by one thread at a
  // time.
  virtual void evaluate(LeafBatch& batch) = 0;
  // False where its outcomes are a mere convention, from which nobody should learn.
  virtual bool knows_outcomes() const { return true; }
};

// Deterministic pseudo-random values and priors from the position's key: tests and benchmarks.
class HashEvaluator final : public Evaluator {
 public:
  explicit HashEvaluator(std::uint64_t seed = 0) : seed_(seed) {}
  void evaluate(LeafBatch& batch) override;

 private:
  std::uint64_t seed_;
};

// Knows nothing: an even game (value 0), every move equally likely.
// What an untrained network amounts to, at no cost: the first generation of a run is played with
// it.
class UniformEvaluator final : public Evaluator {
 public:
  void evaluate(LeafBatch& batch) override;
  bool knows_outcomes() const override { return false; }
};

// Counts pieces: a win is as likely as the tactical search's finding promises, every move equally
// likely. What play falls back on where there is no network.
class MaterialEvaluator final : public Evaluator {
 public:
  void evaluate(LeafBatch& batch) override;
  bool knows_outcomes() const override { return false; }

 private:
  tactics::Lookahead lookahead_;
};

}  // namespace mcts
