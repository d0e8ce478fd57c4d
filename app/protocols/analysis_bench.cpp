#include "app/protocols/analysis_bench.h"

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/protocols/analysis.h"
#include "base/json.h"
#include "base/stopwatch.h"
#include "base/threads.h"
#include "tactics/random_positions.h"

namespace app {
namespace {

constexpr int kRounds = 3;

std::uint64_t search_alone(const std::vector<rules::Position>& positions,
                           const std::vector<SearchAlone>& searches) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> nodes = 0;
  base::Threads threads;
  for (const SearchAlone& search : searches) {
    threads.start([&] {
      for (std::size_t i = next++; i < positions.size(); i = next++) nodes += search(positions[i]);
    });
  }
  threads.join();
  return nodes;
}

std::uint64_t nodes_in(const std::string& answers) {
  std::istringstream lines(answers);
  std::uint64_t nodes = 0;
  for (std::string line; std::getline(lines, line);) {
    nodes += base::parse<nlohmann::json>(line).value("nodes", std::uint64_t{0});
  }
  return nodes;
}

}  // namespace

AnalysisSpeed bench_analysis(const Backend& backend,
                             const std::function<SearchAlone()>& make_search, int threads,
                             std::size_t positions, std::uint64_t nodes) {
  const std::vector<rules::Position> all = tactics::random_positions(positions);
  AnalysisSettings settings;
  settings.threads = threads;
  settings.hash_mib = kBenchHashMib * threads;
  settings.defaults.limits.nodes = nodes;
  std::string requests;
  for (const rules::Position& each : all) {
    const std::string id = std::to_string(&each - all.data());
    requests += nlohmann::json{{"id", id}, {"fen", each.to_fen()}}.dump() + "\n";
  }
  std::uint64_t direct_nodes = 0, analysed_nodes = 0;
  double direct_s = 0, analysed_s = 0;
  for (int round = 0; round < kRounds; ++round) {
    auto began = std::chrono::steady_clock::now();
    {
      std::vector<SearchAlone> searches;
      for (int i = 0; i < threads; ++i) searches.push_back(make_search());
      direct_nodes += search_alone(all, searches);
    }
    direct_s += base::seconds_since(began);
    std::istringstream in(requests);
    std::ostringstream out;
    began = std::chrono::steady_clock::now();
    Analysis(
        settings, [&](const Opponent&) { return backend; }, in, out)
        .run();
    analysed_s += base::seconds_since(began);
    analysed_nodes += nodes_in(out.str());
  }
  if (direct_nodes != analysed_nodes) throw std::logic_error("analyse searches otherwise");
  return {static_cast<double>(analysed_nodes) / analysed_s, direct_s / analysed_s};
}

}  // namespace app
