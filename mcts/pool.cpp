#include "mcts/pool.h"

#include <sys/mman.h>

#include <algorithm>

#include "base/memory.h"

namespace mcts {
namespace {

constexpr std::size_t kMaxRefs = std::size_t{1} << 32;

}  // namespace

Pool::Pool(std::size_t max_bytes)
    : limit_(std::clamp(max_bytes / kGranule, std::size_t{1} << kFirstChunkLog2,
                        kMaxRefs - (std::size_t{1} << kFirstChunkLog2))) {}

Ref Pool::allocate(std::size_t bytes) {
  const std::size_t granules = granules_of(bytes);
  Ref ref = pop_free(granules);
  if (ref == 0) ref = bump(granules);
  if (ref == 0) ref = split_larger(granules);
  if (ref != 0) used_ += granules;
  return ref;
}

void Pool::release(Ref ref, std::size_t bytes) {
  const std::size_t granules = granules_of(bytes);
  used_ -= granules;
  push_free(ref, granules);
}

void Pool::Marks::set(std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count;) {
    const std::size_t in_word = std::min(first + count - i, 64 - i % 64);
    const std::uint64_t ones =
        in_word == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << in_word) - 1;
    bits_[i / 64] |= ones << i % 64;
    i += in_word;
  }
}

std::size_t Pool::Marks::find(bool marked, std::size_t from, std::size_t end) const {
  while (from < end) {
    const std::uint64_t word = (marked ? bits_[from / 64] : ~bits_[from / 64]) >> from % 64;
    if (word != 0) return std::min(end, from + static_cast<std::size_t>(std::countr_zero(word)));
    from = (from / 64 + 1) * 64;
  }
  return end;
}

void Pool::sweep(const Marks& marks, const std::atomic<bool>& stop) {
  free_.fill(0);
  used_ = next_ - kFirst;
  for (std::size_t at = kFirst; at < next_ && !stop;) {
    const std::size_t first = marks.find(false, at, next_);
    if (first == next_) break;
    const std::size_t chunk_end = chunk_start(chunk_of(static_cast<Ref>(first)) + 1);
    at = marks.find(true, first, std::min({next_, chunk_end, first + kMaxGranules}));
    push_free(static_cast<Ref>(first), at - first);
    used_ -= at - first;
  }
}

void Pool::clear() {
  free_.fill(0);
  next_ = kFirst;
  used_ = 0;
}

// Large chunks lie on huge pages where the system has them to give: a walk touches few lines of
// many pages.
Pool::Chunk Pool::new_chunk(std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const bool large = bytes >= 2 * kHugePage;
  const std::align_val_t alignment{large ? kHugePage : kLine};
  Chunk chunk(static_cast<std::byte*>(::operator new[](bytes, alignment)), Deleter{alignment});
  if (large) madvise(chunk.get(), bytes, MADV_HUGEPAGE);
  return chunk;
}

// False where there is no memory for it. A pool without its first chunk is none.
bool Pool::make_chunk(std::size_t chunk) {
  constexpr std::size_t kLarge = std::size_t{32} << 20;  // bytes for which it is worth asking
  const std::size_t size = std::min(chunk_start(chunk + 1), limit_) - chunk_start(chunk);
  const std::size_t bytes = size * kGranule;
  if (bytes >= kLarge && !base::memory_is_available(bytes)) return false;
  try {
    chunks_[chunk] = new_chunk(bytes);
  } catch (const std::bad_alloc&) {
    if (chunk == 0) throw;
  }
  return chunks_[chunk] != nullptr;
}

Ref Pool::bump(std::size_t granules) {
  std::size_t chunk = chunk_of(static_cast<Ref>(next_));
  const std::size_t end = chunk_start(chunk + 1);
  if (next_ + granules > end) {  // no block lies across two chunks
    if (end + granules > limit_) return 0;
    if (end > next_) push_free(static_cast<Ref>(next_), end - next_);
    next_ = end;
    ++chunk;
  }
  if (next_ + granules > limit_) return 0;
  if (!chunks_[chunk] && !make_chunk(chunk)) {
    limit_ = next_;
    return 0;
  }
  const Ref ref = static_cast<Ref>(next_);
  next_ += granules;
  return ref;
}

Ref Pool::split_larger(std::size_t granules) {
  for (std::size_t size = granules + 1; size <= kMaxGranules; ++size) {
    const Ref ref = pop_free(size);
    if (ref == 0) continue;
    push_free(static_cast<Ref>(ref + granules), size - granules);
    return ref;
  }
  return 0;
}

void Pool::push_free(Ref ref, std::size_t granules) {
  *at<Ref>(ref) = free_[granules];
  free_[granules] = ref;
}

Ref Pool::pop_free(std::size_t granules) {
  const Ref ref = free_[granules];
  if (ref != 0) free_[granules] = *at<Ref>(ref);
  return ref;
}

}  // namespace mcts
