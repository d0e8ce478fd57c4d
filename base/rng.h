#pragma once
// The program's random numbers: a value that is handed down (run -> worker -> game), never global.

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace base {

// A bijection of 64 bits in which each bit of the result depends on all of `z` (splitmix64's).
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
// A hash as a number in (0, 1], by its upper bits.
constexpr float unit(std::uint64_t hash) {
  return (static_cast<float>(hash >> 40) + 1.0f) * 0x1p-24f;
}
// The next number of the stream with this state.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  return mix64(state += 0x9e3779b97f4a7c15);
}

// xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64. The stream depends on the seed
// alone, not on the standard library.
class Rng {
 public:
  explicit Rng(std::uint64_t seed = 0) {
    for (auto& word : state_) word = splitmix64(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, n). REQUIRES: n > 0.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32);
  }
  // Uniform in [0, 1), and in (0, 1].
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform_positive() { return (static_cast<double>(next() >> 11) + 1.0) * 0x1p-53; }
  // Puts the values in a random order (Fisher and Yates), all equally likely.
  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[below(static_cast<std::uint32_t>(i))]);
    }
  }
  double normal() {  // Box–Muller, one of the pair
    const double radius = std::sqrt(-2.0 * std::log(uniform_positive()));
    return radius * std::cos(6.283185307179586 * uniform());
  }
  double gumbel() { return -std::log(-std::log(uniform_positive() * (1.0 - 1e-16))); }
  // Gamma(shape, 1) (Marsaglia and Tsang, 2000). REQUIRES: shape > 0.
  double gamma(double shape) {
    if (shape < 1.0) {
      const double above = gamma(shape + 1.0);
      return above * std::pow(uniform_positive(), 1.0 / shape);
    }
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
      const double x = normal();
      const double v = std::pow(1.0 + c * x, 3.0);
      if (v > 0 && std::log(uniform_positive()) < 0.5 * x * x + d - d * v + d * std::log(v))
        return d * v;
    }
  }

  // An independent stream for a child: the n-th worker, game, …
  Rng split(std::uint64_t n) const {
    std::uint64_t seed = state_[0] ^ rotate(state_[3], 17);
    seed ^= splitmix64(n);
    return Rng(seed);
  }

  const std::array<std::uint64_t, 4>& state() const { return state_; }
  void set_state(const std::array<std::uint64_t, 4>& state) { state_ = state; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) { return x << k | x >> (64 - k); }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace base
