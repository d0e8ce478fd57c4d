#include "studies/balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "base/errors.h"
#include "studies/advantage.h"
#include "studies/words.h"

namespace studies {
namespace {

using arena::MatchGame;

// The correlation within pairs (Fisher 1925, intraclass), with the bootstrap's interval over them.
std::optional<Estimate> correlation_in_pairs(const std::vector<double>& points,
                                             std::uint64_t seed) {
  const std::size_t pairs = points.size() / 2;
  const auto correlation = [&](std::span<const double> times) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      sum += times[i] * (points[2 * i] + points[2 * i + 1]);
      weight += 2 * times[i];
    }
    const double mean = sum / weight;
    double together = 0, scatter = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const double a = points[2 * i] - mean, b = points[2 * i + 1] - mean;
      together += times[i] * a * b;
      scatter += times[i] * (a * a + b * b) / 2;
    }
    return std::vector{scatter > 0 ? together / scatter : 0};
  };
  if (pairs == 0 || std::ranges::all_of(points, [&](double p) { return p == points[0]; })) {
    return std::nullopt;
  }
  constexpr int kBootstraps = 1000;
  std::vector<std::uint64_t> each(pairs);
  std::iota(each.begin(), each.end(), std::uint64_t{0});
  return bootstrap(each, kBootstraps, base::Rng(seed), correlation).front();
}

// One row of the table, before it is played.
struct Task {
  arena::MatchConfig match;
  arena::PlayerFactory player;
  std::string name;
  std::optional<int> simulations;  // as BalanceFigures
};

// One for each of so many rule sets.
std::vector<std::string> players_of(const AdvantageStudy& asked, const Matches& matches,
                                    std::size_t sets) {
  if (asked.players.empty()) return std::vector(sets, matches.network());
  if (asked.players.size() == 1) return std::vector(sets, asked.players.front());
  if (asked.players.size() == sets) return asked.players;
  throw base::InputError(
      fmt::format("advantage: {} times --player for {} of --rules: expected one, or one for each",
                  asked.players.size(), sets));
}

void check(const AdvantageStudy& asked, const Matches& matches,
           const std::vector<std::string>& players, const std::vector<rules::RuleSet>& sets) {
  const StudyOptions& common = matches.asked();
  const auto require = [](bool holds, const std::string& message) {
    if (!holds) throw base::InputError("advantage: " + message);
  };
  require(asked.players.empty() || common.net.empty(), "--net and --player: expected one of them");
  require(asked.checkpoints == 1, "--checkpoints: not with several rule sets or --player");
  require(common.seeds == StudyOptions{}.seeds, "--seeds: not with several rule sets or --player");
  require(common.fen.empty(), "--fen: not with several rule sets or --player");
  require_pairs("advantage", common.games);
  bool taken = asked.simulations.empty();
  for (std::size_t i = 0; i < players.size(); ++i) {
    const auto budget = matches.budget(players[i], sets[i]);
    taken = taken || (budget && !budget->given());
    require(asked.simulations.size() <= 1 || !budget || !budget->given(),
            "several --sims, and player '" + players[i] +
                "' sets sims or movetime: expected one of them");
  }
  require(taken, "--sims: none of the players takes it");
}

// Throws where a player does not play its rule set, so that nothing is played in vain.
std::vector<Task> plan(const AdvantageStudy& asked, const Matches& matches) {
  const std::vector<rules::RuleSet> sets = matches.rule_sets("chess_sharp");
  const std::vector<std::string> players = players_of(asked, matches, sets.size());
  check(asked, matches, players, sets);
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string& name = players[i];
    arena::MatchConfig match = matches.config(sets[i]);
    match.games = matches.asked().games;
    match.opening_plies = matches.asked().opening_plies;
    match.table = matches.table(asked.table, sets[i]);
    const auto budget = matches.budget(name, sets[i]);
    const bool takes_sims = budget && !budget->given();
    auto all_sims = takes_sims ? asked.simulations : std::vector{0};
    if (all_sims.empty()) all_sims = {kSimulations};
    for (const int sims : all_sims) {
      tasks.push_back({match, matches.player(name, sims, sets[i]), name, sims});
      if (!takes_sims) tasks.back().simulations = budget.value_or(MoveBudget{}).simulations;
    }
  }
  return tasks;
}

}  // namespace

BalanceFigures balance_figures(const arena::MatchConfig& config, const arena::MatchResult& match,
                               const std::string& player, std::optional<int> simulations) {
  BalanceFigures figures{player,
                         simulations,
                         config.opening_plies,
                         config.seed,
                         match.rules,
                         match.table,
                         match.kept.size(),
                         match.forfeits_a + match.forfeits_b,
                         {},
                         {},
                         {}};
  figures.points_white = 10 * mean_by_pairs(match.kept, [&](const MatchGame& g) {
                           return match.table.white_points(g.outcome) / 10;
                         });
  std::vector<double> points;
  for (const MatchGame& game : match.kept) {
    points.push_back(match.table.white_points(game.outcome));
  }
  figures.pair_correlation = correlation_in_pairs(points, config.seed);
  for (std::size_t i = 0; i < figures.outcomes.size(); ++i) {
    figures.outcomes[i] = mean_by_pairs(match.kept, [&](const MatchGame& g) {
      return g.outcome == static_cast<rules::Outcome>(i) ? 1.0 : 0.0;
    });
  }
  return figures;
}

Answer BalanceStudy::run(Matches& matches) const {
  const std::vector<Task> tasks = plan(asked, matches);
  const bool of_a_player = !asked.players.empty() && matches.asked().out.empty();
  const std::filesystem::path folder =
      of_a_player ? std::filesystem::path("studies") / name : matches.folder(tasks.front().name);
  std::vector<BalanceFigures> rows;
  for (const Task& task : tasks) {
    const auto result = matches.play(task.match, task.player, task.player,
                                     task.match.rules.name() + ", " + task.name);
    rows.push_back(balance_figures(task.match, result, task.name, task.simulations));
  }
  Answer answer = words(rows);
  answer.folder = folder;
  return answer;
}

namespace {

using nlohmann::ordered_json;

ordered_json rule_set_json(const BalanceFigures& row) {
  return {{"rules", row.rules.name()},
          {"player", row.player},
          {"simulations", row.simulations ? ordered_json(*row.simulations) : ordered_json()},
          {"games", row.games},
          {"opening_plies", row.opening_plies},
          {"seed", row.seed},
          {"table", row.table.to_changes(row.rules.table())},
          {"forfeits", row.forfeits},
          {"points_white", json_of(row.points_white)},
          {"outcomes", json_of(row.outcomes)},
          {"pair_correlation", json_of(row.pair_correlation)}};
}

std::string player_text(const BalanceFigures& row) {
  if (!row.simulations) return row.player;
  return fmt::format("{}, {} simulations", row.player, *row.simulations);
}

}  // namespace

Answer words(const std::vector<BalanceFigures>& rows) {
  constexpr std::array<const char*, rules::kOutcomes> kHeads{
      "Black wins",      "White stalemated", "impasse, B more", "impasse, equal",
      "impasse, W more", "Black stalemated", "White wins"};
  std::string points = fmt::format("{:<30}{:>6}  {:<21}  {:<21}  {}\n", "rule set", "games",
                                   "White's points of ten", "correlation in pairs", "player");
  std::string shares = fmt::format("\n{:<30}", "outcomes, %");
  for (const char* head : kHeads) shares += fmt::format("{:<19}", head);
  for (const BalanceFigures& row : rows) {
    points +=
        fmt::format("{:<30}{:>6}  {:<21}  {:<21}  {}\n", row.rules.title(), row.games,
                    text_of(row.points_white), text_of(row.pair_correlation), player_text(row));
    shares += fmt::format("\n{:<30}", row.rules.title());
    for (const Estimate& share : row.outcomes) shares += fmt::format("{:<19}", percent_of(share));
  }
  return {{{"sets", list_of(rows, rule_set_json)}}, points + shares + '\n'};
}

}  // namespace studies
