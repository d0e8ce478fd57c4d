#pragma once
// Which moves the threads of one search are searching at this moment: a thread leaves for later
// what another is at, and then finds its result in the transposition table (simplified ABDADA,
// Tom Kerrigan). So they search less of the tree twice.

#include <array>
#include <atomic>
#include <cstdint>

#include "rules/types.h"

namespace tactics {

// Lock-free. An entry may get lost or be another move's: then two threads search the same, or a
// move is searched later than it would be.
class MovesInProgress {
 public:
  // `key` is of the position that the move is played in.
  static std::uint64_t key_of(std::uint64_t key, rules::Move move) {
    const std::uint64_t mixed = key ^ (std::uint64_t{move.raw()} + 1) * 0x9e3779b97f4a7c15;
    return mixed != 0 ? mixed : 1;
  }
  bool contains(std::uint64_t move_key) const {
    for (const auto& place : bucket(move_key)) {
      if (place.load(std::memory_order_relaxed) == move_key) return true;
    }
    return false;
  }
  void begin(std::uint64_t move_key) {
    Bucket& places = bucket(move_key);
    for (auto& place : places) {
      const std::uint64_t found = place.load(std::memory_order_relaxed);
      if (found == move_key) return;
      if (found == 0) return place.store(move_key, std::memory_order_relaxed);
    }
    places[0].store(move_key, std::memory_order_relaxed);
  }
  void end(std::uint64_t move_key) {
    for (auto& place : bucket(move_key)) {
      if (place.load(std::memory_order_relaxed) == move_key)
        place.store(0, std::memory_order_relaxed);
    }
  }

 private:
  using Bucket = std::array<std::atomic<std::uint64_t>, 4>;
  static constexpr int kBits = 12;
  Bucket& bucket(std::uint64_t key) { return buckets_[key >> (64 - kBits)]; }
  const Bucket& bucket(std::uint64_t key) const { return buckets_[key >> (64 - kBits)]; }

  std::array<Bucket, 1 << kBits> buckets_{};
};

}  // namespace tactics
