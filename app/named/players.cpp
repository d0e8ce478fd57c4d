#include "app/named/players.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <sstream>
#include <string_view>
#include <vector>

#include "app/machine.h"
#include "app/named/paths.h"
#include "app/named/scoring_table.h"
#include "arena/alphabeta_player.h"
#include "arena/network_player.h"
#include "base/errors.h"
#include "base/memory.h"
#include "nn/encoder.h"
#include "nn/weights.h"
#include "training/settings/options.h"

namespace app {
namespace {

std::filesystem::path path_of(const std::string& network) {
  return network.empty() ? default_network() : std::filesystem::path(network);
}

}  // namespace

nn::NetworkFile load_network(const std::string& name) { return nn::load_network(path_of(name)); }

void require_rules(const rules::Repertoire& trained, const std::string& name,
                   rules::RuleSet rules) {
  if (trained.contains(rules)) return;
  throw base::InputError(path_of(name).string() + ": a network for the rule set " +
                         trained.title() + ", expected one for " + rules.title() + " (--rules)");
}

namespace {

bool any_rules_allowed = false;

// `fits`: the network's inputs and moves are those of the rules.
void take(rules::Repertoire& trained, const std::string& name, rules::RuleSet rules, bool fits) {
  if (trained.contains(rules)) return;
  if (!any_rules_allowed || !fits) require_rules(trained, name, rules);
  spdlog::warn("{}: learned {}, and plays {} all the same", path_of(name).string(), trained.title(),
               rules.title());
  trained = rules;
}

}  // namespace

void allow_any_rules() { any_rules_allowed = true; }

void take_rules(nn::NetworkFile& network, const std::string& name, rules::RuleSet rules) {
  const bool fits = nn::Encoder(rules::Repertoire(rules)).shape() == network.config.shape;
  take(network.repertoire, name, rules, fits);
}

void take_rules(nn::NnueFile& nnue, const std::string& name, rules::RuleSet rules) {
  take(nnue.repertoire, name, rules, rules.entry != rules::Entry::kCard);
}

void require_network(const std::string& name, rules::RuleSet rules) {
  if (nn::is_nnue(path_of(name))) {
    nn::NnueFile nnue = nn::load_nnue(path_of(name));
    take_rules(nnue, name, rules);
  } else {
    nn::NetworkFile network = load_network(name);
    take_rules(network, name, rules);
  }
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

// A player's name, PATH:key=value,…, taken apart.
struct Name {
  explicit Name(const std::string& name) : whole(name), path(name) {
    const std::size_t colon = name.rfind(':');
    if (colon == std::string::npos || name.find('=', colon) == std::string::npos) return;
    path = name.substr(0, colon);
    settings = name.substr(colon + 1);
  }

  // Reads the settings into what `into.visit` declares, and `into.table`.
  template <class Settings>
  void read(Settings& into) const {
    std::vector<training::Option> options;
    into.visit(training::OptionGatherer("", options));
    const std::string where = "player '" + whole + "': ";
    for (const std::string& setting : split_at_keys(settings, options)) {
      if (setting.starts_with(kTable)) {
        into.table = setting.substr(kTable.size());
      } else if (setting.find('=') == std::string::npos) {
        throw base::InputError(where + "'" + setting + "': expected key=value");
      } else {
        training::set_option(setting, options, where);
      }
    }
  }
  bool is_nnue() const { return nn::is_nnue(path); }

  std::string whole, path, settings;
};

constexpr const char* kTableHelp = "the scoring table that it takes to be the match's";

// What the name of a network says of how it plays.
struct NetworkSettings {
  int sims = 0;  // 0: not given
  int movetime = 0;
  std::string precision = "auto";
  std::string table;  // empty: the match's
  arena::NetworkPlayerOptions how;

  explicit NetworkSettings(const Name& name) {
    name.read(*this);
    if (how.limits.explore && movetime > 0) {
      throw base::InputError("player '" + name.whole +
                             "': explore and movetime: expected one of them");
    }
  }
  // No nodes where the command says how many.
  tactics::SearchLimits limits() const {
    tactics::SearchLimits limits = how.limits;
    limits.nodes = static_cast<std::uint64_t>(sims);
    if (movetime > 0) limits.move_time_ms = movetime;
    return limits;
  }
  template <class Visitor>
  void visit(Visitor&& v) {
    v("sims", sims, 1, 1000000000, "simulations a move");
    v("movetime", movetime, 1, 3600000,
      "milliseconds a move, and no limit of simulations but sims");
    v("evals", how.limits.evaluations, 0, 1000000000,
      "the most network evaluations a move; 0: no limit");
    v("explore", how.limits.explore,
      "as the searches of self-play that teach: noise at the root and forced playouts, or Gumbel");
    v("precision", precision, {"auto", "fp32", "bf16", "fp16", "int8"},
      "the network's precision; auto: the fastest here that is accurate");
    v("table", table, kTableHelp);
    how.search.visit(v);
  }
};

// What the name of an NNUE says of how it plays.
struct NnueSettings {
  static constexpr int kNodes = 10000;  // where nothing is said
  int nodes = 0;                        // 0: not given
  int movetime = 0;
  int hash = 16;
  int threads = 1;
  float temperature = 0;
  std::string table;  // empty: the match's

  explicit NnueSettings(const Name& name) { name.read(*this); }
  tactics::SearchLimits limits() const {
    tactics::SearchLimits limits;
    limits.nodes = static_cast<std::uint64_t>(nodes == 0 && movetime == 0 ? kNodes : nodes);
    if (movetime > 0) limits.move_time_ms = movetime;
    return limits;
  }
  template <class Visitor>
  void visit(Visitor&& v) {
    v("nodes", nodes, 1, 1000000000, "nodes a move; 10000 where no movetime is given either");
    v("movetime", movetime, 1, 3600000, "milliseconds a move, and no limit of nodes but nodes");
    v("hash", hash, 1, 65535, "MiB of the transposition table");
    v("threads", threads, 1, 1024, "threads that search one game together");
    v("temperature", temperature, 0, 10,
      "0: the best move; more: one of the best, drawn the more freely");
    v("table", table, kTableHelp);
  }
};

// `text` as T of the command line; where it is none the error names the player.
rules::ScoringTable believed_table(const std::string& player, const std::string& text,
                                   rules::RuleSet rules) {
  try {
    return scoring_table(text, rules);
  } catch (const std::runtime_error& error) {
    throw base::InputError("player '" + player + "': " + error.what());
  }
}

// A residual network, which is sharpzero-net's work. Throws base::InputError where there is none.
void need_network(const Name& name, const CommonOptions& options) {
  if (!std::filesystem::exists(name.path)) {
    throw base::InputError("player '" + name.whole +
                           "': expected a network (a checkpoint, a run or a file), an NNUE, " +
                           "random, greedy, alphabeta:DEPTH, uniform:SIMULATIONS, uci:COMMAND or "
                           "uci-fairy:COMMAND");
  }
  options.need_net();
}

arena::PlayerFactory tree_player(const Name& name, int simulations, const CommonOptions& options,
                                 rules::RuleSet rules) {
  need_network(name, options);
  const NetworkSettings settings(name);
  arena::NetworkPlayerOptions how = settings.how;
  how.name = name.whole;
  how.device = device(options);
  how.precision = nn::requested_precision("precision", settings.precision, how.device);
  how.limits = settings.limits();
  if (how.limits.nodes == 0 && !how.limits.move_time_ms) {
    how.limits.nodes = static_cast<std::uint64_t>(simulations);
  }
  if (!settings.table.empty()) how.table = believed_table(name.whole, settings.table, rules);
  nn::NetworkFile network = nn::load_network(name.path);
  take_rules(network, name.path, rules);
  return arena::network_player(network, how);
}

// The MiB that the tables of a player's games may take in one thread, where both players have some
// in each; says where that is less than was asked for one table.
int memory_mib(const std::string& player, int asked, int threads) {
  const int shares = 2 * threads;
  const int each = std::max(1, base::MemoryClaim(std::numeric_limits<int>::max()).mib() / shares);
  if (each < asked) {
    std::cerr << "player '" << player << "': hash=" << asked << ": there is memory for " << shares
              << " tables of " << each << " MiB, which it takes\n";
  }
  return each;
}

arena::PlayerFactory nnue_player(const Name& name, const CommonOptions& options,
                                 rules::RuleSet rules) {
  const NnueSettings settings(name);
  arena::AlphaBetaPlayerOptions how;
  how.name = name.whole;
  how.limits = settings.limits();
  how.hash_mib = settings.hash;
  how.memory_mib = memory_mib(name.whole, settings.hash, threads(options));
  how.threads = settings.threads;
  how.temperature = static_cast<double>(settings.temperature);
  if (!settings.table.empty()) how.table = believed_table(name.whole, settings.table, rules);
  nn::NnueFile nnue = nn::load_nnue(name.path);
  take_rules(nnue, name.path, rules);
  return [how, weights = nn::weights_to_play(nnue.weights)] {
    return std::make_unique<arena::AlphaBetaPlayer>(weights, how);
  };
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
  const Name named(name);
  return named.is_nnue() ? nnue_player(named, options, rules)
                         : tree_player(named, simulations, options, rules);
}

std::optional<studies::MoveBudget> budget_in(const std::string& name, const CommonOptions& options,
                                             rules::RuleSet rules) {
  if (baseline(name, rules)) return std::nullopt;
  const Name named(name);
  const auto budget_of = [](const tactics::SearchLimits& limits) {
    studies::MoveBudget budget;
    if (limits.nodes > 0) budget.simulations = static_cast<int>(limits.nodes);
    if (limits.move_time_ms) budget.time_ms = static_cast<int>(*limits.move_time_ms);
    return budget;
  };
  if (named.is_nnue()) return budget_of(NnueSettings(named).limits());
  need_network(named, options);
  const NetworkSettings settings(named);
  nn::requested_precision("precision", settings.precision, device(options));
  return budget_of(settings.limits());
}

std::optional<std::uint64_t> weights_of(const std::string& name, rules::RuleSet rules) {
  if (baseline(name, rules)) return std::nullopt;
  const Name named(name);
  if (named.is_nnue()) return nn::fingerprint(nn::load_nnue(named.path).weights);
  return nn::fingerprint(nn::load_network(named.path).weights);
}

void warn_of_one_opening(const arena::MatchConfig& match) {
  if (!match.begins_alike()) return;
  std::cerr << "warning: --opening-plies 0: all games begin alike, so players without chance play "
               "one pair of games again and again\n";
}

}  // namespace app
