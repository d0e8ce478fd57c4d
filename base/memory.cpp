#include "base/memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <sstream>
#include <string>

#include "base/cgroups.h"
#include "base/files.h"
#include "base/text.h"

namespace base {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
constexpr std::uint64_t kLeastSpare = 64 * kMib;  // for everything but large tables

std::uint64_t less(std::uint64_t from, std::uint64_t taken) { return from - std::min(from, taken); }

// The number behind the word in a text of words; empty where there is none.
std::optional<std::uint64_t> number_after(const std::string& text, std::string_view key) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word != key) continue;
    words >> word;
    return parse_number<std::uint64_t>(word);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::istringstream words(read_text(file));
  std::string word;
  words >> word;
  return parse_number<std::uint64_t>(word);  // not "max"
}

// v2's files, or v1's, of one cgroup. v1's are of the cgroup alone but for "total_".
std::optional<std::uint64_t> memory_of_cgroup(const fs::path& folder) {
  const bool second = fs::exists(folder / "memory.max");
  const auto limit = number_in(folder / (second ? "memory.max" : "memory.limit_in_bytes"));
  const auto used = number_in(folder / (second ? "memory.current" : "memory.usage_in_bytes"));
  if (!limit || !used) return std::nullopt;
  const std::string stat = read_text(folder / "memory.stat");
  const std::string total = second ? "" : "total_";
  const std::uint64_t cached = number_after(stat, total + "inactive_file").value_or(0) +
                               number_after(stat, total + "active_file").value_or(0);
  return less(*limit, less(*used, cached));
}

// What a limit of the process leaves beside so many pages in use.
std::uint64_t left_by(decltype(RLIMIT_AS) resource, std::uint64_t pages) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  return less(limit.rlim_cur, pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

// What all claims share, by one mutex.
struct Claims {
  std::mutex mutex;
  std::uint64_t available = 0;  // before the first of the present claims
  std::uint64_t claimed = 0;
};

Claims& claims() {
  static Claims all;
  return all;
}

}  // namespace

std::optional<std::uint64_t> memory_of_cgroups(std::string_view process, const fs::path& mounts) {
  std::optional<std::uint64_t> least;
  for (const fs::path& folder : folders_of_cgroups(process, mounts, "memory")) {
    if (const auto granted = memory_of_cgroup(folder)) {
      least = std::min(*granted, least.value_or(*granted));
    }
  }
  return least;
}

std::uint64_t available_memory() {
  std::uint64_t available = kNoLimit;
  if (const auto kib = number_after(read_text("/proc/meminfo"), "MemAvailable:")) {
    available = *kib * 1024;
  }
  const auto granted = memory_of_cgroups(read_text("/proc/self/cgroup"), "/sys/fs/cgroup");
  std::istringstream statm(read_text("/proc/self/statm"));
  std::uint64_t size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;  // in pages
  statm >> size >> resident >> shared >> text >> library >> data;
  return std::min({available, granted.value_or(kNoLimit), left_by(RLIMIT_AS, size),
                   left_by(RLIMIT_DATA, data)});
}

bool memory_is_available(std::uint64_t bytes) {
  return less(available_memory(), kLeastSpare) >= bytes;
}

MemoryClaim::MemoryClaim(int wanted) {
  Claims& all = claims();
  const std::lock_guard lock(all.mutex);
  const std::uint64_t now = available_memory();
  if (all.claimed == 0) all.available = now;
  const std::uint64_t free = std::min(now, less(all.available, all.claimed));
  const std::uint64_t most = less(free, std::max(free / 8, kLeastSpare)) / kMib;
  mib_ = static_cast<int>(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1,
                                                    std::max<std::uint64_t>(most, 1)));
  all.claimed += static_cast<std::uint64_t>(mib_) * kMib;
}

void MemoryClaim::reduce(int mib) {
  const std::lock_guard lock(claims().mutex);
  claims().claimed -= static_cast<std::uint64_t>(mib_ - mib) * kMib;
  mib_ = mib;
}

MemoryClaim::~MemoryClaim() {
  const std::lock_guard lock(claims().mutex);
  claims().claimed -= static_cast<std::uint64_t>(mib_) * kMib;
}

ZeroPages::ZeroPages(std::size_t bytes) {
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  data_ = pages;
  bytes_ = bytes;
  ::madvise(pages, bytes, MADV_HUGEPAGE);  // a wish
  // The system clears a page when it is first written: now rather than on a search's clock.
  constexpr std::size_t kPage = 4096, kMost = std::size_t{1} << 30;
  auto* const first = static_cast<volatile char*>(pages);
  for (std::size_t at = 0; at < std::min(bytes, kMost); at += kPage) first[at] = 0;
}

ZeroPages::~ZeroPages() {
  if (data_) ::munmap(data_, bytes_);
}

}  // namespace base
