#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/errors.h"
#include "training/bench/training_bench.h"
#include "training/page/metrics.h"
#include "training/run/run_loop.h"

namespace training {
namespace {

namespace fs = std::filesystem;

constexpr int kCounted = 3;  // generations

// A folder that is removed with all that is in it.
class Scratch {
 public:
  Scratch()
      : path_(fs::temp_directory_path() / ("sharpzero-pipeline-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

RunConfig pipeline_config(RunConfig config) {
  config.run.generations = 1 + kCounted;
  config.run.max_minutes = 0;
  config.run.max_evaluations = 0;
  config.evaluation.every = 2;
  config.evaluation.final_games = config.evaluation.games;
  return config;
}

// The part whose time weighs the figure: "games" of "device_busy_games".
std::string part_of(const std::string& key) {
  for (const char* part : {"games", "learning", "matches"}) {
    if (key.ends_with(std::string("_") + part)) return std::string(part) + "_part_s";
  }
  return "all_parts_s";
}

}  // namespace

std::map<std::string, double> bench_pipeline(const BenchSettings& settings) {
  if (settings.device == "cpu") {
    throw base::InputError(
        "bench pipeline: --device cpu: expected a device beside the cores, such as simulated");
  }
  const Scratch folder;
  RunOptions options;
  options.folder = folder.path();
  options.device = settings.device;
  options.threads = settings.threads;
  RunLoop(pipeline_config(settings.config), options).run();
  std::map<std::string, double> sums;
  for (const auto& record : read_metrics(folder.path())) {
    if (record.at("generation") == 1) continue;
    for (const auto& [key, value] : record.items()) {
      if (key.ends_with("_parts_s") || key.ends_with("_part_s")) {
        sums[key] += value.get<double>();
      } else if (key.starts_with("device_") || key.starts_with("cores_") ||
                 key.starts_with("rows_per_batch_")) {
        sums[key] += value.get<double>() * record.at(part_of(key)).get<double>();
      }
    }
  }
  for (auto& [key, sum] : sums) {
    if (!key.ends_with("_s")) sum /= sums.at(part_of(key));
  }
  return sums;
}

}  // namespace training
