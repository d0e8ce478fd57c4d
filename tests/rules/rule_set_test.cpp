#include "rules/rule_set.h"

#include <gmock/gmock.h>

namespace rules {
namespace {

TEST(RuleSet, NamesAreReadInAnyOrderAndWrittenInOne) {
  EXPECT_EQ(RuleSet::parse("chess_sharp"), RuleSet{});
  EXPECT_EQ(RuleSet::parse("chess_sharp+sprint"), (RuleSet{.sprint = true}));
  const RuleSet both{.sprint = true, .before = 3};
  EXPECT_EQ(RuleSet::parse("chess_sharp+before=3+sprint"), both);
  EXPECT_EQ(RuleSet::parse("chess_sharp+sprint+before=3"), both);
  EXPECT_EQ(both.name(), "chess_sharp+sprint+before=3");
}

TEST(RuleSet, IdsStandForAllSets) {
  EXPECT_EQ(RuleSet{}.id(), 0);
  for (const bool sprint : {false, true}) {
    for (std::uint8_t before = 0; before < 8; ++before) {
      const RuleSet rules{.sprint = sprint, .before = before};
      EXPECT_EQ(RuleSet::from_id(rules.id()), rules);
      EXPECT_EQ(RuleSet::parse(rules.name()), rules);
      const auto mechanics = dispatch(rules.id(), []<Mechanics kM>() { return kM; });
      EXPECT_EQ(mechanics, (Mechanics{.sprint = sprint, .gated = before > 0}));
    }
  }
}

TEST(RuleSet, OthersAreRefusedByName) {
  for (const char* name : {"", "chess", "chess_sharp+", "+sprint", "chess_sharp+sprint+sprint",
                           "chess_sharp+before", "chess_sharp+before=", "chess_sharp+before=0",
                           "chess_sharp+before=8", "chess_sharp+before=3+before=3",
                           "chess_sharp+before=33", "Chess_sharp", "chess_sharp sprint"}) {
    try {
      RuleSet::parse(name);
      ADD_FAILURE() << "accepted " << name;
    } catch (const RulesError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("rule set '" + std::string(name) + "'"));
    }
  }
}

TEST(Quoted, ShowsBytesThatDoNotPrintAndCuts) {
  EXPECT_EQ(quoted("a b"), "'a b'");
  EXPECT_EQ(quoted("\x1b\xff"), "'\\x1b\\xff'");
  EXPECT_EQ(rules::quoted(std::string(1000, '/')), "'" + std::string(40, '/') + "...'");
}

}  // namespace
}  // namespace rules
