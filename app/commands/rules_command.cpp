#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/command.h"
#include "app/play/board_view.h"
#include "app/protocols/game_report.h"
#include "base/errors.h"
#include "rules/position.h"
#include "rules/rule_file.h"

namespace app {
namespace {

constexpr int kPerftPlies = 4;
constexpr std::uint64_t kRandomGames = 1;  // the seed

struct Rules final : Command {
  std::string action = option(
      action,
      CommandOption("action", "", "what to do").one_of({"check", "file", "keys"}).mandatory());
  std::string game = option(
      game, {"game", "GAME", "a rule set, or a file such as my_game.toml (docs/your_own_game.md)"});

  Rules()
      : Command(
            "rules", "check a game of one's own, or write one's file",
            "check tells the game in sentences, with its start, perft 1 to 4, a random game and "
            "what is suspicious.\n"
            "file prints the game's file with all keys, to change.\n"
            "keys lists what a file may say.") {}
  int run(const CommonOptions& common) const override;
};

int list_keys(const CommonOptions& common) {
  nlohmann::ordered_json answer = nlohmann::ordered_json::array();
  std::string text, section;
  for (const rules::GameKey& each : rules::game_keys()) {
    answer.push_back({{"section", each.section},
                      {"key", each.key},
                      {"expected", each.expected},
                      {"help", each.help}});
    if (each.section != section) text += fmt::format("\n[{}]\n", section = each.section);
    text += fmt::format("{:<20} {}{}{}\n", each.key, each.help, each.help.empty() ? "" : ": ",
                        each.expected);
  }
  return print(common, answer, text.substr(1));
}

int check(rules::RuleSet rules, const CommonOptions& common) {
  const GameReport report = report_on(rules, 1, kPerftPlies, common.seed.value_or(kRandomGames));
  const rules::GameTrial& trial = report.trial;
  std::string text = report.title + "\n\n";
  for (const std::string& sentence : report.sentences) text += sentence + "\n";
  text += "\n" + render(rules::Position::start(rules, 0)) +
          fmt::format("\nperft {}\n", fmt::join(report.perft, ", "));
  text += fmt::format("a random game: {} ({})\n", fmt::join(trial.first, " "),
                      trial.first_end ? name(*trial.first_end) : "not ended");
  text += fmt::format("{} random games: {:.0f} plies on average", rules::GameTrial::kGames,
                      trial.plies);
  for (int i = rules::kOutcomes - 1; i >= 0; --i) {
    const int count = trial.ends[static_cast<std::size_t>(i)];
    if (count > 0) text += fmt::format(", {} {}", name(static_cast<rules::Outcome>(i)), count);
  }
  text += "\n";
  for (const std::string& sentence : report.suspicious) text += "suspicious: " + sentence + "\n";
  if (report.suspicious.empty()) text += "nothing suspicious\n";
  return print(common, game_report_json(report), text);
}

int Rules::run(const CommonOptions& common) const {
  if (action == "keys") return list_keys(common);
  if (game.empty()) throw base::InputError("rules " + action + ": expected a rule set or a file");
  const rules::RuleSet rules = rules::RuleSet::parse_or_read(game);
  if (action == "check") return check(rules, common);
  const std::string text = rules::game_file_text(rules, /*all=*/true);
  return print(common, {{"file", text}}, text);
}

}  // namespace

std::unique_ptr<Command> rules_command() { return std::make_unique<Rules>(); }

}  // namespace app
