#pragma once
// What the analysis of many positions costs beyond their searches.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "app/play/backend.h"

namespace app {

// Searches a position that no search came before, and returns the nodes. Used by one thread.
using SearchAlone = std::function<std::uint64_t(const rules::Position&)>;

struct AnalysisSpeed {
  double nodes_per_s = 0;  // of `analyse`, requests read and answers written
  double of_direct = 0;    // that over the speed of the same searches alone, on as many threads
};

// Measures both in turns. Throws std::logic_error where the searches differ. `make_search`: for a
// thread, with a table of kBenchHashMib. REQUIRES: that it searches as the backend's engines do.
inline constexpr int kBenchHashMib = 64;
AnalysisSpeed bench_analysis(const Backend& backend,
                             const std::function<SearchAlone()>& make_search, int threads,
                             std::size_t positions, std::uint64_t nodes);

}  // namespace app
