#include "arena/network_player.h"

#include <memory>

#include "arena/search_player.h"
#include "nn/inference.h"
#include "selfplay/network_evaluator.h"

namespace arena {

PlayerFactory network_player(const nn::NetworkFile& network, const NetworkPlayerOptions& options) {
  const nn::InferenceOptions inference{
      options.device,
      options.precision ? *options.precision : nn::fastest_precision(network, options.device),
      options.games_at_once, network.repertoire};
  const nn::PlayingNetwork shared(network.config, network.weights, inference);
  return [shared, options]() -> std::unique_ptr<Player> {
    nn::use_one_torch_thread();
    return std::make_unique<SearchPlayer>(
        std::make_unique<selfplay::NetworkEvaluator>(shared),
        SearchPlayerOptions{
            .name = options.name,
            .search = options.search,
            .simulations = options.simulations,
            .evaluations = options.evaluations,
            .move_time = options.move_time,
            .explore = options.explore,
            .leaves_per_game = options.move_time.count() > 0 ? one_tree_batch(options.device) : 1,
            .repertoire = shared.options().repertoire,
            .table = options.table});
  };
}

}  // namespace arena
