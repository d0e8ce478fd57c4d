#include "rules/attacks.h"

#include "rules/magics.h"

namespace rules::detail {
namespace {

struct Step {
  int file, rank;
};
using Directions = std::array<Step, 4>;
constexpr Directions kDiagonals{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr Directions kStraights{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

// The squares seen from `s` in one direction, up to the first piece.
Bitboard ray(Square s, Step step, Bitboard occupied) {
  Bitboard seen = 0;
  int file = file_of(s) + step.file, rank = rank_of(s) + step.rank;
  for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += step.file, rank += step.rank) {
    seen |= bit(make_square(file, rank));
    if (seen & occupied) break;
  }
  return seen;
}

Bitboard rays(Square s, const Directions& directions, Bitboard occupied) {
  Bitboard seen = 0;
  for (const Step step : directions) seen |= ray(s, step, occupied);
  return seen;
}

// The squares whose occupancy matters: the rays without their last squares.
Bitboard relevant(Square s, const Directions& directions) {
  const Bitboard own_row = rank_bb(rank_of(s)), own_file = file_bb(file_of(s));
  const Bitboard edges =
      ((rank_bb(0) | rank_bb(7)) & ~own_row) | ((file_bb(0) | file_bb(7)) & ~own_file);
  return rays(s, directions, 0) & ~edges;
}

constexpr std::size_t kBishopEntries = 5248;
constexpr std::size_t kRookEntries = 102400;
std::array<Bitboard, kBishopEntries + kRookEntries> slider_attacks;

Bitboard* fill(Square s, const Directions& directions, SliderEntry& entry, Bitboard* attacks,
               std::uint64_t magic) {
  entry.attacks = attacks;
  entry.mask = relevant(s, directions);
  entry.magic = magic;
  entry.shift = static_cast<unsigned>(64 - std::popcount(entry.mask));
  Bitboard subset = 0;
  do {  // all subsets of the mask (Carry-Rippler)
    attacks[entry.index(subset)] = rays(s, directions, subset);
    subset = (subset - entry.mask) & entry.mask;
  } while (subset);
  return attacks + (std::size_t{1} << std::popcount(entry.mask));
}

}  // namespace

Tables::Tables() {
  Bitboard* next = slider_attacks.data();
  for (std::size_t i = 0; i < 64; ++i) {
    const auto s = static_cast<Square>(i);
    next = fill(s, kDiagonals, bishop[i], next, kBishopMagics[i]);
    next = fill(s, kStraights, rook[i], next, kRookMagics[i]);
    knight[i] = knight_attacks(bit(s));
    king[i] = king_attacks(bit(s));
    for (std::size_t j = 0; j < 64; ++j) {
      const auto t = static_cast<Square>(j);
      between[i][j] = line[i][j] = 0;
      if (i == j) continue;
      for (const Directions& directions : {kDiagonals, kStraights}) {
        if (!(rays(s, directions, 0) & bit(t))) continue;
        between[i][j] = rays(s, directions, bit(t)) & rays(t, directions, bit(s));
        line[i][j] = (rays(s, directions, 0) & rays(t, directions, 0)) | bit(s) | bit(t);
      }
    }
  }
}

__attribute__((init_priority(101))) const Tables kTables;

}  // namespace rules::detail
