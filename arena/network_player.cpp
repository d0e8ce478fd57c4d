#include "arena/network_player.h"

#include <algorithm>
#include <memory>

#include "nn/inference.h"
#include "nn/torch_threads.h"
#include "selfplay/network_evaluator.h"

namespace arena {

Division divide_games(int games, int threads, const std::string& device) {
  constexpr int kFull = 64, kMost = 128;
  if (device == "cpu") return {threads, kFull};
  const int few = std::clamp(games / kFull, 1, std::max(threads, 1));
  return {few, std::clamp((games + few - 1) / few, 1, kMost)};
}

nn::PlayingNetwork playing_network(const nn::NetworkFile& network, const std::string& device,
                                   int batch, std::optional<nn::Precision> precision,
                                   bool batch_invariant) {
  return {network.config, network.weights,
          nn::InferenceOptions{device, nn::precision_to_play(precision, network, device), batch,
                               network.repertoire, batch_invariant}};
}

PlayerFactory network_player(const nn::NetworkFile& network, const NetworkPlayerOptions& options) {
  const nn::PlayingNetwork shared =
      playing_network(network, options.device, options.games_at_once, options.precision);
  SearchPlayerOptions search = options;
  search.leaves_per_game = options.limits.move_time_ms ? one_tree_batch(options.device) : 1;
  search.repertoire = network.repertoire;
  return [shared, search]() -> std::unique_ptr<Player> {
    nn::use_one_torch_thread();
    return std::make_unique<SearchPlayer>(std::make_unique<selfplay::NetworkEvaluator>(shared),
                                          search);
  };
}

}  // namespace arena
