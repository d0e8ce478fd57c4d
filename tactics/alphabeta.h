#pragma once
// Alpha-beta search that prunes forward: how a processor plays well by an evaluator that costs a
// microsecond (an NNUE). Iterative deepening, principal variation search, transposition table, null
// move, late move reductions, quiescence search; several threads share the table (lazy SMP).

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "tablebase/tables.h"
#include "tactics/evaluator.h"
#include "tactics/search_limits.h"
#include "tactics/search_report.h"

namespace tactics {

// Tells this search from others, and the games that it played from theirs: alphabeta_signature() of
// it, to which a test holds it.
inline constexpr std::uint64_t kSearchVersion = 0x5c480bd9e4555a9b;

// What others may do to a search while it runs.
struct SearchControl {
  const std::atomic<bool>* stop = nullptr;    // true ends it
  const std::atomic<bool>* ponder = nullptr;  // with SearchLimits::ponder: false when it was played
  TimeBudget clock{};  // what the clock allots; not looked at with a move time
};

// A whole engine: its threads' memories and the table they share. With one thread and a limit of
// nodes or depth the result depends on nothing but what was searched since clear().
class AlphaBetaSearch {
 public:
  using Listener = std::function<void(const SearchReport&)>;

  // Copies the evaluator for each thread; the table may become smaller than asked for
  // (TranspositionTable). REQUIRES: threads >= 1, hash_mib >= 1.
  AlphaBetaSearch(const Evaluator& evaluator, int threads, int hash_mib);
  ~AlphaBetaSearch();

  int hash_mib() const;  // what the table takes
  // Positions that these know are not searched, under scoring tables under which they hold; null:
  // none. They outlive the search, and are of the rules that are searched. REQUIRES: not searching.
  void set_tablebase(const tablebase::Tables* tables);

  // Forgets what is known.
  void clear();
  // Searches in the calling thread, with the others beside it, and returns the final report, which
  // the listener is told of too, after one of each finished depth. `past`: of the game, where
  // repetition counts. REQUIRES: no forced_outcome() at the root.
  SearchReport search(const rules::Position& root, const rules::ScoringTable& table,
                      const rules::History& past, const SearchLimits& limits,
                      const Listener& listener = {}, const SearchControl& control = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tactics
