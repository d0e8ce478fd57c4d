#include "mcts/evaluation_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace mcts {
namespace {

constexpr std::size_t kTypicalRecord = 512;  // bytes, on the large side
constexpr std::size_t kAlignment = 8;

}  // namespace

EvaluationCache::EvaluationCache(int mib) : ring_(static_cast<std::size_t>(mib) << 20) {
  static_assert(std::is_trivially_copyable_v<Record> && alignof(Record) <= kAlignment);
  if (mib > 0) index_.resize(std::bit_ceil(ring_.size() / kTypicalRecord));
}

std::uint64_t EvaluationCache::hash(const rules::Position& position, int occurrences,
                                    const rules::ScoringTable& table) {
  std::uint64_t sum = position.key() + static_cast<std::uint64_t>(position.halfmove_clock()) +
                      (static_cast<std::uint64_t>(occurrences - 1) << 16);
  std::uint64_t factor = 0x9e3779b97f4a7c15;
  const auto fold = [&](double value) {
    sum += (std::bit_cast<std::uint64_t>(value) >> 20) * factor;
    factor += 0x3c6ef372fe94f82a;
  };
  for (const double value : table.points_white) fold(value);
  for (const double value : table.material) fold(value);
  sum *= 0xbf58476d1ce4e5b9;
  return sum ^ (sum >> 32);
}

std::optional<EvaluationCache::Hit> EvaluationCache::find(const rules::Position& position,
                                                          int occurrences,
                                                          const rules::ScoringTable& table) const {
  if (ring_.empty()) return std::nullopt;
  for (const std::uint64_t entry : index_[bucket(hash(position, occurrences, table))]) {
    const Record* const known = record(entry);
    if (known == nullptr || !known->position.same_but_number(position) ||
        known->occurrences != occurrences || known->table != table) {
      continue;
    }
    return Hit{known->evaluation, {reinterpret_cast<const float*>(known + 1), known->priors}};
  }
  return std::nullopt;
}

const EvaluationCache::Record* EvaluationCache::record(std::uint64_t entry) const {
  if (entry <= forgotten_ || written_ - (entry - 1) > ring_.size()) return nullptr;
  return reinterpret_cast<const Record*>(ring_.data() + (entry - 1) % ring_.size());
}

void EvaluationCache::store(const Leaf& leaf, std::span<const float> priors) {
  if (ring_.empty()) return;
  const std::size_t bytes =
      (sizeof(Record) + priors.size_bytes() + kAlignment - 1) / kAlignment * kAlignment;
  const std::uint64_t left = ring_.size() - written_ % ring_.size();
  if (bytes > left) written_ += left;  // records lie in one piece
  std::byte* const place = ring_.data() + written_ % ring_.size();
  const Record record{leaf.position, *leaf.table, leaf.evaluation, leaf.occurrences,
                      static_cast<std::uint32_t>(priors.size())};
  std::memcpy(place, &record, sizeof(record));
  std::memcpy(place + sizeof(record), priors.data(), priors.size_bytes());
  Bucket& entries = index_[bucket(hash(leaf.position, leaf.occurrences, *leaf.table))];
  *std::ranges::min_element(entries) = written_ + 1;  // the older one goes
  written_ += bytes;
}

}  // namespace mcts
