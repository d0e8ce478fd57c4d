#pragma once
// Which pieces are on the board, and how the outcomes rank: what a file of the tablebase is about.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/types.h"

namespace tablebase {

inline constexpr int kMostPieces = 4;  // on the board, kings included

// How many of each piece both sides have beside their kings: at most seven of a kind.
class Material {
 public:
  Material() = default;
  static Material of(const rules::Position& position);
  // All with so many pieces, kings included, those with fewer pawns first; of two that differ in
  // colours alone, only the one that is_canonical() unless both are asked for.
  static std::vector<Material> all(int pieces, bool both_colors);

  int count(rules::Color color, rules::PieceType type) const {
    return static_cast<int>(counts_ >> shift(color, type) & 7);
  }
  void add(rules::Color color, rules::PieceType type) { counts_ += 1u << shift(color, type); }
  int pieces() const;  // kings included
  int pawns() const;
  // White has more pieces than Black, or as many and the stronger ones, or the same.
  bool is_canonical() const;
  Material color_flipped() const;
  std::string name() const;  // "KQvK", White's first
  // What an impasse is under the table.
  rules::Outcome impasse(const rules::ScoringTable& table) const;

  auto operator<=>(const Material&) const = default;

 private:
  static constexpr int kSideBits = 15;
  static int shift(rules::Color color, rules::PieceType type) {
    return kSideBits * index(color) + 3 * index(type);
  }
  std::uint32_t side(rules::Color color) const {
    return counts_ >> kSideBits * index(color) & ((1u << kSideBits) - 1);
  }
  int side_pieces(rules::Color color) const;

  std::uint32_t counts_ = 0;  // three bits a piece, pawns lowest, White's side lowest
};

// The outcomes in White's order under a scoring table, as grades from 0, the worst: outcomes that
// pay the same (within 1e-9) have one grade. Together with Material::impasse() all that best play
// depends on of a table.
class Grades {
 public:
  using Ranks = std::array<std::uint8_t, rules::kOutcomes>;

  Grades() : Grades(rules::ScoringTable{}) {}
  explicit Grades(const rules::ScoringTable& table);
  static Grades from_ranks(const Ranks& ranks) {
    Grades grades;
    grades.ranks_ = ranks;
    return grades;
  }

  const Ranks& ranks() const { return ranks_; }
  int of(rules::Outcome outcome) const { return ranks_[static_cast<std::size_t>(outcome)]; }
  int count() const;
  // Whether swapping the colours turns the order round and changes nothing else.
  bool symmetric() const;
  // An outcome of this grade: `likeliest` if it is one, else the first.
  rules::Outcome outcome(int grade, rules::Outcome likeliest) const;

  bool operator==(const Grades&) const = default;

 private:
  Ranks ranks_{};
};
// The grade of the two that the side prefers.
constexpr int better_grade(rules::Color side, int a, int b) {
  return side == rules::Color::kWhite ? std::max(a, b) : std::min(a, b);
}

}  // namespace tablebase
