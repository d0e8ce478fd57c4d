#include "nn/forward_pass.h"

#include <cmath>

#include "nn/network_config.h"
#include "nn/softmax.h"

namespace nn {
namespace {

float softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }

}  // namespace

void read_values(const float* head, std::size_t position, Outputs& outputs) {
  softmax({head, 7}, outputs.outcomes[position]);
  outputs.moves_left[position] = kMovesLeftScale * softplus(head[7]);
}

}  // namespace nn
