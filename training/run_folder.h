#pragma once
// A run's folder: made or recognised, and held by one process at a time.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "training/run_config.h"

namespace training {

// Holds the folder while it lives. A lock left by a dead process is no obstacle (flock).
class RunFolder {
 public:
  // Makes the folder with config.toml and run.json, or opens the run that is there, whose settings
  // stay as they are. Throws base::InputError where the folder is no run, of another version,
  // or its network or rules differ from the config's; base::EnvironmentError where disk or
  // rights fail or another process holds it (naming its pid), std::filesystem::filesystem_error
  // where it cannot be looked at.
  RunFolder(const std::filesystem::path& path, const RunConfig& config, const std::string& device,
            int threads);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // Writes config.toml, and this start into run.json, once it is known that the run goes on with
  // this config. Throws base::EnvironmentError naming the path.
  void keep(const RunConfig& config) const;

 private:
  std::filesystem::path path_;
  nlohmann::ordered_json description_;  // run.json, with this start
  int lock_ = -1;
};

}  // namespace training
