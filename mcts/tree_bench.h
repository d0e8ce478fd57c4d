#pragma once
// The search's speeds and its signature.

#include <cstdint>

namespace mcts {

struct BenchOptions {
  int nodes = 1000000;  // root visits in all
  int threads = 1;
  int batch = 32;  // leaves a thread collects before it evaluates them
};

// Visits a second in one tree from the start position with the hash evaluator, shared by `threads`:
// the second search's, in memory that the first one has touched.
double bench_one_tree(const BenchOptions& options);
// The same for many games side by side: every thread plays its own games of `simulations` a move,
// by PUCT with noise at the root, until together they have made options.nodes visits.
double bench_many_games(const BenchOptions& options, int games_per_thread, int simulations);

// 64 bits that change when the search does: root visits over fixed games, algorithms and options
// with fixed seeds, by the hash evaluator with and without a cache, under Chess# and chess, and by
// the material evaluator, which asks the tactical search. Independent of speed and of threads.
std::uint64_t signature();

}  // namespace mcts
