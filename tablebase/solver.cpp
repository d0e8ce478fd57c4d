#include "tablebase/solver.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "rules/attacks.h"

namespace tablebase {
namespace {

using rules::Color;
using rules::Position;

class Solver {
 public:
  Solver(const Material& material, const Tables& smaller)
      : material_(material),
        smaller_(smaller),
        cells_(material),
        impasse_(smaller.grades().of(material.impasse(smaller.table()))),
        numbers_(cells_.size(), 0),
        fixed_(cells_.slice_size()) {
    number_of_constant(impasse_);  // the first course is also that of cells without a position
  }

  Solution solve(const std::function<bool()>& stopped);

 private:
  // What a cell of the slice has besides its quiet moves: the best grade of captures and pawn
  // moves, or one of these.
  static constexpr std::uint8_t kNoPosition = 255, kOver = 254, kOnlyQuiet = 253;
  // What the next round has to do with a cell: nothing, compute its worth anew, or take this grade
  // where it is better for the side to move.
  static constexpr std::uint8_t kNothing = 255, kComputed = 254;
  struct Change {
    std::uint64_t cell;
    std::uint8_t before, after;  // grades
  };

  Position position_at(const Placement& placement, int clock) const {
    return cells_.position(placement, clock, smaller_.rules());
  }
  bool solve_slice(std::uint64_t slice, const std::function<bool()>& stopped);
  void prepare(std::uint64_t cell);
  int first_grade(const Position& position, std::uint8_t& fixed);
  int grade_of(const Position& position);
  void look_again(std::uint64_t cell);
  int worth(const Position& position, std::uint8_t fixed) const;
  void apply(int plies);
  void list_predecessors(const Change& change);
  void list(std::uint64_t cell, Color side, const Change& change);
  CourseNumber number_of_constant(int grade);
  CourseNumber number_of(const Course& course);
  CourseNumber changed(CourseNumber number, int plies, int grade);

  const Material material_;
  const Tables& smaller_;
  const Cells cells_;
  const int impasse_;                  // its grade
  std::vector<CourseNumber> numbers_;  // by cell: its course as far as it is known
  std::vector<Course> courses_;        // by number; as if nothing changed any more
  std::vector<std::uint8_t> latest_;   // their last grades
  std::unordered_map<std::uint32_t, CourseNumber> changed_;  // by number, plies and grade
  std::unordered_map<int, CourseNumber> constant_;

  // Of one slice.
  std::uint64_t begin_ = 0;
  std::vector<std::uint8_t> fixed_;
  std::vector<std::uint8_t> next_;   // what the next round has to do
  std::vector<std::uint64_t> list_;  // the cells for which that is something
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
  next_.assign(cells_.slice_size(), kNothing);  // the slice before may have left some
  for (std::uint64_t i = 0; i < cells_.slice_size(); ++i) {
    if (i % 4096 == 0 && stopped()) return false;
    prepare(begin_ + i);
  }
  for (const Change& change : changes_) list_predecessors(change);
  changes_.clear();
  for (int plies = 1; plies <= kMostPliesLeft && !list_.empty(); ++plies) {
    if (stopped()) return false;
    for (const std::uint64_t cell : list_) look_again(cell);
    apply(plies);
  }
  return true;
}

// With no ply left; what does not depend on the plies left as long as there are any; and with one
// ply left, as if the impasse came behind every quiet move. Where it does not, that is a change.
void Solver::prepare(std::uint64_t cell) {
  std::uint8_t& fixed = fixed_[cell - begin_];
  fixed = kNoPosition;
  const auto placement = cells_.placement(cell);
  if (!placement) return;
  const Position position = position_at(*placement, 0);
  if (!Cells::is_possible(position)) return;
  const int last = smaller_.grades().of(
      *position_at(*placement, Position::kImpasseClock).outcome(smaller_.table()));
  numbers_[cell] = number_of_constant(last);
  if (last != impasse_) {
    changes_.push_back(
        {cell, static_cast<std::uint8_t>(impasse_), static_cast<std::uint8_t>(last)});
  }
  const int first = first_grade(position, fixed);
  if (first == last && last == impasse_) return;
  next_[cell - begin_] = last == impasse_ ? static_cast<std::uint8_t>(first) : kComputed;
  list_.push_back(cell);
}

// The grade with one ply left, and what is fixed of it.
int Solver::first_grade(const Position& position, std::uint8_t& fixed) {
  if (const auto outcome = position.outcome(smaller_.table())) {
    fixed = kOver;
    return smaller_.grades().of(*outcome);
  }
  const Color side = position.side_to_move();
  std::optional<int> best;
  bool quiet = false;
  for (const rules::Move move : position.legal_moves()) {
    const Position next = position.after(move);
    if (next.halfmove_clock() != 0) {
      quiet = true;
      continue;
    }
    const int grade = grade_of(next);
    best = best ? better_grade(side, *best, grade) : grade;
  }
  fixed = best ? static_cast<std::uint8_t>(*best) : kOnlyQuiet;
  return !best ? impasse_ : quiet ? better_grade(side, *best, impasse_) : *best;
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
      best = best ? better_grade(side, *best, grade) : grade;
    }
    return *best;
  }
  if (Material::of(position) != material_) return smaller_.probe(position)->grade;
  const auto left = static_cast<std::size_t>(kMostPliesLeft - position.halfmove_clock());
  return courses_[numbers_[cells_.cell_of(position)]][left];
}

void Solver::look_again(std::uint64_t cell) {
  int grade = std::exchange(next_[cell - begin_], kNothing);
  if (grade == kComputed)
    grade = worth(position_at(*cells_.placement(cell), 0), fixed_[cell - begin_]);
  const std::uint8_t before = latest_[numbers_[cell]];
  if (grade != before) changes_.push_back({cell, before, static_cast<std::uint8_t>(grade)});
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
    best = best ? better_grade(position.side_to_move(), *best, grade) : grade;
  }
  return *best;
}

void Solver::apply(int plies) {
  list_.clear();
  for (const Change& change : changes_)
    numbers_[change.cell] = changed(numbers_[change.cell], plies, change.after);
  for (const Change& change : changes_) list_predecessors(change);
  changes_.clear();
}

// The positions from which a quiet move leads to the one that has changed.
void Solver::list_predecessors(const Change& change) {
  Placement placement = *cells_.placement(change.cell);
  rules::Bitboard occupied = 0;
  for (std::size_t i = 0; i < cells_.pieces().size(); ++i) occupied |= bit(placement.squares[i]);
  placement.side = ~placement.side;
  for (std::size_t i = 0; i < cells_.pieces().size(); ++i) {
    const auto [color, type] = cells_.pieces()[i];
    if (color != placement.side || type == rules::PieceType::kPawn) continue;
    const rules::Square here = placement.squares[i];
    for (rules::Bitboard from = attacks_from(type, here, occupied) & ~occupied; from;) {
      placement.squares[i] = rules::pop_first(from);
      list(cells_.cell_of(placement), placement.side, change);
    }
    placement.squares[i] = here;
  }
}

// A cell from which the side to move can bring about what has changed: where that has become better
// for it, it is worth at least as much; where worse, it may be worth less if this was its best.
void Solver::list(std::uint64_t cell, Color side, const Change& change) {
  const std::uint8_t fixed = fixed_[cell - begin_];
  if (fixed == kNoPosition || fixed == kOver) return;
  std::uint8_t& next = next_[cell - begin_];
  const int now = latest_[numbers_[cell]];
  const bool improved = better_grade(side, change.before, change.after) == change.after;
  if (next == kComputed ||
      (improved ? better_grade(side, now, change.after) == now : now != change.before)) {
    return;
  }
  if (next == kNothing) list_.push_back(cell);
  next = !improved          ? kComputed
         : next == kNothing ? change.after
                            : static_cast<std::uint8_t>(better_grade(side, next, change.after));
}

}  // namespace

Solution solve(const Material& material, const Tables& smaller,
               const std::function<bool()>& stopped) {
  return Solver(material, smaller).solve(stopped);
}

}  // namespace tablebase
