#include "studies/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

#include "base/errors.h"
#include "base/text.h"
#include "rules/error.h"
#include "studies/words.h"

namespace studies {
namespace {

constexpr double kFair = 5;

// The greatest difference that two tables can make to the points of a game: of the same games,
// whose outcome stays, but that an impasse may be decided otherwise by other piece values, or of
// games that may end otherwise.
double greatest_change(const rules::ScoringTable& table, const rules::ScoringTable& before,
                       bool same_games) {
  double most = 0;
  for (int a = 0; a < rules::kOutcomes; ++a) {
    for (int b = 0; b < rules::kOutcomes; ++b) {
      const auto now = static_cast<rules::Outcome>(a), then = static_cast<rules::Outcome>(b);
      const bool decided_otherwise =
          is_impasse(now) && is_impasse(then) && table.material != before.material;
      if (same_games && a != b && !decided_otherwise) continue;
      most = std::max(most, std::abs(table.white_points(now) - before.white_points(then)));
    }
  }
  return most;
}

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

// KEY=a:b:n
ScoringFigures::Sweep parse_sweep(const std::string& text, const rules::ScoringTable& standard) {
  const std::size_t equals = text.find('=');
  std::vector<double> numbers;
  std::istringstream parts(equals == std::string::npos ? "" : text.substr(equals + 1) + ":");
  for (std::string part; std::getline(parts, part, ':');) {
    numbers.push_back(base::parse_number<double>(part).value_or(NAN));
  }
  if (numbers.size() != 3 || !std::isfinite(numbers[0]) || !std::isfinite(numbers[1]) ||
      !(numbers[2] >= 2 && numbers[2] <= 100) || numbers[2] != std::floor(numbers[2])) {
    throw base::InputError("--sweep " + text +
                           ": expected KEY=a:b:n, such as impasse_equal=3:6:7, n a whole number "
                           "from 2 to 100");
  }
  ScoringFigures::Sweep sweep{text.substr(0, equals), {}, {}};
  for (double i = 0; i < numbers[2]; ++i) {
    const double value = std::lerp(numbers[0], numbers[1], i / (numbers[2] - 1));
    sweep.values.push_back(std::round(value * 1000) / 1000);
    table_with(sweep.key, sweep.values.back(), standard);  // says what is wrong with it now
  }
  return sweep;
}

std::vector<rules::Move> opening_of(const selfplay::GameRecord& game, int plies) {
  std::vector<rules::Move> moves;
  for (const auto& ply : game.plies) {
    if (std::ssize(moves) == plies) break;
    moves.push_back(ply.played);
  }
  return moves;
}

// Throws base::InputError where no fair value of the key can be looked for.
void check_fair(const std::string& key, const rules::ScoringTable& standard) {
  try {
    table_with(key, fair_range(key, standard).second, standard);
  } catch (const rules::RulesError& error) {
    throw base::InputError("--fair " + key + ": " + error.what());
  }
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

Repriced compare(std::span<const GameFacts> games, const rules::ScoringTable& table,
                 std::span<const GameFacts> twins, const rules::ScoringTable& before) {
  std::vector<Sample> differences, changes;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const double more = games[i].points_white(table) - twins[i].points_white(before);
    differences.push_back(games[i].sample(more));
    changes.push_back(games[i].sample(more != 0 ? 1 : 0));
    changed += more != 0 ? 1 : 0;
  }
  const double most = greatest_change(table, before, games.data() == twins.data());
  return {points_white(games, table), mean_difference(differences, most), changed,
          mean_within(changes, 0, 1)};
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
  result.key = question.key;
  const auto with = [&](double value) {
    return table_with(question.key, value, question.standard);
  };
  const auto fair_of = [&](std::span<const GameFacts> games, std::uint64_t stream) {
    return fair_value(games, question.key, question.standard, question.bootstraps,
                      rng.split(stream));
  };
  result.range = fair_range(question.key, question.standard);
  const double least = result.range.first, most = result.range.second;
  result.by_network =
      crossing([&](double value) { return question.network(with(value)); }, kFair, least, most);
  result.repriced = fair_of(default_games, 0);
  result.at_ends = {points_white(default_games, with(least)),
                    points_white(default_games, with(most))};
  if (!result.by_network && !result.repriced) return result;
  double value = result.by_network ? *result.by_network : result.repriced->mean;
  for (int round = 0; round < question.most_rounds && !result.confirmed; ++round) {
    value = std::round(value * 1000) / 1000;
    const rules::ScoringTable table = with(value);
    const std::vector<GameFacts> games = question.play(table);
    result.rounds.push_back({value, points_white(games, table)});
    const arena::Estimate& points = result.rounds.back().points_white;
    result.confirmed = points.low <= kFair && kFair <= points.high;
    result.played = fair_of(games, static_cast<std::uint64_t>(round) + 1);
    if (!result.played) return result;
    value = result.played->mean;
  }
  return result;
}

ScoringStudy::ScoringStudy()
    : Study("scoring",
            "what other scoring tables would do: the same games re-priced, the network's view") {}

std::vector<base::CommandOption> ScoringStudy::options() {
  return {{"--sims", "N", kSimsHelp, &simulations},
          {"--table", "T", std::string(kTableHelp) + "; may be repeated", &tables},
          {"--fair", "KEY",
           "find the value of this key at which White expects 5 of ten, and play games under it; "
           "may be repeated",
           &fair},
          {"--sweep", "KEY=a:b:n", "tables with n values of a key; may be repeated", &sweeps},
          {"--play", "", "also play new games under every table", &play}};
}

Answer ScoringStudy::run(Subject& subject) const {
  // Everything that the command line names is checked before anything is played.
  const rules::ScoringTable standard = subject.rules().table();
  std::vector<rules::ScoringTable> asked{standard};
  for (const auto& table : tables) asked.push_back(subject.table(table));
  ScoringFigures figures;
  for (const auto& sweep : sweeps) figures.sweeps.push_back(parse_sweep(sweep, standard));
  for (const auto& key : fair) check_fair(key, standard);

  figures.config = subject.config(simulations, standard);
  const auto starts = studied_starts(figures.config);
  const auto thinker = subject.thinker();
  const auto network = [&](const rules::ScoringTable& table) {
    return evaluated_points(starts, table, thinker->evaluator());
  };
  const int opening_plies = figures.config.opening_plies;
  const auto facts = [&](const std::vector<selfplay::GameRecord>& records) {
    std::vector<GameFacts> all;
    for (const auto& record : records) all.push_back(facts_of(record, opening_plies));
    return all;
  };
  const auto default_records = subject.games(figures.config);
  const auto default_games = facts(default_records);
  // Under another table, from the same openings.
  const auto games = [&](const rules::ScoringTable& table) {
    SelfGamesConfig config = subject.config(simulations, table);
    for (const auto& record : default_records) {
      config.openings.push_back(opening_of(record, opening_plies));
    }
    return facts(subject.games(config));
  };
  const auto figures_of = [&](const rules::ScoringTable& table) {
    TableFigures of{table.to_changes(standard),
                    network(table),
                    0,
                    compare(default_games, table, default_games, standard),
                    {}};
    of.search = searched_points(starts, table, figures.config.simulations, *thinker);
    if (play && table != standard) {
      of.played = compare(games(table), table, default_games, standard);
    }
    return of;
  };
  figures.distinct_games = distinct_games(default_games);
  figures.variety = varieties(default_games).back();
  for (const auto& table : asked) figures.tables.push_back(figures_of(table));
  for (const auto& key : fair) {
    figures.fair.push_back(
        find_fair({.key = key, .standard = standard, .network = network, .play = games},
                  default_games, base::Rng(figures.config.seed)));
  }
  for (ScoringFigures::Sweep& sweep : figures.sweeps) {
    for (const double value : sweep.values) {
      sweep.tables.push_back(figures_of(table_with(sweep.key, value, standard)));
    }
  }
  return words(figures);
}

namespace {

using nlohmann::ordered_json;

std::optional<Estimate> played_points(const TableFigures& figures) {
  return figures.played ? std::optional(figures.played->points_white) : std::nullopt;
}
std::optional<Estimate> played_difference(const TableFigures& figures) {
  return figures.played ? std::optional(figures.played->difference) : std::nullopt;
}

ordered_json table_json(const TableFigures& figures) {
  return {{"table", figures.table},
          {"network", figures.network},
          {"search", figures.search},
          {"repriced", json_of(figures.repriced.points_white)},
          {"difference", json_of(figures.repriced.difference)},
          {"changed_games", figures.repriced.changed},
          {"changed_share", json_of(figures.repriced.changed_share)},
          {"played", json_of(played_points(figures))},
          {"played_difference", json_of(played_difference(figures))}};
}

ordered_json round_json(const FairRound& round) {
  return {{"value", round.value}, {"points_white", json_of(round.points_white)}};
}

ordered_json fair_json(const FairResult& result) {
  return {{"key", result.key},
          {"network", result.by_network ? ordered_json(*result.by_network) : ordered_json()},
          {"repriced", json_of(result.repriced)},
          {"at_ends", list_of(result.at_ends, [](const Estimate& e) { return json_of(e); })},
          {"rounds", list_of(result.rounds, round_json)},
          {"played", json_of(result.played)},
          {"confirmed", result.confirmed}};
}

ordered_json sweep_json(const ScoringFigures::Sweep& sweep) {
  ordered_json points = ordered_json::array();
  for (std::size_t i = 0; i < sweep.values.size(); ++i) {
    points.push_back({{"value", sweep.values[i]}});
    points.back().update(table_json(sweep.tables[i]));
  }
  return {{"key", sweep.key}, {"points", std::move(points)}};
}

std::string row_text(const TableFigures& figures) {
  return fmt::format("{:<28}{:>8.2f}{:>8.2f}  {:<20}  {:<24}  {:<20}  {}\n", figures.table,
                     figures.network, figures.search, text_of(figures.repriced.points_white),
                     text_of(figures.repriced.difference, 3), text_of(played_points(figures)),
                     text_of(played_difference(figures)));
}

std::string question_of(const std::string& table) {
  if (table == "impasse_equal=4.9") return "An equal impasse 51 : 49 instead of 6 : 4 for Black?";
  if (table == "stalemate=2.2") return "A stalemate 78 : 22 instead of 80 : 20?";
  if (table == "bishop=3.25") return "A bishop worth 3.25 instead of 3?";
  return "What would " + table + " do?";
}

std::string table_answer(const TableFigures& figures, const TableFigures& before) {
  std::string text =
      fmt::format("The same games pay White {} instead of {}: {} more; {} of them pay otherwise.",
                  text_of(figures.repriced.points_white), text_of(before.repriced.points_white),
                  text_of(figures.repriced.difference, 3), figures.repriced.changed);
  if (figures.played) {
    text += fmt::format(" New games under it, from the same openings, pay {}: {} more.",
                        text_of(figures.played->points_white), text_of(figures.played->difference));
  }
  return text;
}

std::string fair_answer(const FairResult& fair) {
  const std::string none =
      fmt::format("no value from {:g} to {:g}", fair.range.first, fair.range.second);
  const std::string aside =
      fmt::format("By the network alone: {}. By the default table's games re-priced: {}.",
                  fair.by_network ? fmt::format("{:.2f}", *fair.by_network) : none,
                  fair.repriced ? text_of(fair.repriced) : none);
  const std::string none_is =
      fmt::format("None: over the whole range White's points of the same games run from {} to {}",
                  text_of(fair.at_ends.front()), text_of(fair.at_ends.back()));
  if (fair.rounds.empty()) return none_is + ". " + aside;
  const FairRound& last = fair.rounds.back();
  const std::string found = fair.played ? fair.key + " = " + text_of(fair.played) : none_is;
  return fmt::format("{}: games played at {:.2f} paid White {}, an interval that {} 5. {}", found,
                     last.value, text_of(last.points_white),
                     fair.confirmed ? "holds" : "leaves out", aside);
}

}  // namespace

Answer words(const ScoringFigures& figures) {
  ordered_json json = json_of(figures.config);
  json["games"] = figures.config.games;
  json["distinct_games"] = figures.distinct_games;
  json["tables"] = list_of(figures.tables, table_json);
  json["fair"] = list_of(figures.fair, fair_json);
  json["sweeps"] = list_of(figures.sweeps, sweep_json);
  std::string text = fmt::format(
      "{}, generation {}, {} {} a move, {} games under the default table\n"
      "{:<28}{:>8}{:>8}  {:<20}  {:<24}  {:<20}  {}\n",
      figures.config.name, figures.config.generation, figures.config.simulations,
      figures.config.unit, figures.config.games, "White's points of ten", "network", "search",
      "same games", "more than under default", "new games", "more than their twins");
  std::vector<InWords> in_words;
  for (const TableFigures& table : figures.tables) {
    text += row_text(table);
    if (&table == &figures.tables.front()) continue;
    in_words.emplace_back(question_of(table.table), table_answer(table, figures.tables.front()));
  }
  for (const auto& sweep : figures.sweeps) {
    for (const TableFigures& table : sweep.tables) text += row_text(table);
  }
  for (const FairResult& fair : figures.fair) {
    in_words.emplace_back("At which " + fair.key + " does White expect 5 of ten?",
                          fair_answer(fair));
  }
  if (const auto warning = few_lines_warning(figures.variety, figures.config); !warning.empty()) {
    in_words.emplace_back(kFewLinesQuestion, "No: " + warning + ".");
  }
  Answer answer{std::move(json), text + "\n"};
  add_words(in_words, answer);
  return answer;
}

}  // namespace studies
