#include "mcts/tree_bench.h"

#include <atomic>
#include <bit>
#include <chrono>
#include <functional>
#include <vector>

#include "base/stopwatch.h"
#include "base/threads.h"
#include "mcts/collector.h"
#include "mcts/evaluation_cache.h"
#include "mcts/root_policy.h"
#include "mcts/search.h"
#include "mcts/tree.h"
#include "mcts/tree_team.h"
#include "rules/move_list.h"

namespace mcts {
namespace {

// Runs the function on that many threads (the first is this one) and returns the seconds it took.
double timed(int threads, const std::function<void(int)>& work) {
  const auto begin = std::chrono::steady_clock::now();
  base::Threads others;
  for (int i = 1; i < threads; ++i) others.start([&work, i] { work(i); });
  work(0);
  others.join();
  return base::seconds_since(begin);
}

// Searches one move. Returns the visits it made.
int search_move(Search& search, const tactics::SearchLimits& limits, int batch_size,
                Evaluator& evaluator, LeafBatch& batch) {
  const int before = search.visits();
  search.start(limits);
  while (!search.done()) {
    batch.clear();
    if (search.collect(batch_size, batch) == 0) continue;
    evaluator.evaluate(batch);
    search.apply(batch, 0, batch.leaves.size());
  }
  return search.visits() - before;
}

// Searches a fresh tree up to its visit limit. Returns the seconds it took.
double search_tree(Tree& tree, const BenchOptions& options) {
  RootPolicy policy;
  base::Rng rng;
  HashEvaluator first;
  Collector().visit_root(tree, policy, first, {});
  policy.prepare(tree, {}, rng);
  const std::atomic<bool> stop{false};
  Team team(tree, policy, nullptr, options.threads, options.batch, stop);
  return timed(options.threads, [&](int) {
    HashEvaluator evaluator;
    team.work(evaluator);
  });
}

// Folds a number into a hash.
void fold(std::uint64_t& hash, std::uint64_t value) {
  hash = (std::rotl(hash, 5) ^ value) * 0x9e3779b97f4a7c15;
}

void fold_search(std::uint64_t& hash, const Search& search) {
  for (const RootMove& m : search.root_moves()) {
    fold(hash, m.move.raw());
    fold(hash, static_cast<std::uint64_t>(m.visits));
    for (const rules::Move move : m.line) fold(hash, move.raw());
  }
}

SearchConfig by_puct() {
  SearchConfig config;
  config.gumbel = false;
  return config;
}

// A short game whose searches are folded into a hash.
struct SampleGame {
  SearchConfig config;
  rules::Position start = rules::Position::start();
  rules::ScoringTable table{};
  bool explore = false;
  std::uint64_t simulations = 160;
  int batch_size = 1;
  int cache_mib = 0;
};

void fold_game(std::uint64_t& hash, const SampleGame& game, Evaluator& evaluator,
               std::uint64_t seed) {
  EvaluationCache cache(game.cache_mib);
  LeafBatch batch{.cache = &cache};
  Search search(game.config, game.start, game.table, base::Rng(seed));
  for (int ply = 0; ply < 60; ++ply) {
    search_move(search, {.nodes = game.simulations, .explore = game.explore}, game.batch_size,
                evaluator, batch);
    fold_search(hash, search);
    const rules::Move move = search.choose(game.explore ? 1.0f : 0.0f);
    if (search.root().after(move).outcome(game.table)) return;
    search.advance(move);
  }
}

}  // namespace

double bench_one_tree(const BenchOptions& options) {
  SearchConfig config;
  config.max_tree_mib = 8192;
  Tree tree(config, rules::Position::start(), {});
  tree.set_visit_limit(static_cast<std::uint32_t>(options.nodes));
  search_tree(tree, options);
  tree.reset(rules::Position::start());
  const double seconds = search_tree(tree, options);
  return tree.root().visits / seconds;
}

double bench_many_games(const BenchOptions& options, int games_per_thread, int simulations) {
  std::atomic<long> visits{0};
  const double seconds = timed(options.threads, [&](int thread) {
    HashEvaluator evaluator;
    LeafBatch batch;
    std::vector<Search> games;
    for (int i = 0; i < games_per_thread; ++i) {
      const base::Rng rng =
          base::Rng(1).split(static_cast<std::uint64_t>(thread * games_per_thread + i));
      games.emplace_back(by_puct(), rules::Position::start(), rules::ScoringTable{}, rng);
    }
    while (visits < options.nodes) {
      for (Search& game : games) {
        visits +=
            search_move(game, {.nodes = static_cast<std::uint64_t>(simulations), .explore = true},
                        1, evaluator, batch);
        const rules::Move move = game.choose(1);
        if (game.root().after(move).outcome(game.table())) {
          game.reset(rules::Position::start(), game.table(),
                     base::Rng(static_cast<std::uint64_t>(visits)));
        } else {
          game.advance(move);
        }
      }
    }
  });
  return static_cast<double>(visits) / seconds;
}

std::uint64_t signature() {
  std::uint64_t hash = 0;
  const rules::ScoringTable only_wins = rules::kChess.table();
  const SearchConfig puct = by_puct();
  SearchConfig plain = puct;
  plain.solver = false;
  plain.reuse_tree = false;
  SearchConfig deep = puct;
  deep.lookahead = 4;
  std::uint64_t seed = 0;
  for (const SampleGame& game : {
           SampleGame{.config = puct},
           SampleGame{.config = puct, .table = only_wins, .explore = true, .batch_size = 4},
           SampleGame{.config = plain},
           SampleGame{.config = {}, .explore = true},  // by Gumbel AlphaZero
           SampleGame{.config = puct, .table = only_wins, .batch_size = 4},
           SampleGame{.config = puct, .cache_mib = 1},
           SampleGame{
               .config = puct, .start = rules::Position::start(rules::kChess), .table = only_wins},
       }) {
    HashEvaluator evaluator(++seed);
    fold_game(hash, game, evaluator, seed);
  }
  MaterialEvaluator material;  // asks the tactical search
  fold_game(hash, {.config = deep, .simulations = 16}, material, ++seed);
  return hash;
}

}  // namespace mcts
