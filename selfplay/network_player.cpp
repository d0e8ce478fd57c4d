#include "selfplay/network_player.h"

#include <memory>
#include <utility>

#include "selfplay/network_evaluator.h"
#include "selfplay/players/search_player.h"

namespace selfplay {

PlayerFactory network_player(nn::NetworkFile network, const NetworkPlayerOptions& options) {
  const auto shared = std::make_shared<const nn::NetworkFile>(std::move(network));
  return [shared, options]() -> std::unique_ptr<Player> {
    nn::use_one_torch_thread();
    return std::make_unique<SearchPlayer>(
        std::make_unique<NetworkEvaluator>(shared->config, shared->weights, options.inference),
        SearchPlayerOptions{options.name, options.search, options.simulations});
  };
}

}  // namespace selfplay
