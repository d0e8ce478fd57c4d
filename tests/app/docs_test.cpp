// The documents: links, line lengths, and commands that run as written (docs.py says what is
// checked).
#include <gtest/gtest.h>

#include <string>

#include "tests/app/process.h"

namespace app {
namespace {

// What docs.py finds wrong; empty where nothing is.
std::string faults(const std::string& check) {
  const Finished finished = run_program({"python3", SHARPZERO_SOURCE "/tests/app/docs.py",
                                         SHARPZERO_SOURCE, SHARPZERO_PROGRAM, check});
  return finished.code == 0 ? "" : finished.out + finished.error;
}

TEST(Docs, LinksLeadToFilesAndHeadings) { EXPECT_EQ(faults("links"), ""); }

TEST(Docs, LinesAndPagesAreShort) { EXPECT_EQ(faults("shape"), ""); }

TEST(Docs, ExperimentsGiveDateRevisionCommandAndVerdict) { EXPECT_EQ(faults("experiments"), ""); }

TEST(Docs, WrittenCommandsAndOptionsExist) { EXPECT_EQ(faults("options"), ""); }

TEST(Docs, QuickCommandsRunAsWritten) {
  if (SHARPZERO_SANITIZED) GTEST_SKIP() << "a sanitizer slows the program";
  EXPECT_EQ(faults("quick"), "");
}

}  // namespace
}  // namespace app
