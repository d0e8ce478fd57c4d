#pragma once
// The exploration term of PUCT.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "mcts/search_config.h"

namespace mcts {

// The factor of prior / (1 + visits of the move) at a node, by the visits n of its moves
// together (Silver et al. 2018, "Search"): (c_puct + log(1 + n / 19652)) sqrt(n).
class Exploration {
 public:
  explicit Exploration(const SearchConfig& config) : c_puct_(config.c_puct) {
    for (std::uint32_t n = 0; n < few_.size(); ++n) few_[n] = compute(n);
  }
  float operator()(std::uint32_t visits) const {
    return visits < few_.size() ? few_[visits] : compute(visits);
  }

 private:
  float compute(std::uint32_t visits) const {
    const float n = static_cast<float>(std::max(visits, 1u));
    return (c_puct_ + std::log(1 + n / kGrowth)) * std::sqrt(n);
  }

  static constexpr float kGrowth = 19652;  // visits at which exploration begins to grow

  float c_puct_;
  std::array<float, 256> few_{};
};

}  // namespace mcts
