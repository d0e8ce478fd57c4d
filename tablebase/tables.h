#pragma once
// What positions with few pieces are worth, exactly: the files of a folder, asked.
//
// Why a course says all. With nothing in reserve a game is a line of captures, pawn moves and ends,
// and between two of these at most a hundred plies, after which the impasse ends it by the material
// on the board. So the worth of a position with n plies left follows from that of its successors
// with n - 1 left, and of those behind a capture or a pawn's move with a hundred: the solver
// computes exactly this, for n = 0, 1, 2, … (solver.h). What an impasse pays is the same for all
// positions of one material. For any grade above it, the positions that can reach the grade with n
// plies left can reach it with n + 1 too (they only gain time), and the same holds for the other
// side and any grade below. So with more plies left a position's worth only moves away from the
// impasse's, upwards or downwards and never back: the impasse may be better or worse than playing
// on, but what a position is worth changes at most six times, and a course holds where. When one
// round of n changes nothing, no later one does. The tests hold all of this against a solver that
// walks every position with every clock and uses none of it.
//
// Repetition changes nothing where it counts: it pays what the impasse pays, who wants more comes
// nearer with every move, and who wants no more gets it from the clock as well. But a game's past
// may take that way from him, so that a search asks in such sets only where the clock is at 0.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"
#include "tablebase/cells.h"
#include "tablebase/material.h"
#include "tablebase/table_file.h"

namespace tablebase {

struct Verdict {
  rules::Outcome outcome;  // at best play of both; of several that pay the same, one
  int grade;               // White's, as Grades
  // Within how many plies who wants this outcome forces the capture, pawn's move or end that makes
  // it certain; where it is the impasse's and nobody need force anything, 0.
  int plies;
};

struct GradedMove {
  rules::Move move;
  Verdict verdict;  // of the position behind it
};

// The files of one folder. Const functions: any thread.
class Tables {
 public:
  // None yet.
  Tables(rules::RuleSet rules, const rules::ScoringTable& table)
      : rules_(rules), table_(table), grades_(table) {}
  // All that are in the folder. Throws base::InputError where one of them is damaged, or made for
  // other rules, or for a table under which the outcomes rank otherwise, or where there is none.
  Tables(const std::filesystem::path& folder, rules::RuleSet rules,
         const rules::ScoringTable& table);

  // Throws as above, naming the path.
  void add(const std::filesystem::path& path);
  bool has(const Material& material) const { return entries_.contains(material); }
  // What a file of the material must be about.
  TableSubject subject(const Material& material) const;

  // All endings with up to so many pieces are known; 0: not even the bare kings.
  int pieces() const { return pieces_; }
  std::uint64_t bytes() const;
  rules::RuleSet rules() const { return rules_; }
  const rules::ScoringTable& table() const { return table_; }
  const Grades& grades() const { return grades_; }
  // Whether they hold under this table too: outcomes and impasses rank alike.
  bool hold_under(const rules::ScoringTable& table) const;
  // The same, and whether they hold for these rules.
  bool hold_for(rules::RuleSet rules, const rules::ScoringTable& table) const {
    return rules.game == 0 && ending_rules(rules) == ending_rules(rules_) &&
           rules.repetition == rules_.repetition && hold_under(table);
  }

  // Empty where it is not known: too many pieces, something in reserve, a right to castle, a king
  // that is gone. REQUIRES: a position of rules().
  std::optional<Verdict> probe(const rules::Position& position) const;
  // The same within a game or a search: empty also where the game's past may matter, as repetition
  // counts and the clock is not at 0.
  std::optional<Verdict> probe_in_game(const rules::Position& position) const {
    if (rules_.repetition && position.halfmove_clock() != 0) return std::nullopt;
    return probe(position);
  }
  // With any number of plies left; what could be taken en passant is not looked at. Empty as
  // probe().
  std::optional<Course> course(const rules::Position& position) const;
  // All legal moves, the best first: by the outcome, then those that come nearer to it. Empty where
  // one of them is not known, or the game is over.
  std::vector<GradedMove> moves(const rules::Position& position) const;

 private:
  struct Entry {
    TableFile file;
    Cells cells;
  };
  struct Found {
    const Course* course;
    bool flipped;  // it is that of the position with colours swapped
    int grade(int plies, int highest) const {
      const int grade = (*course)[static_cast<std::size_t>(plies)];
      return flipped ? highest - grade : grade;
    }
  };
  std::optional<Found> find(const rules::Position& position) const;
  std::optional<Verdict> after_en_passant(const rules::Position& position) const;
  std::optional<Verdict> behind(const rules::Position& next) const;

  rules::RuleSet rules_;
  rules::ScoringTable table_;
  Grades grades_;
  int pieces_ = 0;
  std::map<Material, Entry> entries_;
};

// The folder's; null where none is named. Throws as Tables.
std::shared_ptr<const Tables> load(const std::filesystem::path& folder, rules::RuleSet rules,
                                   const rules::ScoringTable& table);

}  // namespace tablebase
