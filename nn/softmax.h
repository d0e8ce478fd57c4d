#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace nn {

// Probabilities of the logits, as many and at least one, into `p`.
inline void softmax(std::span<const float> logits, std::span<float> p) {
  const float top = *std::max_element(logits.begin(), logits.end());
  float sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) sum += p[i] = std::exp(logits[i] - top);
  for (float& x : p) x /= sum;
}

}  // namespace nn
