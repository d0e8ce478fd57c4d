#pragma once
// What a search says of a position, as JSON: for `analyse` and for the page.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/play/board_view.h"
#include "rules/position.h"
#include "tactics/search_report.h"

namespace app {

// points_white and outcomes, the probabilities by rules::Outcome.
nlohmann::ordered_json evaluation_json(const Evaluation& evaluation);

// depth, nodes, nodes_per_s, the evaluation, and the best `lines` moves: of each move, its
// evaluation, visits (null unless `visits`: whether the engine counts them), proven, where a
// tablebase knows it plies (to what makes the outcome certain), and the line that it begins: moves
// (UCI) and san. `root`: the position that was searched.
nlohmann::ordered_json report_json(const tactics::SearchReport& report, const rules::Position& root,
                                   int lines, bool visits);

}  // namespace app
