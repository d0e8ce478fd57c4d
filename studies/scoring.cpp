#include "studies/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "studies/answers.h"

namespace studies {
namespace {

constexpr double kFair = 5;

// The shares of the outcomes under the table when each game counts `times` as often.
std::array<double, rules::kOutcomes> outcome_shares(std::span<const GameFacts> games,
                                                    const rules::ScoringTable& table,
                                                    std::span<const double> times) {
  std::array<double, rules::kOutcomes> shares{};
  double all = 0;
  for (std::size_t i = 0; i < games.size(); ++i) {
    shares[static_cast<std::size_t>(index(games[i].outcome_under(table)))] += times[i];
    all += times[i];
  }
  for (double& share : shares) share /= all;
  return shares;
}

// The value of the key that makes the games fair when each counts `times` as often; the nearer end
// where none does, and then `found` is false.
double solved(std::span<const GameFacts> games, const std::string& key,
              const rules::ScoringTable& standard, std::span<const double> times, bool& found) {
  const auto with = [&](double value) { return table_with(key, value, standard); };
  const auto [least, most] = fair_range(key, standard);
  // Prices do not change what happened; piece values do.
  const bool is_price = with(least).material == with(most).material;
  auto shares = outcome_shares(games, with(least), times);
  const auto points = [&](double value) {
    const rules::ScoringTable table = with(value);
    if (!is_price) shares = outcome_shares(games, table, times);
    return std::inner_product(shares.begin(), shares.end(), table.points_white.begin(), 0.0);
  };
  const auto fair = crossing(points, kFair, least, most);
  found = fair.has_value();
  if (found) return *fair;
  return std::abs(points(least) - kFair) < std::abs(points(most) - kFair) ? least : most;
}

}  // namespace

rules::ScoringTable table_with(const std::string& key, double value,
                               const rules::ScoringTable& standard) {
  return rules::ScoringTable::from_changes(fmt::format("{}={}", key, value), standard);
}

std::pair<double, double> fair_range(const std::string& key, const rules::ScoringTable& standard) {
  const auto& points = standard.points_white;
  if (key == "white_wins") return {*std::max_element(points.begin(), points.end() - 1), 10};
  if (key == "black_wins") return {0, *std::min_element(points.begin() + 1, points.end())};
  return {0, 10};
}

Repriced reprice(std::span<const GameFacts> games, const rules::ScoringTable& table,
                 const rules::ScoringTable& before) {
  std::vector<Sample> differences;
  differences.reserve(games.size());
  for (const GameFacts& game : games) {
    differences.push_back(game.sample(game.points_white(table) - game.points_white(before)));
  }
  return {points_white(games, table), mean_of(differences)};
}

std::optional<arena::Estimate> fair_value(std::span<const GameFacts> games, const std::string& key,
                                          const rules::ScoringTable& standard, int rounds,
                                          base::Rng rng) {
  bool found = false;
  solved(games, key, standard, std::vector<double>(games.size(), 1.0), found);
  if (!found) return std::nullopt;
  std::vector<std::uint64_t> clusters;
  clusters.reserve(games.size());
  for (const GameFacts& game : games) clusters.push_back(game.seed);
  return bootstrap(clusters, rounds, rng,
                   [&](std::span<const double> times) {
                     bool ignored = false;
                     return std::vector<double>{solved(games, key, standard, times, ignored)};
                   })
      .front();
}

FairResult find_fair(const FairQuestion& question, std::span<const GameFacts> default_games,
                     base::Rng rng) {
  FairResult result;
  const auto with = [&](double value) {
    return table_with(question.key, value, question.standard);
  };
  const auto fair_of = [&](std::span<const GameFacts> games, std::uint64_t stream) {
    return fair_value(games, question.key, question.standard, question.bootstraps,
                      rng.split(stream));
  };
  const auto [least, most] = fair_range(question.key, question.standard);
  result.by_network =
      crossing([&](double value) { return question.network(with(value)); }, kFair, least, most);
  result.repriced = fair_of(default_games, 0);
  if (!result.by_network && !result.repriced) return result;
  double value = result.by_network ? *result.by_network : result.repriced->mean;
  for (int round = 0; round < question.most_rounds && !result.confirmed; ++round) {
    value = std::round(value * 1000) / 1000;
    const rules::ScoringTable table = with(value);
    const std::vector<GameFacts> games = question.play(table);
    result.stopped = games.empty();
    if (result.stopped) return result;
    result.rounds.push_back({value, points_white(games, table)});
    const arena::Estimate& points = result.rounds.back().points_white;
    result.confirmed = points.low <= kFair && kFair <= points.high;
    result.played = fair_of(games, static_cast<std::uint64_t>(round) + 1);
    if (!result.played) return result;
    value = result.played->mean;
  }
  return result;
}

nlohmann::ordered_json to_json(const FairResult& result, const std::string& key) {
  using nlohmann::ordered_json;
  const auto maybe = [](const auto& estimate) {
    return estimate ? to_json(*estimate) : ordered_json();
  };
  ordered_json rounds = ordered_json::array();
  for (const FairRound& round : result.rounds) {
    rounds.push_back({{"value", round.value}, {"points_white", to_json(round.points_white)}});
  }
  return {{"key", key},
          {"network", result.by_network ? ordered_json(*result.by_network) : ordered_json()},
          {"repriced", maybe(result.repriced)},
          {"rounds", std::move(rounds)},
          {"played", maybe(result.played)},
          {"confirmed", result.confirmed}};
}

std::string scoring_text(const nlohmann::ordered_json& scoring) {
  std::string out = fmt::format(
      "{}, generation {}, {} simulations a move, {} games under the default table, {} different\n"
      "{:<28}{:>8}{:>8}  {:<20}  {:<24}  {}\n",
      scoring["network"].get<std::string>(), scoring["generation"].dump(),
      scoring["simulations"].dump(), scoring["games"].dump(), scoring["distinct_games"].dump(),
      "White's points of ten", "network", "search", "same games", "more than under default",
      "new games");
  const auto line = [&](const nlohmann::ordered_json& entry) {
    out += fmt::format("{:<28}{:>8.2f}{:>8.2f}  {:<20}  {:<24}  {}\n",
                       entry["table"].get<std::string>(), entry["network"].get<double>(),
                       entry["search"].get<double>(), estimate_text(entry["repriced"]),
                       estimate_text(entry["difference"], 3), estimate_text(entry["played"]));
  };
  for (const auto& table : scoring["tables"]) line(table);
  for (const auto& sweep : scoring["sweeps"]) {
    for (const auto& point : sweep["points"]) line(point);
  }
  return out;
}

}  // namespace studies
