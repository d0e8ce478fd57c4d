#include "app/players.h"

#include <filesystem>
#include <iostream>
#include <sstream>
#include <vector>

#include "app/paths.h"
#include "nn/device.h"
#include "selfplay/errors.h"
#include "selfplay/players/network_player.h"
#include "training/options.h"

namespace app {

using selfplay::InputError;

nn::NetworkFile load_network(const std::string& name) {
  return nn::load_network(name.empty() ? default_network() : std::filesystem::path(name));
}

void require_rules(const nn::NetworkFile& network, const std::string& where, rules::RuleSet rules) {
  if (network.repertoire.contains(rules)) return;
  throw InputError(where + ": a network for the rule set " + network.repertoire.name() +
                   ", expected one for " + rules.name() + " (--rules)");
}

namespace {

// A move's budget, as a player's settings name it.
struct Budget {
  int sims, evals;
  bool explore;
  std::string precision;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("sims", sims, 1, 1000000000, "simulations a move");
    v("evals", evals, 0, 1000000000, "the most network evaluations a move; 0: no limit");
    v("explore", explore,
      "as the searches of self-play that teach: noise at the root and forced playouts, or Gumbel");
    v("precision", precision, {"auto", "fp32", "bf16", "fp16", "int8"},
      "the network's precision; auto: the fastest here that is accurate");
  }
};

// Empty for "auto". Throws InputError where the device does not have it.
std::optional<nn::Precision> precision(const std::string& asked, const std::string& device) {
  if (asked == "auto") return std::nullopt;
  std::string known;
  for (const nn::Precision precision : nn::precisions_on(device)) {
    if (nn::name(precision) == asked) return precision;
    known += " " + nn::name(precision);
  }
  throw InputError("precision " + asked + ": expected on " + device + " one of" + known);
}

// Takes the settings off a player's name, PATH:key=value,…, and returns the path.
std::string split_settings(const std::string& name, selfplay::NetworkPlayerOptions& how) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos || name.find('=', colon) == std::string::npos) return name;
  Budget budget{how.simulations, how.evaluations, how.explore, "auto"};
  std::vector<training::Option> options;
  budget.visit(training::OptionGatherer("", options));
  how.search.visit(training::OptionGatherer("", options));
  std::istringstream settings(name.substr(colon + 1));
  for (std::string setting; std::getline(settings, setting, ',');) {
    const std::string where = "player '" + name + "': ";
    if (setting.find('=') == std::string::npos) {
      throw InputError(where + "'" + setting + "': expected key=value");
    }
    training::set_option(setting, options, where);
  }
  how.simulations = budget.sims;
  how.evaluations = budget.evals;
  how.explore = budget.explore;
  how.precision = precision(budget.precision, how.device);
  return name.substr(0, colon);
}

}  // namespace

selfplay::PlayerFactory player(const std::string& name, int simulations,
                               const CommonOptions& options, rules::RuleSet rules) {
  if (auto baseline = selfplay::baseline_player(name)) return *baseline;
  selfplay::NetworkPlayerOptions how;
  how.simulations = simulations;
  how.device = nn::resolve_device(options.device);
  const std::string file = split_settings(name, how);
  if (!std::filesystem::exists(file)) {
    throw InputError("player '" + name + "': expected a network (a checkpoint, a run or a file), " +
                     "random, greedy, alphabeta:DEPTH, uniform:SIMULATIONS, uci:COMMAND or "
                     "uci-fairy:COMMAND");
  }
  how.name = name;
  const nn::NetworkFile network = nn::load_network(file);
  require_rules(network, name, rules);
  return selfplay::network_player(network, how);
}

std::optional<int> simulations_in(const std::string& name, const CommonOptions& options) {
  if (selfplay::baseline_player(name)) return std::nullopt;
  constexpr int kNone = 0;  // no setting can be
  selfplay::NetworkPlayerOptions how;
  how.simulations = kNone;
  how.device = nn::resolve_device(options.device);
  split_settings(name, how);
  return how.simulations == kNone ? std::nullopt : std::optional(how.simulations);
}

void warn_of_one_opening(const selfplay::MatchConfig& match) {
  if (!match.begins_alike()) return;
  std::cerr << "warning: --opening-plies 0: all games begin alike, so players without chance play "
               "one pair of games again and again\n";
}

}  // namespace app
