#pragma once

#include <cmath>
#include <cstdint>
#include <memory>

#include "base/rng.h"
#include "tactics/nnue.h"

namespace tactics {

// Random weights of a size at which all layers are alive.
inline std::shared_ptr<const NnueWeights> random_nnue(std::uint64_t seed) {
  auto weights = std::make_shared<NnueWeights>();
  base::Rng rng(seed);
  const auto whole = [&rng](double spread) {
    return static_cast<int>(std::lround(rng.normal() * spread));
  };
  const auto real = [&rng](double spread) { return static_cast<float>(rng.normal() * spread); };
  for (auto& row : weights->feature) {
    for (auto& weight : row) weight = static_cast<std::int16_t>(whole(20));
  }
  for (auto& bias : weights->bias) bias = static_cast<std::int16_t>(128 + whole(20));
  for (NnueStack& stack : weights->stacks) {
    for (auto& row : stack.first) {
      for (auto& weight : row) weight = static_cast<std::int8_t>(std::clamp(whole(10), -127, 127));
    }
    for (auto& bias : stack.first_bias) bias = 0.3f + real(0.1);
    for (auto& row : stack.table) {
      for (auto& weight : row) weight = real(0.1);
    }
    for (auto& row : stack.second) {
      for (auto& weight : row) weight = real(0.3);
    }
    for (auto& bias : stack.second_bias) bias = 0.5f;
    for (auto& row : stack.out) {
      for (auto& weight : row) weight = real(0.5);
    }
  }
  return weights;
}

}  // namespace tactics
