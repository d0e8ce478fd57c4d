// sharpzero: the program that users start.

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>

#include "app/command.h"
#include "app/machine.h"
#include "app/program.h"

namespace {

// The launcher that has started this program and would build sharpzero-net; none where another
// checkout's has started what has started this one.
const char* own_launcher(const std::filesystem::path& net) {
  const char* const launcher = std::getenv("SHARPZERO_LAUNCHER");
  if (launcher == nullptr) return nullptr;
  const auto root = std::filesystem::path(launcher).parent_path();
  return net == root / "build/release/bin/sharpzero-net" ? launcher : nullptr;
}

// Becomes sharpzero-net, which lies beside this program: first the launcher, where that has started
// this program, which comes back here once it is built.
int become_net(char** argv) {
  const std::filesystem::path net = app::net_program();
  std::string program = net;
  if (const char* const launcher = own_launcher(net)) {
    program = launcher;
    ::setenv("SHARPZERO_NEEDS_NET", "1", 1);
  } else {
    // LibTorch's threads wait asleep. Where other programs want the cores, threads that spin until
    // the others have had theirs take seconds for what takes a tenth of one. Read when OpenMP is
    // loaded.
    ::setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
    // A Ctrl-C while LibTorch is loaded stops a run as any later one does.
    app::hold_stop_signals();
  }
  ::execv(program.c_str(), argv);
  std::cerr << "error: this needs LibTorch, and " << program
            << ", which has it, cannot be started: " << std::strerror(errno) << "\n";
  return app::kEnvironment;
}

}  // namespace

int main(int argc, char** argv) {
  return app::run_program(argc, argv, app::all_commands(), become_net);
}
