#include "app/commands/parts/match_file.h"

#include <string_view>

#include "base/errors.h"
#include "base/files.h"
#include "base/json.h"
#include "rules/notation.h"

namespace app {
namespace {

using arena::MatchGame;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr const char* kNotOurs = "expected a match that --resume has kept";

ordered_json to_json(const MatchGame& game) {
  std::string moves;
  for (const rules::Move move : game.moves)
    moves += (moves.empty() ? "" : " ") + rules::to_uci(move);
  ordered_json json{{"game", game.number},
                    {"start", game.start.to_fen()},
                    {"moves", moves},
                    {"opening_plies", game.opening_plies},
                    {"outcome", rules::name(game.outcome)}};
  for (const auto& of : game.stand_ins) json["stand_ins"].push_back({of.no_move, of.illegal});
  if (!game.forfeit.empty()) json["forfeit"] = game.forfeit;
  if (game.by_tablebase) json["by_tablebase"] = true;
  return json;
}

rules::Outcome outcome_named(const std::string& name) {
  for (int i = 0; i < rules::kOutcomes; ++i) {
    if (rules::name(static_cast<rules::Outcome>(i)) == name) return static_cast<rules::Outcome>(i);
  }
  throw base::InputError("outcome '" + name + "': expected one of the seven");
}

// Throws InputError, rules::RulesError or nlohmann's exceptions where it is no game that ended.
MatchGame game_from(const ordered_json& json, rules::RuleSet rules,
                    const rules::ScoringTable& table) {
  const std::string moves = json.at("moves").get<std::string>();
  const std::string start = json.at("start").get<std::string>();
  const rules::Line line =
      rules::parse_line(start + (moves.empty() ? "" : " moves " + moves), rules);
  MatchGame game;
  game.number = json.at("game").get<int>();
  game.a_is_white = game.number % 2 == 0;
  game.start = line.start;
  game.moves = line.moves;
  game.opening_plies = json.at("opening_plies").get<int>();
  game.outcome = outcome_named(json.at("outcome").get<std::string>());
  game.forfeit = json.value("forfeit", "");
  game.by_tablebase = json.value("by_tablebase", false);
  for (const std::size_t player : {0u, 1u}) {
    const ordered_json& counts = json.at("stand_ins").at(player);
    game.stand_ins[player] = {counts.at(0).get<int>(), counts.at(1).get<int>()};
  }
  const bool adjudicated = !game.forfeit.empty() || game.by_tablebase;
  if (game.number < 0 || (!adjudicated && line.outcome(table) != game.outcome)) {
    throw base::InputError("the moves do not come to the outcome " +
                           std::string(rules::name(game.outcome)));
  }
  return game;
}

// Throws InputError where the file's first line is none of ours or holds other settings.
void require_same(const ordered_json& held, const ordered_json& asked) {
  if (!held.is_object() || held.value("format_version", 0) != kVersion || !held.contains("match")) {
    throw base::InputError(kNotOurs);
  }
  for (const auto& [key, value] : asked.items()) {
    const ordered_json other = held.at("match").value(key, ordered_json());
    if (other == value) continue;
    throw base::InputError("holds a match with " + key + " " + other.dump() + ", expected " +
                           value.dump() + "; name another file, or resume with the same settings");
  }
}

}  // namespace

MatchFile::MatchFile(const fs::path& path, const ordered_json& settings, rules::RuleSet rules,
                     const rules::ScoringTable& table)
    : lock_(fs::weakly_canonical(path)), file_(path) {
  if (!lock_.is_held()) {
    throw base::EnvironmentError(path.string() + ": another process plays this match");
  }
  const std::string header =
      ordered_json{{"format_version", kVersion}, {"match", settings}}.dump() + "\n";
  const std::string text = base::read_file(path).value_or("");
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1 is 0
  if (whole == 0 && !header.starts_with(text))
    throw base::InputError(path.string() + ": " + kNotOurs);
  int number = 0;
  for (std::size_t at = 0; at < whole;) {
    const std::size_t end = text.find('\n', at);
    const auto line = base::parse<ordered_json>(std::string_view(text).substr(at, end - at));
    at = end + 1;
    const std::string where = path.string() + ":" + std::to_string(++number) + ": ";
    try {
      number == 1 ? require_same(line, settings) : games.push_back(game_from(line, rules, table));
    } catch (const nlohmann::json::exception&) {
      throw base::InputError(where + kNotOurs);
    } catch (const std::runtime_error& error) {
      throw base::InputError(where + error.what());
    }
  }
  if (whole < text.size()) fs::resize_file(path, whole);
  if (number == 0) file_.append(header);
}

void MatchFile::append(const MatchGame& game) { file_.append(to_json(game).dump() + "\n"); }

}  // namespace app
