#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/errors.h"
#include "nn/device_name.h"
#include "training/settings/options.h"

namespace app {
namespace {

// What is wrong with a device's name; empty where nothing is.
std::string refusal_of_device(const std::string& text) {
  try {
    nn::parse_device_name(text);
    return "";
  } catch (const base::InputError& error) {
    return error.what();
  }
}

// "8h", "90m", "30s" or "1h30m" in seconds. Throws base::InputError.
double seconds_of(const std::string& name, const std::string& text) {
  double seconds = 0;
  std::istringstream in(text);
  for (double number = 0; in >> number;) {
    char unit = 0;
    in >> unit;
    const std::size_t at = std::string("smh").find(unit);
    if (!in || at == std::string::npos || number < 0) break;
    seconds += number * (at == 0 ? 1 : at == 1 ? 60 : 3600);
    const bool whole = in.peek() == std::istringstream::traits_type::eof();
    if (whole && seconds > 0 && seconds <= CommandOption::kMostSeconds) return seconds;
  }
  throw base::InputError(name + " " + text +
                         ": expected a time above zero, at most a year, such as 8h or 1h30m");
}

// Help that names an option's argument, its default and what it does not go with, but not the range
// of a number: the message that refuses one does.
class Help final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    constexpr std::string_view kText = "TEXT:";  // and a set of words
    std::string type = option->get_type_name();
    if (const std::size_t range = type.find(" in ["); range != std::string::npos) {
      type.erase(type.rfind(':', range));
    }
    if (type.starts_with(kText)) type.erase(0, kText.size());
    return " " + type + (option->get_required() ? " (required)" : "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description(), value = option->get_default_str();
    std::erase_if(value, [](char c) { return c == '[' || c == ']'; });  // of a list
    if (!value.empty()) text += " (default: " + value + ")";
    for (const CLI::Option* other : option->get_excludes()) {
      text += " (not with " + other->get_name() + ")";
    }
    return text;
  }
};

// What holds of every value, asked before anything else. Whole numbers are decimal: the parser
// alone would take 010 for eight. And an empty name is a mistake, such as of a script whose
// variable is not set.
void check_values(CLI::App& parser) {
  const CLI::Validator decimal(
      [](std::string& text) -> std::string {
        const bool digits =
            !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits && (text == "0" || text.front() != '0') ? ""
                                                              : text + ": expected a whole number";
      },
      "");
  const CLI::Validator given(
      [](std::string& text) { return text.empty() ? "empty" : std::string(); }, "");
  for (CLI::Option* option : parser.get_options()) {
    const std::string type = option->get_type_name();
    const std::string name = type.substr(0, type.find(':'));
    if (name == "N" || name == "N[,N...]") {
      option->transform(decimal);
    } else if (!name.empty()) {
      option->transform(given);
    }
  }
  for (CLI::App* command : parser.get_subcommands({})) check_values(*command);
}

// The parser's option for a value of this type. The help tells the default, where there is one.
template <class T>
CLI::Option* bound(CLI::App& parser, const CommandOption& own, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return parser.add_flag(own.name, value, own.help);
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    return parser.add_option_function<std::string>(
        own.name,
        [&value, name = own.name](const std::string& text) { value = seconds_of(name, text); },
        own.help);
  } else {
    CLI::Option* const option = parser.add_option(own.name, value, own.help);
    if (value != T{}) option->capture_default_str();
    if constexpr (std::is_same_v<T, std::vector<std::string>>) option->allow_extra_args(false);
    if constexpr (std::is_same_v<T, std::vector<int>>) option->delimiter(',');
    if constexpr (std::is_same_v<T, std::vector<double>>) option->delimiter(',')->expected(2);
    if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::optional<int>> ||
                  std::is_same_v<T, std::optional<std::uint64_t>> ||
                  std::is_same_v<T, std::vector<int>>) {
      option->check(CLI::Range(own.least, own.most));
    }
    return option;
  }
}

void declare(CLI::App& parser, const CommandOption& own) {
  CLI::Option* const option =
      std::visit([&](auto* value) { return bound(parser, own, *value); }, own.value);
  if (!own.type.empty()) option->type_name(own.type);
  if (!own.words.empty()) option->check(CLI::IsMember(own.words));
  if (own.refusal) option->check(own.refusal);
  if (!own.needs.empty()) option->needs(parser.get_option(own.needs));
  for (const std::string& other : own.excludes) option->excludes(parser.get_option(other));
  option->required(own.required);
}

std::vector<CommandOption> options_of(CommonOptions& common) {
  return {
      CommandOption("--seed", "N", "fixes all randomness", &common.seed)
          .range(0, std::int64_t{1} << 53),
      CommandOption("--threads", "N", "cores to use (default: all that it may)", &common.threads)
          .range(1, 4096),
      CommandOption(
          "--device", "D",
          std::string(nn::kDeviceNames) +
              ", which takes L microseconds and R nanoseconds a row for a batch, S microseconds "
              "for a learning step (default: 3 times a batch of its rows), and answers by hash",
          &common.device)
          .refused_by(refusal_of_device),
      {"--rules", "SET", "rule set (default: chess_sharp): " + rules::RuleSet::known_names(),
       &common.rules},
      {"--any-rules", "",
       "let a network or an NNUE play a game like the one it learned, if its inputs fit",
       &common.any_rules},
      {"--json", "", "print JSON on stdout and nothing else", &common.json},
  };
}

void declare(CLI::App& parser, const std::vector<std::unique_ptr<Command>>& commands,
             CommonOptions& common) {
  parser.name("sharpzero");
  parser.description(
      "sharpzero learns Chess# from its rules, and answers questions about the game.");
  parser.set_version_flag("--version", "sharpzero " SHARPZERO_VERSION);
  parser.formatter(std::make_shared<Help>());
  parser.require_subcommand(1);
  parser.fallthrough();
  for (const CommandOption& option : options_of(common)) declare(parser, option);
  for (const auto& command : commands) {
    CLI::App& own = *parser.add_subcommand(command->name, command->help);
    for (const CommandOption& option : command->options) declare(own, option);
    own.footer(command->footer + (command->footer.empty() ? "" : "\n\n") +
               "--seed, --threads, --device, --rules and --json: see `sharpzero --help`.");
  }
  // Set last: the commands would take it for theirs.
  parser.footer("`sharpzero COMMAND --help` explains a command; the options above may follow it.");
  check_values(parser);
}

// The first word that looks like an option and is none of the command's; empty where there is none.
std::string unknown_option(const CLI::App& parser) {
  const std::vector<std::string> unknown = parser.remaining(/*recurse=*/true);
  const auto option =
      std::ranges::find_if(unknown, [](const std::string& word) { return word.starts_with('-'); });
  return option == unknown.end() ? "" : *option;
}

}  // namespace

int fail(int code, std::string message) {
  std::ranges::replace(message, '\n', ' ');
  std::cerr << "error: " << message << "\n";
  return code;
}

ReadCommand read_command_line(int argc, const char* const* argv,
                              const std::vector<std::unique_ptr<Command>>& commands,
                              CommonOptions& common) {
  std::vector<std::string> known;
  for (const auto& command : commands) known.push_back(command->name);
  const std::string first = argc < 2 ? "-" : argv[1];
  if (first == "train-nnue") {
    return {nullptr, fail(kBadInput, "train-nnue is now: train --config configs/nnue.toml")};
  }
  if (!first.starts_with('-') && std::ranges::find(known, first) == known.end()) {
    return {nullptr, fail(kBadInput, "unknown command '" + first + "' (nearest: " +
                                         training::nearest_name(first, known) + ")")};
  }
  CLI::App parser;
  declare(parser, commands, common);
  try {
    parser.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return {nullptr, parser.exit(help_or_version)};
  } catch (const CLI::ParseError& error) {
    const std::string unknown = unknown_option(parser);
    return {nullptr,
            fail(kBadInput, (unknown.empty() ? error.what() : "unknown option '" + unknown + "'") +
                                std::string(" (see --help)"))};
  } catch (const base::InputError& error) {
    return {nullptr, fail(kBadInput, error.what() + std::string(" (see --help)"))};
  }
  const auto at = std::ranges::find(known, parser.get_subcommands().front()->get_name());
  return {commands[static_cast<std::size_t>(at - known.begin())].get()};
}

}  // namespace app
