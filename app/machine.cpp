#include "app/machine.h"

#include <unistd.h>

#include <csignal>

#include "app/program.h"
#include "selfplay/cores.h"

namespace app {
namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

void end_at_once(int) { ::_exit(kInterrupted); }

void on_signal(int number) {
  stop_asked = true;
  std::signal(number, end_at_once);
}

void mask_stop_signals(int how) {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  ::pthread_sigmask(how, &both, nullptr);
}

}  // namespace

int threads(const CommonOptions& options) {
  if (options.threads > 0) return options.threads;
  return selfplay::usable_cores();
}

const std::atomic<bool>& stop_flag() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  mask_stop_signals(SIG_UNBLOCK);
  return stop_asked;
}

void hold_stop_signals() { mask_stop_signals(SIG_BLOCK); }

void release_stop_signals() {
  std::signal(SIGINT, end_at_once);
  mask_stop_signals(SIG_UNBLOCK);
}

}  // namespace app
