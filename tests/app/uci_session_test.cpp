// The engine as another program sees it: a script drives it from outside. In its long form
// (`--long`) a scenario runs by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/app/process.h"

namespace app {
namespace {

class UciSession : public ::testing::TestWithParam<const char*> {
 protected:
  static void check(const std::vector<std::string>& network);
};

void UciSession::check(const std::vector<std::string>& network) {
  if (run_program({"python3", "--version"}).code != 0) GTEST_SKIP() << "there is no python3";
  std::vector<std::string> words{"python3", SHARPZERO_SOURCE "/tests/app/uci_session.py",
                                 SHARPZERO_PROGRAM, GetParam()};
  words.insert(words.end(), network.begin(), network.end());
  if (SHARPZERO_SANITIZED) words.push_back("--slow");
  const Finished session = run_program(words);
  EXPECT_EQ(session.code, 0) << session.out << session.error;
}

TEST_P(UciSession, GoesAsTheScriptExpects) { check({}); }

TEST_P(UciSession, GoesTheSameWayByTreeSearch) {
  check({"--net", SHARPZERO_SOURCE "/networks/chess_sharp-5x64.safetensors"});
}

INSTANTIATE_TEST_SUITE_P(Scenarios, UciSession,
                         ::testing::Values("games", "refusals", "end", "stop", "ponder", "multipv",
                                           "clock", "growth"),
                         [](const auto& scenario) { return std::string(scenario.param); });

}  // namespace
}  // namespace app
