#pragma once
// Games from files: TOML that changes a rule set key by key (docs/your_own_game.md).

#include <string>
#include <string_view>
#include <vector>

#include "rules/rule_set.h"

namespace rules {

// Reads the file. A game that comes along under a name is that set. Throws RulesError, which names
// file, line, key and what is expected.
RuleSet read_game_file(const std::string& path);
// The same from the file's text, whoever sent it: no file is read, so that it may be
// based on rule sets alone. `where` is the file's name in messages.
RuleSet read_game_text(std::string_view text, const std::string& where);
// Reads RuleSet::name() of a game from a file; no file is read.
RuleSet read_game_name(std::string_view name);

// The game as a file: all keys, or those that differ from Chess#'s.
std::string game_file_text(RuleSet rules, bool all);

// What a file may say, for help and for the editor.
struct GameKey {
  std::string section, key;
  std::string value;     // of the set, as a file has it
  std::string expected;  // of its value
  std::string help;
};
std::vector<GameKey> game_keys(RuleSet rules = {});

}  // namespace rules
