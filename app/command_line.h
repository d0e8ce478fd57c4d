#pragma once
// The command line, read. The one place that knows the parser.

#include <memory>
#include <vector>

#include "app/command.h"

namespace app {

struct ReadCommand {
  const Command* command = nullptr;  // null: there is nothing to do but to exit
  int exit_code = kDone;
};

// Sets the options of the command that is named, and the common ones. Prints help or version, or in
// one line on stderr what is wrong.
ReadCommand read_command_line(int argc, const char* const* argv,
                              const std::vector<std::unique_ptr<Command>>& commands,
                              CommonOptions& common);

// Prints the message on one line of stderr; returns the code.
int fail(int code, std::string message);

}  // namespace app
