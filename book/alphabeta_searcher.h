#pragma once
// The book's search by AlphaBetaSearch.

#include <atomic>
#include <cstdint>

#include "book/searcher.h"
#include "rules/outcome.h"
#include "tactics/alphabeta.h"

namespace book {

class AlphaBetaSearcher final : public Searcher {
 public:
  // `stop` may be null.
  AlphaBetaSearcher(const tactics::Evaluator& evaluator, const rules::ScoringTable& table,
                    std::uint64_t nodes, const std::atomic<bool>* stop);

  // The error is kErrorOfSpread times the most that the value of the last iterations has changed,
  // kLeastError at least; 0 of a proven win.
  std::optional<Finding> search(const rules::Position& position,
                                std::span<const rules::Move> moves) override;

 private:
  tactics::AlphaBetaSearch search_;
  rules::ScoringTable table_;
  std::uint64_t nodes_;
  const std::atomic<bool>* stop_;
};

}  // namespace book
