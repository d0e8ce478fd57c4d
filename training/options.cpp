#include "training/options.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <sstream>

#include "base/errors.h"
#include "base/numbers.h"

namespace training {
namespace {

// The shortest text that reads back as the same float, always with a point or an exponent.
template <class Float>
std::string float_text(Float value) {
  const std::string text = base::shortest_text(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string toml_string(const std::string& text) {
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

struct ValueText {
  std::string operator()(const int* v) const { return std::to_string(*v); }
  std::string operator()(const std::int64_t* v) const { return std::to_string(*v); }
  std::string operator()(const float* v) const { return float_text(*v); }
  std::string operator()(const double* v) const { return float_text(*v); }
  std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
  std::string operator()(const std::string* v) const { return toml_string(*v); }
};

// "a whole number from 1 to 80", for messages and help.
std::string expectation(const Option& option) {
  if (std::holds_alternative<bool*>(option.field)) return "true or false";
  if (std::holds_alternative<std::string*>(option.field)) {
    if (option.allowed.empty()) return "text";
    std::string list = "one of";
    for (const auto& choice : option.allowed) list += " " + choice;
    return list;
  }
  const bool whole = std::holds_alternative<int*>(option.field) ||
                     std::holds_alternative<std::int64_t*>(option.field);
  const bool single = std::holds_alternative<float*>(option.field);
  const auto limit = [&](double value) {
    return whole    ? std::to_string(static_cast<std::int64_t>(value))
           : single ? base::shortest_text(static_cast<float>(value))
                    : base::shortest_text(value);
  };
  return (whole ? "a whole number from " : "a number from ") + limit(option.min) + " to " +
         limit(option.max);
}

bool in_range(const Option& option, double value) {
  return std::isfinite(value) && value >= option.min && value <= option.max;
}

// Writes a TOML value into the option's field; false where it is of another type or out of range.
struct Assign {
  const Option& option;
  const toml::node& node;

  template <class Whole>
  requires std::is_same_v<Whole, int> || std::is_same_v<Whole, std::int64_t>
  bool operator()(Whole* field) const {
    const auto* value = node.as_integer();
    if (value == nullptr || !in_range(option, static_cast<double>(value->get()))) return false;
    *field = static_cast<Whole>(value->get());
    return true;
  }
  template <class Float>
  requires std::is_floating_point_v<Float>
  bool operator()(Float* field) const {
    const std::optional<double> value = node.value<double>();
    if (!node.is_number() || !value) return false;
    const auto rounded = static_cast<Float>(*value);
    // The limits are of the field's own type: 0.99999f is allowed where 0.99999 is written.
    if (!std::isfinite(*value) || !in_range(option, static_cast<double>(rounded))) return false;
    *field = rounded;
    return true;
  }
  bool operator()(bool* field) const {
    const auto* value = node.as_boolean();
    if (value == nullptr) return false;
    *field = value->get();
    return true;
  }
  bool operator()(std::string* field) const {
    const auto* value = node.as_string();
    if (value == nullptr) return false;
    const auto& allowed = option.allowed;
    if (!allowed.empty() && std::ranges::find(allowed, value->get()) == allowed.end()) return false;
    *field = value->get();
    return true;
  }
};

std::string node_text(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& n) { out << n; });
  return out.str();
}

void assign(Option& option, const toml::node& node, const std::string& where) {
  if (std::visit(Assign{option, node}, option.field)) return;
  throw base::InputError(where + option.name() + " = " + node_text(node) + ": expected " +
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

// Its keys, if it has any, would say so themselves.
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

void read_options(std::string_view toml, std::string_view file, std::vector<Option>& options) {
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

void set_option(std::string_view assignment, std::vector<Option>& options, std::string where) {
  if (where.empty()) where = "--set " + std::string(assignment) + ": ";
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw base::InputError(where + "expected section.key=value");
  Option& option = find_option(std::string(assignment.substr(0, equals)), options, where);
  const std::string value(assignment.substr(equals + 1));
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
    out += option.key + " = " + std::visit(ValueText{}, option.field) + "\n";
  }
  return out;
}

nlohmann::ordered_json describe_options(const std::vector<Option>& options) {
  nlohmann::ordered_json sections;
  for (const auto& option : options) {
    const auto* text = std::get_if<std::string*>(&option.field);
    sections[option.section][option.key] = {
        {"value", text != nullptr
                      ? nlohmann::ordered_json(**text)
                      : nlohmann::ordered_json::parse(std::visit(ValueText{}, option.field))},
        {"expected", expectation(option)},
        {"help", option.help}};
  }
  return sections;
}

}  // namespace training
