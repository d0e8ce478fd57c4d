#include "training/run/run_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/syncs.h"
#include "tests/temporary_folder.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(RunState, AFolderThatCannotBeSyncedIsNoCheckpoint) {
  const TemporaryFolder folder;
  const fs::path aside = checkpoint_folder(folder.path(), 0).string() + ".tmp";
  const Syncs failing(aside.string());
  const RunState empty;
  EXPECT_THAT([&] { save_state(empty, folder.path()); },
              ThrowsMessage<fs::filesystem_error>(HasSubstr(aside)));
  EXPECT_FALSE(fs::exists(checkpoint_folder(folder.path(), 0)));
}

}  // namespace
}  // namespace training
