#pragma once
// Letters of pieces and names of squares, as FEN, UCI and SAN share them, and the order of a
// reserve.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "rules/types.h"

namespace rules {

inline constexpr std::string_view kLetters = "PNBRQK";  // in the order of PieceType
// In words, in the order of PieceType.
inline constexpr std::array<std::string_view, kPieceTypes> kPieceNames{"pawn", "knight", "bishop",
                                                                       "rook", "queen",  "king"};
// In which a FEN lists a reserve, and a board shows it.
inline constexpr std::array kReserveOrder{PieceType::kKing, PieceType::kQueen, PieceType::kRook,
                                          PieceType::kBishop, PieceType::kKnight};

inline constexpr std::string_view kCardLetters = "KQRLDNP";  // in the order of Card

constexpr char lower(char c) { return static_cast<char>(c | 0x20); }

// A piece's letter in FEN, a capital for White; in UCI and SAN a capital.
constexpr char letter(PieceType type, Color color = Color::kWhite) {
  const char capital = kLetters[static_cast<std::size_t>(type)];
  return color == Color::kWhite ? capital : lower(capital);
}
constexpr char letter(Card card, Color color = Color::kWhite) {
  const char capital = kCardLetters[static_cast<std::size_t>(card)];
  return color == Color::kWhite ? capital : lower(capital);
}
constexpr Color color_of(char letter) {
  return letter >= 'a' && letter <= 'z' ? Color::kBlack : Color::kWhite;
}
constexpr char upper(char letter) {
  return color_of(letter) == Color::kBlack ? static_cast<char>(letter - 0x20) : letter;
}

constexpr std::optional<PieceType> type_of(char capital) {
  const std::size_t i = kLetters.find(capital);
  if (i == std::string_view::npos) return std::nullopt;
  return static_cast<PieceType>(i);
}

constexpr std::optional<Card> card_of(char capital) {
  const std::size_t i = kCardLetters.find(capital);
  if (i == std::string_view::npos) return std::nullopt;
  return static_cast<Card>(i);
}

constexpr std::optional<Square> square_of(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') {
    return std::nullopt;
  }
  return make_square(text[0] - 'a', text[1] - '1');
}

}  // namespace rules
