#include "tablebase/build.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/stopwatch.h"
#include "base/threads.h"
#include "tablebase/cells.h"
#include "tablebase/solver.h"

namespace tablebase {
namespace {

// As measured for four pieces (docs/tablebases.md).
constexpr double kSecondsPerCell = 1e-6;
constexpr double kBytesPerCell = 1;
// Its course's number, two bytes of its slice, and perhaps a place in the solver's two lists.
constexpr std::uint64_t kMemoryPerCell = sizeof(CourseNumber) + 2 + 8 + 16;

}  // namespace

Build::Build(std::filesystem::path folder, int pieces, rules::RuleSet rules,
             const rules::ScoringTable& table)
    : folder_(std::move(folder)), tables_(rules, table) {
  base::make_folder(folder_);
  for (int count = 2; count <= pieces; ++count) {
    for (const Material& material : Material::all(count, !tables_.grades().symmetric())) {
      plan_.materials.push_back(material);
      const auto path = table_path(folder_, material);
      std::error_code error;
      if (std::filesystem::exists(path, error)) {
        tables_.add(path);
        continue;
      }
      const std::uint64_t cells = Cells(material).size();
      plan_.cells += cells;
      plan_.memory = std::max(plan_.memory, cells * kMemoryPerCell);
      ++plan_.missing;
    }
  }
  plan_.bytes = static_cast<std::uint64_t>(static_cast<double>(plan_.cells) * kBytesPerCell);
  plan_.seconds = static_cast<double>(plan_.cells) * kSecondsPerCell;
}

bool Build::run(int threads, const std::function<void(const SolvedMaterial&)>& solved,
                const std::function<bool()>& stopped) {
  for (auto first = plan_.materials.begin(); first != plan_.materials.end();) {
    // Those with as many pieces and pawns do not depend on each other.
    const auto last = std::find_if(first, plan_.materials.end(), [&](const Material& other) {
      return other.pieces() != first->pieces() || other.pawns() != first->pawns();
    });
    std::vector<Material> missing;
    std::copy_if(first, last, std::back_inserter(missing),
                 [this](const Material& material) { return !tables_.has(material); });
    if (!solve_together(missing, threads, solved, stopped)) return false;
    for (const Material& material : missing) tables_.add(table_path(folder_, material));
    first = last;
  }
  return true;
}

bool Build::solve_together(const std::vector<Material>& materials, int threads,
                           const std::function<void(const SolvedMaterial&)>& solved,
                           const std::function<bool()>& stopped) {
  std::atomic<bool> ended = false;
  std::mutex telling;
  base::for_each_index(materials.size(), threads, [&](std::size_t i) {
    if (ended) return;
    const auto began = std::chrono::steady_clock::now();
    const auto path = table_path(folder_, materials[i]);
    const Solution solution = solve(materials[i], tables_, [&] { return ended || stopped(); });
    if (solution.cells.empty()) {
      ended = true;
      return;
    }
    write_table(path, solution);
    const std::lock_guard lock(telling);
    solved({materials[i], base::seconds_since(began), std::filesystem::file_size(path)});
  });
  return !ended;
}

}  // namespace tablebase
