#include "nn/packed_planes.h"

#include <ATen/ATen.h>

namespace nn {

at::Tensor expanded(const at::Tensor& packed, c10::ScalarType type) {
  const at::Tensor shifts = at::arange(64, packed.options());
  return packed.unsqueeze(1)
      .bitwise_right_shift(shifts.view({1, 64, 1}))
      .bitwise_and(1)
      .to(type)
      .view({packed.size(0), 8, 8, packed.size(1)})
      .permute({0, 3, 1, 2});
}

}  // namespace nn
