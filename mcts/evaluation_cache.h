#pragma once
// What an evaluator said about positions met before.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mcts/evaluator.h"

namespace mcts {

// A ring of records with an index in front: the newest takes the place of the oldest. A record is
// found again by the whole position (but for the number of the move), its occurrences and the whole
// table, so that a hit is what the evaluator would say. Of one evaluator; not thread-safe; no
// allocation once made.
class EvaluationCache {
 public:
  // 0 MiB: a cache that keeps nothing.
  explicit EvaluationCache(int mib);

  struct Hit {
    const Evaluation& evaluation;
    std::span<const float> priors;  // beside the position's surviving moves
  };
  // Borrowed until the next store().
  std::optional<Hit> find(const rules::Position& position, int occurrences,
                          const rules::ScoringTable& table) const;
  // REQUIRES: the leaf and its priors are evaluated.
  void store(const Leaf& leaf, std::span<const float> priors);
  // Costs nothing, however large it is.
  void clear() { forgotten_ = written_; }

 private:
  struct Record {
    rules::Position position;
    rules::ScoringTable table;
    Evaluation evaluation;
    int occurrences = 1;
    std::uint32_t priors = 0;  // number of floats behind the record
  };

  using Bucket = std::array<std::uint64_t, 2>;

  static std::uint64_t hash(const rules::Position& position, int occurrences,
                            const rules::ScoringTable& table);
  std::size_t bucket(std::uint64_t hash) const { return hash & (index_.size() - 1); }
  // Null where it was overwritten, or is forgotten.
  const Record* record(std::uint64_t entry) const;

  std::vector<std::byte> ring_;
  std::vector<Bucket> index_;    // where records begin in all that was ever written, plus 1
  std::uint64_t written_ = 0;    // bytes; the ring holds the last of them
  std::uint64_t forgotten_ = 0;  // the first of these
};

}  // namespace mcts
