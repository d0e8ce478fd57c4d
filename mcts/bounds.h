#pragma once
// Exact knowledge about a node: bounds on its value, in ranks of the scoring table.

#include <algorithm>
#include <array>
#include <cstdint>

#include "rules/outcome.h"

namespace mcts {

// What is known of a node's exact value: it lies in [lower, upper]. The unit is the rank of a White
// score among the scores that the table knows, ascending; the viewpoint is White's unless a name
// says otherwise.
struct Bounds {
  std::uint8_t lower : 4;
  std::uint8_t upper : 4;

  bool proven() const { return lower == upper; }
  bool operator==(const Bounds&) const = default;
};

// A scoring table as the search uses it: values in [-1, 1] (0 = five points) and ranks.
class Prices {
 public:
  explicit Prices(const rules::ScoringTable& table);

  float value_white(rules::Outcome outcome) const {
    return values_[static_cast<std::size_t>(outcome)];
  }
  float value_white(int rank) const { return rank_values_[static_cast<std::size_t>(rank)]; }
  Bounds exact(rules::Outcome outcome) const {
    const std::uint8_t rank = ranks_[static_cast<std::size_t>(outcome)];
    return between(rank, rank);
  }
  // The outcome of this rank; of several a win, else an impasse, else a stalemate.
  rules::Outcome outcome_of(int rank) const;
  Bounds open() const { return between(0, top_); }
  // What is known where the exact value lies between these two, but is no single outcome's: at
  // least two ranks.
  Bounds around(double lowest_white, double highest_white) const;
  static Bounds between(int lower, int upper) {
    return {static_cast<std::uint8_t>(lower & 15), static_cast<std::uint8_t>(upper & 15)};
  }
  // What holds where both hold.
  static Bounds both(Bounds a, Bounds b) {
    return between(std::max<int>(a.lower, b.lower), std::min<int>(a.upper, b.upper));
  }
  // The same bounds with the viewpoint of a player: more is better for him. Its own inverse.
  Bounds seen_by(Bounds white, rules::Color player) const {
    if (player == rules::Color::kWhite) return white;
    return between(top_ - white.upper, top_ - white.lower);
  }
  float clamp(float value_white_, Bounds bounds) const {
    return std::clamp(value_white_, value_white(bounds.lower), value_white(bounds.upper));
  }

 private:
  std::array<float, rules::kOutcomes> values_{};
  std::array<float, rules::kOutcomes> rank_values_{};
  std::array<std::uint8_t, rules::kOutcomes> ranks_{};
  std::uint8_t top_ = 0;  // the highest rank
};

// A value seen by White, turned to a player's viewpoint, or back.
constexpr float seen_by(float value_white, rules::Color player) {
  return player == rules::Color::kWhite ? value_white : -value_white;
}

}  // namespace mcts
