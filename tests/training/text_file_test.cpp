#include "training/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "selfplay/errors.h"
#include "tests/temporary_folder.h"
#include "training/run_state.h"

namespace {

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

}  // namespace

// Stands in for the C library's in this program.
extern "C" int fsync(int descriptor) {
  if (Syncs::note(descriptor)) return static_cast<int>(::syscall(SYS_fsync, descriptor));
  errno = EIO;
  return -1;
}

namespace training {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

TEST(TextFile, WhatAKilledProcessLeftAsideGoesWithALaterText) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("text", "old"), left = folder.write("text.new.1.1", "half of");
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  write_text(path, "new");
  EXPECT_EQ(read_text(path), "new");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("text"));
}

TEST(TextFile, TwoWritersOfOneFileDoNotMeet) {
  const TemporaryFolder folder;
  const fs::path path = folder / "text", others = folder.write("text.new.1.1", "half of");
  folder.write("text.new", "somebody's own");
  write_text(path, "new");
  EXPECT_EQ(read_text(path), "new");
  EXPECT_EQ(read_text(others), "half of");
  EXPECT_EQ(read_text(folder / "text.new"), "somebody's own");
}

TEST(TextFile, TheTextIsSyncedBeforeItHasItsNameAndTheFolderAfter) {
  const TemporaryFolder folder;
  const Syncs syncs;
  write_text(folder / "text", "new");
  EXPECT_THAT(syncs.paths(), ElementsAre(StartsWith(folder / "text.new."), folder.path()));
}

TEST(TextFile, WhereItFailsWhatWasThereStays) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("text", "what was there");
  const Syncs failing(StartsWith(folder / "text.new."));
  EXPECT_THROW(write_text(path, "new"), selfplay::EnvironmentError);
  EXPECT_EQ(read_text(path), "what was there");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("text"));
}

TEST(TextFile, AFolderThatCannotBeSyncedIsTold) {
  const TemporaryFolder folder;
  const Syncs failing(folder.path());
  EXPECT_THAT([&] { write_text(folder / "text", "new"); },
              ThrowsMessage<selfplay::EnvironmentError>(HasSubstr("Input/output error")));
}

TEST(TextFile, AFailureNamesThePathAndLeavesNothingAside) {
  const TemporaryFolder folder;
  const fs::path taken = folder / "taken", missing = fs::path(folder / "missing") / "text";
  fs::create_directory(taken);
  for (const fs::path& path : {taken, missing}) {
    EXPECT_THAT([&] { write_text(path, "text"); }, ThrowsMessage<selfplay::EnvironmentError>(
                                                       HasSubstr("cannot write " + path.string())));
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("taken"));
}

TEST(RunState, AFolderThatCannotBeSyncedIsNoCheckpoint) {
  const TemporaryFolder folder;
  const fs::path aside = checkpoint_folder(folder.path(), 0).string() + ".tmp";
  const Syncs failing(aside.string());
  EXPECT_THAT([&] { save_state({}, folder.path()); },
              ThrowsMessage<fs::filesystem_error>(HasSubstr(aside)));
  EXPECT_FALSE(fs::exists(checkpoint_folder(folder.path(), 0)));
}

}  // namespace
}  // namespace training
