// The page of findings and the script that writes it (findings.py says what is checked).
#include <gtest/gtest.h>

#include <string>

#include "tests/app/process.h"

namespace app {
namespace {

// What findings.py finds wrong; empty where nothing is.
std::string faults_of_findings(const std::string& check) {
  const Finished finished = run_program({"python3", SHARPZERO_SOURCE "/tests/app/findings.py",
                                         SHARPZERO_SOURCE, SHARPZERO_PROGRAM, check});
  return finished.code == 0 ? "" : finished.out + finished.error;
}

TEST(Findings, CountTheGamesThatAChangedTablePaysOtherwise) {
  EXPECT_EQ(faults_of_findings("scoring"), "");
}

TEST(Findings, SayWhatCouldHaveBeenSeen) { EXPECT_EQ(faults_of_findings("power"), ""); }

TEST(Findings, OfTheFirstMoveGoByDepthsAndNetworks) { EXPECT_EQ(faults_of_findings("depths"), ""); }

TEST(Findings, OfOptionsStandBesideTheUsualRules) { EXPECT_EQ(faults_of_findings("changed"), ""); }
TEST(Findings, ReadTogetherHoldTogether) { EXPECT_EQ(faults_of_findings("together"), ""); }
TEST(Findings, OfTheBookSayWhatItHolds) { EXPECT_EQ(faults_of_findings("best_play"), ""); }

TEST(Findings, SayHowStrongThePlayerOfTheGamesIs) { EXPECT_EQ(faults_of_findings("strength"), ""); }

TEST(Findings, AreReadAgainFromTheGamesBesideThem) {
  EXPECT_EQ(faults_of_findings("name"), "");
  if (SHARPZERO_SANITIZED) GTEST_SKIP() << "a sanitizer slows the program";
  EXPECT_EQ(faults_of_findings("read"), "");
}

}  // namespace
}  // namespace app
