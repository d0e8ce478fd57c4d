#pragma once
// `advantage` of several rule sets or of any player.

#include "app/options.h"

namespace app {

// The command line asks for run_balance().
bool wants_balance(const Options& options);

// Plays games of a player against itself under each rule set, writes balance.json and prints the
// table. Returns an exit code, or throws as run_advantage() does.
int run_balance(const Options& options);

}  // namespace app
