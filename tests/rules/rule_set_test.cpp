#include "rules/rule_set.h"

#include <gmock/gmock.h>

#include <set>

#include "rules/outcome.h"
#include "rules/spelling.h"

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
  EXPECT_EQ(RuleSet{}.id(), 0U);
  std::set<RuleSetId> ids;
  const auto expect_back = [&](RuleSet rules) {
    EXPECT_EQ(RuleSet::from_id(rules.id()), rules);
    EXPECT_EQ(RuleSet::parse(rules.name()), rules);
    EXPECT_EQ(RuleSet::from_variant(rules.variant()), rules) << rules.variant();
    ids.insert(rules.id());
  };
  for (unsigned options = 0; options < 128; ++options) {
    expect_back({.sprint = (options & 1) != 0,
                 .before = static_cast<std::uint8_t>(options >> 1 & 7),
                 .bishops_opposite = (options & 16) != 0,
                 .queen_any = (options & 32) != 0,
                 .underpromotion = (options & 64) != 0});
  }
  for (const NamedRuleSet& set : kRuleSets) expect_back(set.rules);
  expect_back(changed(kRaindrop, [](RuleSet& r) { r.sprint = true; }));
  EXPECT_EQ(ids.size(), 128 + kRuleSets.size());
}

TEST(RuleSet, TheFamilyOfChessSharpTakesItsOptions) {
  for (const NamedRuleSet& set : kRuleSets) {
    RuleSet rules = set.rules;
    if (!rules.in_chess_sharp_family()) continue;
    rules.sprint = rules.queen_any = true;
    EXPECT_EQ(rules.name(), std::string(set.name) + "+sprint+queen_any");
    EXPECT_EQ(RuleSet::parse(rules.name()), rules);
    EXPECT_EQ(RuleSet::from_variant(rules.variant()), rules);
    EXPECT_EQ(rules.uci_variant(), std::string(set.uci_variant) + "+sprint+queen_any");
    EXPECT_FALSE(rules.in_plain_chess_sharp_family());
  }
  EXPECT_EQ(RuleSet::parse("chess_flat+before=5").before, 5);
}

TEST(RuleSet, TheAppsNamesAreRead) {
  EXPECT_EQ(RuleSet::parse("chess-sharp"), RuleSet{});
  EXPECT_EQ(RuleSet::parse("chess-sharp+sprint"), (RuleSet{.sprint = true}));
  EXPECT_EQ(RuleSet{}.app_variant(), "chess-sharp");
  EXPECT_EQ(kRaindrop.app_variant(), "");
  EXPECT_EQ(RuleSet::parse("raindrop+sprint").app_variant(), "");
  for (const auto& [name, rules] : {std::pair("chess-double-sharp", kChessDoubleSharp),
                                    {"chess-flat", kChessFlat},
                                    {"chess-double-flat", kChessDoubleFlat},
                                    {"chess-triple-flat", kChessTripleFlat},
                                    {"classical-chess-sharp", kClassicalChessSharp}}) {
    EXPECT_EQ(RuleSet::parse(name), rules);
    EXPECT_EQ(RuleSet::from_variant(name), rules);
    EXPECT_EQ(rules.app_variant(), name);
  }
  EXPECT_EQ(kChessDoubleSharp.variant(), "Chess\xf0\x9d\x84\xaa");  // U+1D12A
  EXPECT_EQ(kChessTripleFlat.variant(), "Chess\xf0\x9d\x84\xab\xe2\x99\xad");
  EXPECT_EQ(kClassicalChessSharp.variant(), "Classical Chess\xe2\x99\xaf");
}

TEST(RuleSet, DispatchTellsTheRules) {
  for (const NamedRuleSet& set : kRuleSets) {
    const RuleSetId told =
        dispatch(set.rules.id(), [](auto rules) { return rules.get().id(); }) ^ set.rules.id();
    EXPECT_EQ(told & rule_bits::kGenerator, 0U) << set.name;
  }
}

TEST(RuleSet, EachHasItsTable) {
  EXPECT_EQ(RuleSet{}.table(), ScoringTable{});
  EXPECT_EQ(kChess.table().white_points(Outcome::kWhiteStalemated), 5);
  EXPECT_EQ(kStalemateWin.table().white_points(Outcome::kWhiteStalemated), 0);
  EXPECT_EQ(kStalemateWin.table().white_points(Outcome::kImpasseBlackMore), 5);
}

TEST(RuleSet, OthersAreRefusedByName) {
  for (const char* name : {"",
                           "checkers",
                           "chess_sharp+",
                           "+sprint",
                           "chess_sharp+sprint+sprint",
                           "chess_sharp+sprint+",
                           "chess_sharp+before",
                           "chess_sharp+before=",
                           "chess_sharp+before=0",
                           "chess_sharp+before=8",
                           "chess_sharp+before=3+before=3",
                           "chess_sharp+before=33",
                           "chess_sharp sprint",
                           "chess#b",
                           "chess+sprint",
                           "unnamed",
                           "raindrop+sprint+sprint",
                           "raindrop+before=3",
                           "chess_flat+before=6",
                           "chess_double_flat+before=2",
                           "chess_triple_flat+before=1",
                           "chess_double_sharp+before=8",
                           "classical_chess_sharp+sprint"}) {
    try {
      RuleSet::parse(name);
      ADD_FAILURE() << "accepted " << name;
    } catch (const RulesError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("rule set '" + std::string(name) + "'"));
    }
  }
  EXPECT_THROW(RuleSet::from_variant("Chess#+"), RulesError);
  EXPECT_THROW(RuleSet::from_variant("Crazyhouse"), RulesError);
}

TEST(RuleSet, EverySpellingOfItsNamesIsRead) {
  for (const NamedRuleSet& set : kRuleSets) {
    for (const auto name : {set.name, set.variant}) {
      std::string shouted, spaced, joined;
      for (const char c : name) {
        shouted += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        spaced += c == '_' ? ' ' : c;
        if (c != '_' && c != ' ') joined += c;
      }
      if (name.empty()) continue;
      for (const auto& spelling : {shouted, spaced, joined}) {
        EXPECT_EQ(RuleSet::spelt(spelling), set.rules) << spelling;
      }
    }
    const RuleSet by_uci = set.rules == kChess960 ? kChess : set.rules;
    EXPECT_EQ(RuleSet::spelt(set.uci_variant), by_uci) << set.name;
  }
  for (const char* name : {"Chess♯", "chess♯", "Chess#", "ChessSharp", "Chess Sharp", "chess-sharp",
                           "CHESS_SHARP", "Chess\u2010Sharp", " Chess Sharp "}) {
    EXPECT_EQ(RuleSet::from_variant(name), RuleSet{}) << name;
  }
  EXPECT_EQ(RuleSet::from_variant("Chess♯+Sprint"), (RuleSet{.sprint = true}));
  EXPECT_EQ(RuleSet::parse("Chess Sharp+queen-any+Before=2"),
            (RuleSet{.before = 2, .queen_any = true}));
  for (const char* name : {"Fischerandom", "fischerandom", "Fischer Random", "Chess 960",
                           "Freestyle Chess", "Fischer Random Chess"}) {
    EXPECT_EQ(RuleSet::from_variant(name), kChess960) << name;
  }
  for (const char* name : {"", "Standard", "standard", "From Position", "Standard Chess", "chess",
                           "Normal", "Classical Chess"}) {
    EXPECT_EQ(RuleSet::from_variant(name), kChess) << name;
  }
}

TEST(Spelling, AccidentalsAreWords) {
  EXPECT_EQ(folded_name("Chess♯"), "chesssharp");
  for (const char* name :
       {"Chess𝄪", "Chess##", "Chess♯♯", "Chess Double Sharp", "chess_double-sharp"}) {
    EXPECT_EQ(folded_name(name), "chessdoublesharp") << name;
  }
  for (const char* name : {"Chess♭", "Chessb", "chess flat"})
    EXPECT_EQ(folded_name(name), "chessflat");
  for (const char* name : {"Chess𝄫", "Chess♭♭", "Chessbb"}) {
    EXPECT_EQ(folded_name(name), "chessdoubleflat") << name;
  }
  for (const char* name : {"Chess𝄫♭", "Chess♭𝄫", "Chessbbb", "chess-triple-flat"}) {
    EXPECT_EQ(folded_name(name), "chesstripleflat") << name;
  }
  EXPECT_EQ(folded_name("Classical Chess♯"), "classicalchesssharp");
  EXPECT_EQ(folded_name("chessboard"), "chessboard");
}

TEST(Quoted, ShowsBytesThatDoNotPrintAndCuts) {
  EXPECT_EQ(quoted("a b"), "'a b'");
  EXPECT_EQ(quoted("\x1b\xff"), "'\\x1b\\xff'");
  EXPECT_EQ(rules::quoted(std::string(1000, '/')), "'" + std::string(40, '/') + "...'");
}

}  // namespace
}  // namespace rules
