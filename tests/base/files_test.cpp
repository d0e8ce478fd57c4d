#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "tests/syncs.h"
#include "tests/temporary_folder.h"

namespace base {
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
  EXPECT_THROW(write_text(path, "new"), EnvironmentError);
  EXPECT_EQ(read_text(path), "what was there");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("text"));
}

TEST(TextFile, AFolderThatCannotBeSyncedIsTold) {
  const TemporaryFolder folder;
  const Syncs failing(folder.path());
  EXPECT_THAT([&] { write_text(folder / "text", "new"); },
              ThrowsMessage<EnvironmentError>(HasSubstr("Input/output error")));
}

TEST(TextFile, AFailureNamesThePathAndLeavesNothingAside) {
  const TemporaryFolder folder;
  const fs::path taken = folder / "taken", missing = fs::path(folder / "missing") / "text";
  fs::create_directory(taken);
  for (const fs::path& path : {taken, missing}) {
    EXPECT_THAT([&] { write_text(path, "text"); },
                ThrowsMessage<EnvironmentError>(HasSubstr("cannot write " + path.string())));
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("taken"));
}

TEST(FileLock, IsHeldByOneUntilItGoes) {
  const TemporaryFolder folder;
  std::optional<FileLock> first(std::in_place, folder / "file");
  EXPECT_TRUE(first->is_held());
  EXPECT_FALSE(FileLock(folder / "file").is_held());
  FileLock moved(std::move(*first));
  first.reset();
  EXPECT_FALSE(FileLock(folder / "file").is_held());
  EXPECT_TRUE(moved.is_held());
  EXPECT_TRUE(FileLock(folder / "other").is_held());
  EXPECT_THROW(FileLock(folder / "none/file"), EnvironmentError);
}

}  // namespace
}  // namespace base
