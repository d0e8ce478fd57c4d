#include "app/protocols/analysis_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "app/play/game_session.h"
#include "app/play/position_search.h"
#include "rules/notation.h"

namespace app {
namespace {

using nlohmann::ordered_json;

ordered_json line_json(const tactics::RootMove& move, const rules::Position& root, bool visits,
                       bool known) {
  const std::vector<rules::Move> line = move.line.empty() ? std::vector{move.move} : move.line;
  std::vector<std::string> uci;
  for (const rules::Move played : line) uci.push_back(rules::to_uci(played));
  ordered_json json{{"move", uci.front()}};
  json.update(evaluation_json(
      {rules::points_white(static_cast<double>(move.value_stm), root.side_to_move()),
       move.outcomes}));
  json["visits"] = visits ? ordered_json(move.visits) : ordered_json();
  json["proven"] = move.proven;
  if (known) json["plies"] = static_cast<int>(move.moves_left);
  json["moves"] = uci;
  json["san"] = in_san(root, line);
  return json;
}

}  // namespace

ordered_json evaluation_json(const Evaluation& evaluation) {
  return {{"points_white", evaluation.points_white}, {"outcomes", evaluation.probabilities}};
}

ordered_json report_json(const tactics::SearchReport& report, const rules::Position& root,
                         int lines, bool visits) {
  ordered_json all = ordered_json::array();
  const auto shown = std::min<std::size_t>(static_cast<std::size_t>(lines), report.moves.size());
  for (const tactics::RootMove& move : std::span(report.moves).first(shown)) {
    all.push_back(line_json(move, root, visits, report.known));
  }
  ordered_json json = {
      {"depth", report.depth}, {"nodes", report.nodes}, {"nodes_per_s", report.nodes_per_s}};
  json.update(evaluation_json(evaluation_of(report)));
  json["lines"] = std::move(all);
  return json;
}

}  // namespace app
