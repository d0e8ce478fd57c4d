// sharpzero-net: the commands that need a network. Started by `sharpzero`.

#include <iostream>
#include <span>

#include "app/commands.h"
#include "app/program.h"

namespace {

int refuse(char** argv) {
  std::cerr << "error: this command belongs to `sharpzero`, not to " << argv[0] << "\n";
  return app::kBadInput;
}

}  // namespace

int main(int argc, char** argv) { return app::run_program(argc, argv, {}, refuse); }
