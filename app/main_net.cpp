// sharpzero-net: all commands. Started by `sharpzero`.

#include "app/program.h"

int main(int argc, char** argv) {
  return app::run_program(argc, argv, app::all_commands(), nullptr);
}
