#pragma once
// What both programs share. `sharpzero` is light: it does the commands that need no network, and
// hands the others over to `sharpzero-net` beside it, which is linked with LibTorch and so takes
// 0.4 s to start. Both understand the same command line.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "app/options.h"

namespace app {

// Exit codes, as scripts rely on them.
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kEnvironment = 3;
inline constexpr int kInterrupted = 130;

// Prints a command's answer on stdout: with --json the JSON in lines of its own, indented where
// asked, else the text, which ends its last line itself. Returns kDone.
int print(const CommonOptions& common, const nlohmann::ordered_json& json, const std::string& text,
          int indent = -1);

struct Command {
  std::string_view name;
  int (*run)(const Options& options);  // returns an exit code, or throws
  bool heeds_stop_flag = false;        // asks stop_flag() soon; until then the signals wait
};

// Takes the process over, or returns an exit code after saying why it could not.
using HandOver = int (*)(char** argv);

// Parses the command line and runs the command; one that is not in the list is handed over. Every
// exception becomes one line on stderr and an exit code.
int run_program(int argc, char** argv, std::span<const Command> commands, HandOver hand_over);

}  // namespace app
