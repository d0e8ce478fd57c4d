#include "mcts/arena.h"

#include <algorithm>
#include <vector>

namespace mcts {
namespace {

constexpr std::size_t kMaxRefs = std::size_t{1} << 32;

std::size_t granules_of(std::size_t bytes) {
  return (bytes + Arena::kGranule - 1) / Arena::kGranule;
}

}  // namespace

Arena::Arena(std::size_t max_bytes)
    : limit_(std::clamp(max_bytes / kGranule, std::size_t{1} << kFirstChunkLog2,
                        kMaxRefs - (std::size_t{1} << kFirstChunkLog2))) {}

Ref Arena::allocate(std::size_t bytes) {
  const std::size_t granules = granules_of(bytes);
  Ref ref = pop_free(granules);
  if (ref == 0) ref = bump(granules);
  if (ref == 0) ref = split_larger(granules);
  if (ref != 0) used_ += granules;
  return ref;
}

void Arena::release(Ref ref, std::size_t bytes) {
  const std::size_t granules = granules_of(bytes);
  used_ -= granules;
  push_free(ref, granules);
}

void Arena::coalesce(const std::atomic<bool>& stop) {
  constexpr std::size_t kPart = 1 << 16;  // granules; the parts are joined one by one
  std::vector<std::vector<Block>> parts(next_ / kPart + 1);
  for (std::size_t size = 1; size <= kMaxGranules && !stop; ++size) {
    while (!stop) {
      const Ref ref = pop_free(size);
      if (ref == 0) break;
      parts[ref / kPart].push_back({ref, static_cast<std::uint32_t>(size)});
    }
  }
  for (std::vector<Block>& blocks : parts) {
    if (!stop) join(blocks);
    for (const Block& block : blocks) push_free(block.ref, block.size);
  }
}

// Sorts the blocks and joins neighbours.
void Arena::join(std::vector<Block>& blocks) {
  std::sort(blocks.begin(), blocks.end(), [](Block a, Block b) { return a.ref < b.ref; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    Block& run = blocks[last];
    if (blocks[i].ref == run.ref + run.size && run.size + blocks[i].size <= kMaxGranules &&
        chunk_of(blocks[i].ref) == chunk_of(run.ref)) {
      run.size += blocks[i].size;
    } else {
      blocks[++last] = blocks[i];
    }
  }
  if (!blocks.empty()) blocks.resize(last + 1);
}

void Arena::clear() {
  free_.fill(0);
  next_ = kFirst;
  used_ = 0;
}

Ref Arena::bump(std::size_t granules) {
  std::size_t chunk = chunk_of(static_cast<Ref>(next_));
  const std::size_t end = chunk_start(chunk + 1);
  if (next_ + granules > end) {  // no block lies across two chunks
    if (end + granules > limit_) return 0;
    if (end > next_) push_free(static_cast<Ref>(next_), end - next_);
    next_ = end;
    ++chunk;
  }
  if (next_ + granules > limit_) return 0;
  if (!chunks_[chunk]) {
    const std::size_t size = std::min(chunk_start(chunk + 1), limit_) - chunk_start(chunk);
    chunks_[chunk].reset(
        static_cast<std::byte*>(::operator new[](size* kGranule, std::align_val_t{64})));
  }
  const Ref ref = static_cast<Ref>(next_);
  next_ += granules;
  return ref;
}

Ref Arena::split_larger(std::size_t granules) {
  for (std::size_t size = granules + 1; size <= kMaxGranules; ++size) {
    const Ref ref = pop_free(size);
    if (ref == 0) continue;
    push_free(static_cast<Ref>(ref + granules), size - granules);
    return ref;
  }
  return 0;
}

void Arena::push_free(Ref ref, std::size_t granules) {
  *at<Ref>(ref) = free_[granules];
  free_[granules] = ref;
}

Ref Arena::pop_free(std::size_t granules) {
  const Ref ref = free_[granules];
  if (ref != 0) free_[granules] = *at<Ref>(ref);
  return ref;
}

}  // namespace mcts
