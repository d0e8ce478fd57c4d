#include "app/machine.h"

#include <algorithm>
#include <csignal>
#include <thread>

namespace app {
namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

void on_signal(int number) {
  stop_asked = true;
  std::signal(number, SIG_DFL);
}

}  // namespace

int threads(const CommonOptions& options) {
  if (options.threads > 0) return options.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

const std::atomic<bool>& stop_flag() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return stop_asked;
}

}  // namespace app
