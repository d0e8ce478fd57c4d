#pragma once
// What the command line says about the machine, and what the machine says back.

#include <atomic>

#include "app/options.h"

namespace app {

// --threads, or every core this process may use.
int threads(const CommonOptions& options);

// From the first call on, Ctrl-C (and SIGTERM) sets the flag instead of ending the process; a
// second one ends it at once.
const std::atomic<bool>& stop_flag();

}  // namespace app
