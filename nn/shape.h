#pragma once

namespace nn {

// How much goes into a network and comes out of it, which the games it plays decide (Encoder).
// The default is plain Chess#'s.
struct Shape {
  int planes = 62;
  int globals = 39;
  int move_planes = 69;

  constexpr int policy_size() const { return 64 * move_planes; }
  bool operator==(const Shape&) const = default;
};

}  // namespace nn
