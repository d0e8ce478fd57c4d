#pragma once

#include <cstdint>
#include <vector>

#include "rules/types.h"

namespace tactics {

enum class Bound : std::uint8_t { kExact, kLower, kUpper };

// What searches have found out about positions. A value is used only by a search of the same depth
// at the same ply, as though it were searched again: findings do not depend on what is stored.
class TranspositionTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t value = 0;
    rules::Move best;
    std::uint8_t depth = 0;    // remaining plies
    std::uint8_t ply : 6 = 0;  // from the root
    Bound bound : 2 = Bound::kExact;

    void store(std::uint64_t its_key, int its_value, rules::Move its_best, int its_depth,
               int its_ply, Bound its_bound) {
      key = its_key;
      value = its_value;
      best = its_best;
      depth = static_cast<std::uint8_t>(its_depth);
      ply = its_ply & 63;
      bound = its_bound;
    }

    // The value stands for that of the search with these bounds.
    bool settles(int alpha, int beta) const {
      return bound == Bound::kExact || (bound == Bound::kLower && value >= beta) ||
             (bound == Bound::kUpper && value <= alpha);
    }
  };
  static_assert(sizeof(Entry) == 16);

  // 2^bits entries of 16 bytes.
  explicit TranspositionTable(int bits) : entries_(std::size_t{1} << bits), shift_(64 - bits) {}
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&entries_[key >> shift_]); }
  Entry& at(std::uint64_t key) { return entries_[key >> shift_]; }

 private:
  std::vector<Entry> entries_;
  int shift_;
};

}  // namespace tactics
