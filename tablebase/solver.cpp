#include "tablebase/solver.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/errors.h"
#include "rules/attacks.h"

namespace tablebase {
namespace {

using rules::Color;
using rules::Position;

// The grade of the two that the side prefers.
int better(Color side, int a, int b) {
  return side == Color::kWhite ? std::max(a, b) : std::min(a, b);
}

// Where kings are kept safe, who has moved cannot be in check.
bool is_possible(const Position& position) {
  return !position.rule_set().king_safe || !position.in_check(~position.side_to_move());
}

class Solver {
 public:
  Solver(const Material& material, const Tables& smaller)
      : material_(material),
        smaller_(smaller),
        cells_(material),
        numbers_(cells_.size(), 0),
        fixed_(cells_.slice_size()) {
    // The first course is also that of cells without a position.
    number_of_constant(smaller.grades().of(material.impasse(smaller.table())));
  }

  Solution solve(const std::function<bool()>& stopped);

 private:
  // What a cell of the slice has besides its quiet moves: the best grade of captures and pawn
  // moves, or one of these.
  static constexpr std::uint8_t kNoPosition = 255, kOver = 254, kOnlyQuiet = 253;
  struct Change {
    std::uint64_t cell;
    std::uint8_t grade;
  };

  Position position_at(const Placement& placement, int clock) const {
    return cells_.position(placement, clock, smaller_.rules());
  }
  bool solve_slice(std::uint64_t slice, const std::function<bool()>& stopped);
  void prepare(std::uint64_t cell);
  std::uint8_t best_fixed(const Position& position);
  int grade_of(const Position& position);
  void look_again(std::uint64_t cell);
  int worth(const Position& position, std::uint8_t fixed) const;
  void apply(int plies);
  void list_predecessors(std::uint64_t cell);
  CourseNumber number_of_constant(int grade);
  CourseNumber number_of(const Course& course);
  CourseNumber changed(CourseNumber number, int plies, int grade);

  const Material material_;
  const Tables& smaller_;
  const Cells cells_;
  std::vector<CourseNumber> numbers_;  // by cell: its course as far as it is known
  std::vector<Course> courses_;        // by number; as if nothing changed any more
  std::vector<std::uint8_t> latest_;   // their last grades
  std::unordered_map<std::uint32_t, CourseNumber> changed_;  // by number, plies and grade
  std::unordered_map<int, CourseNumber> constant_;

  // Of one slice.
  std::uint64_t begin_ = 0;
  std::vector<std::uint8_t> fixed_;
  std::vector<bool> listed_;
  std::vector<std::uint64_t> list_;  // the cells to look at again
  std::vector<Change> changes_;
};

CourseNumber Solver::number_of(const Course& course) {
  if (courses_.size() > std::numeric_limits<CourseNumber>::max()) {
    throw base::EnvironmentError("tablebase " + material_.name() +
                                 ": more different courses than a file can hold");
  }
  courses_.push_back(course);
  latest_.push_back(course.back());
  return static_cast<CourseNumber>(courses_.size() - 1);
}

CourseNumber Solver::number_of_constant(int grade) {
  const auto [found, is_new] = constant_.try_emplace(grade);
  if (is_new) {
    Course course;
    course.fill(static_cast<std::uint8_t>(grade));
    found->second = number_of(course);
  }
  return found->second;
}

CourseNumber Solver::changed(CourseNumber number, int plies, int grade) {
  const std::uint32_t key = static_cast<std::uint32_t>(number) << 16 |
                            static_cast<std::uint32_t>(plies) << 8 |
                            static_cast<std::uint32_t>(grade);
  const auto [found, is_new] = changed_.try_emplace(key);
  if (is_new) {
    Course course = courses_[number];
    std::fill(course.begin() + plies, course.end(), static_cast<std::uint8_t>(grade));
    found->second = number_of(course);
  }
  return found->second;
}

Solution Solver::solve(const std::function<bool()>& stopped) {
  std::vector<std::uint64_t> slices(cells_.slices());
  std::iota(slices.begin(), slices.end(), std::uint64_t{0});
  std::ranges::stable_sort(slices, std::greater{},
                           [this](std::uint64_t slice) { return cells_.advancement(slice); });
  for (const std::uint64_t slice : slices) {
    if (!solve_slice(slice, stopped)) return {};
  }
  return {smaller_.subject(material_), std::move(courses_), std::move(numbers_)};
}

bool Solver::solve_slice(std::uint64_t slice, const std::function<bool()>& stopped) {
  begin_ = slice * cells_.slice_size();
  list_.clear();
  listed_.assign(cells_.slice_size(), false);  // the slice before may have left some
  for (std::uint64_t i = 0; i < cells_.slice_size(); ++i) {
    if (i % 4096 == 0 && stopped()) return false;
    prepare(begin_ + i);
  }
  for (int plies = 1; plies <= kMostPliesLeft && !list_.empty(); ++plies) {
    if (stopped()) return false;
    for (const std::uint64_t cell : list_) look_again(cell);
    apply(plies);
  }
  return true;
}

// With no ply left, and what does not depend on the plies left as long as there are any.
void Solver::prepare(std::uint64_t cell) {
  std::uint8_t& fixed = fixed_[cell - begin_];
  fixed = kNoPosition;
  const auto placement = cells_.placement(cell);
  if (!placement) return;
  const Position position = position_at(*placement, 0);
  if (!is_possible(position)) return;
  const rules::ScoringTable& table = smaller_.table();
  const auto last = position_at(*placement, Position::kImpasseClock).outcome(table);
  numbers_[cell] = number_of_constant(smaller_.grades().of(*last));
  fixed = position.outcome(table) ? kOver : best_fixed(position);
  list_.push_back(cell);
}

std::uint8_t Solver::best_fixed(const Position& position) {
  std::optional<int> best;
  for (const rules::Move move : position.legal_moves()) {
    const Position next = position.after(move);
    if (next.halfmove_clock() != 0) continue;
    const int grade = grade_of(next);
    best = best ? better(position.side_to_move(), *best, grade) : grade;
  }
  return best ? static_cast<std::uint8_t>(*best) : kOnlyQuiet;
}

// White's, of a position of a slice that is solved, of less material, or where the game is over.
int Solver::grade_of(const Position& position) {
  const Color side = position.side_to_move();
  if (const auto outcome = position.outcome(smaller_.table()))
    return smaller_.grades().of(*outcome);
  if (position.en_passant()) {
    std::optional<int> best;
    for (const rules::Move move : position.legal_moves()) {
      const int grade = grade_of(position.after(move));
      best = best ? better(side, *best, grade) : grade;
    }
    return *best;
  }
  if (Material::of(position) != material_) return smaller_.probe(position)->grade;
  const auto left = static_cast<std::size_t>(kMostPliesLeft - position.halfmove_clock());
  return courses_[numbers_[cells_.cell_of(position)]][left];
}

void Solver::look_again(std::uint64_t cell) {
  listed_[cell - begin_] = false;
  const std::uint8_t fixed = fixed_[cell - begin_];
  if (fixed == kNoPosition) return;
  const int grade = worth(position_at(*cells_.placement(cell), 0), fixed);
  if (grade != latest_[numbers_[cell]])
    changes_.push_back({cell, static_cast<std::uint8_t>(grade)});
}

// With one ply more than is known so far.
int Solver::worth(const Position& position, std::uint8_t fixed) const {
  if (fixed == kOver) return smaller_.grades().of(*position.outcome(smaller_.table()));
  std::optional<int> best;
  if (fixed != kOnlyQuiet) best = fixed;
  for (const rules::Move move : position.legal_moves()) {
    const Position next = position.after(move);
    if (next.halfmove_clock() == 0) continue;
    const int grade = latest_[numbers_[cells_.cell_of(next)]];
    best = best ? better(position.side_to_move(), *best, grade) : grade;
  }
  return *best;
}

void Solver::apply(int plies) {
  list_.clear();
  for (const Change& change : changes_) {
    numbers_[change.cell] = changed(numbers_[change.cell], plies, change.grade);
    list_predecessors(change.cell);
  }
  changes_.clear();
}

// The positions from which a quiet move leads to this one.
void Solver::list_predecessors(std::uint64_t cell) {
  Placement placement = *cells_.placement(cell);
  rules::Bitboard occupied = 0;
  for (std::size_t i = 0; i < cells_.pieces().size(); ++i) occupied |= bit(placement.squares[i]);
  placement.side = ~placement.side;
  for (std::size_t i = 0; i < cells_.pieces().size(); ++i) {
    const auto [color, type] = cells_.pieces()[i];
    if (color != placement.side || type == rules::PieceType::kPawn) continue;
    const rules::Square here = placement.squares[i];
    for (rules::Bitboard from = attacks_from(type, here, occupied) & ~occupied; from;) {
      placement.squares[i] = rules::pop_first(from);
      const std::uint64_t before = cells_.cell_of(placement);
      if (listed_[before - begin_]) continue;
      listed_[before - begin_] = true;
      list_.push_back(before);
    }
    placement.squares[i] = here;
  }
}

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
        const int grade = better(position.side_to_move(), expected[plies], course[plies]);
        expected[plies] = is_first ? course[plies] : static_cast<std::uint8_t>(grade);
      }
      is_first = false;
    }
  }
  expected[0] = static_cast<std::uint8_t>(tables.grades().of(*last.outcome(tables.table())));
  return expected;
}

}  // namespace

Solution solve(const Material& material, const Tables& smaller,
               const std::function<bool()>& stopped) {
  return Solver(material, smaller).solve(stopped);
}

Contradictions contradictions(const Material& material, const Tables& tables) {
  Contradictions result;
  const Cells cells(material);
  for (std::uint64_t cell = 0; cell < cells.size(); ++cell) {
    const auto placement = cells.placement(cell);
    if (!placement) continue;
    const Position position = cells.position(*placement, 0, tables.rules());
    if (!is_possible(position)) continue;
    ++result.positions;
    const Position last = cells.position(*placement, Position::kImpasseClock, tables.rules());
    if (*tables.course(position) == expected_course(position, last, tables)) continue;
    if (result.found++ == 0) result.first = position.to_fen();
  }
  return result;
}

}  // namespace tablebase
