#pragma once
// What the declarations of commands share.

#include <CLI/CLI.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "app/options.h"

namespace app {

inline const CLI::Range kCount(1, 1000000000), kCountOrNone(0, 1000000000);

// A flag, text, texts that are repeated, or whole numbers of the range. The help tells the default,
// where there is one.
template <class T>
CLI::Option* add(CLI::App& command, const std::string& name, const std::string& type, T& value,
                 const std::string& help, const CLI::Range& range = kCount) {
  if constexpr (std::is_same_v<T, bool>) {
    return command.add_flag(name, value, help);
  } else {
    constexpr bool kTexts = std::is_same_v<T, std::vector<std::string>>;
    auto* option = command.add_option(name, value, help)->type_name(type);
    if (value != T{}) option->capture_default_str();
    if constexpr (kTexts) option->allow_extra_args(false);
    if constexpr (std::is_same_v<T, std::vector<int>>) option->delimiter(',');
    if constexpr (!kTexts && !std::is_same_v<T, std::string>) option->check(range);
    return option;
  }
}

// A text that is one of the words.
inline CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& value,
                               const std::string& help, const std::vector<std::string>& words) {
  return command.add_option(name, value, help)->check(CLI::IsMember(words))->capture_default_str();
}

inline constexpr const char* kStoreHelp = "the games are in a PostgreSQL store: postgresql://…";
inline constexpr const char* kRunInStoreHelp = "run in the store (default: the newest)";

// The commands of a store that several machines share.
void declare_actor(CLI::App& parser, ActorOptions& options);
void declare_status(CLI::App& parser, StatusOptions& options);
void declare_store(CLI::App& parser, StoreOptions& options);

}  // namespace app
