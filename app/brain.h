#pragma once
// Networks as brains of the engine and of play in the terminal.

#include "app/options.h"
#include "app/uci.h"

namespace app {

// Loads networks for the device and the rule set of the options. The empty name takes the newest
// network of the newest run in runs/, else the one that comes with the program, else none: search
// alone.
LoadBrain brain_loader(const CommonOptions& options);

}  // namespace app
