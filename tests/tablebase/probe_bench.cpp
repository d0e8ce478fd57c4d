// How long it takes to ask a tablebase: `tablebase_bench DIR`, a folder of Chess#'s.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "tablebase/tables.h"

namespace tablebase {
namespace {

std::unique_ptr<const Tables> asked;

// Random positions with as many pieces as the folder knows, of all materials and both colours.
std::vector<rules::Position> random_positions() {
  base::Rng random(1);
  const auto materials = Material::all(asked->pieces(), true);
  std::vector<rules::Position> positions;
  while (positions.size() < 100000) {
    const Material material = materials[random.below(static_cast<std::uint32_t>(materials.size()))];
    const Cells cells(material);
    const auto placement = cells.placement(random.next() % cells.size());
    if (!placement) continue;
    const int clock = static_cast<int>(random.below(100));
    positions.push_back(cells.position(*placement, clock, asked->rules()));
  }
  return positions;
}

void probe(benchmark::State& state) {
  const auto positions = random_positions();
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(asked->probe(positions[next]));
    next = next + 1 == positions.size() ? 0 : next + 1;
  }
}
BENCHMARK(probe);

}  // namespace
}  // namespace tablebase

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) return 2;
  tablebase::asked =
      std::make_unique<const tablebase::Tables>(argv[1], rules::RuleSet{}, rules::ScoringTable{});
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}
