#pragma once
// Options as data: a list of what the visit() methods of the config structs declare, from which
// reading, checking and printing derive.

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace training {

// One declared option. Points into the config object it was gathered from.
struct Option {
  std::string section;  // empty: the key stands alone
  std::string key;
  std::variant<int*, std::int64_t*, float*, double*, bool*, std::string*> field;
  double min = 0, max = 0;           // numbers: both included
  std::vector<std::string> allowed;  // strings: empty where any text will do
  std::string help;

  std::string name() const { return section.empty() ? key : section + "." + key; }
};

// The visitor of the visit() methods: v(key, number, min, max, help), v(key, bool or string, help)
// or v(key, string, {allowed, …}, help).
class OptionGatherer {
 public:
  OptionGatherer(std::string section, std::vector<Option>& out)
      : section_(std::move(section)), out_(out) {}

  template <class Number>
  void operator()(std::string_view key, Number& field, std::type_identity_t<Number> min,
                  std::type_identity_t<Number> max, std::string_view help) {
    add(key, &field, help);
    out_.back().min = static_cast<double>(min);
    out_.back().max = static_cast<double>(max);
  }
  template <class Field>
  void operator()(std::string_view key, Field& field, std::string_view help) {
    add(key, &field, help);
  }
  void operator()(std::string_view key, std::string& field,
                  std::initializer_list<const char*> allowed, std::string_view help) {
    add(key, &field, help);
    out_.back().allowed.assign(allowed.begin(), allowed.end());
  }

 private:
  template <class Field>
  void add(std::string_view key, Field* field, std::string_view help) {
    out_.push_back({section_, std::string(key), field, 0, 0, {}, std::string(help)});
  }

  std::string section_;
  std::vector<Option>& out_;
};

// What a key of older programs is now; `value`: what takes the place of the old number.
struct RenamedKey {
  std::string name, now;  // "section.key"
  std::function<std::string(double old)> value;
};

// Sets the options that the TOML text names and leaves the others. Throws base::InputError with
// one line: file, line, key, value and what was expected; for an unknown key what it is now, or the
// nearest known one. `file` is only for messages.
void read_options(std::string_view toml, std::string_view file, std::vector<Option>& options,
                  const std::vector<RenamedKey>& renamed = {});

// Returns the names of the options that the TOML text sets. REQUIRES: text that read_options()
// accepts.
std::vector<std::string> names_in(std::string_view toml);
// Returns "file:line: ", where the text sets the option; "file: " where it does not. REQUIRES: the
// same.
std::string place_of(std::string_view name, std::string_view toml, std::string_view file);

// Sets an option by one "section.key=value" of the command line, checked likewise. `where` begins
// the messages; empty: "--set ASSIGNMENT: ".
void set_option(std::string_view assignment, std::vector<Option>& options, std::string where = "",
                const std::vector<RenamedKey>& renamed = {});

// Returns TOML that read_options() reads back to the same values; with help, each key under a
// comment with its meaning and range.
std::string print_options(const std::vector<Option>& options, bool with_help);

// Options whose values differ, as TOML. REQUIRES: lists of the same options.
struct OptionChange {
  std::string name, before, after;
};
std::vector<OptionChange> changes(const std::vector<Option>& before,
                                  const std::vector<Option>& after);

// Returns {section: {key: {"value", "expected", "help"}}}.
nlohmann::ordered_json describe_options(const std::vector<Option>& options);

// Returns the known name with the fewest edits (insert, remove, replace a character) from `name`.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace training
