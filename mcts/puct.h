#pragma once
// The exploration term of PUCT.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "mcts/search_config.h"

namespace mcts {

// The factor of prior / (1 + visits of the move) at a node, by the visits of its moves together
// (Silver et al. 2018, "Search"): (c_puct + c_puct_factor log(1 + n/c_puct_base)) sqrt(n).
class Exploration {
 public:
  explicit Exploration(const SearchConfig& config)
      : base_(config.c_puct), factor_(config.c_puct_factor), scale_(config.c_puct_base) {
    for (std::uint32_t n = 0; n < few_.size(); ++n) few_[n] = compute(n);
  }
  float operator()(std::uint32_t visits) const {
    return visits < few_.size() ? few_[visits] : compute(visits);
  }

 private:
  float compute(std::uint32_t visits) const {
    const float n = static_cast<float>(std::max(visits, 1u));
    return (base_ + factor_ * std::log(1 + n / scale_)) * std::sqrt(n);
  }

  float base_, factor_, scale_;
  std::array<float, 256> few_{};
};

}  // namespace mcts
