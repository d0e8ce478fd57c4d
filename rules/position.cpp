#include "rules/position.h"

#include <bit>
#include <cstdlib>

#include "rules/attacks.h"
#include "rules/castling.h"
#include "rules/zobrist.h"

namespace rules {

void Position::put_in_reserve(Color color, PieceType type) {
  if (type == PieceType::kQueen && (hand(color) & kHandQueen)) {
    castling_ = static_cast<std::uint16_t>(castling_ | kSecondQueen << 8 * index(color));
    return;
  }
  auto& hand_byte = reserve_[static_cast<std::size_t>(index(color))];
  hand_byte =
      static_cast<std::uint8_t>(hand_byte + (1u << kHandShift[static_cast<std::size_t>(type)]));
}

int Position::cards_of(Color color, PieceType type) const {
  int count = 0;
  for (const Card card : kAllCards) count += piece_on(card) == type ? in_deck(color, card) : 0;
  return count;
}

int Position::deck_size(Color color) const {
  int count = 0;
  for (const Card card : kAllCards) count += in_deck(color, card);
  return count;
}

void Position::change_deck(Color color, Card card, int more) {
  const auto i = static_cast<std::size_t>(card);
  if (card == Card::kPawn) {
    return set_castling(castling_ + static_cast<unsigned>(more) * (1u << 8 * index(color)));
  }
  const auto us = static_cast<std::size_t>(index(color));
  key_ ^= kZobrist.hand[us][reserve_[us]];
  reserve_[us] = static_cast<std::uint8_t>(reserve_[us] + more * (1 << kDeckShift[i]));
  key_ ^= kZobrist.hand[us][reserve_[us]];
}

void Position::set_card_phase(int phase) {
  key_ ^= kZobrist.en_passant[detail::at(en_passant_)];
  en_passant_ = static_cast<Square>(phase);
  key_ ^= kZobrist.en_passant[detail::at(en_passant_)];
}

std::optional<PieceType> Position::captured_by(Move move) const {
  const bool places = move.is_placement();
  if (places && move.pawn_step() == PawnStep::kStays) return std::nullopt;
  const Square to = places ? move.pawn_to() : move.to();
  if (pieces(~side_) & bit(to)) return piece_at(to);
  const bool passing = !places && index(en_passant_) != 0 && to == en_passant_ &&
                       code_at(index(move.from())) == kPawn;
  return passing ? std::optional(PieceType::kPawn) : std::nullopt;
}

std::optional<Square> Position::en_passant() const {
  return index(en_passant_) == 0 || is_mid_turn() ? std::nullopt : std::optional(en_passant_);
}

std::uint64_t Position::computed_key() const {
  std::uint64_t key =
      kZobrist.of_rule_set(rules_ & ~rule_bits::kGame) ^ kZobrist.of_castling(castling_);
  if (rules_ & rule_bits::kGame) key ^= game().fingerprint;
  for (Bitboard left = occupied(); left;) {
    const auto s = static_cast<std::size_t>(pop_first(left));
    key ^= kZobrist.piece[black_ >> s & 1][code_at(static_cast<int>(s))][s];
  }
  key ^= kZobrist.hand[0][reserve_[0]] ^ kZobrist.hand[1][reserve_[1]];
  if (side_ == Color::kBlack) key ^= kZobrist.black_to_move;
  return key ^ kZobrist.en_passant[detail::at(en_passant_)];
}

void Position::lift(Square square) {
  const unsigned code = code_at(index(square));
  key_ ^= kZobrist.piece[black_ >> index(square) & 1][code][detail::at(square)];
  for (Bitboard* plane : {&diagonal_, &straight_, &slider_, &black_}) *plane &= ~bit(square);
}

inline void Position::put(Color color, unsigned code, Square square) {
  const int s = index(square);
  diagonal_ |= Bitboard{code & 1} << s;
  straight_ |= Bitboard{code >> 1 & 1} << s;
  slider_ |= Bitboard{code >> 2 & 1} << s;
  if (color == Color::kBlack) black_ |= bit(square);
}

void Position::set_down(Color color, unsigned code, Square square) {
  put(color, code, square);
  key_ ^= kZobrist.piece[static_cast<std::size_t>(index(color))][code][detail::at(square)];
}

Position Position::with_pieces(std::span<const PlacedPiece> pieces, Color side_to_move,
                               int halfmove_clock, RuleSet rules) {
  Position position;
  for (const auto& [color, type, square] : pieces)
    position.put(color, kCodes[static_cast<std::size_t>(type)], square);
  position.side_ = side_to_move;
  position.rules_ = rules.id();
  position.halfmove_ = static_cast<std::uint16_t>(first_clock(rules) + halfmove_clock);
  position.key_ = position.computed_key();
  return position;
}

void Position::set_castling(unsigned rights) {
  key_ ^= kZobrist.of_castling(castling_) ^ kZobrist.of_castling(rights);
  castling_ = static_cast<std::uint16_t>(rights);
}

unsigned Position::unmoved_rights() const {
  const Castling castling = rule_set().castling;
  const bool classical = castling == Castling::kClassical;
  const Bitboard places = classical ? 0x10 : 0x7e;  // of the king in the first row
  unsigned rights = 0;
  for (const Color color : kColors) {
    const auto in_first_row = [&](PieceType type) {
      return pieces(color, type) >> (color == Color::kWhite ? 0 : 56) & 255;
    };
    const Bitboard king = in_first_row(PieceType::kKing), rooks = in_first_row(PieceType::kRook);
    if (castling == Castling::kNone || !(king & places)) continue;
    const Bitboard left = rooks & (king - 1), right = rooks & ~(king | (king - 1));
    const Bitboard outer = (left & (~left + 1)) | std::bit_floor(right);
    rights |= static_cast<unsigned>(classical ? rooks & 0x81 : outer) << 8 * index(color);
  }
  return rights;
}

namespace {

// The rights that end when something leaves a square or arrives there.
constexpr auto kRightsAt = [] {
  std::array<std::uint16_t, 64> rights{};
  for (std::size_t file = 0; file < 8; ++file) {
    rights[file] = static_cast<std::uint16_t>(1u << file);
    rights[56 + file] = static_cast<std::uint16_t>(256u << file);
  }
  return rights;
}();

}  // namespace

inline void Position::move_piece(const RuleSet& rules, Move move) {
  const int from = index(move.from()), to = index(move.to());
  const std::size_t us = static_cast<std::size_t>(index(side_));
  const unsigned code = code_at(from), captured = code_at(to);
  unsigned arriving = code;
  if (move.is_promotion()) {
    arriving = rules.underpromotion ? kCodes[static_cast<std::size_t>(move.promoted_to())]
                                    : unsigned{kQueen};
  }
  const Bitboard keep = ~(bit(move.from()) | bit(move.to()));
  diagonal_ = (diagonal_ & keep) | Bitboard{arriving & 1} << to;
  straight_ = (straight_ & keep) | Bitboard{arriving >> 1 & 1} << to;
  slider_ = (slider_ & keep) | Bitboard{arriving >> 2} << to;
  black_ = (black_ & keep) | Bitboard{us} << to;
  const auto from_i = static_cast<std::size_t>(from), to_i = static_cast<std::size_t>(to);
  key_ ^= kZobrist.piece[us][code][from_i] ^ kZobrist.piece[us][arriving][to_i] ^
          kZobrist.piece[us ^ 1][captured][to_i];
  const bool resets = code == kPawn || captured != kNone;
  halfmove_ = static_cast<std::uint16_t>(resets ? first_clock(rules) : halfmove_ + 1);
}

inline void Position::place(Move move, bool two_queens) {
  const std::size_t us = static_cast<std::size_t>(index(side_));
  const auto type = static_cast<std::size_t>(move.placed());
  const unsigned code = kCodes[type];
  ++halfmove_;
  put(side_, code, move.to());
  if (two_queens && code == kQueen && second_queen(side_)) {
    key_ ^= kZobrist.piece[us][code][detail::at(move.to())];
    return set_castling(castling_ & ~(kSecondQueen << 8 * us));
  }
  const std::uint8_t before = reserve_[us];
  reserve_[us] = static_cast<std::uint8_t>(before - (1u << kHandShift[type]));
  key_ ^= kZobrist.piece[us][code][detail::at(move.to())] ^ kZobrist.hand[us][before] ^
          kZobrist.hand[us][reserve_[us]];
}

void Position::step_behind(const RuleSet& rules, Move entry) {
  if (entry.pawn_step() == PawnStep::kStays) return;
  const Square to = entry.pawn_to();
  if (occupied() & bit(to)) lift(to);
  end_castling(kRightsAt[detail::at(to)]);
  lift(entry.pawn_from());
  set_down(side_, kPawn, to);
  halfmove_ = static_cast<std::uint16_t>(first_clock(rules));
  note_double_step(rules, entry.pawn_from(), to);
}

inline void Position::note_double_step(const RuleSet& rules, Square from, Square to) {
  if (std::abs(index(from) - index(to)) == 16 && (rules.game == 0 || game().details.en_passant)) {
    en_passant_ = static_cast<Square>((index(from) + index(to)) / 2);
  }
}

inline void Position::finish_pawn_move(const RuleSet& rules, Move move, Square passed_before) {
  if (index(passed_before) != 0 && move.to() == passed_before) {
    lift(taken_en_passant(side_, move.to()));
  }
  note_double_step(rules, move.from(), move.to());
}

bool Position::is_castling(Move move) const {
  if (castling_ == 0 || move.is_placement() || code_at(index(move.from())) != kKing) return false;
  if (rule_set().castling == Castling::kClassical)
    return std::abs(index(move.from()) - index(move.to())) == 2;
  return (pieces(side_) & bit(move.to())) != 0;
}

void Position::castle(Move move, Castling kind) {
  const Square king = move.from();
  Square rook = move.to();
  if (kind == Castling::kClassical) {
    rook = make_square(index(rook) > index(king) ? 7 : 0, rank_of(king));
  }
  const CastlingSquares squares = castling_squares(kind, king, rook);
  lift(king);
  lift(rook);
  set_down(side_, kKing, squares.king_to);
  set_down(side_, kRook, squares.rook_to);
  set_castling(castling_ & ~(255u << 8 * index(side_)));
  ++halfmove_;
}

inline void Position::pass_turn() {
  fullmove_ += static_cast<std::uint32_t>(index(side_));
  side_ = ~side_;
  key_ ^= kZobrist.black_to_move;
}

inline bool Position::has_side_effects(const RuleSet& rules, Move move) const {
  if (move.is_placement()) {
    return index(en_passant_) != 0 || rules.entry == Entry::kBehindPawn ||
           rules.castling != Castling::kNone;
  }
  // Branches here would be hard to foresee.
  const unsigned code = code_at(index(move.from()));
  const unsigned rights = kRightsAt[detail::at(move.from())] | kRightsAt[detail::at(move.to())] |
                          (code == kKing ? ~0u : 0u);
  const Bitboard enemy_pawns = of_color(~side_) & of_type(PieceType::kPawn);
  const Bitboard takers = (east(bit(move.to())) | west(bit(move.to()))) & enemy_pawns;
  const int distance = std::abs(index(move.from()) - index(move.to()));
  const bool can_be_taken = (code == kPawn) & (distance == 16) & (takers != 0);
  return (index(en_passant_) != 0) | ((castling_ & rights) != 0) | can_be_taken;
}

void Position::play_with_side_effects(RuleSet rules, Move move) {
  const Square passed_before = en_passant_;
  en_passant_ = Square{};
  key_ ^= kZobrist.en_passant[detail::at(passed_before)];
  if (move.is_placement()) {
    place(move, rules.army == Army::kTwoQueens);
    step_behind(rules, move);
    if (rules.castling == Castling::kClassical) set_castling(unmoved_rights());
  } else if (is_castling(move)) {
    castle(move, rules.castling);
  } else {
    const bool pawn = code_at(index(move.from())) == kPawn;
    if (code_at(index(move.from())) == kKing) end_castling(255u << 8 * index(side_));
    end_castling(kRightsAt[detail::at(move.from())] | kRightsAt[detail::at(move.to())]);
    move_piece(rules, move);
    if (pawn) finish_pawn_move(rules, move, passed_before);
  }
  pass_turn();
  keep_usable_en_passant();
  key_ ^= kZobrist.en_passant[detail::at(en_passant_)];
}

void Position::play_beside_board(Move move) {
  if (move == Move::draw()) return set_card_phase(kDrawing);
  if (move.is_card()) {
    change_deck(side_, move.drawn(), -1);
    return set_card_phase(kHolding + index(move.drawn()));
  }
  change_deck(side_, *card(), 1);  // a pass
  set_card_phase(0);
  ++halfmove_;
  pass_turn();
}

void Position::play_with_cards(RuleSet rules, Move move) {
  if (move.is_off_board()) return play_beside_board(move);
  const Square passed_before = en_passant_;
  set_card_phase(0);
  if (move.is_placement()) {
    set_down(side_, kCodes[static_cast<std::size_t>(move.placed())], move.to());
    ++halfmove_;
    return pass_turn();
  }
  const bool pawn = code_at(index(move.from())) == kPawn;
  if (move.is_promotion()) {
    const int kind = index(move.promoted_to()) - 1;
    set_castling(castling_ & ~(1u << (8 * index(side_) + kKitShift + kind)));
  }
  move_piece(rules, move);
  if (pawn) finish_pawn_move(rules, move, passed_before);
  pass_turn();
  keep_usable_en_passant();
  key_ ^= kZobrist.en_passant[detail::at(en_passant_)];
}

template <class Rules>
inline void Position::play_by(Rules rules, Move move) {
  const RuleSet r = rules.get();
  if (r.entry == Entry::kCard) return play_with_cards(r, move);
  const bool plain = !r.sprint && r.castling == Castling::kNone && r.entry != Entry::kBehindPawn;
  if (!plain && has_side_effects(r, move)) return play_with_side_effects(r, move);
  if (r.entry != Entry::kNone && move.is_placement()) {
    place(move, r.army == Army::kTwoQueens);
  } else {
    move_piece(r, move);
  }
  pass_turn();
}

void Position::play(Move move) {
  dispatch(rules_, [this, move](auto rules) { play_by(rules, move); });
}

Position Position::passed() const {
  Position next = *this;
  next.key_ ^= kZobrist.en_passant[detail::at(en_passant_)] ^ kZobrist.en_passant[0];
  next.en_passant_ = Square{};
  ++next.halfmove_;
  next.pass_turn();
  return next;
}

namespace {

constexpr Bitboard mirrored_board(Bitboard b) {
  b = (b & 0x5555555555555555) << 1 | (b >> 1 & 0x5555555555555555);
  b = (b & 0x3333333333333333) << 2 | (b >> 2 & 0x3333333333333333);
  return (b & 0x0f0f0f0f0f0f0f0f) << 4 | (b >> 4 & 0x0f0f0f0f0f0f0f0f);
}

// The byte of a deck with its light and its dark bishop exchanged.
constexpr std::uint8_t with_bishops_swapped(std::uint8_t deck) {
  return static_cast<std::uint8_t>((deck & ~0x0c) | (deck & 0x04) << 1 | (deck & 0x08) >> 1);
}

}  // namespace

void Position::swap_square_colors() {
  for (std::uint8_t& deck : reserve_) deck = with_bishops_swapped(deck);
  if (const auto held = card()) {
    en_passant_ = static_cast<Square>(kHolding + index(with_colors_swapped(*held)));
  }
}

bool Position::is_mirror_symmetric() const {
  const RuleSet rules = rule_set();
  if (rules.game != 0 && !game().is_symmetric) return false;
  if (rules.castling == Castling::kNone || rules.castling == Castling::kChess480) return true;
  return castling_ == 0 && reserve_empty(Color::kWhite) && reserve_empty(Color::kBlack);
}

Position Position::mirrored() const {
  Position p = *this;
  for (Bitboard* plane : {&p.diagonal_, &p.straight_, &p.slider_, &p.black_}) {
    *plane = mirrored_board(*plane);
  }
  if (en_passant()) p.en_passant_ = rules::mirrored(en_passant_);
  if (has_cards()) {
    p.swap_square_colors();
  } else if (rules_ & rule_bits::kCastling) {
    p.castling_ = static_cast<std::uint16_t>(mirrored_board(castling_));
  }
  p.key_ = p.computed_key();
  return p;
}

Position Position::color_flipped() const {
  Position p = *this;
  p.black_ = occupied() & ~black_;
  for (Bitboard* plane : {&p.diagonal_, &p.straight_, &p.slider_, &p.black_}) {
    *plane = __builtin_bswap64(*plane);
  }
  p.reserve_ = {reserve_[1], reserve_[0]};
  p.side_ = ~side_;
  if (en_passant()) p.en_passant_ = flipped(en_passant_);
  if (has_cards()) p.swap_square_colors();
  p.castling_ = static_cast<std::uint16_t>(castling_ << 8 | castling_ >> 8);
  p.key_ = p.computed_key();
  return p;
}

}  // namespace rules
