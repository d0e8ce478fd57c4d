#include "training/settings/run_use.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/errors.h"
#include "base/json.h"

namespace training {

namespace fs = std::filesystem;

std::string last_start(const fs::path& run) try {
  return base::parse<nlohmann::ordered_json>(base::read_text(run / kRunFile))
      .at("starts")
      .back()
      .at("time")
      .get<std::string>();
} catch (const std::exception&) {  // not a run, or one that is damaged
  return "";
}

base::FileLock lock_run(const fs::path& folder) {
  const fs::path file = folder / kLockFile;
  base::FileLock lock(file);
  if (!lock.is_held()) {
    throw base::EnvironmentError(folder.string() + ": in use by process " +
                                 base::read_file(file).value_or("?"));
  }
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(lock.descriptor(), 0) != 0 ||
      ::pwrite(lock.descriptor(), pid.data(), pid.size(), 0) < 0) {
    throw base::EnvironmentError(file.string() + ": " + std::generic_category().message(errno));
  }
  return lock;
}

std::string user_of_run(const fs::path& folder) {
  const fs::path file = folder / kLockFile;
  const std::string pid = base::read_file(file).value_or("");
  const long number = std::strtol(pid.c_str(), nullptr, 10);
  // The lock is tried only where that process lives: one that starts now is not in the way of it.
  if (number <= 0 || (::kill(static_cast<pid_t>(number), 0) != 0 && errno == ESRCH)) return "";
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return "";
  const bool is_free = ::flock(fd, LOCK_SH | LOCK_NB) == 0;
  ::close(fd);
  return is_free ? "" : pid;
}

}  // namespace training
