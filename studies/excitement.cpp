#include "studies/excitement.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/threads.h"
#include "studies/game_facts.h"
#include "studies/words.h"

namespace studies {
namespace {

using rules::Position;
using selfplay::GameRecord;
using Expected = std::vector<std::optional<double>>;

// White's expected points before each ply, by searches; none before a card is drawn.
Expected expected_points(const std::vector<Position>& positions, const SelfGamesConfig& config,
                         Thinker& thinker) {
  Expected expected(positions.size() - 1);
  std::vector<Position> asked;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!positions[i].is_chance()) asked.push_back(positions[i]);
  }
  const auto found = thinker.points_white(asked, config.table, config.simulations);
  for (std::size_t i = 0, next = 0; i < expected.size(); ++i) {
    if (!positions[i].is_chance()) expected[i] = found[next++];
  }
  return expected;
}

bool is_win(rules::Outcome outcome) {
  return outcome == rules::Outcome::kWhiteWins || outcome == rules::Outcome::kBlackWins;
}

}  // namespace

GameCourse course_of(const std::vector<Position>& positions, const Expected& expected,
                     double points_white) {
  GameCourse course;
  const auto plies = static_cast<double>(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    course.branching += static_cast<double>(positions[i].legal_moves().size()) / plies;
  }
  int leader = 0;  // 1: White, -1: Black, 0: nobody yet
  for (const auto& points : expected) {
    const int ahead = !points || *points == 5 ? leader : *points > 5 ? 1 : -1;
    if (leader != 0 && ahead != leader) ++course.lead_changes;
    leader = ahead;
  }
  if (points_white == 5) return course;
  const auto of_winner = [&](double white) { return points_white > 5 ? white : 10 - white; };
  double behind = 0, worst = 0, best = 0, others_best = 0;
  std::size_t last_behind = 0;  // plies until the winner led for good
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!expected[i]) continue;
    const double own = of_winner(*expected[i]);
    behind += std::max(0.0, 10 - 2 * own);
    worst = std::max(worst, 10 - 2 * own);
    best = std::max(best, own);
    others_best = std::max(others_best, 10 - own);
    if (own <= 5) last_behind = i + 1;
  }
  const auto decided = std::ranges::find_if(
      expected, [&](const auto& white) { return white && of_winner(*white) > others_best; });
  course.drama = behind / plies;
  course.worst = worst;
  course.best = best;
  course.decided = static_cast<double>(expected.end() - decided) / plies;
  course.settled = (plies - static_cast<double>(last_behind)) / plies;
  return course;
}

ExcitementFigures excitement_figures(const SelfGamesConfig& config,
                                     const std::vector<GameRecord>& games,
                                     const MakeThinker& make_thinker,
                                     const std::function<bool()>& stopped) {
  constexpr std::size_t kAtOnce = 16;  // games of a thinker
  std::vector<GameFacts> facts(games.size());
  std::vector<GameCourse> courses(games.size());
  base::for_each_index((games.size() + kAtOnce - 1) / kAtOnce, config.threads, [&](std::size_t k) {
    const auto thinker = make_thinker();
    for (std::size_t i = k * kAtOnce; i < std::min((k + 1) * kAtOnce, games.size()); ++i) {
      if (stopped()) throw Stopped{};
      const auto positions = selfplay::replay(games[i]);
      facts[i] = facts_of(games[i], config.opening_plies);
      courses[i] = course_of(positions, expected_points(positions, config, *thinker),
                             facts[i].points_white(config.table));
    }
  });
  // Of the games that have the value.
  const auto samples = [&](auto value) {
    std::vector<Sample> found;
    for (std::size_t i = 0; i < games.size(); ++i) {
      const std::optional<double> one = value(facts[i], courses[i]);
      if (one) found.push_back(facts[i].sample(*one));
    }
    return found;
  };
  const auto of_winner = [&](std::optional<double> GameCourse::*part,
                             double most) -> std::optional<Estimate> {
    const auto found = samples([&](const GameFacts&, const GameCourse& c) { return c.*part; });
    if (found.empty()) return std::nullopt;
    return mean_within(found, 0, most);
  };
  const auto won_before = samples([](const GameFacts& f, const GameCourse& c) {
    if (is_win(f.outcome) || !c.best) return std::optional<double>();
    return std::optional(*c.best >= kNearWin ? 1.0 : 0.0);
  });
  return {
      .config = config,
      .games = games.size(),
      .decisive = mean_within(samples([](const GameFacts& f, const GameCourse&) {
                                return is_win(f.outcome) ? 1.0 : 0.0;
                              }),
                              0, 1),
      .plies = mean_of(samples([](const GameFacts& f, const GameCourse&) { return f.plies; })),
      .branching =
          mean_of(samples([](const GameFacts&, const GameCourse& c) { return c.branching; })),
      .lead_changes =
          mean_of(samples([](const GameFacts&, const GameCourse& c) { return c.lead_changes; })),
      .drama = of_winner(&GameCourse::drama, 10),
      .worst = of_winner(&GameCourse::worst, 10),
      .decided = of_winner(&GameCourse::decided, 1),
      .settled = of_winner(&GameCourse::settled, 1),
      .lesser_ends = won_before.size(),
      .won_before =
          won_before.empty() ? std::nullopt : std::optional(mean_within(won_before, 0, 1)),
  };
}

Answer words(const ExcitementFigures& figures) {
  Answer answer;
  answer.json = json_of(figures.config);
  answer.json["games"] = figures.games;
  answer.text = fmt::format("{} games of {}, {} {} a move\n", figures.games, figures.config.name,
                            figures.config.simulations, figures.config.unit);
  const auto add = [&](const char* key, const std::string& what,
                       const std::optional<Estimate>& value, bool is_share) {
    answer.json[key] = json_of(value);
    answer.text += fmt::format("  {:<58}{}\n", what, is_share ? percent_of(value) : text_of(value));
  };
  add("decisive", "won, % of the games", figures.decisive, true);
  add("plies", "plies", figures.plies, false);
  add("branching", "legal moves a ply", figures.branching, false);
  add("lead_changes", "lead changes a game", figures.lead_changes, false);
  add("drama", "points by which the winner was behind, mean of the plies", figures.drama, false);
  add("worst", "  the most of them", figures.worst, false);
  add("decided", "after the winner expected more than the other ever did, %", figures.decided,
      true);
  add("settled", "after the winner took the lead for good, %", figures.settled, true);
  answer.json["lesser_ends"] = figures.lesser_ends;
  add("won_before",
      fmt::format("{} paid one side more without a win: it expected {}, %", figures.lesser_ends,
                  kNearWin),
      figures.won_before, true);
  return answer;
}

ExcitementStudy::ExcitementStudy()
    : Study("excitement", "how games against itself go: lead changes, drama, when they are decided",
            "By the measures of Ludii. What a position is worth says a search of it, with as many "
            "nodes or\nsimulations as a move of the games had.") {}

std::vector<base::CommandOption> ExcitementStudy::options() {
  return {{"--sims", "N", kSimsHelp, &simulations}, {"--table", "T", kTableHelp, &table}};
}

Answer ExcitementStudy::run(Subject& subject) const {
  const SelfGamesConfig config = subject.config(simulations, subject.table(table));
  const auto games = subject.games(config);
  return words(excitement_figures(
      config, games, [&] { return subject.thinker(); }, [&] { return subject.stopped(); }));
}

}  // namespace studies
