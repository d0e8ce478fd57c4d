// What the lookahead costs, in positions of games, by the number of plies.
#include <benchmark/benchmark.h>

#include "tests/tactics/positions.h"

namespace tactics {
namespace {

void lookahead(benchmark::State& state) {
  const auto positions = played_positions({}, 1000);
  const auto plies = static_cast<int>(state.range(0));
  Lookahead search;
  std::size_t i = 0;
  rules::MoveList moves;
  for (auto _ : state) {
    const rules::Position& position = positions[i++ % positions.size()];
    position.surviving_moves(moves);
    benchmark::DoNotOptimize(search.find(position, {}, moves, plies));
  }
}
BENCHMARK(lookahead)->DenseRange(1, 4);

}  // namespace
}  // namespace tactics

BENCHMARK_MAIN();
