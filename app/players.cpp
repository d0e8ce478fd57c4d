#include "app/players.h"

#include <toml++/toml.h>

#include <filesystem>
#include <sstream>

#include "app/paths.h"
#include "nn/device.h"
#include "selfplay/errors.h"
#include "selfplay/players/network_player.h"

namespace app {
namespace {

using selfplay::InputError;

// The table in a TOML file as a list of changes.
std::string changes_in(const std::string& file) {
  toml::table table;
  try {
    table = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    throw InputError(file + ":" + std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
  std::ostringstream changes;
  for (const auto& [key, value] : table) {
    if (!value.is_number()) {
      throw InputError(file + ":" + std::to_string(value.source().begin.line) + ": " +
                       std::string(key.str()) + ": expected a number");
    }
    changes << (changes.tellp() > 0 ? "," : "") << key.str() << "="
            << *value.value<double>();
  }
  return changes.str();
}

}  // namespace

nn::NetworkFile network(const std::string& name) {
  return nn::load_network(name.empty() ? default_network() : std::filesystem::path(name));
}

selfplay::PlayerFactory player(const std::string& name, int simulations,
                               const CommonOptions& options) {
  if (auto baseline = selfplay::baseline_player(name)) return *baseline;
  if (!std::filesystem::exists(name)) {
    throw InputError("player '" + name + "': expected a network (a checkpoint, a run or a file), " +
                     "random, greedy, alphabeta:DEPTH, uniform:SIMULATIONS, uci:COMMAND or "
                     "uci-fairy:COMMAND");
  }
  selfplay::NetworkPlayerOptions how;
  how.name = name;
  how.device = nn::resolve_device(options.device);
  how.simulations = simulations;
  return selfplay::network_player(nn::load_network(name), how);
}

rules::ScoringTable scoring_table(const std::string& text) {
  if (!text.ends_with(".toml")) return rules::ScoringTable::from_changes(text);
  const std::string changes = changes_in(text);
  try {
    return rules::ScoringTable::from_changes(changes);
  } catch (const rules::RulesError& error) {
    throw InputError(text + ": " + error.what());
  }
}

}  // namespace app
