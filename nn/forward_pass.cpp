#include "nn/forward_pass.h"

#include <algorithm>
#include <cmath>

#include "nn/network_config.h"

namespace nn {
namespace {

std::array<float, 7> softmax(const float* logits) {
  std::array<float, 7> p;
  const float top = *std::max_element(logits, logits + 7);
  float sum = 0;
  for (std::size_t i = 0; i < 7; ++i) sum += p[i] = std::exp(logits[i] - top);
  for (float& x : p) x /= sum;
  return p;
}

float softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }

}  // namespace

void read_values(const float* head, std::size_t position, Outputs& outputs) {
  outputs.outcomes[position] = softmax(head);
  outputs.moves_left[position] = kMovesLeftScale * softplus(head[7]);
}

}  // namespace nn
