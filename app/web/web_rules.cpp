#include "app/web/web_rules.h"

#include "app/protocols/game_report.h"
#include "base/errors.h"
#include "rules/rule_details.h"
#include "rules/rule_file.h"

namespace app {
namespace {

using nlohmann::ordered_json;

constexpr const char* kGameFile = "my_game.toml";  // as messages and the page call it
constexpr int kStartsShown = 24;
constexpr int kPagePerft = 3;
constexpr std::uint64_t kPageGames = 1;  // the seed of the random games

ordered_json keys_json() {
  ordered_json bases = ordered_json::array(), keys = ordered_json::array();
  for (const auto& set : rules::kRuleSets) bases.push_back(set.name);
  for (const rules::GameKey& each : rules::game_keys()) {
    keys.push_back({{"section", each.section},
                    {"key", each.key},
                    {"expected", each.expected},
                    {"help", each.help}});
  }
  return {{"bases", bases}, {"keys", keys}};
}

ordered_json values_json(rules::RuleSet rules) {
  ordered_json values;
  for (const rules::GameKey& each : rules::game_keys(rules)) {
    values[each.section + "." + each.key] = each.value;
  }
  return values;
}

// A game that is looked at and then forgotten, unless somebody plays it.
struct CheckedGame {
  explicit CheckedGame(const std::string& text) : rules(rules::read_game_text(text, kGameFile)) {}
  CheckedGame(const CheckedGame&) = delete;
  CheckedGame& operator=(const CheckedGame&) = delete;
  ~CheckedGame() { rules::drop_game(rules); }

  const rules::RuleSet rules;
};

ordered_json checked(const std::string& text) {
  const CheckedGame game(text);
  const GameReport report = report_on(game.rules, kStartsShown, kPagePerft, kPageGames);
  ordered_json json = game_report_json(report);
  json["fens"] = report.starts;
  json["values"] = values_json(game.rules);
  return json;
}

}  // namespace

WebReply handle_rules(const std::string& method, const std::vector<std::string>& words,
                      const ordered_json& asked) {
  const std::string what = words.size() < 2 ? "" : words[1];
  if (method == "GET" && what == "keys" && words.size() == 2) return {200, keys_json()};
  if (method == "GET" && what == "file" && words.size() == 3) {
    return {200, {{"values", values_json(rules::RuleSet::parse(words[2]))}}};
  }
  if (method == "POST" && what == "check" && words.size() == 2) {
    return {200, checked(text_of(asked, "text"))};
  }
  throw Refusal{404, "there is nothing here"};
}

}  // namespace app
