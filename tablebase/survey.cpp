#include "tablebase/survey.h"

#include <algorithm>
#include <optional>
#include <span>

#include "tablebase/cells.h"

namespace tablebase {
namespace {

using rules::Color;
using rules::Position;

// What a move leads to is worth, by plies left before the move.
Course course_behind(const Position& next, const Tables& tables) {
  Course course{};
  if (next.halfmove_clock() != 0) {
    const Course later = *tables.course(next);
    std::ranges::copy(std::span(later).first(later.size() - 1), course.begin() + 1);
  } else if (const auto outcome = next.outcome(tables.table())) {
    course.fill(static_cast<std::uint8_t>(tables.grades().of(*outcome)));
  } else {
    course.fill(static_cast<std::uint8_t>(tables.probe(next)->grade));
  }
  return course;
}

// What a position is worth by its successors alone. `last`: the same at the impasse's clock.
Course expected_course(const Position& position, const Position& last, const Tables& tables) {
  Course expected{};
  const auto fill = [&](rules::Outcome outcome) {
    expected.fill(static_cast<std::uint8_t>(tables.grades().of(outcome)));
  };
  if (const auto outcome = position.outcome(tables.table())) {
    fill(*outcome);
  } else {
    bool is_first = true;
    for (const rules::Move move : position.legal_moves()) {
      const Course course = course_behind(position.after(move), tables);
      for (std::size_t plies = 1; plies < course.size(); ++plies) {
        const int grade = better_grade(position.side_to_move(), expected[plies], course[plies]);
        expected[plies] = is_first ? course[plies] : static_cast<std::uint8_t>(grade);
      }
      is_first = false;
    }
  }
  expected[0] = static_cast<std::uint8_t>(tables.grades().of(*last.outcome(tables.table())));
  return expected;
}

}  // namespace

Contradictions contradictions(const Material& material, const Tables& tables) {
  Contradictions result;
  const Cells cells(material);
  for (std::uint64_t cell = 0; cell < cells.size(); ++cell) {
    const auto placement = cells.placement(cell);
    if (!placement) continue;
    const Position position = cells.position(*placement, 0, tables.rules());
    if (!Cells::is_possible(position)) continue;
    ++result.positions;
    const Position last = cells.position(*placement, Position::kImpasseClock, tables.rules());
    if (*tables.course(position) == expected_course(position, last, tables)) continue;
    if (result.found++ == 0) result.first = position.to_fen();
  }
  return result;
}

OutcomeCounts count_outcomes(const Material& material, const Tables& tables) {
  OutcomeCounts counts{};
  const Cells cells(material);
  for (std::uint64_t cell = 0; cell < cells.size(); ++cell) {
    const auto placement = cells.placement(cell);
    if (!placement) continue;
    const Position position = cells.position(*placement, 0, tables.rules());
    if (position.in_check(~placement->side)) continue;
    const auto outcome = static_cast<std::size_t>(tables.probe(position)->outcome);
    counts[static_cast<std::size_t>(index(placement->side))][outcome] += cells.images(*placement);
  }
  return counts;
}

}  // namespace tablebase
