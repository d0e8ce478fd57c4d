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

// Three pieces took 2 µs a cell (docs/tablebases.md); more pieces have more moves.
constexpr double kSecondsPerCell = 5e-6;
constexpr double kBytesPerCell = 1;
constexpr std::uint64_t kMemoryPerCell = sizeof(CourseNumber) + 2;

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
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> ended = false;
  std::mutex telling;
  base::Threads solvers;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < materials.size() && !ended && !solvers.failed();) {
      const auto began = std::chrono::steady_clock::now();
      const auto path = table_path(folder_, materials[i]);
      const Solution solution =
          solve(materials[i], tables_, [&] { return stopped() || solvers.failed(); });
      if (solution.cells.empty()) {
        ended = true;
        return;
      }
      write_table(path, solution);
      const std::lock_guard lock(telling);
      solved({materials[i], base::seconds_since(began), std::filesystem::file_size(path)});
    }
  };
  const auto count = std::min(static_cast<std::size_t>(threads), materials.size());
  for (std::size_t i = 0; i < count; ++i) solvers.start(work);
  solvers.join();
  return !ended;
}

}  // namespace tablebase
