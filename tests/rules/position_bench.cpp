// What a search node costs in the rules, in positions of random games.
#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "rules/notation.h"
#include "rules/perft.h"

namespace rules {
namespace {

std::vector<Position> random_positions() {
  std::vector<Position> out;
  base::Rng rng(3);
  while (out.size() < 1024) {
    Position p = Position::start();
    MoveList moves;
    for (int ply = 0; ply < 120 && !p.outcome(ScoringTable{}); ++ply) {
      if (ply % 4 == 3) out.push_back(p);
      p.surviving_moves(moves);
      if (moves.empty()) break;
      p.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
  return out;
}

template <class Body>
void each_position(benchmark::State& state, Body body) {
  const auto positions = random_positions();
  std::size_t i = 0;
  for (auto _ : state) body(positions[i++ % positions.size()]);
}

void legal_moves(benchmark::State& state) {
  MoveList moves;
  each_position(state, [&](const Position& p) {
    p.legal_moves(moves);
    benchmark::DoNotOptimize(moves);
  });
}
BENCHMARK(legal_moves);

void count_legal_moves(benchmark::State& state) {
  each_position(state, [](const Position& p) { benchmark::DoNotOptimize(p.count_legal_moves()); });
}
BENCHMARK(count_legal_moves);

void surviving_moves(benchmark::State& state) {
  MoveList moves;
  each_position(state, [&](const Position& p) {
    p.surviving_moves(moves);
    benchmark::DoNotOptimize(moves);
  });
}
BENCHMARK(surviving_moves);

void can_capture_king(benchmark::State& state) {
  each_position(state, [](const Position& p) { benchmark::DoNotOptimize(p.can_capture_king()); });
}
BENCHMARK(can_capture_king);

void outcome(benchmark::State& state) {
  const ScoringTable table;
  each_position(state, [&](const Position& p) { benchmark::DoNotOptimize(p.outcome(table)); });
}
BENCHMARK(outcome);

void play_each_move(benchmark::State& state) {
  each_position(state, [](const Position& p) {
    for (const Move move : p.legal_moves()) benchmark::DoNotOptimize(p.after(move));
  });
}
BENCHMARK(play_each_move);

void san_of_each_move(benchmark::State& state) {
  each_position(state, [](const Position& p) {
    for (const Move move : p.legal_moves()) benchmark::DoNotOptimize(to_san(p, move));
  });
}
BENCHMARK(san_of_each_move);

}  // namespace
}  // namespace rules

BENCHMARK_MAIN();
