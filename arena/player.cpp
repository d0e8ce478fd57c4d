#include "arena/player.h"

#include "arena/alpha_beta.h"
#include "arena/search_player.h"
#include "arena/simple_players.h"
#include "arena/uci_player.h"
#include "base/errors.h"
#include "base/numbers.h"
#include "mcts/evaluator.h"
#include "rules/error.h"

namespace arena {
namespace {

// The whole of `text` as a number in [low, high]; otherwise InputError naming `spec`.
int number(std::string_view spec, std::string_view text, int low, int high) {
  const auto value = base::parse_number<int>(text);
  if (!value || *value < low || *value > high) {
    throw base::InputError("player '" + std::string(spec) + "': '" + std::string(text) +
                           "', expected a number from " + std::to_string(low) + " to " +
                           std::to_string(high));
  }
  return *value;
}

// Takes `head` off the front of `text`, if it is there.
bool take(std::string_view& text, std::string_view head) {
  if (!text.starts_with(head)) return false;
  text.remove_prefix(head.size());
  return true;
}

// Takes `key=NUMBER:` off the front of `text`, if it is there.
std::optional<int> take_number(std::string_view spec, std::string_view& text, std::string_view key,
                               int high) {
  if (!take(text, key)) return std::nullopt;
  const auto end = text.find(':');
  if (end == std::string_view::npos) {
    throw base::InputError("player '" + std::string(spec) +
                           "': expected a ':' after the number of " + std::string(key));
  }
  const int value = number(spec, text.substr(0, end), 1, high);
  text.remove_prefix(end + 1);
  return value;
}

// Takes `table=T:` off the front of `text`, if it is there.
std::optional<rules::ScoringTable> take_table(std::string_view spec, std::string_view& text,
                                              const ReadTable& read_table) {
  if (!take(text, "table=")) return std::nullopt;
  const auto end = text.find(':');
  const std::string where = "player '" + std::string(spec) + "': ";
  if (end == std::string_view::npos) {
    throw base::InputError(where + "expected a ':' after the scoring table");
  }
  const std::string table(text.substr(0, end));
  text.remove_prefix(end + 1);
  try {
    return read_table(table);
  } catch (const rules::RulesError& error) {
    throw base::InputError(where + error.what());
  }
}

UciOptions uci_options(std::string_view spec, const ReadTable& read_table) {
  UciOptions options;
  options.name = spec;
  std::string_view rest = spec;
  options.fairy = take(rest, "uci-fairy:");
  if (!options.fairy) take(rest, "uci:");
  int think = 100;
  int patience = 10;
  for (;;) {
    if (const auto nodes = take_number(spec, rest, "nodes=", 2'000'000'000)) {
      options.go = "nodes " + std::to_string(*nodes);
      think = 0;
    } else if (const auto time = take_number(spec, rest, "movetime=", 3'600'000)) {
      options.go = "movetime " + std::to_string(*time);
      think = *time;
    } else if (const auto timeout = take_number(spec, rest, "timeout=", 3600)) {
      patience = *timeout;
    } else if (const auto table = take_table(spec, rest, read_table)) {
      options.table = table;
    } else {
      break;
    }
  }
  split_command(rest);  // says what is wrong with it now, not when the match begins
  options.command = rest;
  options.budget = std::chrono::milliseconds(think) + std::chrono::seconds(patience);
  return options;
}

}  // namespace

std::optional<PlayerFactory> baseline_player(std::string_view spec, const ReadTable& read_table) {
  std::string_view rest = spec;
  if (spec == "random") return [] { return std::make_unique<RandomPlayer>(); };
  if (spec == "greedy") return [] { return std::make_unique<GreedyPlayer>(); };
  if (take(rest, "alphabeta:")) {
    const int depth = number(spec, rest, 1, 30);
    return [depth] { return std::make_unique<AlphaBetaPlayer>(depth); };
  }
  if (take(rest, "uniform:")) {
    SearchPlayerOptions options;
    options.name = spec;
    options.simulations = number(spec, rest, 1, 1'000'000);
    options.search.solver = true;
    return [options] {
      return std::make_unique<SearchPlayer>(std::make_unique<mcts::UniformEvaluator>(), options);
    };
  }
  if (spec.starts_with("uci:") || spec.starts_with("uci-fairy:")) {
    const UciOptions options = uci_options(spec, read_table);
    return [options] { return std::make_unique<UciPlayer>(options); };
  }
  return std::nullopt;
}

}  // namespace arena
