#pragma once
// Alpha-beta search that prunes forward: how a processor plays well by an evaluator that costs a
// microsecond (an NNUE). Iterative deepening, principal variation search, transposition table, null
// move, late move reductions, quiescence search; several threads share the table (lazy SMP).

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "tactics/evaluator.h"
#include "tactics/score.h"

namespace tactics {

// What ends a search; the first that holds. None set: only `stop` does.
struct AlphaBetaLimits {
  std::uint64_t nodes = 0;  // of all threads; 0 = no limit
  int depth = 0;            // 0 = no limit
  double soft_ms = 0;       // enough for a move on which little depends; 0 = no limit
  double hard_ms = 0;       // never longer; 0 = no limit
  bool infinite = false;    // until `stop`, whatever is proven
  int multi_pv = 1;         // lines that are reported
  // Nothing is pruned or reduced before the quiescence search, which tries captures that lose
  // material too: so a small depth finds most.
  bool full_width = false;
  std::vector<rules::Move> search_moves{};  // only these; empty = all
  // Set by another thread: true ends the search.
  const std::atomic<bool>* stop = nullptr;
  // Set by another thread, too: while it is true the search goes on as with `infinite`; from when
  // it is false the other limits hold, and time counts.
  const std::atomic<bool>* ponder = nullptr;
};

struct AlphaBetaLine {
  int score = 0;  // for the side to move at the root
  // False where the search was stopped before: then the score is that of the line before.
  bool searched = true;
  std::vector<rules::Move> moves;  // the first move and what is expected after it
  // What is expected at its end, seen by the side to move at the root, from loses to wins.
  std::array<float, rules::kOutcomes> outcomes{};
};

struct AlphaBetaReport {
  bool final = false;
  int depth = 0;
  int selective_depth = 0;
  std::uint64_t nodes = 0;
  double elapsed_ms = 0;
  int threads = 1;                   // as asked for, or fewer where the machine has no more
  std::vector<AlphaBetaLine> lines;  // best first: multi_pv of them, at least one

  rules::Move best() const { return lines.front().moves.front(); }
  const auto& outcomes() const { return lines.front().outcomes; }
  // The weight with which the line's first move is drawn, relative to the best line's, in [0, 1].
  double drawing_weight(std::size_t line) const;
  double value_stm() const { return value_of(lines.front().score); }
};

// A whole engine: its threads' memories and the table they share. With one thread and a limit of
// nodes or depth the result depends on nothing but what was searched since clear().
class AlphaBetaSearch {
 public:
  using Listener = std::function<void(const AlphaBetaReport&)>;

  // Copies the evaluator for each thread; the table may become smaller than asked for
  // (TranspositionTable). REQUIRES: threads >= 1, hash_mib >= 1.
  AlphaBetaSearch(const Evaluator& evaluator, int threads, int hash_mib);
  ~AlphaBetaSearch();

  int hash_mib() const;  // what the table takes

  // Forgets what is known.
  void clear();
  // Searches in the calling thread, with the others beside it, and returns the final report, which
  // the listener is told of too, after one of each finished depth. `past`: of the game, where
  // repetition counts. REQUIRES: no forced_outcome() at the root.
  AlphaBetaReport search(const rules::Position& root, const rules::ScoringTable& table,
                         const rules::History& past, const AlphaBetaLimits& limits,
                         const Listener& listener = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tactics
