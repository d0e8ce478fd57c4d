#include "app/protocols/analysis_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/named/scoring_table.h"
#include "base/command_option.h"
#include "base/errors.h"
#include "base/json.h"
#include "engine/engine.h"
#include "rules/error.h"
#include "rules/pgn.h"
#include "training/settings/options.h"

namespace app {
namespace {

using base::CommandOption;
using nlohmann::ordered_json;

constexpr std::size_t kLongestId = 1000;  // bytes
constexpr double kLeastReportEvery = 0.01;

// The fields of a request, or of an action.
const std::vector<std::string> kRequestFields{
    "id",    "fen",     "moves",   "pgn",   "rules", "table",        "plies",   "nodes",
    "depth", "seconds", "allowed", "avoid", "lines", "report_every", "priority"};
const std::vector<std::string> kActionFields{"id", "action", "of"};

void require_known(const ordered_json& asked, const std::vector<std::string>& known) {
  for (const auto& [field, value] : asked.items()) {
    if (std::ranges::find(known, field) != known.end()) continue;
    throw AnalysisRefusal(
        field, fmt::format("unknown field {} (nearest: {}), expected {}", rules::quoted(field),
                           training::nearest_name(field, known), fmt::join(known, ", ")));
  }
}

[[noreturn]] void refuse_field(const std::string& field, const std::string& expected) {
  throw AnalysisRefusal(field, fmt::format("{}: expected {}", field, expected));
}

// Runs what reads a field; what it throws becomes that field's refusal.
template <class Read>
auto read_field(const std::string& field, Read read) {
  try {
    return read();
  } catch (const rules::RulesError& error) {
    throw AnalysisRefusal(field, field + ": " + base::one_line(error.what()));
  } catch (const base::InputError& error) {
    throw AnalysisRefusal(field, field + ": " + error.what());
  }
}

// The value of a field; null where it is not given.
const ordered_json& value_in(const ordered_json& asked, const std::string& field) {
  static const ordered_json kNone;
  const auto found = asked.find(field);
  return found == asked.end() ? kNone : *found;
}

std::optional<std::string> text_in(const ordered_json& asked, const std::string& field) {
  const ordered_json& value = value_in(asked, field);
  if (value.is_null()) return std::nullopt;
  if (!value.is_string()) refuse_field(field, "text");
  return value.get<std::string>();
}

std::optional<std::int64_t> whole_in(const ordered_json& asked, const std::string& field,
                                     std::int64_t low, std::int64_t high) {
  const ordered_json& value = value_in(asked, field);
  if (value.is_null()) return std::nullopt;
  const bool whole = value.is_number_integer();
  const double number = whole ? value.get<double>() : 0;  // of any size
  if (!whole || number < static_cast<double>(low) || number > static_cast<double>(high)) {
    refuse_field(field, fmt::format("a whole number from {} to {}", low, high));
  }
  return value.get<std::int64_t>();
}

std::optional<double> seconds_in(const ordered_json& asked, const std::string& field,
                                 double least) {
  const ordered_json& value = value_in(asked, field);
  if (value.is_null()) return std::nullopt;
  if (!value.is_number() || value < least || value > CommandOption::kMostSeconds) {
    refuse_field(field, fmt::format("seconds, from {} to {}", least, CommandOption::kMostSeconds));
  }
  return value.get<double>();
}

// Words between spaces, or a list of them.
std::vector<std::string> words_in(const ordered_json& asked, const std::string& field) {
  const ordered_json& value = value_in(asked, field);
  std::vector<std::string> words;
  if (value.is_string()) {
    std::istringstream text(value.get<std::string>());
    for (std::string word; text >> word;) words.push_back(word);
  } else if (value.is_array()) {
    for (const ordered_json& word : value) {
      if (!word.is_string()) refuse_field(field, "moves as text, or a list of such");
      words.push_back(word.get<std::string>());
    }
  } else if (!value.is_null()) {
    refuse_field(field, "moves as text, or a list of such");
  }
  return words;
}

std::string id_in(const ordered_json& asked) {
  const auto id = text_in(asked, "id");
  if (!id || id->size() > kLongestId) {
    refuse_field("id", fmt::format("a text of at most {} bytes in every request", kLongestId));
  }
  return *id;
}

rules::ScoringTable table_of(rules::RuleSet rules, const AnalysisDefaults& defaults) {
  return rules == defaults.rules ? defaults.table : rules.table();
}

// The game that is asked for. A PGN may name its rules and its table.
void read_game(const ordered_json& asked, const AnalysisDefaults& defaults,
               AnalysisRequest& request) {
  if (const auto pgn = text_in(asked, "pgn")) {
    for (const char* const other : {"fen", "moves"}) {
      if (!value_in(asked, other).is_null()) refuse_field(other, "nothing beside pgn");
    }
    read_field("pgn", [&] {
      std::istringstream in(*pgn);
      rules::PgnReader reader(in, request.rules);
      const auto game = reader.next();
      if (!game || reader.next()) throw base::InputError("expected one game");
      request.rules = game->rules;
      request.table =
          game->table == game->rules.table() ? table_of(game->rules, defaults) : game->table;
      request.game = rules::Line(game->start, game->moves);
    });
    return;
  }
  const auto fen = text_in(asked, "fen");
  if (!fen && value_in(asked, "moves").is_null()) refuse_field("fen", "fen, moves or pgn");
  request.game = read_field("fen", [&] {
    return rules::Line(fen ? rules::Position::from_fen(*fen, request.rules)
                           : rules::Position::start(request.rules));
  });
  for (const std::string& word : words_in(asked, "moves")) {
    rules::Line& line = request.game;
    read_field("moves", [&] {
      const std::size_t number = line.moves.size() + 1;
      try {
        if (line.position.forced_outcome({})) {
          rules::refuse("move", word, "no move, for the game is over");
        }
        line.play(rules::parse_move(line.position, word));
      } catch (const rules::RulesError& error) {
        throw base::InputError(fmt::format("{}: {}", number, error.what()));
      }
    });
  }
}

// The plies that are asked for: "all", a list, or the last alone.
void read_plies(const ordered_json& asked, AnalysisRequest& request) {
  const ordered_json& value = value_in(asked, "plies");
  const std::size_t last = request.game.moves.size();
  if (value.is_null()) {
    request.positions = {{last}};
  } else if (value == "all") {
    for (std::size_t ply = 0; ply <= last; ++ply) request.positions.push_back({ply});
  } else {
    const std::string expected =
        fmt::format("\"all\" or a list of different whole numbers from 0 to {}", last);
    if (!value.is_array() || value.empty()) refuse_field("plies", expected);
    std::vector<bool> named(last + 1);
    for (const ordered_json& each : value) {
      const double ply = each.is_number_integer() ? each.get<double>() : -1;
      if (ply < 0 || ply > static_cast<double>(last)) refuse_field("plies", expected);
      request.positions.push_back({each.get<std::size_t>()});
      if (named[request.positions.back().ply]) refuse_field("plies", expected);
      named[request.positions.back().ply] = true;
    }
  }
}

// The moves of one position that are to be searched; empty where nothing is said.
std::vector<rules::Move> moves_to_search(const rules::Position& position,
                                         const std::vector<std::string>& allowed,
                                         const std::vector<std::string>& avoid) {
  const auto read = [&](const std::string& field, const std::vector<std::string>& words) {
    return read_field(field, [&] {
      std::vector<rules::Move> moves;
      for (const std::string& word : words) {
        const rules::Move move = rules::parse_move(position, word);
        if (std::ranges::find(moves, move) == moves.end()) moves.push_back(move);
      }
      return moves;
    });
  };
  std::vector<rules::Move> moves = read("allowed", allowed);
  const std::vector<rules::Move> avoided = read("avoid", avoid);
  if (moves.empty()) {
    const rules::MoveList legal = position.legal_moves();
    moves.assign(legal.begin(), legal.end());
  }
  std::erase_if(
      moves, [&](rules::Move move) { return std::ranges::find(avoided, move) != avoided.end(); });
  if (moves.empty()) refuse_field("avoid", "a move that is left in " + position.to_fen());
  return moves;
}

void read_moves_to_search(const ordered_json& asked, AnalysisRequest& request) {
  const std::vector<std::string> allowed = words_in(asked, "allowed");
  const std::vector<std::string> avoid = words_in(asked, "avoid");
  if (!value_in(asked, "allowed").is_null() && allowed.empty()) {
    refuse_field("allowed", "at least one move");
  }
  if (allowed.empty() && avoid.empty()) return;
  for (AskedPosition& each : request.positions) {
    const rules::Line there(request.game.start, std::span(request.game.moves).first(each.ply));
    if (there.outcome(request.table)) continue;
    if (there.position.is_chance()) {
      refuse_field(allowed.empty() ? "avoid" : "allowed",
                   fmt::format("nothing at ply {}, where a card is being drawn", each.ply));
    }
    each.moves = moves_to_search(there.position, allowed, avoid);
  }
}

// A limit of null is none, whatever the default.
void read_limits(const ordered_json& asked, AnalysisRequest& request) {
  constexpr std::int64_t kMostNodes = std::numeric_limits<std::int32_t>::max();
  tactics::SearchLimits& limits = request.limits;
  if (asked.contains("nodes")) {
    limits.nodes = static_cast<std::uint64_t>(whole_in(asked, "nodes", 1, kMostNodes).value_or(0));
  }
  if (asked.contains("depth")) {
    limits.depth = static_cast<int>(whole_in(asked, "depth", 1, 10000).value_or(0));
  }
  if (asked.contains("seconds")) {
    limits.move_time_ms.reset();
    if (const auto seconds = seconds_in(asked, "seconds", 0.001)) {
      limits.move_time_ms = 1000 * *seconds;
    }
  }
  if (limits.nodes == 0 && limits.depth == 0 && !limits.move_time_ms) {
    refuse_field("nodes", "a limit: nodes, depth or seconds (or --nodes, --depth, --seconds)");
  }
  if (const auto lines = whole_in(asked, "lines", 1, engine::kMostLines)) {
    limits.multi_pv = static_cast<int>(*lines);
  }
}

AnalysisRequest read_request(const ordered_json& asked, const AnalysisDefaults& defaults) {
  require_known(asked, kRequestFields);
  AnalysisRequest request;
  request.id = asked["id"];
  request.rules = defaults.rules;
  if (const auto rules = text_in(asked, "rules")) {
    request.rules = read_field("rules", [&] { return rules::RuleSet::parse(*rules); });
  }
  request.table = table_of(request.rules, defaults);
  read_game(asked, defaults, request);
  if (const auto table = text_in(asked, "table")) {
    request.table = read_field("table", [&] { return scoring_table(*table, request.rules); });
  }
  read_plies(asked, request);
  request.limits = defaults.limits;
  read_limits(asked, request);
  read_moves_to_search(asked, request);
  request.report_every = seconds_in(asked, "report_every", kLeastReportEvery);
  request.priority = static_cast<int>(
      whole_in(asked, "priority", -CommandOption::kMost, CommandOption::kMost).value_or(0));
  return request;
}

AnalysisAction read_action(const ordered_json& asked) {
  require_known(asked, kActionFields);
  using Kind = AnalysisAction::Kind;
  AnalysisAction action{asked["id"]};
  const std::string name = text_in(asked, "action").value_or("");
  if (name == "terminate") {
    action.kind = Kind::kTerminate;
  } else if (name == "clear") {
    action.kind = Kind::kClear;
  } else if (name != "version") {
    refuse_field("action", "terminate, clear or version");
  }
  action.of = text_in(asked, "of");
  if (action.of && action.kind != Kind::kTerminate) refuse_field("of", "nothing but for terminate");
  return action;
}

}  // namespace

std::variant<AnalysisRequest, AnalysisAction> read_analysis(std::string_view line,
                                                            const AnalysisDefaults& defaults) {
  const auto asked = base::parse<ordered_json>(line);
  if (!asked.is_object()) {
    throw AnalysisRefusal("", "expected a JSON object on one line, not " + rules::quoted(line));
  }
  const std::string id = id_in(asked);
  try {
    if (asked.contains("action")) return read_action(asked);
    return read_request(asked, defaults);
  } catch (AnalysisRefusal& refusal) {
    refusal.id = id;
    throw;
  }
}

}  // namespace app
