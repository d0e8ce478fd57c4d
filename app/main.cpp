// sharpzero: the program that users start.

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "app/command.h"
#include "app/machine.h"
#include "app/program.h"

namespace {

// Becomes sharpzero-net: by the launcher that has started this program, which builds it where
// needed, or the one that lies beside this program.
int become_net(char** argv) {
  // LibTorch's threads wait asleep. Where other programs want the cores, threads that spin until
  // the others have had theirs take seconds for what takes a tenth of one. Read when OpenMP is
  // loaded.
  ::setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
  // A Ctrl-C while LibTorch is loaded stops a run as any later one does.
  app::hold_stop_signals();
  const char* const launcher = std::getenv("SHARPZERO_LAUNCHER");
  const std::string program = launcher != nullptr ? launcher : app::net_program().string();
  ::setenv("SHARPZERO_PROGRAM", "sharpzero-net", 1);  // for the launcher
  ::execv(program.c_str(), argv);
  std::cerr << "error: this needs LibTorch, and " << program
            << ", which has it, cannot be started: " << std::strerror(errno) << "\n";
  return app::kEnvironment;
}

}  // namespace

int main(int argc, char** argv) {
  return app::run_program(argc, argv, app::all_commands(), become_net);
}
