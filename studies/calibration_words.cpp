#include <fmt/format.h>

#include "studies/calibration.h"
#include "studies/words.h"

namespace studies {
namespace {

using nlohmann::ordered_json;
using Figures = CalibrationFigures;

ordered_json bin_json(const ReliabilityBins::Bin& bin) {
  return {{"weight", bin.weight}, {"predicted", bin.predicted}, {"observed", bin.observed}};
}

ordered_json points_json(const Figures::OfPoints& points) {
  return {{"tables", points.tables},       {"positions", points.positions},
          {"games", points.games},         {"predicted", points.predicted},
          {"scored", points.scored},       {"difference", json_of(points.difference)},
          {"error", json_of(points.error)}};
}

}  // namespace

Answer words(const CalibrationStudy& study, const std::string& network, const Figures& figures,
             const SelfGamesConfig* config) {
  ordered_json json{{"net", network}};
  if (config != nullptr) {
    json["simulations"] = config->simulations;
  } else {
    json["played"] = study.played;
  }
  json["positions"] = figures.positions;
  json["games"] = figures.games;
  json["outcomes"] = ordered_json::array();
  std::string text = fmt::format(
      "{} positions of {} games; expected calibration error, and where all probabilities are right:\n",
      figures.positions, figures.games);
  for (std::size_t i = 0; i < figures.outcomes.size(); ++i) {
    const Figures::OfOutcome& outcome = figures.outcomes[i];
    const std::string name(rules::name(static_cast<rules::Outcome>(i)));
    json["outcomes"].push_back({{"name", name},
                                {"error", json_of(outcome.error)},
                                {"error_by_chance", outcome.by_chance},
                                {"share", outcome.share},
                                {"bins", list_of(outcome.bins, bin_json)}});
    text += fmt::format("  {:<28} {:>5.1f} % of positions  {}, {:.3f}\n", name, 100 * outcome.share,
                        text_of(outcome.error, 3), outcome.by_chance);
  }
  json["points"] = list_of(figures.points, points_json);
  for (const Figures::OfPoints& points : figures.points) {
    text += fmt::format(
        "White's points in {} games under {} tables: {:.2f} predicted, {:.2f} scored, difference "
        "{}, expected calibration error {}\n",
        points.games, points.tables, points.predicted, points.scored, text_of(points.difference, 3),
        text_of(points.error, 3));
  }
  Answer answer{std::move(json), std::move(text)};
  if (config == nullptr) return answer;
  if (const auto warning = few_lines_warning(figures.variety, *config); !warning.empty()) {
    add_words({{kFewLinesQuestion, "No: " + warning + "."}}, answer);
  }
  return answer;
}

}  // namespace studies
