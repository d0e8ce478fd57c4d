// In which order an NNUE keeps its sums.
#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "tactics/nnue.h"
#include "tactics/random_positions.h"

namespace tactics {
namespace {

using S = NnueShape;

constexpr std::size_t kPositions = 256;  // of 20,000 no more groups are left out
constexpr int kLeastActive = 23;         // what is less is an input of 0
static_assert(kLeastActive * kLeastActive >> 9 == 1 &&
              (kLeastActive - 1) * (kLeastActive - 1) >> 9 == 0);

// In how many views of random positions each sum is an input other than 0.
std::array<int, S::kSums> times_active(const NnueWeights& weights) {
  std::array<int, S::kSums> times{};
  std::array<std::uint16_t, S::kMaxActive> features;
  for (const rules::Position& position : random_positions(kPositions)) {
    for (const rules::Color view : rules::kColors) {
      auto sums = weights.bias;
      const auto count = static_cast<std::size_t>(nnue_features(position, view, features));
      for (const std::uint16_t feature : std::span(features).first(count)) {
        std::ranges::transform(sums, weights.feature[feature], sums.begin(),
                               [](int a, int b) { return static_cast<std::int16_t>(a + b); });
      }
      for (std::size_t i = 0; i < S::kSums; ++i) times[i] += sums[i] >= kLeastActive ? 1 : 0;
    }
  }
  return times;
}

}  // namespace

void order_sums(NnueWeights& weights) {
  std::array<std::size_t, S::kSums> order;
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto times = times_active(weights);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return times[i]; });
  const auto reorder = [&](auto sums) {  // a span
    std::array<typename decltype(sums)::value_type, S::kSums> before;
    std::ranges::copy(sums, before.begin());
    std::ranges::transform(order, sums.begin(), [&](std::size_t i) { return before[i]; });
  };
  reorder(std::span(weights.bias));
  for (auto& row : weights.feature) reorder(std::span(row));
  for (NnueStack& stack : weights.stacks) {
    for (auto& row : stack.first) {
      reorder(std::span(row).first<S::kSums>());
      reorder(std::span(row).last<S::kSums>());
    }
  }
}

}  // namespace tactics
