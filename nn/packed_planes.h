#pragma once
// Planes as they travel to a device: a bit a square. Includes no LibTorch.

#include <cstdint>

namespace at {
class Tensor;
}
namespace c10 {
enum class ScalarType : std::int8_t;
}

namespace nn {

// Returns the planes [n, planes, 8, 8] of 64-bit words [n, planes], 0 or 1 of that type,
// channels-last, on the words' device.
at::Tensor expanded(const at::Tensor& packed, c10::ScalarType type);

}  // namespace nn
