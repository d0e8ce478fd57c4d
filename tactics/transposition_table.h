#pragma once
// The transposition table of a search that prunes forward: shared by threads without locks, in
// buckets, by age.

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "base/memory.h"
#include "rules/types.h"

namespace tactics {

enum class Bound : std::uint8_t { kExact, kLower, kUpper };

class TranspositionTable {
 public:
  struct Entry {
    rules::Move move;  // the best or refuting move, or none
    std::int16_t score = 0;
    std::int16_t eval = 0;  // of the position as it stands
    std::uint8_t depth = 0;
    Bound bound = Bound::kExact;
  };

  // Takes so much memory, or what there is of it. REQUIRES: mib >= 1. Throws std::bad_alloc where
  // there is not one MiB, as clear() does.
  explicit TranspositionTable(int mib) : claim_(mib) { wipe(); }
  // What it takes; less after clear() where memory has become short.
  int mib() const { return claim_.mib(); }
  // Forgets everything. After a few searches that costs nothing but every sixtieth time: what was
  // stored is of an age that counts no more.
  void clear();
  // What was stored before becomes older.
  void new_search();

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }
  std::optional<Entry> find(std::uint64_t key) const;
  // Takes the slot of the same position's entry, else that of the least deep and oldest of the
  // bucket.
  void store(std::uint64_t key, Entry entry);

 private:
  // The key is kept xor the data, so that a slot written by two threads at once is seen as another
  // position's (Hyatt and Mann).
  struct Slot {
    std::uint64_t check, data;
    std::uint64_t load_check() { return std::atomic_ref(check).load(std::memory_order_relaxed); }
    std::uint64_t load_data() { return std::atomic_ref(data).load(std::memory_order_relaxed); }
    // The data of this position; 0 where another is there, or none.
    std::uint64_t data_of(std::uint64_t key) {
      const std::uint64_t found = load_data();
      return (load_check() ^ found) == key ? found : 0;
    }
  };
  using Bucket = std::array<Slot, 4>;
  static_assert(sizeof(Bucket) == 64);

  static int age_of(std::uint64_t data) { return static_cast<int>(data >> 58); }
  // Whether nothing is stored there, or what was is forgotten.
  bool is_free(std::uint64_t data) const { return data == 0 || age_of(data) < oldest_; }
  void wipe();
  void erase_forgotten();

  Bucket& bucket(std::uint64_t key) const {
    return static_cast<Bucket*>(buckets_.data())[(key >> 32) * size_ >> 32];
  }

  base::MemoryClaim claim_;
  base::ZeroPages buckets_;
  std::size_t size_ = 0;     // fewer than 2^32
  std::uint8_t age_ = 0;     // below 64
  std::uint8_t oldest_ = 0;  // the first age that is not forgotten; 0: none is
};

}  // namespace tactics
