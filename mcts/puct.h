#pragma once
// The exploration term of PUCT.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mcts/search_config.h"

namespace mcts {

// The factor of prior / (1 + visits of the move) at a node whose moves have `visits` together (Silver et al. 2018).
inline float exploration(const SearchConfig& config, std::uint32_t visits) {
  const float n = static_cast<float>(std::max(visits, 1u));
  const float growth = config.c_puct_factor * std::log1p(n / config.c_puct_base);
  return (config.c_puct + growth) * std::sqrt(n);
}

}  // namespace mcts
