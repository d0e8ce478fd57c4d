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

// Becomes sharpzero-net, which lies beside this program.
int become_net(char** argv) {
  // LibTorch's threads wait asleep. Where other programs want the cores, threads that spin until
  // the others have had theirs take seconds for what takes a tenth of one. Read when OpenMP is
  // loaded.
  ::setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
  // A Ctrl-C while LibTorch is loaded stops a run as any later one does.
  app::hold_stop_signals();
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string() + "-net";
  ::execv(program.c_str(), argv);
  std::cerr << "error: cannot start " << program << ": " << std::strerror(errno) << "\n";
  return app::kEnvironment;
}

}  // namespace

int main(int argc, char** argv) {
  return app::run_program(argc, argv, app::all_commands(), become_net);
}
