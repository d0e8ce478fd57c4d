#include "base/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>

namespace base {
namespace {

class SpawnPlan {
 public:
  explicit SpawnPlan(const ChildStreams& streams) {
    posix_spawn_file_actions_init(&actions_);
    add(streams.input, STDIN_FILENO);
    add(streams.output, STDOUT_FILENO);
    add(streams.error, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int spawn(std::vector<std::string>& words, pid_t& pid) const {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return posix_spawnp(&pid, arguments[0], &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  void add(int ours, int theirs) {
    if (ours >= 0) {
      posix_spawn_file_actions_adddup2(&actions_, ours, theirs);
    } else {
      posix_spawn_file_actions_addopen(&actions_, theirs, "/dev/null", O_RDWR, 0);
    }
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

int spawn(std::vector<std::string> words, const ChildStreams& streams, pid_t& pid) {
  return SpawnPlan(streams).spawn(words, pid);
}

}  // namespace base
