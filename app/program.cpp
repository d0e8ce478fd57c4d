#include "app/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

#include "app/cli.h"
#include "nn/weights.h"
#include "rules/position.h"
#include "selfplay/errors.h"

namespace app {
namespace {

int fail(int code, std::string_view message) {
  std::string line(message);
  std::ranges::replace(line, '\n', ' ');
  std::cerr << "error: " << line << "\n";
  return code;
}

int run_command(const Command& command, const Options& options) {
  try {
    const int code = command.run(options);
    std::cout.flush();
    return std::cout ? code : fail(kEnvironment, "cannot write to standard output");
  } catch (const selfplay::InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const rules::RulesError& error) {
    return fail(kBadInput, error.what());
  } catch (const nn::CheckpointError& error) {
    return fail(kBadInput, error.what());
  } catch (const std::exception& error) {  // disk, memory, device
    return fail(kEnvironment, error.what());
  }
}

}  // namespace

int run_program(int argc, char** argv, std::span<const Command> commands, HandOver hand_over) {
  CLI::App parser;
  Options options;
  declare_command_line(parser, options);
  try {
    parser.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return parser.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return fail(kBadInput, std::string(error.what()) + " (see --help)");
  }
  const std::string name = parser.get_subcommands().front()->get_name();
  const auto command = std::ranges::find(commands, name, &Command::name);
  return command != commands.end() ? run_command(*command, options) : hand_over(argv);
}

}  // namespace app
