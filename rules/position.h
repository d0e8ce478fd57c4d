#pragma once
// A position of any rule set: a plain value that knows its moves, its successor and its outcome.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rules/attacks.h"
#include "rules/error.h"
#include "rules/move_list.h"
#include "rules/outcome.h"
#include "rules/rule_details.h"
#include "rules/rule_set.h"
#include "rules/types.h"

namespace rules {

struct PlacedPiece {
  Color color;
  PieceType type;
  Square square;
};

class Position {
 public:
  static constexpr int kImpasseClock = 100;
  static constexpr int kRepetitions = 3;          // occurrences that end the game
  static constexpr int kMaxHalfmoveClock = 9999;  // that a FEN may bring
  static constexpr int kMaxFullmoveNumber = 999999;

  // `number` is the first row's of a shuffled setup, 0 to 959 (518: as in chess); of a game from a
  // file that of its first positions, from 0 on (one too large counts from the first again).
  static Position start(RuleSet rules = {}, int number = 518);
  // Throws RulesError. Accepted: unreachable but plausible positions, and finished games whose
  // captured king is in neither place.
  static Position from_fen(std::string_view fen, RuleSet rules = {});
  std::string to_fen() const;
  // Nothing in reserve, no right to castle, nothing to take en passant. REQUIRES: each piece on a
  // square of its own, no pawn on an outer row; a set without cards.
  static Position with_pieces(std::span<const PlacedPiece> pieces, Color side_to_move,
                              int halfmove_clock, RuleSet rules = {});

  RuleSet rule_set() const { return RuleSet::from_id(rules_); }
  Color side_to_move() const { return side_; }
  // Plies since the last capture or pawn move. A game whose impasse comes earlier begins later than
  // at 0, so that it comes at kImpasseClock in all.
  int halfmove_clock() const { return halfmove_; }
  int fullmove_number() const { return static_cast<int>(fullmove_); }
  // Board, reserves or decks, kits, side, card, en passant square, castling rights, rule set; not
  // the clocks. The same on every machine.
  std::uint64_t key() const { return key_; }
  Bitboard pieces(Color color, PieceType type) const { return of_color(color) & of_type(type); }
  Bitboard pieces(Color color) const { return of_color(color) & occupied(); }
  Bitboard occupied() const { return diagonal_ | straight_ | slider_; }
  // Pieces of that type still in hand or in the deck; 0 for pawns, which only a deck has.
  int reserve(Color color, PieceType type) const;
  bool reserve_empty(Color color) const {
    return has_cards() ? deck(color) == 0 : hand(color) == 0;
  }
  std::optional<PieceType> piece_at(Square square) const;
  // The squares on which the two have different pieces.
  Bitboard squares_that_differ(const Position& other) const {
    return (diagonal_ ^ other.diagonal_) | (straight_ ^ other.straight_) |
           (slider_ ^ other.slider_) | (black_ ^ other.black_);
  }
  // Whether either side holds something else in hand than there; may say so where only castling
  // rights or decks differ.
  bool may_hold_other(const Position& other) const {
    return reserve_ != other.reserve_ || castling_ != other.castling_;
  }
  // What a legal move takes, en passant and by the pawn before a piece that enters too.
  std::optional<PieceType> captured_by(Move move) const;
  // Whether the legal move castles.
  bool is_castling(Move move) const;
  bool king_on_board(Color color) const { return pieces(color, PieceType::kKing) != 0; }
  // The side has no king any more: neither on the board nor still to come.
  bool king_is_gone(Color color) const {
    if (king_on_board(color) || (hand(color) & kHandKing)) return false;
    return color != side_ || card() != Card::kKing;
  }
  // The square a pawn just passed over, where a legal en passant capture of it exists.
  std::optional<Square> en_passant() const;
  // The squares of the rooks with which the side has the right to castle.
  Bitboard castling_rooks(Color color) const {
    if (!(rules_ & rule_bits::kCastling)) return 0;
    return Bitboard{castling_rights(color)} << (color == Color::kWhite ? 0 : 56);
  }
  // The side's king is on the board and enough of its reserve is placed for its pieces to move.
  bool pieces_may_move(Color color) const;

  // Where pieces are cards (Entry::kCard) a turn is a move or three plies of one side: a draw, the
  // card that comes, its placement (or, where there is no square for it, a pass).
  bool has_cards() const { return (rules_ & rule_bits::kEntry) == rule_bits::kCardEntry; }
  // A draw has been chosen and the card has not come: the legal moves are the kinds of cards left,
  // and chance chooses, by card_chance().
  bool is_chance() const { return index(en_passant_) == kDrawing; }
  // The turn has begun and its side goes on: a card is being drawn or must be placed.
  bool is_mid_turn() const { return index(en_passant_) >= kDrawing; }
  // The card that has come and must be placed.
  std::optional<Card> card() const {
    if (index(en_passant_) <= kDrawing) return std::nullopt;
    return static_cast<Card>(index(en_passant_) - kHolding);
  }
  // REQUIRES (these two and kit()): has_cards(). `in_deck`: not the card that is being placed.
  int in_deck(Color color, Card card) const {
    const auto i = static_cast<std::size_t>(card);
    return static_cast<int>(deck(color) >> kDeckShift[i] & kDeckMask[i]);
  }
  int deck_size(Color color) const;
  // The probability of the card. REQUIRES: is_chance(), the card's move is legal.
  double card_chance(Move card) const {
    return static_cast<double>(in_deck(side_, card.drawn())) / deck_size(side_);
  }
  // What the side's pawns may still become, as bits: 1 a knight, 2 a bishop, 4 a rook, 8 a queen.
  unsigned kit(Color color) const { return castling_rights(color) >> kKitShift; }

  // Where the side may place such a piece, if its hand lets it: the empty squares of the first row,
  // or where the game from a file has it. REQUIRES: Entry::kFirstRow.
  Bitboard placing_squares(Color color, PieceType type) const;

  // All legal moves by the rules alone (no look at the outcome): a finished game may have some.
  // The order is fixed: placements by piece type, then pieces by kind and square, then castling.
  void legal_moves(MoveList& out) const;
  MoveList legal_moves() const;
  int count_legal_moves() const;   // by popcount, without a list
  bool is_legal(Move move) const;  // for any 16 bits

  // The legal moves after which the opponent can't capture the king of the side to move at once,
  // so those that do not lose on the spot; where kings are kept safe, all. Where they may be
  // captured, also: a move that captures the enemy king; a move that leaves no own king attacked by
  // a side that may move; and any move that reaches clock 100, where the impasse comes first. Same
  // relative order as legal_moves().
  void surviving_moves(MoveList& out) const;
  // The legal moves of pieces on the board that capture or promote. Same relative order.
  void noisy_moves(MoveList& out) const;
  // Lists moves that take nothing and do not promote: those of pieces on `from`, and those that
  // arrive on the squares of their type in `to`. Lists all castling and all entries with a pawn's
  // step too, with which a pawn may take. All are legal, except that they may leave the own king
  // attacked. Same relative order.
  void quiet_moves(MoveList& out, Bitboard from, const std::array<Bitboard, kPieceTypes>& to) const;
  // Pieces of `by` on `occupied` squares that attack the square, through all others (geometric, as
  // in_check).
  Bitboard attackers(Square square, Color by, Bitboard occupied) const;
  // The side to move has a legal move that captures the enemy king (false at clock >= 100: the game
  // is over).
  bool can_capture_king() const;
  // The side's king stands on an attacked square (geometric: pinned pieces, and pieces whose own
  // king is in hand, attack all the same). False for a king in reserve.
  bool in_check(Color color) const;

  // REQUIRES: is_legal(move).
  void play(Move move);
  Position after(Move move) const {
    Position next = *this;
    next.play(move);
    return next;
  }

  // The same with the other side to move, the clock a ply on: what a null move leaves.
  Position passed() const;

  // Empty while the game goes on. The table's piece values decide an impasse. `occurrences`: how
  // often its game has come to the position, this time included (History counts).
  std::optional<Outcome> outcome(const ScoringTable& table, int occurrences = 1) const;
  // The same, but for an end that players may leave unclaimed: where repetition counts, neither it
  // nor the clock. Moves that others played may go on after such an end.
  std::optional<Outcome> forced_outcome(const ScoringTable& table) const;
  // The outcome if the game were an impasse now, whatever the clock says (a fast-fifty).
  Outcome impasse(const ScoringTable& table) const;
  // White's material on the board minus Black's, under the table's piece values.
  double material_balance_white(const ScoringTable& table) const;

  // The game from a file that is played. REQUIRES: there is one.
  const Game& game() const {
    return rules::game(static_cast<std::uint8_t>(rules_ >> rule_bits::kGameShift));
  }
  // Whether the game may end before king, clock and stalemate are looked at, and who has then won.
  bool ends_its_own_way() const {
    return (rules_ & rule_bits::kGame) != 0 && game().ends_its_own_way;
  }
  std::optional<Color> winner_by_own_end() const;

  bool operator==(const Position&) const = default;
  // The same but for the number of the move, on which nothing depends.
  bool same_but_number(const Position& other) const {
    Position renumbered = other;
    renumbered.fullmove_ = fullmove_;
    return renumbered == *this;
  }
  // The same but for number and clock: what repetition looks at.
  bool recurs_as(const Position& other) const {
    Position later = other;
    later.halfmove_ = halfmove_;
    return same_but_number(later);
  }

  // Whether the left–right mirrored position is the same game: always, unless a castling right that
  // tells left from right exists or may still arise.
  bool is_mirror_symmetric() const;
  // The position mirrored left–right (a like game only if is_mirror_symmetric()), and with colours
  // swapped and the board flipped.
  Position mirrored() const;
  Position color_flipped() const;

 private:
  friend class FenReader;
  friend struct Generator;

  // A piece's kind on the three type planes: bit 0 diagonal_, bit 1 straight_, bit 2 slider_.
  enum Code : unsigned {
    kNone = 0,
    kPawn = 1,
    kKnight = 2,
    kKing = 3,
    kBishop = 5,
    kRook = 6,
    kQueen = 7
  };
  static constexpr std::array<Code, kPieceTypes> kCodes{kPawn, kKnight, kBishop,
                                                        kRook, kQueen,  kKing};
  // A side's reserve in a byte: two bits each for knights, bishops and rooks, one for queens, king.
  // A second queen is a bit of the byte of castling rights.
  static constexpr std::array<int, kPieceTypes> kHandShift{0, 0, 2, 4, 6, 7};
  static constexpr std::array<unsigned, kPieceTypes> kHandMask{0, 3, 3, 3, 1, 1};
  static constexpr unsigned kHandQueen = 1u << 6;
  static constexpr unsigned kHandKing = 1u << 7;
  static constexpr unsigned kSecondQueen = 1;
  // Where there are cards, the reserve's byte holds a deck but for its pawns, the bishops' two bits
  // being the light and the dark one; the byte of castling rights holds the pawns and the kit; and
  // the phase of a draw (CardPhase) takes the place of the en passant square.
  static constexpr std::array<int, kCards> kDeckShift{7, 6, 4, 2, 3, 0, 8};
  static constexpr std::array<unsigned, kCards> kDeckMask{1, 1, 3, 1, 1, 3, 15};
  static constexpr int kKitShift = 4;
  enum CardPhase : int { kDrawing = 64, kHolding };  // kHolding + the Card

  Bitboard of_color(Color c) const { return c == Color::kBlack ? black_ : ~black_; }
  Bitboard of_type(PieceType type) const;
  unsigned hand(Color c) const { return reserve_[static_cast<std::size_t>(index(c))]; }
  unsigned code_at(int square) const {
    return static_cast<unsigned>((diagonal_ >> square & 1) | (straight_ >> square & 1) << 1 |
                                 (slider_ >> square & 1) << 2);
  }
  // A side's deck: the cards' counts at kDeckShift.
  unsigned deck(Color c) const { return hand(c) | (castling_rights(c) & 15) << 8; }
  // Puts so many more of the card into the deck, -1 takes one, with the key.
  void change_deck(Color color, Card card, int more);
  void set_card_phase(int phase);
  // Exchanges the cards of light and of dark squares, without the key.
  void swap_square_colors();
  void play_beside_board(Move move);
  void play_with_cards(RuleSet rules, Move move);
  // What it holds where there is no castling is said above.
  unsigned castling_rights(Color c) const { return castling_ >> 8 * index(c) & 255u; }
  unsigned second_queen(Color c) const {
    const bool two = (rules_ & rule_bits::kArmy) == rule_bits::kTwoQueens;
    return two ? castling_rights(c) & kSecondQueen : 0;
  }
  int cards_of(Color color, PieceType type) const;
  // Puts one more piece into the reserve, without the key.
  void put_in_reserve(Color color, PieceType type);
  // Takes a piece off the board, or puts one on an empty square, with the key.
  void lift(Square square);
  void set_down(Color color, unsigned code, Square square);
  // set_down() without the key.
  void put(Color color, unsigned code, Square square);
  void set_castling(unsigned rights);
  // Ends those rights, if there is castling.
  void end_castling(unsigned rights) {
    if (rules_ & rule_bits::kCastling) set_castling(castling_ & ~rights);
  }
  std::uint64_t computed_key() const;
  // The rights of both sides where nothing has moved yet: king on e, rook on a or h; in Chess960
  // and Chess480 the king on b to g, and the outermost rook on either side of him.
  unsigned unmoved_rights() const;
  // Drops the en passant square where no legal capture uses it.
  void keep_usable_en_passant();
  template <class Rules>
  void play_by(Rules rules, Move move);
  // The move changes more than its piece, a piece it takes and the reserve: castling rights, the en
  // passant square, a second piece.
  bool has_side_effects(const RuleSet& rules, Move move) const;
  void play_with_side_effects(RuleSet rules, Move move);
  void place(Move move, bool two_queens);
  void move_piece(const RuleSet& rules, Move move);
  // What pawns of the side become on their last row, bits as of kit(); 0: they stay pawns.
  // REQUIRES: there are cards, or the game is from a file.
  unsigned promotions(Color color) const;
  std::optional<Outcome> king_capture_outcome(const ScoringTable& table) const;
  void pass_turn();
  // The pawn before a piece that was entered takes its step.
  void step_behind(const RuleSet& rules, Move entry);
  // Writes down the square that a pawn has passed over, if it has gone two.
  void note_double_step(const RuleSet& rules, Square from, Square to);
  // After a pawn's move on the board: what it takes en passant goes. `passed_before`: the en
  // passant square before the move.
  void finish_pawn_move(const RuleSet& rules, Move move, Square passed_before);
  // Where the pawn stands that the side takes en passant on that square.
  static Square taken_en_passant(Color by, Square to) {
    return static_cast<Square>(index(to) + (by == Color::kWhite ? -8 : 8));
  }
  void castle(Move move, Castling kind);
  // While the turn goes on.
  std::optional<Outcome> card_outcome() const;
  std::optional<Outcome> king_safe_outcome(const ScoringTable& table, int occurrences) const;
  bool is_dead() const;
  // No move goes on with the game: all leave the unattacked king attacked, or there is none at all.
  // Says whether the king is attacked where it is true.
  bool stuck(bool& attacked) const;
  bool has_legal_move() const;

  Bitboard diagonal_ = 0;
  Bitboard straight_ = 0;
  Bitboard slider_ = 0;
  Bitboard black_ = 0;  // subset of the occupied squares
  std::uint64_t key_ = 0;
  std::uint32_t fullmove_ = 1;
  RuleSetId rules_ = 0;
  std::uint16_t halfmove_ = 0;
  std::array<std::uint8_t, 2> reserve_{};
  // Files of rooks that may castle, White's in the low byte; or a second queen, or pawns and kit.
  std::uint16_t castling_ = 0;
  Color side_ = Color::kWhite;
  Square en_passant_{};  // a1: none; from kDrawing on a CardPhase
};
static_assert(sizeof(Position) <= 56);

inline Bitboard Position::of_type(PieceType type) const {
  switch (type) {
    case PieceType::kPawn:
      return diagonal_ & ~straight_ & ~slider_;
    case PieceType::kKnight:
      return straight_ & ~diagonal_ & ~slider_;
    case PieceType::kBishop:
      return slider_ & ~straight_;
    case PieceType::kRook:
      return slider_ & ~diagonal_;
    case PieceType::kQueen:
      return slider_ & diagonal_ & straight_;
    default:
      return diagonal_ & straight_ & ~slider_;
  }
}

inline std::optional<PieceType> Position::piece_at(Square square) const {
  constexpr auto kTypeOf = [] {
    std::array<PieceType, 8> types{};
    for (std::size_t i = 0; i < kCodes.size(); ++i) types[kCodes[i]] = static_cast<PieceType>(i);
    return types;
  }();
  const unsigned code = code_at(index(square));
  return code == kNone ? std::nullopt : std::optional(kTypeOf[code]);
}

inline Bitboard Position::attackers(Square square, Color by, Bitboard occupied) const {
  const Bitboard pawns = pawn_attacks(~by, bit(square)) & of_type(PieceType::kPawn);
  const Bitboard steppers = (knight_attacks(square) & of_type(PieceType::kKnight)) |
                            (king_attacks(square) & of_type(PieceType::kKing));
  const Bitboard sliders = (bishop_attacks(square, occupied) & slider_ & diagonal_) |
                           (rook_attacks(square, occupied) & slider_ & straight_);
  return of_color(by) & occupied & (pawns | steppers | sliders);
}

inline int Position::reserve(Color color, PieceType type) const {
  const auto i = static_cast<std::size_t>(type);
  if (has_cards()) [[unlikely]]
    return cards_of(color, type);
  const unsigned held = hand(color) >> kHandShift[i] & kHandMask[i];
  return static_cast<int>(type == PieceType::kQueen ? held + second_queen(color) : held);
}

inline Bitboard Position::placing_squares(Color color, PieceType type) const {
  if (rules_ & rule_bits::kGame) [[unlikely]] {
    const auto& squares = game().placing[static_cast<std::size_t>(index(color))];
    return squares[static_cast<std::size_t>(index(type))] & ~occupied();
  }
  return rank_bb(color == Color::kWhite ? 0 : 7) & ~occupied();
}

inline bool Position::pieces_may_move(Color color) const {
  if (!king_on_board(color)) return false;
  const unsigned before = rules_ >> rule_bits::kBeforeShift & 7;
  if (before == 0) [[likely]]
    return true;
  const unsigned in_hand = hand(color) & ~kHandKing;
  const unsigned others = (in_hand & 3) + (in_hand >> 2 & 3) + (in_hand >> 4 & 3) + (in_hand >> 6) +
                          second_queen(color);
  const auto& army = rules_ & rule_bits::kGame
                         ? game().in_reserve[static_cast<std::size_t>(index(color))]
                         : kArmies[(rules_ & rule_bits::kArmy) >> rule_bits::kArmyShift];
  const int at_start = army[1] + army[2] + army[3] + army[4];
  return static_cast<unsigned>(at_start) - others >= before;
}

}  // namespace rules
