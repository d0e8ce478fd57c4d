#pragma once
// `advantage` of several rule sets or of any player.

#include "app/options.h"
#include "studies/advantage.h"

namespace app {

// The command line asks for run_balance().
bool wants_balance(const studies::AdvantageStudy& asked, const CommonOptions& common);

// Plays games of a player against itself under each rule set, writes balance.json and prints the
// table. Returns an exit code, or throws as run_study() does.
int run_balance(const studies::AdvantageStudy& asked, const Options& options);

}  // namespace app
