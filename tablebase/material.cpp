#include "tablebase/material.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace tablebase {

using rules::Color;
using rules::Outcome;
using rules::PieceType;

Material Material::of(const rules::Position& position) {
  Material material;
  for (const Color color : rules::kColors) {
    for (const PieceType type : rules::kMaterialTypes) {
      const auto count = static_cast<std::uint32_t>(std::popcount(position.pieces(color, type)));
      material.counts_ |= count << shift(color, type);
    }
  }
  return material;
}

std::vector<Material> Material::all(int pieces, bool both_colors) {
  std::vector<Material> found{Material{}};
  for (int added = 2; added < pieces; ++added) {
    std::vector<Material> larger;
    for (const Material& smaller : found) {
      for (const Color color : rules::kColors) {
        for (const PieceType type : rules::kMaterialTypes) {
          larger.push_back(smaller);
          larger.back().add(color, type);
        }
      }
    }
    std::ranges::sort(larger);
    larger.erase(std::unique(larger.begin(), larger.end()), larger.end());
    found = std::move(larger);
  }
  if (!both_colors) std::erase_if(found, [](const Material& m) { return !m.is_canonical(); });
  std::ranges::stable_sort(
      found, [](const Material& a, const Material& b) { return a.pawns() < b.pawns(); });
  return found;
}

int Material::side_pieces(Color color) const {
  int pieces = 1;
  for (const PieceType type : rules::kMaterialTypes) pieces += count(color, type);
  return pieces;
}

int Material::pieces() const { return side_pieces(Color::kWhite) + side_pieces(Color::kBlack); }

int Material::pawns() const {
  return count(Color::kWhite, PieceType::kPawn) + count(Color::kBlack, PieceType::kPawn);
}

bool Material::is_canonical() const {
  const int white = side_pieces(Color::kWhite), black = side_pieces(Color::kBlack);
  return white != black ? white > black : side(Color::kWhite) >= side(Color::kBlack);
}

Material Material::color_flipped() const {
  Material flipped;
  flipped.counts_ = side(Color::kBlack) | side(Color::kWhite) << kSideBits;
  return flipped;
}

std::string Material::name() const {
  constexpr std::string_view kLetters = "PNBRQ";
  std::string name;
  for (const Color color : rules::kColors) {
    name += color == Color::kWhite ? "K" : "vK";
    for (std::size_t type = kLetters.size(); type-- > 0;) {
      name.append(static_cast<std::size_t>(count(color, static_cast<PieceType>(type))),
                  kLetters[type]);
    }
  }
  return name;
}

Outcome Material::impasse(const rules::ScoringTable& table) const {
  std::vector<rules::PlacedPiece> pieces;  // where they stand does not matter
  for (const Color color : rules::kColors) {
    for (const PieceType type : rules::kMaterialTypes) {
      for (int i = 0; i < count(color, type); ++i) {
        pieces.push_back({color, type, static_cast<rules::Square>(8 + pieces.size())});
      }
    }
  }
  return rules::Position::with_pieces(pieces, Color::kWhite, 0).impasse(table);
}

Grades::Grades(const rules::ScoringTable& table) {
  constexpr double kRounding = 1e-9;  // values such as 7.8 are not exact in binary
  std::array<double, rules::kOutcomes> points = table.points_white;
  std::ranges::sort(points);
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    double last = -1;
    for (const double paid : points) {
      if (paid > table.points_white[i] - kRounding) break;
      if (paid > last + kRounding) ++ranks_[i];
      last = paid;
    }
  }
}

int Grades::count() const { return std::ranges::max(ranks_) + 1; }

bool Grades::symmetric() const {
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (ranks_[i] + ranks_[ranks_.size() - 1 - i] != count() - 1) return false;
  }
  return true;
}

Outcome Grades::outcome(int grade, Outcome likeliest) const {
  if (of(likeliest) == grade) return likeliest;
  const auto found = std::ranges::find(ranks_, grade);
  return static_cast<Outcome>(found - ranks_.begin());
}

}  // namespace tablebase
