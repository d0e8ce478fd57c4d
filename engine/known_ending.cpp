#include "engine/known_ending.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "tactics/score.h"

namespace engine {
namespace {

// The move, then best play, as far as a person would look.
std::vector<rules::Move> best_line(const tablebase::Tables& tables, const rules::Position& root,
                                   rules::Move first) {
  constexpr std::size_t kMostPlies = 40;
  std::vector<rules::Move> line{first};
  rules::Position position = root.after(first);
  while (line.size() < kMostPlies) {
    const auto moves = tables.moves(position);
    if (moves.empty()) break;
    line.push_back(moves.front().move);
    position.play(line.back());
  }
  return line;
}

}  // namespace

std::optional<tactics::SearchReport> known_ending(const tablebase::Tables* tables,
                                                  const rules::Position& root,
                                                  const rules::ScoringTable& table,
                                                  const rules::History& past,
                                                  const tactics::SearchLimits& limits) {
  if (tables == nullptr || !tables->hold_under(table)) return std::nullopt;
  auto graded = tables->moves(root);
  if (std::ranges::any_of(
          graded, [&](const auto& each) { return past.occurrences(root.after(each.move)) > 1; })) {
    return std::nullopt;
  }
  const auto& only = limits.search_moves;
  std::erase_if(graded, [&only](const tablebase::GradedMove& each) {
    return !only.empty() && std::ranges::find(only, each.move) == only.end();
  });
  if (graded.empty()) return std::nullopt;
  tactics::SearchReport report;
  report.final = report.known = true;
  report.tablebase_hits = graded.size();
  for (const auto& [move, verdict] : graded) {
    tactics::RootMove known;
    known.move = move;
    known.weight = report.moves.empty() ? 1 : 0;
    const double value = rules::value_stm(table.white_points(verdict.outcome), root.side_to_move());
    known.value_stm = static_cast<float>(value);
    known.score = tactics::score_of(value);
    known.outcomes = rules::certain(verdict.outcome);
    known.moves_left = static_cast<float>(verdict.plies + 1);
    known.proven = true;
    const bool shown = report.moves.size() < static_cast<std::size_t>(limits.multi_pv);
    known.line = shown ? best_line(*tables, root, move) : std::vector{move};
    report.moves.push_back(std::move(known));
  }
  report.depth = report.selective_depth = static_cast<int>(report.best().line.size());
  report.points_white = table.white_points(graded.front().verdict.outcome);
  return report;
}

void tell_known(tactics::SearchReport report, const Engine::Listener& listener,
                const std::function<bool()>& waits) {
  report.final = false;
  if (waits() && listener) listener(report);
  while (waits()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  report.final = true;
  if (listener) listener(report);
}

}  // namespace engine
