#include "arena/network_player.h"

#include <memory>

#include "nn/inference.h"
#include "selfplay/network_evaluator.h"

namespace arena {

PlayerFactory network_player(const nn::NetworkFile& network, const NetworkPlayerOptions& options) {
  const nn::InferenceOptions inference{
      options.device,
      options.precision ? *options.precision : nn::fastest_precision(network, options.device),
      options.games_at_once, network.repertoire};
  const nn::PlayingNetwork shared(network.config, network.weights, inference);
  SearchPlayerOptions search = options;
  search.leaves_per_game = options.move_time.count() > 0 ? one_tree_batch(options.device) : 1;
  search.repertoire = network.repertoire;
  return [shared, search]() -> std::unique_ptr<Player> {
    nn::use_one_torch_thread();
    return std::make_unique<SearchPlayer>(std::make_unique<selfplay::NetworkEvaluator>(shared),
                                          search);
  };
}

}  // namespace arena
