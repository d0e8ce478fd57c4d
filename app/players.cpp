#include "app/players.h"

#include <filesystem>

#include "app/paths.h"
#include "nn/device.h"
#include "selfplay/errors.h"
#include "selfplay/players/network_player.h"

namespace app {

using selfplay::InputError;

nn::NetworkFile load_network(const std::string& name) {
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

}  // namespace app
