#pragma once
// How much memory there is to have, and large tables that share it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace base {

// The bytes that the cgroups of the process, or one above them, still grant (cgroup v2's
// memory.max, v1's memory.limit_in_bytes; what the system would give back, cached files, counts as
// free); empty: no limit. `process` is /proc/self/cgroup's text, `mounts` the folder in which the
// cgroups are mounted.
std::optional<std::uint64_t> memory_of_cgroups(std::string_view process,
                                               const std::filesystem::path& mounts);

// The bytes that this process may still take without swapping, being killed or being refused: what
// the system calls available, at most what its cgroups grant and its own limits (RLIMIT_AS,
// RLIMIT_DATA) leave. The greatest number where the system does not say.
std::uint64_t available_memory();

// Whether there are so many bytes, and some more for everything else.
bool memory_is_available(std::uint64_t bytes);

// Memory that a table will fill as it is used: the system lends more than it has, and kills who
// comes to use it. All claims of the process together stay within what was available, and leave an
// eighth of it.
class MemoryClaim {
 public:
  // Claims `wanted` MiB, or as many as there are, at least 1.
  explicit MemoryClaim(int wanted);
  ~MemoryClaim();
  MemoryClaim(const MemoryClaim&) = delete;
  MemoryClaim& operator=(const MemoryClaim&) = delete;

  int mib() const { return mib_; }
  // Gives the rest back. REQUIRES: from 1 to mib().
  void reduce(int mib);

 private:
  int mib_;
};

// Zeroed memory for a large table, aligned to a cache line at least, and in huge pages where the
// system gives them: fewer misses of the address cache, for one every lookup would have. The first
// GiB is there at once; pages beyond it cost nothing until they are used.
class ZeroPages {
 public:
  ZeroPages() = default;
  // data() is null where the system refuses. REQUIRES: bytes > 0.
  explicit ZeroPages(std::size_t bytes);
  ZeroPages(ZeroPages&& other) noexcept { swap(other); }
  ZeroPages& operator=(ZeroPages&& other) noexcept {
    ZeroPages(std::move(other)).swap(*this);
    return *this;
  }
  ~ZeroPages();

  void* data() const { return data_; }

 private:
  void swap(ZeroPages& other) {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace base
