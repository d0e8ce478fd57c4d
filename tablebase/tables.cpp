#include "tablebase/tables.h"

#include <algorithm>
#include <bit>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/errors.h"
#include "rules/move_list.h"

namespace tablebase {

using rules::Color;

Tables::Tables(const std::filesystem::path& folder, rules::RuleSet rules,
               const rules::ScoringTable& table)
    : Tables(rules, table) {
  if (rules.game != 0) {
    throw base::InputError("tablebase '" + folder.string() +
                           "': of a rule set that comes along, not " + rules.title());
  }
  for (int pieces = 2; pieces <= kMostPieces; ++pieces) {
    for (const Material& material : Material::all(pieces, true)) {
      const auto path = table_path(folder, material);
      std::error_code error;
      if (std::filesystem::exists(path, error)) add(path);
    }
  }
  if (entries_.empty()) {
    throw base::InputError("tablebase '" + folder.string() +
                           "': expected a folder that `sharpzero tablebase` has filled");
  }
}

TableSubject Tables::subject(const Material& material) const {
  return {material, ending_rules(rules_), grades_, material.impasse(table_)};
}

void Tables::add(const std::filesystem::path& path) {
  TableFile file(path);
  const TableSubject& found = file.subject();
  const auto refuse = [&](const std::string& what) {
    throw base::InputError(path.string() + ": " + what);
  };
  if (path.filename() != table_path({}, found.material).filename())
    refuse("holds " + found.material.name() + ": was it renamed?");
  if (found.rules != ending_rules(rules_))
    refuse("was solved for other rules than " + rules_.name() + "'s");
  if (found != subject(found.material)) {
    refuse(
        "was solved for a scoring table under which outcomes rank otherwise: build it again "
        "with --table, or in another folder");
  }
  const Material material = found.material;
  entries_.emplace(material, Entry{std::move(file), Cells(material)});
  pieces_ = 0;
  while (pieces_ < kMostPieces &&
         std::ranges::all_of(Material::all(std::max(2, pieces_ + 1), !grades_.symmetric()),
                             [this](const Material& m) { return has(m); })) {
    pieces_ = std::max(2, pieces_ + 1);
  }
}

std::uint64_t Tables::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [material, entry] : entries_) bytes += entry.file.bytes();
  return bytes;
}

bool Tables::hold_under(const rules::ScoringTable& table) const {
  if (table == table_) return true;
  return Grades(table) == grades_ && std::ranges::all_of(entries_, [&](const auto& entry) {
           return entry.first.impasse(table) == entry.second.file.subject().impasse;
         });
}

std::optional<Tables::Found> Tables::find(const rules::Position& position) const {
  if (std::popcount(position.occupied()) > kMostPieces) return std::nullopt;
  for (const Color color : rules::kColors) {
    if (!position.reserve_empty(color) || !position.king_on_board(color) ||
        position.castling_rooks(color)) {
      return std::nullopt;
    }
  }
  const Material material = Material::of(position);
  const bool flipped = grades_.symmetric() && !material.is_canonical();
  const auto entry = entries_.find(flipped ? material.color_flipped() : material);
  if (entry == entries_.end()) return std::nullopt;
  const Cells& cells = entry->second.cells;
  const std::uint64_t cell = cells.cell_of(flipped ? position.color_flipped() : position);
  return Found{&entry->second.file.course(cell), flipped};
}

std::optional<Course> Tables::course(const rules::Position& position) const {
  const auto found = find(position);
  if (!found) return std::nullopt;
  Course course;
  for (std::size_t plies = 0; plies < course.size(); ++plies) {
    course[plies] =
        static_cast<std::uint8_t>(found->grade(static_cast<int>(plies), grades_.count() - 1));
  }
  return course;
}

std::optional<Verdict> Tables::probe(const rules::Position& position) const {
  const auto found = find(position);
  if (!found) return std::nullopt;
  if (position.en_passant()) return after_en_passant(position);
  const int left = std::max(kMostPliesLeft - position.halfmove_clock(), 0);
  const int highest = grades_.count() - 1;
  const int grade = found->grade(left, highest);
  int plies = left;  // the fewest with which it is worth as much
  while (plies > 0 && found->grade(plies - 1, highest) == grade) --plies;
  return Verdict{grades_.outcome(grade, position.impasse(table_)), grade, plies};
}

// The grade of what a move leads to, one who has taken the king included.
std::optional<Verdict> Tables::behind(const rules::Position& next) const {
  if (const auto outcome = next.outcome(table_)) return Verdict{*outcome, grades_.of(*outcome), 0};
  return probe(next);
}

// No position of the files has anything to take en passant.
std::optional<Verdict> Tables::after_en_passant(const rules::Position& position) const {
  const auto best = moves(position);
  if (best.empty()) return std::nullopt;
  Verdict verdict = best.front().verdict;
  verdict.plies = 1;
  return verdict;
}

std::vector<GradedMove> Tables::moves(const rules::Position& position) const {
  std::vector<GradedMove> graded;
  if (position.outcome(table_)) return graded;
  for (const rules::Move move : position.legal_moves()) {
    const auto verdict = behind(position.after(move));
    if (!verdict) return {};
    graded.push_back({move, *verdict});
  }
  const bool white = position.side_to_move() == Color::kWhite;
  const int impasse = grades_.of(position.impasse(table_));
  // Who does better than the impasse hurries, whoever does worse delays; a move that captures or
  // moves a pawn has done all there is to do.
  const auto order = [&](const GradedMove& each) {
    const int grade = white ? each.verdict.grade : -each.verdict.grade;
    const int plies = position.after(each.move).halfmove_clock() == 0 ? 0 : each.verdict.plies;
    return std::pair(-grade, grade > (white ? impasse : -impasse) ? plies : -plies);
  };
  std::ranges::stable_sort(graded, {}, order);
  return graded;
}

std::shared_ptr<const Tables> load(const std::filesystem::path& folder, rules::RuleSet rules,
                                   const rules::ScoringTable& table) {
  return folder.empty() ? nullptr : std::make_shared<const Tables>(folder, rules, table);
}

}  // namespace tablebase
