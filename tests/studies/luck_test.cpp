#include "studies/luck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace studies {
namespace {

using rules::Outcome;

// A has White in even games.
arena::MatchResult played(const std::vector<Outcome>& outcomes) {
  arena::MatchResult match;
  match.a = "one";
  match.b = "two";
  match.rules = rules::kRaindrop;
  match.table = match.rules.table();
  for (const Outcome outcome : outcomes) {
    arena::MatchGame& game = match.kept.emplace_back();
    game.number = static_cast<int>(match.kept.size()) - 1;
    game.a_is_white = game.number % 2 == 0;
    game.outcome = outcome;
    const double white = match.table.white_points(outcome) / 10;
    if (game.number % 2 == 1) {
      const auto first = match.kept[match.kept.size() - 2].outcome;
      match.pairs.add((match.table.white_points(first) / 10 + 1 - white) / 2);
    }
  }
  return match;
}

TEST(Luck, IsOfWhoScoredLess) {
  using enum Outcome;
  // B, "two", wins five of eight, A two, one is even.
  const auto figures = luck_figures(played({kBlackWins, kWhiteWins, kBlackWins, kBlackWins,
                                            kWhiteWins, kWhiteWins, kImpasseEqual, kWhiteWins}));
  EXPECT_EQ(figures.stronger, "two");
  EXPECT_EQ(figures.weaker, "one");
  EXPECT_EQ(figures.games, 8u);
  EXPECT_NEAR(figures.weaker_wins.mean, 2 / 8.0, 1e-9);
  EXPECT_NEAR(figures.half_each.mean, 1 / 8.0, 1e-9);
  EXPECT_GT(figures.elo.mean, 0);
  EXPECT_LT(figures.elo.low, figures.elo.high);
  const Answer answer = words({figures});
  EXPECT_EQ(answer.json["encounters"][0]["weaker"], "one");
  EXPECT_THAT(answer.text, testing::HasSubstr("25.0 ["));
}

}  // namespace
}  // namespace studies
