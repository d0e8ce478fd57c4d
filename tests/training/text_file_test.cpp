#include "training/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "selfplay/errors.h"
#include "tests/temporary_folder.h"

namespace training {
namespace {

namespace fs = std::filesystem;

TEST(TextFile, WhatAKilledProcessLeftAsideIsNoPartOfTheNextText) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("text", "old");
  folder.write("text.new", "half of");
  write_text(path, "new");
  EXPECT_EQ(read_text(path), "new");
  EXPECT_FALSE(fs::exists(folder / "text.new"));
}

TEST(TextFile, WhereItFailsWhatWasThereStays) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("text", "what was there");
  fs::create_directories(fs::path(folder / "text.new") / "in the way");
  EXPECT_THROW(write_text(path, "new"), selfplay::EnvironmentError);
  EXPECT_EQ(read_text(path), "what was there");
}

TEST(TextFile, AFailureNamesThePathAndLeavesNothingAside) {
  const TemporaryFolder folder;
  const fs::path taken = folder / "taken", missing = fs::path(folder / "missing") / "text";
  fs::create_directory(taken);
  for (const fs::path& path : {taken, missing}) {
    EXPECT_THAT([&] { write_text(path, "text"); },
                testing::ThrowsMessage<selfplay::EnvironmentError>(
                    testing::HasSubstr("cannot write " + path.string())));
    EXPECT_FALSE(fs::exists(path.string() + ".new"));
  }
}

}  // namespace
}  // namespace training
