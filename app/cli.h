#pragma once
// The command line's declarations, in one place for both programs (see program.h).

#include "app/options.h"

namespace CLI {
class App;
}

namespace app {

// Adds every command and option to the parser, bound to `options`, which must outlive it.
void declare_command_line(CLI::App& parser, Options& options);

}  // namespace app
