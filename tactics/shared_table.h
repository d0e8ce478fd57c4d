#pragma once
// The transposition table of a search that prunes forward: shared by threads without locks, in
// buckets, by age. (TranspositionTable is that of the exact search of a few plies.)

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "rules/types.h"
#include "tactics/transposition_table.h"

namespace tactics {

class SharedTable {
 public:
  struct Entry {
    rules::Move move;  // the best or refuting move, or none
    std::int16_t score = 0;
    std::int16_t eval = 0;  // of the position as it stands
    std::uint8_t depth = 0;
    Bound bound = Bound::kExact;
  };

  explicit SharedTable(int mib) { resize(mib); }
  // Forgets everything. REQUIRES: mib >= 1.
  void resize(int mib);
  void clear();
  // What was stored before becomes older.
  void new_search() { age_ = (age_ + 1) & 63; }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }
  std::optional<Entry> find(std::uint64_t key) const;
  // Takes the place of the same position's entry, else that of the least deep and oldest of the
  // bucket.
  void store(std::uint64_t key, const Entry& entry);
  // Of a sample of the places, those filled by this search, in thousandths.
  int permille_full() const;

 private:
  // The key is kept xor the data, so that a place written by two threads at once is seen as another
  // position's (Hyatt and Mann).
  struct Place {
    std::atomic<std::uint64_t> check{0}, data{0};
  };
  using Bucket = std::array<Place, 4>;
  static_assert(sizeof(Bucket) == 64);

  Bucket& bucket(std::uint64_t key) {
    return buckets_[static_cast<std::size_t>((key >> 32) * buckets_.size() >>
                                             32)];  // fewer than 2^32
  }
  const Bucket& bucket(std::uint64_t key) const {
    return const_cast<SharedTable*>(this)->bucket(key);
  }

  std::vector<Bucket> buckets_;
  std::uint8_t age_ = 0;
};

}  // namespace tactics
