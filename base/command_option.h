#pragma once
// An option of a command as data, so that who declares it needs no parser.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace base {

struct CommandOption {
  static constexpr std::int64_t kMost = 1000000000;
  static constexpr double kMostSeconds = 366 * 24 * 3600;

  // Where the value goes; it holds the default. Numbers are whole; several are divided by commas,
  // and real ones are just two. The option of several texts may be repeated. One real number is a
  // time in seconds, of which the text is such as 8h.
  using Value = std::variant<bool*, int*, std::optional<int>*, std::optional<std::uint64_t>*,
                             std::optional<double>*, std::string*, std::optional<std::string>*,
                             std::vector<int>*, std::vector<double>*, std::vector<std::string>*>;

  // `called`: --name, or without dashes what stands in its place. `argument`: what the help calls
  // it; empty for a flag and for one_of().
  CommandOption(std::string called, std::string argument, std::string text, Value to = {})
      : name(std::move(called)),
        type(std::move(argument)),
        help(std::move(text)),
        value(std::move(to)) {}

  // Each returns the option itself. Options of other names must stand before it.
  CommandOption& range(std::int64_t from, std::int64_t to) {
    least = from, most = to;
    return *this;
  }
  CommandOption& one_of(std::vector<std::string> known) {
    words = std::move(known);
    return *this;
  }
  CommandOption& without(std::vector<std::string> others) {
    excludes = std::move(others);
    return *this;
  }
  CommandOption& only_with(std::string other) {
    needs = std::move(other);
    return *this;
  }
  CommandOption& mandatory() {
    required = true;
    return *this;
  }
  // `what`: says what is wrong with a text; empty where nothing is.
  CommandOption& refused_by(std::function<std::string(const std::string&)> what) {
    refusal = std::move(what);
    return *this;
  }

  std::string name, type, help;
  Value value;
  std::int64_t least = 1, most = kMost;
  std::vector<std::string> words{}, excludes{};
  std::string needs{};
  bool required = false;
  std::function<std::string(const std::string&)> refusal{};
};

}  // namespace base
