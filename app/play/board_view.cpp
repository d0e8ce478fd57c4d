#include "app/play/board_view.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "rules/letters.h"
#include "rules/notation.h"

namespace app {
namespace {

using rules::Color;
using rules::PieceType;
using rules::Position;
using rules::Square;

// By PieceType.
constexpr std::array<const char*, 6> kWhiteFigures{"♙", "♘", "♗", "♖", "♕", "♔"};
constexpr std::array<const char*, 6> kBlackFigures{"♟", "♞", "♝", "♜", "♛", "♚"};

// Colours of the 256-colour palette.
constexpr int kLightSquare = 180, kDarkSquare = 137, kMarkedLight = 186, kMarkedDark = 143;
constexpr int kWhitePiece = 231, kBlackPiece = 16;
constexpr const char* kReset = "\x1b[0m";
constexpr int kBarWidth = 20;
constexpr std::array<int, rules::kOutcomes> kBarColors{240, 242, 245, 178, 250, 253, 255};

constexpr std::array<std::string_view, rules::kOutcomes> kOutcomeNames{
    "Black wins",          "White is stalemated", "impasse, Black more", "impasse, equal",
    "impasse, White more", "Black is stalemated", "White wins"};

std::string figure(PieceType piece, Color color, const Look& look) {
  const char letter = rules::letter(piece);
  if (!look.unicode) return {color == Color::kBlack ? rules::lower(letter) : letter};
  const auto at = static_cast<std::size_t>(rules::index(piece));
  // On coloured squares the filled figures do for both: the colour tells whose they are.
  return color == Color::kBlack || look.color ? kBlackFigures[at] : kWhiteFigures[at];
}

// What is left in a deck, as "K Q R2 B(light) N P7; to promote: QRBN".
std::string deck(const Position& position, Color color) {
  std::string text;
  for (const rules::Card card : rules::kAllCards) {
    const int count = position.in_deck(color, card);
    if (count == 0) continue;
    text += text.empty() ? "" : " ";
    text += rules::letter(rules::piece_on(card));
    if (card == rules::Card::kLight) text += "(light)";
    if (card == rules::Card::kDark) text += "(dark)";
    if (count > 1) text += std::to_string(count);
  }
  text += text.empty() ? "nothing; to promote: " : "; to promote: ";
  const std::size_t head = text.size();
  for (const PieceType type : rules::kPromotionTypes) {
    if (position.kit(color) >> (rules::index(type) - 1) & 1) text += rules::letter(type);
  }
  if (text.size() == head) text += "nothing";
  if (position.card() && position.side_to_move() == color) {
    text += fmt::format("; in hand: {}", rules::letter(rules::piece_on(*position.card())));
  }
  return text;
}

// What stands above and below the board.
std::string hand(const Position& position, Color color, const Look& look) {
  if (position.has_cards()) return "deck: " + deck(position, color);
  std::string text;
  for (const PieceType type : rules::kReserveOrder) {
    for (int i = 0; i < position.reserve(color, type); ++i) {
      text += look.unicode ? " " + figure(type, color, look) : figure(type, color, look);
    }
  }
  if (text.empty()) return look.unicode ? "in hand:  nothing" : "in hand: nothing";
  if (!look.color) return "in hand: " + text;
  return fmt::format("in hand: \x1b[1;38;5;{};48;5;{}m{} {}",
                     color == Color::kWhite ? kWhitePiece : kBlackPiece, kDarkSquare, text, kReset);
}

Color color_at(const Position& position, Square square) {
  return (position.pieces(Color::kBlack) & rules::bit(square)) != 0 ? Color::kBlack : Color::kWhite;
}

// One square, two columns wide, three where it is coloured.
std::string cell(const Position& position, Square square, const BoardView& view) {
  const auto piece = position.piece_at(square);
  const Color color = color_at(position, square);
  std::string content = piece ? figure(*piece, color, view.look) : view.look.color ? " " : ".";
  const bool marked = view.last_move && !view.last_move->is_off_board() &&
                      (view.last_move->to() == square ||
                       (!view.last_move->is_placement() && view.last_move->from() == square));
  if (!view.look.color) return (marked ? ">" : " ") + content;
  const bool light = (rules::file_of(square) + rules::rank_of(square)) % 2 != 0;
  const int ground =
      light ? (marked ? kMarkedLight : kLightSquare) : (marked ? kMarkedDark : kDarkSquare);
  return fmt::format("\x1b[1;48;5;{};38;5;{}m {} ", ground,
                     color == Color::kWhite ? kWhitePiece : kBlackPiece, content);
}

std::string bar(float share, int outcome, const Look& look) {
  const int width = static_cast<int>(std::lround(share * kBarWidth));
  std::string text;
  for (int i = 0; i < width; ++i) text += look.unicode ? "█" : "#";
  if (!look.color || width == 0) return text;
  return fmt::format("\x1b[38;5;{}m{}{}", kBarColors[static_cast<std::size_t>(outcome)], text,
                     kReset);
}

// What stands beside the board's row `row`, 0 on top: the points, then the outcomes, White's wins
// first where White is below.
std::string beside(const BoardView& view, int row) {
  if (!view.evaluation) return "";
  if (row == 0) return points_text(view.evaluation->points_white);
  const int outcome = view.below == Color::kWhite ? rules::kOutcomes - row : row - 1;
  const auto at = static_cast<std::size_t>(outcome);
  const float share = view.evaluation->probabilities[at];
  return fmt::format("{:<20}{:>4.0f} %  {}", kOutcomeNames[at], 100 * share,
                     bar(share, outcome, view.look));
}

void trim_right(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

}  // namespace

std::string points_text(double points_white) {
  return fmt::format("White {:.2f}, Black {:.2f} of ten points", points_white, 10 - points_white);
}

std::string render(const Position& position, const BoardView& view) {
  const bool white_below = view.below == Color::kWhite;
  std::string text = "   " + hand(position, ~view.below, view.look) + "\n";
  for (int row = 0; row < 8; ++row) {
    const int rank = white_below ? 7 - row : row;
    std::string line = fmt::format("{} ", rank + 1);
    for (int column = 0; column < 8; ++column) {
      const int file = white_below ? column : 7 - column;
      line += cell(position, rules::make_square(file, rank), view);
    }
    if (view.look.color) line += kReset;
    line += "    " + beside(view, row);
    trim_right(line);
    text += line + "\n";
  }
  text += "  ";
  for (int column = 0; column < 8; ++column) {
    const char file = static_cast<char>('a' + (white_below ? column : 7 - column));
    text += fmt::format(" {}{}", file, view.look.color ? " " : "");
  }
  trim_right(text);
  return text + "\n   " + hand(position, view.below, view.look) + "\n";
}

}  // namespace app
