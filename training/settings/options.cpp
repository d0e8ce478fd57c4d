#include "training/settings/options.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <sstream>

#include "base/errors.h"
#include "base/text.h"

namespace training {
namespace {

std::string text_of(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& n) { out << n; });
  return out.str();
}

// The option's value as TOML that reads back to the same: a float always has a point or an
// exponent.
std::string value_text(const Option& option) {
  return std::visit(
      [](const auto* field) {
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(*field)>>) {
          const std::string text = base::shortest_text(*field);
          return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
        } else {
          return text_of(toml::value(*field));
        }
      },
      option.field);
}

// "a whole number from 1 to 80", for messages and help.
std::string expectation(const Option& option) {
  return std::visit(
      [&](const auto* field) -> std::string {
        using Value = std::remove_cvref_t<decltype(*field)>;
        if constexpr (std::is_same_v<Value, bool>) {
          return "true or false";
        } else if constexpr (std::is_same_v<Value, std::string>) {
          if (option.allowed.empty()) return "text";
          return fmt::format("one of {}", fmt::join(option.allowed, " "));
        } else {
          return fmt::format("a {}number from {} to {}", std::is_integral_v<Value> ? "whole " : "",
                             base::shortest_text(static_cast<Value>(option.min)),
                             base::shortest_text(static_cast<Value>(option.max)));
        }
      },
      option.field);
}

// Writes a TOML value into the option's field; false where it is of another type or out of range.
bool try_assign(Option& option, const toml::node& node) {
  const auto in_range = [&](auto value) {  // false for one that is not a number
    return static_cast<double>(value) >= option.min && static_cast<double>(value) <= option.max;
  };
  return std::visit(
      [&](auto* field) {
        using Value = std::remove_reference_t<decltype(*field)>;
        if constexpr (std::is_floating_point_v<Value>) {
          const auto number = node.is_number() ? node.value<double>() : std::nullopt;
          // The limits are of the field's own type: 0.99999f is allowed where 0.99999 is written.
          if (!number || !in_range(static_cast<Value>(*number))) return false;
          *field = static_cast<Value>(*number);
        } else if constexpr (std::is_same_v<Value, std::string>) {
          const auto text = node.value_exact<std::string>();
          const auto& allowed = option.allowed;
          if (!text || (!allowed.empty() && std::ranges::count(allowed, *text) == 0)) return false;
          *field = *text;
        } else {
          using Exact = std::conditional_t<std::is_same_v<Value, bool>, bool, std::int64_t>;
          const auto value = node.value_exact<Exact>();
          if (!value || (!std::is_same_v<Value, bool> && !in_range(*value))) return false;
          *field = static_cast<Value>(*value);
        }
        return true;
      },
      option.field);
}

void assign(Option& option, const toml::node& node, const std::string& where) {
  if (try_assign(option, node)) return;
  throw base::InputError(where + option.name() + " = " + text_of(node) + ": expected " +
                         expectation(option));
}

Option& find_option(const std::string& name, std::vector<Option>& options,
                    const std::string& where) {
  const auto found =
      std::ranges::find_if(options, [&](const Option& o) { return o.name() == name; });
  if (found != options.end()) return *found;
  std::vector<std::string> known;
  for (const auto& option : options) known.push_back(option.name());
  throw base::InputError(where + "unknown key " + name + " (nearest: " + nearest_name(name, known) +
                         ")");
}

// Refuses a key that is now another one, and says what to write instead.
void refuse_renamed(const std::string& name, const std::string& value, const std::string& where,
                    const std::vector<RenamedKey>& renamed) {
  const auto key = std::ranges::find(renamed, name, &RenamedKey::name);
  if (key == renamed.end()) return;
  const auto number = base::parse_number<double>(value);
  throw base::InputError(
      where + name + " is now " + key->now +
      (number ? ": expected " + key->value(*number) + " in place of " + value : ""));
}

// Refuses an unknown section. (One with keys is refused by its first key.)
void require_section(const std::string& name, const std::vector<Option>& options,
                     const std::string& where) {
  std::vector<std::string> known;
  for (const auto& option : options) known.push_back(option.section);
  if (std::ranges::find(known, name) != known.end()) return;
  throw base::InputError(where + "unknown section [" + name + "] (nearest: [" +
                         nearest_name(name, known) + "])");
}

std::string at(std::string_view file, const toml::source_region& region) {
  return std::string(file) + ":" + std::to_string(region.begin.line) + ": ";
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  const auto distance = [&](std::string_view other) {  // Levenshtein, one row at a time
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= other.size(); ++j) {
        const std::size_t replaced = diagonal + (name[i - 1] == other[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      }
    }
    return row.back();
  };
  return known.empty() ? "" : *std::ranges::min_element(known, {}, distance);
}

void read_options(std::string_view toml, std::string_view file, std::vector<Option>& options,
                  const std::vector<RenamedKey>& renamed) {
  toml::table document;
  try {
    document = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    throw base::InputError(at(file, error.source()) + std::string(error.description()));
  }
  for (const auto& [section, node] : document) {
    const toml::table* keys = node.as_table();
    if (keys == nullptr) {
      throw base::InputError(at(file, node.source()) + "key " + std::string(section.str()) +
                             " stands outside a [section]");
    }
    if (keys->empty()) {
      require_section(std::string(section.str()), options, at(file, node.source()));
    }
    for (const auto& [key, value] : *keys) {
      const std::string where = at(file, value.source());
      const std::string name = std::string(section.str()) + "." + std::string(key.str());
      refuse_renamed(name, text_of(value), where, renamed);
      assign(find_option(name, options, where), value, where);
    }
  }
}

std::vector<std::string> names_in(std::string_view toml) {
  std::vector<std::string> names;
  for (const auto& [section, node] : toml::parse(toml)) {
    for (const auto& [key, value] : *node.as_table()) {
      names.push_back(std::string(section.str()) + "." + std::string(key.str()));
    }
  }
  return names;
}

std::string place_of(std::string_view name, std::string_view toml, std::string_view file) {
  const toml::table document = toml::parse(toml);
  const auto found = document.at_path(name);
  return found ? at(file, found.node()->source()) : std::string(file) + ": ";
}

void set_option(std::string_view assignment, std::vector<Option>& options, std::string where,
                const std::vector<RenamedKey>& renamed) {
  if (where.empty()) where = "--set " + std::string(assignment) + ": ";
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw base::InputError(where + "expected section.key=value");
  const std::string name(assignment.substr(0, equals)), value(assignment.substr(equals + 1));
  refuse_renamed(name, value, where, renamed);
  Option& option = find_option(name, options, where);
  if (std::holds_alternative<std::string*>(option.field)) {
    assign(option, toml::value<std::string>(value), where);
    return;
  }
  try {
    const toml::table document = toml::parse("value = " + value);
    if (document.size() != 1) throw base::InputError(where + "expected one value");
    assign(option, *document.get("value"), where);
  } catch (const toml::parse_error&) {
    throw base::InputError(where + option.name() + " = " + value + ": expected " +
                           expectation(option));
  }
}

std::string print_options(const std::vector<Option>& options, bool with_help) {
  std::string out;
  std::string section;
  for (const auto& option : options) {
    if (option.section != section) {
      out += (out.empty() ? "[" : "\n[") + option.section + "]\n";
      section = option.section;
    }
    if (with_help) out += "# " + option.help + "; " + expectation(option) + "\n";
    out += option.key + " = " + value_text(option) + "\n";
  }
  return out;
}

std::vector<OptionChange> changes(const std::vector<Option>& before,
                                  const std::vector<Option>& after) {
  std::vector<OptionChange> found;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string was = value_text(before[i]), is = value_text(after[i]);
    if (was != is) found.push_back({before[i].name(), was, is});
  }
  return found;
}

nlohmann::ordered_json describe_options(const std::vector<Option>& options) {
  nlohmann::ordered_json sections;
  for (const auto& option : options) {
    const auto* text = std::get_if<std::string*>(&option.field);
    sections[option.section][option.key] = {
        {"value", text != nullptr ? nlohmann::ordered_json(**text)
                                  : nlohmann::ordered_json::parse(value_text(option))},
        {"expected", expectation(option)},
        {"help", option.help}};
  }
  return sections;
}

}  // namespace training
