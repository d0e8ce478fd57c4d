#pragma once
// A command: what the command line calls it, its options, and its work, in one file of
// app/commands; all_commands.cpp lists them.
//
// `sharpzero` and `sharpzero-net` parse the same commands. Those in commands/net need LibTorch and
// are built twice: for `sharpzero` without their work, which stands below `#ifdef SHARPZERO_NET`,
// and for sharpzero-net with it. The others are built once; where what they are asked for needs a
// residual network or a GPU, they say CommonOptions::need_net().

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/common_options.h"
#include "base/command_option.h"

namespace app {

using base::CommandOption;

// Exit codes, as scripts rely on them.
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kEnvironment = 3;
inline constexpr int kInterrupted = 130;

// A command's fields are its options, each declared by option().
struct Command {
  const std::string name;
  const std::string help;    // one line
  const std::string footer;  // of its own help
  // Whether run() asks stop_flag() soon; until then the signals wait.
  const bool heeds_stop_flag = false;
  std::vector<CommandOption> options{};  // bound to the fields

  Command(std::string called, std::string line, std::string more = "", bool heeds = false)
      : name(std::move(called)),
        help(std::move(line)),
        footer(std::move(more)),
        heeds_stop_flag(heeds) {}
  Command(const Command&) = delete;
  virtual ~Command() = default;

  // Prints its answer on stdout, progress and warnings on stderr; returns an exit code, or throws;
  // NeedsNet only before it has said anything.
  virtual int run(const CommonOptions& common) const = 0;

 protected:
  // Adds the option of a field, `T field = option(field, {...}, initial);`, and returns its
  // default.
  template <class T>
  T option(T& field, CommandOption declared, std::type_identity_t<T> initial = {}) {
    declared.value = &field;
    options.push_back(std::move(declared));
    return initial;
  }
};

// Ends the declaration of run() in a command that needs LibTorch.
#ifdef SHARPZERO_NET
#define SHARPZERO_IN_NET override
#else
#define SHARPZERO_IN_NET \
  override { throw NeedsNet{}; }
#endif

// In the order of the help.
std::vector<std::unique_ptr<Command>> all_commands();

// Prints a command's answer on stdout: with --json the JSON in lines of its own, indented where
// asked, else the text, which ends its last line itself. Returns kDone.
int print(const CommonOptions& common, const nlohmann::ordered_json& json, const std::string& text,
          int indent = -1);

// Options that several commands have.
CommandOption net_option();       // a network
CommandOption opponent_option();  // what a person plays against
CommandOption table_option();
CommandOption tablebase_option();  // a folder of endings
CommandOption set_option();        // changes of a config
inline constexpr const char* kServerHelp = "the store: postgresql://USER@HOST/DATABASE";
inline constexpr const char* kRunInStoreHelp = "run in the store (default: the newest)";

}  // namespace app
