#pragma once
// All endings of Chess# with up to three pieces, for the tests of who asks.

#include <gtest/gtest.h>

#include <memory>

#include "tablebase/build.h"
#include "tests/temporary_folder.h"

// Solved anew: keep it for the whole program.
struct TablebaseFolder {
  TablebaseFolder() {
    tablebase::Build build(folder.path(), 3, {}, {});
    EXPECT_TRUE(build.run(
        2, [](const tablebase::SolvedMaterial&) {}, [] { return false; }));
    tables = std::make_shared<const tablebase::Tables>(folder.path(), rules::RuleSet{},
                                                       rules::ScoringTable{});
  }

  TemporaryFolder folder;
  std::shared_ptr<const tablebase::Tables> tables;
};
