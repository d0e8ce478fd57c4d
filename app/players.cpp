#include "app/players.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string_view>
#include <vector>

#include "app/paths.h"
#include "app/scoring_table.h"
#include "arena/network_player.h"
#include "base/errors.h"
#include "nn/device.h"
#include "nn/weights.h"
#include "training/options.h"

namespace app {
namespace {

std::filesystem::path path_of(const std::string& network) {
  return network.empty() ? default_network() : std::filesystem::path(network);
}

}  // namespace

nn::NetworkFile load_network(const std::string& name) { return nn::load_network(path_of(name)); }

void require_rules(const nn::NetworkFile& network, const std::string& name, rules::RuleSet rules) {
  if (network.repertoire.contains(rules)) return;
  throw base::InputError(path_of(name).string() + ": a network for the rule set " +
                         network.repertoire.name() + ", expected one for " + rules.name() +
                         " (--rules)");
}

namespace {

constexpr std::string_view kTable = "table=";

// key=value,…: what follows `table=` belongs to it up to the next of the keys.
std::vector<std::string> split_at_keys(const std::string& text,
                                       const std::vector<training::Option>& keys) {
  std::vector<std::string> settings;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::string key = part.substr(0, part.find('='));
    const bool in_table = !settings.empty() && settings.back().starts_with(kTable) &&
                          std::ranges::find(keys, key, &training::Option::key) == keys.end();
    in_table ? void(settings.back() += "," + part) : settings.push_back(part);
  }
  return settings;
}

// A network player's name, PATH:key=value,…, taken apart.
struct NamedNetwork {
  std::string path;
  int sims = 0;  // 0: not given
  int movetime = 0;
  std::string precision = "auto";
  std::string table;  // empty: the match's
  arena::NetworkPlayerOptions how;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("sims", sims, 1, 1000000000, "simulations a move");
    v("movetime", movetime, 1, 3600000,
      "milliseconds a move, and no limit of simulations but sims");
    v("evals", how.evaluations, 0, 1000000000, "the most network evaluations a move; 0: no limit");
    v("explore", how.explore,
      "as the searches of self-play that teach: noise at the root and forced playouts, or Gumbel");
    v("precision", precision, {"auto", "fp32", "bf16", "fp16", "int8"},
      "the network's precision; auto: the fastest here that is accurate");
    v("table", table, "the scoring table that it takes to be the match's");
    how.search.visit(v);
  }
};

NamedNetwork take_apart(const std::string& name) {
  NamedNetwork network;
  const std::size_t colon = name.rfind(':');
  const bool has_settings =
      colon != std::string::npos && name.find('=', colon) != std::string::npos;
  network.path = has_settings ? name.substr(0, colon) : name;
  if (!has_settings) return network;
  std::vector<training::Option> options;
  network.visit(training::OptionGatherer("", options));
  const std::string where = "player '" + name + "': ";
  for (const std::string& setting : split_at_keys(name.substr(colon + 1), options)) {
    if (setting.starts_with(kTable)) {
      network.table = setting.substr(kTable.size());
    } else if (setting.find('=') == std::string::npos) {
      throw base::InputError(where + "'" + setting + "': expected key=value");
    } else {
      training::set_option(setting, options, where);
    }
  }
  if (network.how.explore && network.movetime > 0) {
    throw base::InputError(where + "explore and movetime: expected one of them");
  }
  return network;
}

// `text` as T of the command line; where it is none the error names the player.
rules::ScoringTable believed_table(const std::string& player, const std::string& text,
                                   rules::RuleSet rules) {
  try {
    return scoring_table(text, rules);
  } catch (const std::runtime_error& error) {
    throw base::InputError("player '" + player + "': " + error.what());
  }
}

arena::NetworkPlayerOptions options_of(const std::string& name, const NamedNetwork& network,
                                       int simulations, const CommonOptions& options,
                                       rules::RuleSet rules) {
  constexpr int kUnlimited = 1000000000;
  arena::NetworkPlayerOptions how = network.how;
  how.name = name;
  how.device = nn::resolve_device(options.device);
  how.precision = nn::requested_precision("precision", network.precision, how.device);
  how.simulations = network.movetime > 0 ? kUnlimited : simulations;
  if (network.sims > 0) how.simulations = network.sims;
  how.move_time = std::chrono::milliseconds(network.movetime);
  if (!network.table.empty()) how.table = believed_table(name, network.table, rules);
  return how;
}

// A player that needs no network; empty for others.
std::optional<arena::PlayerFactory> baseline(const std::string& name, rules::RuleSet rules) {
  return arena::baseline_player(
      name, [&](const std::string& text) { return scoring_table(text, rules); });
}

}  // namespace

arena::PlayerFactory player(const std::string& name, int simulations, const CommonOptions& options,
                            rules::RuleSet rules) {
  if (auto found = baseline(name, rules)) return *found;
  const NamedNetwork named = take_apart(name);
  const auto how = options_of(name, named, simulations, options, rules);
  if (!std::filesystem::exists(named.path)) {
    throw base::InputError("player '" + name +
                           "': expected a network (a checkpoint, a run or a file), " +
                           "random, greedy, alphabeta:DEPTH, uniform:SIMULATIONS, uci:COMMAND or "
                           "uci-fairy:COMMAND");
  }
  const nn::NetworkFile network = nn::load_network(named.path);
  require_rules(network, named.path, rules);
  return arena::network_player(network, how);
}

std::optional<MoveBudget> budget_in(const std::string& name, const CommonOptions& options,
                                    rules::RuleSet rules) {
  if (baseline(name, rules)) return std::nullopt;
  const NamedNetwork network = take_apart(name);
  nn::requested_precision("precision", network.precision, nn::resolve_device(options.device));
  MoveBudget budget;
  if (network.sims > 0) budget.simulations = network.sims;
  if (network.movetime > 0) budget.time_ms = network.movetime;
  return budget;
}

std::optional<std::uint64_t> weights_of(const std::string& name, rules::RuleSet rules) {
  if (baseline(name, rules)) return std::nullopt;
  return nn::fingerprint(nn::load_network(take_apart(name).path).weights);
}

void warn_of_one_opening(const arena::MatchConfig& match) {
  if (!match.begins_alike()) return;
  std::cerr << "warning: --opening-plies 0: all games begin alike, so players without chance play "
               "one pair of games again and again\n";
}

}  // namespace app
