#include "app/machine.h"

#include <unistd.h>

#include <csignal>

#include "app/command.h"
#include "base/processor.h"
#include "nn/device.h"

namespace app {
namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

void end_at_once(int) { ::_exit(kInterrupted); }

void on_signal(int number) {
  stop_asked = true;
  if (number == SIGHUP) {  // comes more than once, and takes the reader of a pipe with it
    std::signal(SIGPIPE, SIG_IGN);
  } else {
    std::signal(number, end_at_once);
  }
}

bool is_ignored(int number) {
  struct sigaction now {};
  return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

void mask_stop_signals(int how) {
  sigset_t all;
  sigemptyset(&all);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&all, number);
  ::pthread_sigmask(how, &all, nullptr);
}

}  // namespace

int threads(const CommonOptions& options) {
  if (options.threads > 0) return options.threads;
  return base::usable_cores();
}

std::string device(const CommonOptions& options) {
  if (options.device != "auto" && options.device != "cpu") options.need_net();
  return nn::resolve_device(options.device);
}

std::filesystem::path net_program() {
  return std::filesystem::read_symlink("/proc/self/exe") += "-net";
}

void prefer_net(const CommonOptions& options) {
  if (std::filesystem::exists(net_program())) options.need_net();
}

const std::atomic<bool>& stop_flag() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (!is_ignored(SIGHUP)) std::signal(SIGHUP, on_signal);
  mask_stop_signals(SIG_UNBLOCK);
  return stop_asked;
}

void hold_stop_signals() { mask_stop_signals(SIG_BLOCK); }

void release_stop_signals() {
  std::signal(SIGINT, end_at_once);
  mask_stop_signals(SIG_UNBLOCK);
}

}  // namespace app
