#include <fmt/format.h>

#include "studies/scoring.h"
#include "studies/words.h"

namespace studies {
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
  std::string text = fmt::format(
      "The same games pay White {} instead of {}: {} more. The network expects {:.2f} instead of "
      "{:.2f}, its search {:.2f} instead of {:.2f}.",
      text_of(figures.repriced.points_white), text_of(before.repriced.points_white),
      text_of(figures.repriced.difference, 3), figures.network, before.network, figures.search,
      before.search);
  if (figures.played) {
    text += fmt::format(" New games under it, from the same openings, pay {}: {} more.",
                        text_of(figures.played->points_white), text_of(figures.played->difference));
  }
  return text;
}

std::string fair_answer(const FairResult& fair) {
  const std::string none = "no value from 0 to 10";
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
      "{}, generation {}, {} {} a move, {} games under the default table, {} different\n"
      "{:<28}{:>8}{:>8}  {:<20}  {:<24}  {:<20}  {}\n",
      figures.config.name, figures.config.generation, figures.config.simulations,
      figures.config.unit, figures.config.games, figures.distinct_games, "White's points of ten",
      "network", "search", "same games", "more than under default", "new games",
      "more than their twins");
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
