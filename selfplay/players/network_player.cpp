#include "selfplay/players/network_player.h"

#include <memory>

#include "nn/inference.h"
#include "selfplay/network_evaluator.h"
#include "selfplay/players/search_player.h"

namespace selfplay {

PlayerFactory network_player(const nn::NetworkFile& network, const NetworkPlayerOptions& options) {
  const auto shared = std::make_shared<const nn::NetworkFile>(network);
  const nn::InferenceOptions inference{
      options.device,
      options.precision ? *options.precision : nn::fastest_precision(network, options.device),
      options.games_at_once, network.repertoire};
  return [shared, inference, options]() -> std::unique_ptr<Player> {
    nn::use_one_torch_thread();
    return std::make_unique<SearchPlayer>(
        std::make_unique<NetworkEvaluator>(shared->config, shared->weights, inference),
        SearchPlayerOptions{.name = options.name,
                            .search = options.search,
                            .simulations = options.simulations,
                            .evaluations = options.evaluations,
                            .explore = options.explore,
                            .repertoire = inference.repertoire});
  };
}

}  // namespace selfplay
