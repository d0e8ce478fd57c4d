#include "training/run/run_folder.h"

#include <fmt/chrono.h>
#include <sys/utsname.h>
#include <torch/version.h>

#include <ctime>
#include <thread>

#include "base/errors.h"
#include "base/files.h"
#include "base/json.h"
#include "nn/nnue_file.h"
#include "revision.h"
#include "training/run/run_state.h"
#include "training/settings/run_use.h"

namespace training {
namespace {

namespace fs = std::filesystem;

// Describes this start of the run.
nlohmann::ordered_json this_start(const std::string& device, int threads) {
  utsname machine{};
  uname(&machine);
  return {{"time", fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))},
          {"program_version", SHARPZERO_VERSION},
          {"git_revision", SHARPZERO_GIT_REVISION},
          {"libtorch_version", TORCH_VERSION},
          {"device", device},
          {"threads", threads},
          {"machine",
           {{"name", machine.nodename},
            {"system", machine.sysname},
            {"architecture", machine.machine},
            {"cores", std::thread::hardware_concurrency()}}}};
}

// Reads the run's description, without this start.
nlohmann::ordered_json read_description(const fs::path& file) {
  auto run = base::parse<nlohmann::ordered_json>(base::read_text(file));
  if (!run.is_object() || !run.contains("format_version")) {
    throw base::InputError(file.string() + ": damaged: not a run's description");
  }
  if (run["format_version"] != kRunFormat) {
    throw base::InputError(file.string() + ": format_version is " + run["format_version"].dump() +
                           ", expected " + std::to_string(kRunFormat));
  }
  if (!run.contains("starts") || !run["starts"].is_array()) {
    throw base::InputError(file.string() + ": damaged: expected a list \"starts\"");
  }
  return run;
}

// Throws where the run that is there cannot go on with this config.
void check_existing(const fs::path& path, const RunConfig& config) {
  const RunConfig before = load_run_config(path);
  if (before.run.student != config.run.student) {
    throw base::InputError(path.string() + ": the run has run.student " + before.run.student +
                           ", the config " + config.run.student);
  }
  if (before.network != config.network) {
    throw base::InputError(path.string() + ": the run has another [network] than the config: " +
                           difference(before.network, config.network) +
                           "; give the config its own --run, or --init from this one");
  }
  if (before.rules.repertoire() != config.rules.repertoire()) {
    throw base::InputError(path.string() + ": the run plays " + before.rules.rule_set +
                           ", the config " + config.rules.rule_set);
  }
}

}  // namespace

RunFolder::RunFolder(const fs::path& path, const RunConfig& config, const std::string& device,
                     int threads)
    : path_(path) {
  const bool exists = fs::exists(path / kRunFile);
  if (!exists && fs::exists(path / nn::kNnueFile)) {
    throw base::InputError(path.string() +
                           ": a run of train-nnue, which an older program made: "
                           "expected another --run; --init " +
                           (path / nn::kNnueFile).string() + " starts from its network");
  }
  if (!exists && fs::exists(path) && !fs::is_empty(path) && !fs::exists(path / kLockFile)) {
    throw base::InputError(path.string() + ": a folder with other things in it, not a run");
  }
  if (exists) {
    description_ = read_description(path / kRunFile);
    check_existing(path, config);
  } else {
    description_ = {{"format_version", kRunFormat}, {"seed", config.run.seed}};
  }
  description_["starts"].push_back(this_start(device, threads));
  base::make_folder(path);
  lock_.emplace(lock_run(path));  // first: with a lock it is a run's folder
  base::make_folder(path / "checkpoints");
  if (!exists) keep(config);
}

void RunFolder::keep(const RunConfig& config) const {
  base::write_text(path_ / kConfigFile, run_settings(config));
  base::write_text(path_ / kRunFile, description_.dump(2) + "\n");
}

}  // namespace training
