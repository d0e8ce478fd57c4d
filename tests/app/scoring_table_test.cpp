#include "app/named/scoring_table.h"

#include <gtest/gtest.h>

#include <string>

#include "base/errors.h"
#include "tests/app/process.h"

namespace app {
namespace {

// A file is the table of the same list of changes.
TEST(ScoringTable, AFileIsTakenInItsOrderAndToItsLastDigit) {
  const TemporaryFolder folder;
  for (const std::string changes :
       {"stalemate=2,black_stalemated=7.5", "black_stalemated=7.5,stalemate=2",
        "impasse_equal=4.123456789012345", "rook=5.000000001,bishop=3",
        "impasse_unequal=3.3333333333333335,impasse_black_more=3"}) {
    std::string toml = changes;
    for (char& c : toml) c = c == ',' ? '\n' : c;
    EXPECT_EQ(scoring_table(folder.write("table.toml", toml)), scoring_table(changes)) << changes;
  }
}

TEST(ScoringTable, AFileIsJudgedAsAWhole) {
  const TemporaryFolder folder;
  const std::string good = "white_wins = 7\nblack_stalemated = 6\n";
  EXPECT_EQ(scoring_table(folder.write("good.toml", good)),
            scoring_table("white_wins=7,black_stalemated=6"));
  const std::string bad = folder.write("bad.toml", "white_wins = 7\n");
  try {
    scoring_table(bad);
    ADD_FAILURE() << "accepted";
  } catch (const base::InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(bad + ": scoring table black_stalemated '8'"))
        << error.what();
  }
}

}  // namespace
}  // namespace app
