#pragma once
// The memory of one search tree: blocks of 16-byte granules, addressed by 32-bit references.

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace mcts {

// A block's place in its pool, in granules. The values below Pool::kFirst are no blocks; 0 is
// none.
using Ref = std::uint32_t;

// Grows in chunks that double in size, so that a small tree costs little and a reference is
// resolved without a search. Blocks never move. Released blocks are kept by exact size. Not
// thread-safe.
class Pool {
 public:
  static constexpr std::size_t kGranule = 16;
  static constexpr Ref kFirst = 64;
  static constexpr std::size_t kMaxGranules = 512;  // in a block

  explicit Pool(std::size_t max_bytes);

  // Uninitialised memory, aligned to a granule; 0 when the bound is reached, or the machine has no
  // more, which is the bound from then on. REQUIRES: 0 < bytes <= 8 KiB.
  Ref allocate(std::size_t bytes);
  // REQUIRES: `bytes` is what the block was allocated with.
  void release(Ref ref, std::size_t bytes);
  // Mark and sweep: all blocks that were not marked are released, joined with their neighbours. A
  // sweep that is left off because `stop` is set loses memory only until the next one.
  class Marks {
   public:
    explicit Marks(const Pool& pool) : bits_(pool.next_ / 64 + 1) { set(0, kFirst); }
    void mark(Ref ref, std::size_t bytes) { set(ref, granules_of(bytes)); }

   private:
    friend class Pool;
    void set(std::size_t first, std::size_t count);
    // The first granule from `from` on that is (or is not) marked; `end` where there is none.
    std::size_t find(bool marked, std::size_t from, std::size_t end) const;

    std::vector<std::uint64_t> bits_;  // by granule
  };
  void sweep(const Marks& marks, const std::atomic<bool>& stop);
  // Forgets all blocks; the chunks are kept for the next tree.
  void clear();

  template <class T>
  T* at(Ref ref) const {
    const std::size_t chunk = chunk_of(ref);
    return reinterpret_cast<T*>(chunks_[chunk].get() + (ref - chunk_start(chunk)) * kGranule);
  }

  // Bytes in allocated blocks, and the most there may be.
  std::size_t used_bytes() const { return used_ * kGranule; }
  std::size_t max_bytes() const { return limit_ * kGranule; }

 private:
  static constexpr int kFirstChunkLog2 = 11;  // granules: 32 KiB
  static constexpr std::size_t kMaxChunks = 32 - kFirstChunkLog2;

  static std::size_t granules_of(std::size_t bytes) { return (bytes + kGranule - 1) / kGranule; }
  static std::size_t chunk_of(Ref ref) {
    return static_cast<std::size_t>(std::bit_width((ref >> kFirstChunkLog2) + 1u)) - 1;
  }
  static std::size_t chunk_start(std::size_t chunk) {
    return ((std::size_t{1} << chunk) - 1) << kFirstChunkLog2;
  }
  struct Deleter {
    std::align_val_t alignment;
    void operator()(std::byte* p) const { ::operator delete[](p, alignment); }
  };
  using Chunk = std::unique_ptr<std::byte[], Deleter>;
  static Chunk new_chunk(std::size_t bytes);

  bool make_chunk(std::size_t chunk);
  Ref bump(std::size_t granules);
  Ref split_larger(std::size_t granules);
  void push_free(Ref ref, std::size_t granules);
  Ref pop_free(std::size_t granules);

  std::array<Chunk, kMaxChunks> chunks_;
  std::array<Ref, kMaxGranules + 1> free_{};  // heads of lists, by size in granules
  std::size_t limit_;                         // granules
  std::size_t next_ = kFirst;                 // first granule never handed out
  std::size_t used_ = 0;                      // granules
};

}  // namespace mcts
