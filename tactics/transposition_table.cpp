#include "tactics/transposition_table.h"

#include <new>
#include <span>

#include "tactics/search_constants.h"

namespace tactics {
namespace {

using Entry = TranspositionTable::Entry;

// Bits 0–15 move, 16–31 score, 32–47 eval, 48–55 depth, 56–57 bound, 58–63 age.
std::uint64_t packed(const Entry& entry, std::uint8_t age) {
  return std::uint64_t{entry.move.raw()} |
         std::uint64_t{static_cast<std::uint16_t>(entry.score)} << 16 |
         std::uint64_t{static_cast<std::uint16_t>(entry.eval)} << 32 |
         std::uint64_t{entry.depth} << 48 |
         std::uint64_t{static_cast<std::uint8_t>(entry.bound)} << 56 | std::uint64_t{age} << 58;
}

Entry unpacked(std::uint64_t data) {
  return {rules::Move::from_raw(static_cast<std::uint16_t>(data)),
          static_cast<std::int16_t>(data >> 16), static_cast<std::int16_t>(data >> 32),
          static_cast<std::uint8_t>(data >> 48), static_cast<Bound>(data >> 56 & 3)};
}

constexpr int kAges = 64;
constexpr int kFewSearches = 4;  // what is cleared after more is a game's, and the clear not urgent

}  // namespace

void TranspositionTable::clear() {
  if (oldest_ == 0 || age_ + 1 == kAges || age_ - oldest_ >= kFewSearches) return wipe();
  oldest_ = ++age_;
}

void TranspositionTable::new_search() {
  if (age_ + 1 == kAges && oldest_ > 1) erase_forgotten();
  if (age_ + 1 == kAges) oldest_ = 0;  // from now on all ages are in use
  age_ = static_cast<std::uint8_t>((age_ + 1) % kAges);
}

void TranspositionTable::erase_forgotten() {
  for (Bucket& each : std::span(static_cast<Bucket*>(buckets_.data()), size_)) {
    for (Slot& slot : each) {
      if (is_free(slot.data)) slot = {};
    }
  }
}

void TranspositionTable::wipe() {
  const auto bytes = [this] { return static_cast<std::size_t>(mib()) << 20; };
  buckets_ = {};
  while (!(buckets_ = base::ZeroPages(bytes())).data()) {
    if (mib() == 1) throw std::bad_alloc();
    claim_.reduce(mib() / 2);  // what is available may be in pieces
  }
  size_ = bytes() / sizeof(Bucket);
  age_ = oldest_ = 1;
}

std::optional<Entry> TranspositionTable::find(std::uint64_t key) const {
  for (Slot& slot : bucket(key)) {
    const std::uint64_t data = slot.data_of(key);
    if (!is_free(data)) return unpacked(data);
  }
  return std::nullopt;
}

void TranspositionTable::store(std::uint64_t key, Entry entry) {
  Slot* worst = nullptr;
  int least = 0;
  for (Slot& slot : bucket(key)) {
    const std::uint64_t data = slot.load_data();
    const bool free = is_free(data);
    const bool same = !free && slot.data_of(key) != 0;
    // The depth of other searches counts less, the older they are.
    const int searches_ago = (kAges + age_ - age_of(data)) & (kAges - 1);
    const int worth =
        same || free ? -1000 : unpacked(data).depth - kTableDepthPerAge * searches_ago;
    if (worst == nullptr || worth < least) {
      worst = &slot;
      least = worth;
    }
    if (!same) continue;
    const Entry old = unpacked(data);
    if (!entry.move) entry.move = old.move;
    if (entry.bound != Bound::kExact && age_of(data) == age_ &&
        entry.depth + kTableKeepsDeeper <= old.depth)
      return;
    break;
  }
  const std::uint64_t data = packed(entry, age_);
  std::atomic_ref(worst->check).store(key ^ data, std::memory_order_relaxed);
  std::atomic_ref(worst->data).store(data, std::memory_order_relaxed);
}

}  // namespace tactics
