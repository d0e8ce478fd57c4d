#pragma once
// The random numbers of Position::key(), made at compile time: keys are the same everywhere.

#include <array>
#include <bit>
#include <cstdint>

#include "base/rng.h"

namespace rules {

struct Zobrist {
  std::array<std::array<std::array<std::uint64_t, 64>, 8>, 2>
      piece{};                                           // color, code (0: none), square
  std::array<std::array<std::uint64_t, 256>, 2> hand{};  // color, reserve byte
  // Square; [0], none, is 0; from 64 on the phase of a draw (Position::CardPhase).
  std::array<std::uint64_t, 72> en_passant{};
  std::array<std::uint64_t, 256> rules{};  // a byte of the rule set id; [0] is 0
  std::uint64_t black_to_move = 0;
  std::array<std::array<std::uint64_t, 256>, 2> castling{};  // color, files of rooks; [0] is 0

  constexpr Zobrist() {
    std::uint64_t state = 0x43686573732300;  // "Chess#"
    for (auto& color : piece) {
      for (std::size_t code = 1; code < color.size(); ++code) {
        for (auto& value : color[code]) value = base::splitmix64(state);
      }
    }
    for (auto& color : hand) {
      for (auto& value : color) value = base::splitmix64(state);
    }
    for (std::size_t i = 1; i < 64; ++i) en_passant[i] = base::splitmix64(state);
    for (std::size_t i = 1; i < rules.size(); ++i) rules[i] = base::splitmix64(state);
    black_to_move = base::splitmix64(state);
    for (auto& color : castling) {
      for (std::size_t i = 1; i < color.size(); ++i) color[i] = base::splitmix64(state);
    }
    for (std::size_t i = 64; i < en_passant.size(); ++i) en_passant[i] = base::splitmix64(state);
  }

  // Chess#'s is 0.
  constexpr std::uint64_t of_rule_set(std::uint32_t id) const {
    return rules[id & 255] ^ std::rotl(rules[id >> 8 & 255], 21) ^
           std::rotl(rules[id >> 16 & 255], 42);
  }
  // Both sides' rights, White's in the low byte.
  constexpr std::uint64_t of_castling(std::uint32_t rights) const {
    return castling[0][rights & 255] ^ castling[1][rights >> 8];
  }
};
inline constexpr Zobrist kZobrist;

}  // namespace rules
