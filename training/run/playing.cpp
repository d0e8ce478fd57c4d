#include "training/run/playing.h"

#include <algorithm>

#include "nn/inference.h"
#include "selfplay/network_evaluator.h"

namespace training {

bool has_learned(const nn::NetworkFile& network) {
  const auto policy = network.weights.find("policy_out.weight");
  return policy != network.weights.end() &&
         std::ranges::any_of(policy->second.values, [](float weight) { return weight != 0; });
}

std::function<std::unique_ptr<mcts::Evaluator>()> evaluators_of(const nn::NetworkFile& network,
                                                                const PlayingTerms& terms) {
  if (!has_learned(network)) return [] { return std::make_unique<mcts::UniformEvaluator>(); };
  const nn::PlayingNetwork playing(network.config, network.weights,
                                   {terms.device, terms.precision, terms.most_at_once,
                                    network.repertoire, /*batch_invariant=*/true});
  return [playing] { return std::make_unique<selfplay::NetworkEvaluator>(playing); };
}

}  // namespace training
