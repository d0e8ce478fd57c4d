#include "training/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "base/errors.h"
#include "base/files.h"

namespace training {
namespace {

namespace fs = std::filesystem;

std::string error_text() { return std::generic_category().message(errno); }

}  // namespace

int lock_run(const fs::path& folder) {
  const fs::path file = folder / kLockFile;
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) throw base::EnvironmentError(file.string() + ": " + error_text());
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    std::array<char, 32> pid{};
    const ssize_t n = ::read(fd, pid.data(), pid.size() - 1);
    ::close(fd);
    throw base::EnvironmentError(folder.string() + ": in use by process " +
                                 (n > 0 ? std::string(pid.data()) : "?"));
  }
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, pid.data(), pid.size(), 0) < 0) {
    throw base::EnvironmentError(file.string() + ": " + error_text());
  }
  return fd;
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
