#include "mcts/gumbel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mcts {

CompletedValues::CompletedValues(const Tree& tree, const Node& node) {
  const std::span<const Edge> walked = tree.edges(node);
  const std::span<const float> priors = tree.priors(node);
  const rules::Color mover = node.side_to_move;
  float visits = 0, most = 0, mass = 0, weighted = 0;
  for (std::size_t i = 0; i < walked.size(); ++i) {
    if (walked[i].visits == 0 || walked[i].pruned()) continue;
    const float n = static_cast<float>(walked[i].visits);
    const float value = seen_by(walked[i].value_white, mover);
    visits += n;
    most = std::max(most, n);
    mass += priors[i];
    weighted += priors[i] * value;
  }
  const float own = seen_by(node.own_white, mover);
  mixed = mass > 0 ? (own + visits * weighted / mass) / (1 + visits) : own;
  const SearchConfig& config = tree.config();
  scale = (config.gumbel_visit_offset + most) * config.gumbel_scale /
          2;  // values span 2, the paper's span 1
}

float improved_policy(const Tree& tree, const Node& node, std::span<float> out) {
  const CompletedValues completed(tree, node);
  const std::span<const Edge> walked = tree.edges(node);
  const std::span<const float> priors = tree.priors(node);
  float greatest = 0;  // exponent of an unwalked move
  for (std::size_t i = 0; i < walked.size(); ++i) {
    out[i] = completed.exponent(seen_by(walked[i].value_white, node.side_to_move));
    if (!tree.valued(walked[i])) out[i] = 0;
    if (!walked[i].pruned()) greatest = std::max(greatest, out[i]);
  }
  float sum = 0;
  for (std::size_t i = 0; i < walked.size(); ++i) {
    out[i] = walked[i].pruned() ? 0 : priors[i] * std::exp(out[i] - greatest);
    sum += out[i];
  }
  const float rest_mass = std::max(0.0f, 1 - node.visited_prior);
  const float rest = std::exp(-greatest);
  sum = std::max(sum + rest_mass * rest, 1e-30f);
  for (std::size_t i = 0; i < walked.size(); ++i) out[i] /= sum;
  return rest / sum;
}

std::vector<int> sequential_halving(int actions, int simulations) {
  std::vector<int> sequence;
  if (simulations <= 0) return sequence;
  sequence.reserve(static_cast<std::size_t>(simulations));
  const int rounds =
      std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(actions - 1))));
  int visits = 0;  // that each move still considered has had
  for (int considered = actions;; considered = std::max(considered / 2, std::min(2, actions))) {
    for (int repeat = std::max(1, simulations / (rounds * considered)); repeat > 0; --repeat) {
      for (int i = 0; i < considered; ++i) {
        if (static_cast<int>(sequence.size()) == simulations) return sequence;
        sequence.push_back(visits);
      }
      ++visits;
    }
  }
}

}  // namespace mcts
