#include "training/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <torch/version.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "nn/files.h"
#include "revision.h"
#include "selfplay/errors.h"
#include "training/run_state.h"
#include "training/text_file.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using selfplay::EnvironmentError;
using selfplay::InputError;

constexpr const char* kRunFile = "run.json";

std::string error_text() { return std::generic_category().message(errno); }

nlohmann::ordered_json describe(const RunConfig& config, const std::string& device, int threads) {
  utsname machine{};
  uname(&machine);
  return {{"format_version", kRunFormat},
          {"program_version", SHARPZERO_VERSION},
          {"git_revision", SHARPZERO_GIT_REVISION},
          {"libtorch_version", TORCH_VERSION},
          {"seed", config.run.seed},
          {"device", device},
          {"threads", threads},
          {"machine",
           {{"name", machine.nodename},
            {"system", machine.sysname},
            {"architecture", machine.machine},
            {"cores", std::thread::hardware_concurrency()}}}};
}

// The run that is there must be one that this config can go on with.
void check_existing(const fs::path& path, const RunConfig& config) {
  const auto run = nn::parse(read_text(path / kRunFile));
  if (!run.is_object() || !run.contains("format_version")) {
    throw InputError((path / kRunFile).string() + ": damaged: not a run's description");
  }
  if (run["format_version"] != kRunFormat) {
    throw InputError((path / kRunFile).string() + ": format_version is " +
                     run["format_version"].dump() + ", expected " + std::to_string(kRunFormat));
  }
  const RunConfig before = load_run_config(path);
  if (before.network != config.network) {
    throw InputError(path.string() + ": the run has another [network] than the config: " +
                     difference(before.network, config.network) +
                     "; give the config its own --run, or --init from this one");
  }
  if (before.rules.repertoire() != config.rules.repertoire()) {
    throw InputError(path.string() + ": the run plays " + before.rules.rule_set + ", the config " +
                     config.rules.rule_set);
  }
}

int lock_folder(const fs::path& path) {
  const fs::path file = path / "lock";
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) throw EnvironmentError(file.string() + ": " + error_text());
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    std::array<char, 32> pid{};
    const ssize_t n = ::read(fd, pid.data(), pid.size() - 1);
    ::close(fd);
    throw EnvironmentError(path.string() + ": in use by process " +
                           (n > 0 ? std::string(pid.data()) : "?"));
  }
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, pid.data(), pid.size(), 0) < 0) {
    throw EnvironmentError(file.string() + ": " + error_text());
  }
  return fd;
}

}  // namespace

RunFolder::RunFolder(const fs::path& path, const RunConfig& config, const std::string& device,
                     int threads)
    : path_(path) {
  const bool exists = fs::exists(path / kRunFile);
  if (!exists && fs::exists(path) && !fs::is_empty(path) && !fs::exists(path / "lock")) {
    throw InputError(path.string() + ": a folder with other things in it, not a run");
  }
  if (exists) check_existing(path, config);
  const auto make = [](const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw EnvironmentError(folder.string() + ": " + error.message());
  };
  make(path);
  lock_ = lock_folder(path);  // first: from then on it is a run's folder
  make(path / "checkpoints");
  if (exists) return;
  keep(config);
  write_text(path / kRunFile, describe(config, device, threads).dump(2) + "\n");
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void RunFolder::keep(const RunConfig& config) const {
  write_text(path_ / kConfigFile, to_toml(config, /*with_help=*/true));
}

}  // namespace training
