#pragma once
// Watches and fails fsync(). For one source file of a program.

#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// What is synced while it lives, and where that fails.
class Syncs {
 public:
  using Matcher = testing::Matcher<std::string>;
  explicit Syncs(Matcher failing = Matcher("")) : failing_(std::move(failing)) {
    const std::lock_guard lock(mutex_);
    now_ = this;
  }
  ~Syncs() {
    const std::lock_guard lock(mutex_);
    now_ = nullptr;
  }
  const std::vector<std::string>& paths() const { return paths_; }

  // Returns false where the sync is to fail.
  static bool note(int descriptor) {
    const std::lock_guard lock(mutex_);
    if (now_ == nullptr) return true;
    std::error_code ignored;
    now_->paths_.push_back(
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), ignored));
    return !now_->failing_.Matches(now_->paths_.back());
  }

 private:
  static inline std::mutex mutex_;
  static inline Syncs* now_ = nullptr;
  Matcher failing_;
  std::vector<std::string> paths_;
};

// Stands in for the C library's in this program.
extern "C" int fsync(int descriptor) {
  if (Syncs::note(descriptor)) return static_cast<int>(::syscall(SYS_fsync, descriptor));
  errno = EIO;
  return -1;
}
