#pragma once
// A run's folder: made or opened, and locked by one process at a time. A dead process leaves no
// lock (flock).

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/files.h"
#include "training/settings/run_config.h"

namespace training {

// Locks the folder while it lives.
class RunFolder {
 public:
  // Makes the folder with config.toml and run.json, or opens the run that is there, whose settings
  // stay as they are. Throws base::InputError where the folder is no run or of another version, or
  // its network or rules differ from the config's; base::EnvironmentError where disk or rights fail
  // or another process has locked it (naming its pid); std::filesystem::filesystem_error where it
  // cannot be read.
  RunFolder(const std::filesystem::path& path, const RunConfig& config, const std::string& device,
            int threads);

  // Writes config.toml, and this start into run.json, once it is known that the run goes on with
  // this config. Throws base::EnvironmentError naming the path.
  void keep(const RunConfig& config) const;

 private:
  std::filesystem::path path_;
  nlohmann::ordered_json description_;  // run.json, with this start
  std::optional<base::FileLock> lock_;
};

}  // namespace training
