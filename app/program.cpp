#include "app/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "app/machine.h"
#include "base/errors.h"
#include "nn/device_faults.h"
#include "nn/weights.h"
#include "rules/error.h"
#include "training/settings/options.h"

namespace app {
namespace {

int fail(int code, std::string_view message) {
  std::string line(message);
  std::ranges::replace(line, '\n', ' ');
  std::cerr << "error: " << line << "\n";
  return code;
}

// A first word that is no command, with the nearest that is; empty where there is none.
std::string unknown_command(const CLI::App& parser, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> known;
  for (const CLI::App* command : parser.get_subcommands({})) known.push_back(command->get_name());
  const std::string word = argv[1];
  if (std::ranges::find(known, word) != known.end()) return "";
  return "unknown command '" + word + "' (nearest: " + training::nearest_name(word, known) + ")";
}

// The first word that looks like an option and is none of the command's; empty where there is none.
std::string unknown_option(const CLI::App& parser) {
  const std::vector<std::string> unknown = parser.remaining(/*recurse=*/true);
  const auto option =
      std::ranges::find_if(unknown, [](const std::string& word) { return word.starts_with('-'); });
  return option == unknown.end() ? "" : *option;
}

int run_command(const Command& command, const Options& options) {
  try {
    if (!command.heeds_stop_flag) release_stop_signals();
    const int code = command.run(options);
    std::cout.flush();
    return std::cout ? code : fail(kEnvironment, "cannot write to standard output");
  } catch (const nn::DeviceHungError& error) {
    fail(kEnvironment, error.what());
    std::cerr.flush();
    std::_Exit(kEnvironment);
  } catch (const base::InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const rules::RulesError& error) {
    return fail(kBadInput, error.what());
  } catch (const nn::CheckpointError& error) {
    return fail(kBadInput, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    const bool bad_name = error.code() == std::errc::filename_too_long;
    return fail(bad_name ? kBadInput : kEnvironment,
                error.path1().string() + ": " + error.code().message());
  } catch (const nlohmann::json::type_error& error) {
    constexpr int kInvalidUtf8 = 316;  // of a path, most likely
    if (error.id != kInvalidUtf8) return fail(kEnvironment, error.what());
    return fail(kBadInput,
                std::string("a name that is not UTF-8 cannot be written as JSON: ") + error.what());
  } catch (const std::exception& error) {      // disk, memory, device
    const std::string message = error.what();  // LibTorch's goes on with a stack trace
    return fail(kEnvironment, message.substr(0, message.find('\n')));
  }
}

}  // namespace

int print(const CommonOptions& common, const nlohmann::ordered_json& json, const std::string& text,
          int indent) {
  std::cout << (common.json ? json.dump(indent) + "\n" : text);
  return kDone;
}

int run_program(int argc, char** argv, std::span<const Command> commands, HandOver hand_over) {
  CLI::App parser;
  Options options;
  declare_command_line(parser, options);
  if (const auto unknown = unknown_command(parser, argc, argv); !unknown.empty()) {
    return fail(kBadInput, unknown);
  }
  try {
    parser.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return parser.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    if (const auto unknown = unknown_option(parser); !unknown.empty()) {
      return fail(kBadInput, "unknown option '" + unknown + "' (see --help)");
    }
    return fail(kBadInput, std::string(error.what()) + " (see --help)");
  }
  options.command = parser.get_subcommands().front()->get_name();
  const auto command = std::ranges::find(commands, options.command, &Command::name);
  return command != commands.end() ? run_command(*command, options) : hand_over(argv);
}

}  // namespace app
