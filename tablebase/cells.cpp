#include "tablebase/cells.h"

#include <algorithm>
#include <utility>

namespace tablebase {
namespace {

using rules::Color;
using rules::PieceType;
using rules::Square;

// A symmetry of the board: bit 0 mirrors it left-right, bit 1 top-bottom, then bit 2 about the
// diagonal from a1.
constexpr int kMirrors = 1, kTurnsOver = 2, kTransposes = 4;
constexpr std::uint64_t kNone = ~std::uint64_t{0};

constexpr auto kSymmetries = [] {
  std::array<std::array<std::uint8_t, 64>, 8> all{};
  for (int symmetry = 0; symmetry < 8; ++symmetry) {
    for (int square = 0; square < 64; ++square) {
      int to = square ^ (symmetry & kMirrors ? 7 : 0) ^ (symmetry & kTurnsOver ? 56 : 0);
      if (symmetry & kTransposes) to = to >> 3 | (to & 7) << 3;
      all[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(square)] =
          static_cast<std::uint8_t>(to);
    }
  }
  return all;
}();

// The ten squares a1, b1, c1, d1, b2, c2, d2, c3, d3, d4, to which symmetries bring every square.
constexpr std::uint64_t kTriangle = 10;
constexpr std::array<std::uint8_t, kTriangle> kTriangleSquares{0, 1, 2, 3, 9, 10, 11, 18, 19, 27};

struct ToTriangle {
  std::array<std::uint8_t, 64> code{};      // of the ten squares themselves
  std::array<std::uint8_t, 64> symmetry{};  // that brings a square there
  std::array<bool, 64> on_diagonal{};       // transposing keeps it there
};
constexpr ToTriangle kToTriangle = [] {
  ToTriangle to;
  for (std::size_t i = 0; i < kTriangle; ++i) {
    to.code[kTriangleSquares[i]] = static_cast<std::uint8_t>(i);
  }
  for (int square = 0; square < 64; ++square) {
    const auto at = static_cast<std::size_t>(square);
    const int mirrors = (square & 7) > 3 ? kMirrors : 0, turns = square >> 3 > 3 ? kTurnsOver : 0;
    const int moved = kSymmetries[static_cast<std::size_t>(mirrors | turns)][at];
    const int transposes = moved >> 3 > (moved & 7) ? kTransposes : 0;
    to.symmetry[at] = static_cast<std::uint8_t>(mirrors | turns | transposes);
    to.on_diagonal[at] = moved >> 3 == (moved & 7);
  }
  return to;
}();

// A pawn's squares, by files.
constexpr std::uint64_t kPawnCodes = 48, kLeftPawnCodes = kPawnCodes / 2;
constexpr std::uint64_t pawn_code(int square) {
  return static_cast<std::uint64_t>((square & 7) * 6 + (square >> 3) - 1);
}
constexpr Square pawn_square(std::uint64_t code) {
  return rules::make_square(static_cast<int>(code / 6), static_cast<int>(code % 6) + 1);
}

}  // namespace

Cells::Cells(const Material& material) {
  const auto add = [&](PieceType type) {
    for (const Color color : rules::kColors) {
      const int count = type == PieceType::kKing ? 1 : material.count(color, type);
      pieces_.insert(pieces_.end(), static_cast<std::size_t>(count), Piece{color, type});
    }
  };
  for (const PieceType type : {PieceType::kPawn, PieceType::kKing, PieceType::kQueen,
                               PieceType::kRook, PieceType::kBishop, PieceType::kKnight}) {
    add(type);
  }
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    values_[i] = is_pawn(i) ? kPawnCodes : 64;
    if (i == 0) values_[i] = is_pawn(i) ? kLeftPawnCodes : kTriangle;
    (is_pawn(i) ? slices_ : slice_size_) *= values_[i];
    twins_[i] =
        i > 0 && pieces_[i - 1].type == pieces_[i].type && pieces_[i - 1].color == pieces_[i].color;
    for (std::size_t square = 0; square < 64; ++square) {
      codes_[i][square] = is_pawn(i)
                              ? static_cast<std::uint8_t>(pawn_code(static_cast<int>(square)))
                          : i == 0 ? kToTriangle.code[square]
                                   : static_cast<std::uint8_t>(square);
    }
  }
  std::uint64_t weight = 1;
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    if (is_pawn(i) && (i + 1 == pieces_.size() || !is_pawn(i + 1)))
      side_weight_ = std::exchange(weight, weight * 2);
    weights_[i] = weight;
    weight *= values_[i];
  }
  if (!is_pawn(0)) side_weight_ = weight;
}

std::uint64_t Cells::cell_of(const rules::Position& position) const {
  Placement placement{{}, position.side_to_move()};
  for (std::size_t i = 0; i < pieces_.size();) {
    rules::Bitboard squares = position.pieces(pieces_[i].color, pieces_[i].type);
    while (squares) placement.squares[i++] = rules::pop_first(squares);
  }
  return cell_of(placement);
}

std::uint64_t Cells::cell_of(const Placement& placement) const {
  if (is_pawn(0)) return std::min(number(placement, 0), number(placement, kMirrors));
  const auto king = static_cast<std::size_t>(placement.squares[0]);
  const int symmetry = kToTriangle.symmetry[king];
  const std::uint64_t cell = number(placement, symmetry);
  if (!kToTriangle.on_diagonal[king]) return cell;
  return std::min(cell, number(placement, symmetry ^ kTransposes));
}

// Pieces of a kind are in the order of their codes. None where the first pawn is not on files a-d.
std::uint64_t Cells::number(const Placement& placement, int symmetry) const {
  const auto& moved = kSymmetries[static_cast<std::size_t>(symmetry)];
  std::array<std::uint8_t, kMostPieces> codes{};
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    codes[i] = codes_[i][moved[static_cast<std::size_t>(placement.squares[i])]];
    for (std::size_t j = i; j > 0 && twins_[j] && codes[j - 1] > codes[j]; --j)
      std::swap(codes[j - 1], codes[j]);
  }
  if (codes[0] >= values_[0]) return kNone;
  std::uint64_t cell = side_weight_ * static_cast<std::uint64_t>(index(placement.side));
  for (std::size_t i = 0; i < pieces_.size(); ++i) cell += codes[i] * weights_[i];
  return cell;
}

std::optional<Placement> Cells::placement(std::uint64_t cell) const {
  Placement placement{};
  std::uint64_t left = cell;
  rules::Bitboard taken = 0;
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    if (is_pawn(i) && (i + 1 == pieces_.size() || !is_pawn(i + 1))) {
      placement.side = static_cast<Color>(left % 2);
      left /= 2;
    }
    const std::uint64_t code = left % values_[i];
    left /= values_[i];
    placement.squares[i] = is_pawn(i) ? pawn_square(code) : static_cast<Square>(code);
    if (i == 0 && !is_pawn(i)) placement.squares[i] = static_cast<Square>(kTriangleSquares[code]);
    taken |= bit(placement.squares[i]);
  }
  if (!is_pawn(0)) placement.side = static_cast<Color>(left);
  if (std::popcount(taken) != static_cast<int>(pieces_.size())) return std::nullopt;
  if (cell_of(placement) != cell) return std::nullopt;
  return placement;
}

rules::Position Cells::position(const Placement& placement, int halfmove_clock,
                                rules::RuleSet rules) const {
  std::array<rules::PlacedPiece, kMostPieces> placed{};
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    placed[i] = {pieces_[i].color, pieces_[i].type, placement.squares[i]};
  }
  return rules::Position::with_pieces(std::span(placed).first(pieces_.size()), placement.side,
                                      halfmove_clock, rules);
}

std::uint64_t Cells::images(const Placement& placement) const {
  if (is_pawn(0)) return 2;
  const bool transposed = kToTriangle.on_diagonal[static_cast<std::size_t>(placement.squares[0])] &&
                          number(placement, 0) == number(placement, kTransposes);
  return transposed ? 4 : 8;
}

int Cells::advancement(std::uint64_t slice) const {
  int rows = 0;
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    if (!is_pawn(i)) continue;
    const int rank = rules::rank_of(pawn_square(slice % values_[i]));
    slice /= values_[i];
    rows += pieces_[i].color == Color::kWhite ? rank - 1 : 6 - rank;
  }
  return rows;
}

}  // namespace tablebase
