#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/command.h"
#include "app/play/board_view.h"
#include "base/errors.h"
#include "rules/perft.h"
#include "rules/position.h"
#include "rules/rule_details.h"
#include "rules/rule_file.h"
#include "rules/rule_report.h"

namespace app {
namespace {

constexpr int kPerftPlies = 4;
constexpr std::uint64_t kSeed = 1;  // of the random games

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
  const rules::Position start = rules::Position::start(rules, 0);
  const std::vector<std::string> sentences = rules::sentences(rules);
  const rules::GameTrial trial = rules::try_out(rules, common.seed.value_or(kSeed));
  const std::vector<std::string> suspicious = rules::suspicions(rules, trial);
  std::vector<std::uint64_t> perft;
  for (int depth = 1; depth <= kPerftPlies; ++depth) perft.push_back(rules::perft(start, depth));
  std::string text = rules.title() + "\n\n";
  for (const std::string& sentence : sentences) text += sentence + "\n";
  text += "\n" + render(start) + fmt::format("\nperft {}\n", fmt::join(perft, ", "));
  text += fmt::format("a random game: {}\n", fmt::join(trial.first, " "));
  text += fmt::format("{} random games: {:.0f} plies on average", rules::GameTrial::kGames,
                      trial.plies);
  for (int i = rules::kOutcomes - 1; i >= 0; --i) {
    const int count = trial.ends[static_cast<std::size_t>(i)];
    if (count > 0) text += fmt::format(", {} {}", name(static_cast<rules::Outcome>(i)), count);
  }
  text += "\n";
  for (const std::string& sentence : suspicious) text += "suspicious: " + sentence + "\n";
  if (suspicious.empty()) text += "nothing suspicious\n";
  return print(common,
               {{"title", rules.title()},
                {"name", rules.name()},
                {"sentences", sentences},
                {"start", start.to_fen()},
                {"starts", starts_of(rules)},
                {"perft", perft},
                {"random_game", trial.first},
                {"outcomes", trial.ends},
                {"suspicious", suspicious}},
               text);
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
