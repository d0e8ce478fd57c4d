#pragma once
// The small domains of chess: colours, pieces, squares, bitboards, moves.

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace rules {

enum class Color : std::uint8_t { kWhite, kBlack };
constexpr Color operator~(Color c) { return static_cast<Color>(static_cast<int>(c) ^ 1); }
constexpr int index(Color c) { return static_cast<int>(c); }
inline constexpr std::array<Color, 2> kColors{Color::kWhite, Color::kBlack};

// In the order of the material values of a ScoringTable (the king has none).
enum class PieceType : std::uint8_t { kPawn, kKnight, kBishop, kRook, kQueen, kKing };
inline constexpr int kPieceTypes = 6;
constexpr int index(PieceType p) { return static_cast<int>(p); }
inline constexpr std::array kAllTypes{PieceType::kPawn, PieceType::kKnight, PieceType::kBishop,
                                      PieceType::kRook, PieceType::kQueen,  PieceType::kKing};
inline constexpr std::array<int, kPieceTypes> kAtStart{8, 2, 2, 2, 1, 1};  // of a side, by type
inline constexpr auto kMaterialTypes = std::span(kAllTypes).first(5);      // without the king
// What a pawn may become, the likeliest first.
inline constexpr std::array kPromotionTypes{PieceType::kQueen, PieceType::kRook, PieceType::kBishop,
                                            PieceType::kKnight};
inline constexpr auto kMinorAndMajor = std::span(kAllTypes).subspan(1, 4);  // without pawns too

// a1 = 0, b1 = 1, … h8 = 63.
enum class Square : std::uint8_t {};
constexpr int index(Square s) { return static_cast<int>(s); }
constexpr Square make_square(int file, int rank) { return static_cast<Square>(rank * 8 + file); }
constexpr int file_of(Square s) { return index(s) & 7; }
constexpr int rank_of(Square s) { return index(s) >> 3; }
constexpr Square mirrored(Square s) { return static_cast<Square>(index(s) ^ 7); }  // files a <-> h
constexpr Square flipped(Square s) { return static_cast<Square>(index(s) ^ 56); }  // ranks 1 <-> 8

// A set of squares: bit i is square i.
using Bitboard = std::uint64_t;
constexpr Bitboard bit(Square s) { return Bitboard{1} << index(s); }
constexpr Square first_square(Bitboard b) { return static_cast<Square>(std::countr_zero(b)); }
constexpr Bitboard rank_bb(int rank) { return Bitboard{0xff} << (8 * rank); }
constexpr Bitboard file_bb(int file) { return Bitboard{0x0101010101010101} << file; }
inline constexpr Bitboard kDarkSquares = 0xaa55aa55aa55aa55;  // a1 is one
// Takes the lowest square out of a set that is not empty.
constexpr Square pop_first(Bitboard& b) {
  const Square s = first_square(b);
  b &= b - 1;
  return s;
}

// The cards of Raindrop, in the order in which a FEN lists a deck: a bishop goes on light squares
// or on dark ones.
enum class Card : std::uint8_t { kKing, kQueen, kRook, kLight, kDark, kKnight, kPawn };
inline constexpr int kCards = 7;
constexpr int index(Card card) { return static_cast<int>(card); }
inline constexpr std::array kAllCards{Card::kKing, Card::kQueen,  Card::kRook, Card::kLight,
                                      Card::kDark, Card::kKnight, Card::kPawn};
inline constexpr std::array<int, kCards> kCardsAtStart{1, 1, 2, 1, 1, 2, 8};  // of a side, by card
constexpr PieceType piece_on(Card card) {
  constexpr std::array kPieces{PieceType::kKing,   PieceType::kQueen,  PieceType::kRook,
                               PieceType::kBishop, PieceType::kBishop, PieceType::kKnight,
                               PieceType::kPawn};
  return kPieces[static_cast<std::size_t>(card)];
}
// The same card where light squares and dark ones have changed places, as on a mirrored board.
constexpr Card with_colors_swapped(Card card) {
  if (card == Card::kLight) return Card::kDark;
  return card == Card::kDark ? Card::kLight : card;
}

// What the pawn before an entered piece does in the same turn (Chess+); left is the a-file's side.
enum class PawnStep : std::uint8_t { kStays, kOne, kTwo, kTakesLeft, kTakesRight };

// One turn in 16 bits, in White's coordinates for both colours (never mirrored):
//   bits 0–5   the square arrived at
//   bits 6–11  the square left, or (a placement) the PieceType placed and from bit 9 the PawnStep
//   bits 12–15 kind: 0 board move, 1 placement, 2–5 promotion to knight, bishop, rook, queen
// A move off the board is a placement of PieceType 6, which does not exist; its square is 0 (a card
// is drawn), 1 (the turn is passed) or 2 + the Card that comes.
// Castling is a board move of the king: two squares in classical castling, else onto his rook.
// The value 0 (a1a1) is no move. Kinds above 5 are free for further rule sets.
class Move {
 public:
  constexpr Move() = default;
  static constexpr Move board(Square from, Square to) { return Move(kBoard, index(from), to); }
  static constexpr Move placement(PieceType piece, Square to) {
    return Move(kPlacement, index(piece), to);
  }
  static constexpr Move entry(PieceType piece, Square to, PawnStep step) {
    return Move(kPlacement, index(piece) | static_cast<int>(step) << 3, to);
  }
  static constexpr Move draw() { return Move(kPlacement, kOffBoard, Square{0}); }
  static constexpr Move pass() { return Move(kPlacement, kOffBoard, Square{1}); }
  static constexpr Move card(Card card) {
    return Move(kPlacement, kOffBoard, static_cast<Square>(kFirstCard + index(card)));
  }
  // REQUIRES: piece is a knight, bishop, rook or queen.
  static constexpr Move promotion(Square from, Square to, PieceType piece) {
    return Move(kPlacement + index(piece), index(from), to);
  }
  static constexpr Move from_raw(std::uint16_t raw) {
    Move m;
    m.raw_ = raw;
    return m;
  }

  constexpr std::uint16_t raw() const { return raw_; }
  constexpr explicit operator bool() const { return raw_ != 0; }
  // Off the board too.
  constexpr bool is_placement() const { return kind() == kPlacement; }
  // Draws, passes or says which card has come.
  constexpr bool is_off_board() const { return raw_ >> 6 == (kPlacement << 6 | kOffBoard); }
  constexpr bool is_card() const { return is_off_board() && index(to()) >= kFirstCard; }
  // REQUIRES: is_card().
  constexpr Card drawn() const { return static_cast<Card>(index(to()) - kFirstCard); }
  constexpr bool is_promotion() const { return kind() > kPlacement; }
  constexpr Square to() const { return static_cast<Square>(raw_ & 63); }
  // REQUIRES: not a placement.
  constexpr Square from() const { return static_cast<Square>((raw_ >> 6) & 63); }
  // REQUIRES: a placement on the board.
  constexpr PieceType placed() const { return static_cast<PieceType>((raw_ >> 6) & 7); }
  constexpr PawnStep pawn_step() const { return static_cast<PawnStep>((raw_ >> 9) & 7); }
  // The squares of the pawn that steps. REQUIRES: a placement with a pawn step.
  constexpr Square pawn_from() const {
    return make_square(file_of(to()), rank_of(to()) == 0 ? 1 : 6);
  }
  constexpr Square pawn_to() const {
    const int ahead = rank_of(to()) == 0 ? 8 : -8;
    const int sideways = pawn_step() == PawnStep::kTakesLeft    ? -1
                         : pawn_step() == PawnStep::kTakesRight ? 1
                                                                : 0;
    return static_cast<Square>(index(pawn_from()) +
                               (pawn_step() == PawnStep::kTwo ? 2 * ahead : ahead) + sideways);
  }
  // REQUIRES: a promotion.
  constexpr PieceType promoted_to() const { return static_cast<PieceType>(kind() - kPlacement); }
  constexpr bool operator==(const Move&) const = default;

 private:
  static constexpr int kBoard = 0;
  static constexpr int kPlacement = 1;
  static constexpr int kOffBoard = 6;
  static constexpr int kFirstCard = 2;
  constexpr Move(int kind, int from, Square to)
      : raw_(static_cast<std::uint16_t>(kind << 12 | from << 6 | index(to))) {}
  constexpr int kind() const { return raw_ >> 12; }

  std::uint16_t raw_ = 0;
};

// A card drawn where light and dark squares have changed places; a draw or pass is the same.
constexpr Move mirrored_off_board(Move m) {
  return m.is_card() ? Move::card(with_colors_swapped(m.drawn())) : m;
}
// The same turn on the board mirrored left–right, or with colours swapped and the board flipped.
constexpr Move mirrored(Move m) {
  if (m.is_off_board()) return mirrored_off_board(m);
  if (!m.is_placement()) return Move::from_raw(static_cast<std::uint16_t>(m.raw() ^ (7 | 7 << 6)));
  const int other_side = m.pawn_step() >= PawnStep::kTakesLeft ? 7 << 9 : 0;
  return Move::from_raw(static_cast<std::uint16_t>(m.raw() ^ 7 ^ other_side));
}
constexpr Move flipped(Move m) {
  if (m.is_off_board()) return mirrored_off_board(m);
  return Move::from_raw(
      static_cast<std::uint16_t>(m.raw() ^ (m.is_placement() ? 56 : 56 | 56 << 6)));
}

}  // namespace rules
