#pragma once
// The threads and the device to use, where sharpzero-net lies, and the signals that stop a command.

#include <atomic>
#include <filesystem>
#include <string>

#include "app/common_options.h"

namespace app {

// --threads, or every core this process may use.
int threads(const CommonOptions& options);

// As nn::resolve_device() of --device; all but a CPU is sharpzero-net's.
std::string device(const CommonOptions& options);

// Beside this program; it may not have been built.
std::filesystem::path net_program();
// For a session in which any network may be asked for: it is sharpzero-net's where that was built.
void prefer_net(const CommonOptions& options);

// From the first call on, Ctrl-C, SIGTERM and a terminal that is closed (SIGHUP, unless `nohup` has
// it ignored) set the flag instead of ending the process; a second Ctrl-C or SIGTERM ends it at
// once with exit code 130. One that came while they were held back counts.
const std::atomic<bool>& stop_flag();
// Until stop_flag() or release_stop_signals(), these signals are held back, also after execv() into
// sharpzero-net.
void hold_stop_signals();
// From here on, until stop_flag() is called, Ctrl-C ends the process at once with exit code 130.
void release_stop_signals();

}  // namespace app
