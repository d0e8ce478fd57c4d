#pragma once
// What both programs share. `sharpzero` is light: it plays by the NNUE, and hands what needs a
// residual network over to `sharpzero-net` beside it, which is linked with LibTorch and so takes
// 0.4 s to start. Both understand the same command line.

#include <memory>
#include <vector>

#include "app/command.h"

namespace app {

// Takes the process over, or returns an exit code after saying why it could not.
using HandOver = int (*)(char** argv);

// Parses the command line and runs the command of these; one whose work is in sharpzero-net is
// handed over (null: this is sharpzero-net). Every exception becomes one line on stderr and an exit
// code.
int run_program(int argc, char** argv, const std::vector<std::unique_ptr<Command>>& commands,
                HandOver hand_over);

}  // namespace app
