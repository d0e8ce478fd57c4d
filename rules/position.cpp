#include "rules/position.h"

#include "rules/attacks.h"
#include "rules/zobrist.h"

namespace rules {

void Position::put(Color color, PieceType type, Square square) {
  const unsigned code = kCodes[static_cast<std::size_t>(type)];
  const int s = index(square);
  diagonal_ |= Bitboard{code & 1} << s;
  straight_ |= Bitboard{code >> 1 & 1} << s;
  slider_ |= Bitboard{code >> 2 & 1} << s;
  if (color == Color::kBlack) black_ |= bit(square);
}

void Position::put_in_reserve(Color color, PieceType type) {
  auto& hand_byte = reserve_[static_cast<std::size_t>(index(color))];
  hand_byte =
      static_cast<std::uint8_t>(hand_byte + (1u << kHandShift[static_cast<std::size_t>(type)]));
}

std::optional<PieceType> Position::piece_at(Square square) const {
  switch (code_at(index(square))) {
    case kPawn:
      return PieceType::kPawn;
    case kKnight:
      return PieceType::kKnight;
    case kBishop:
      return PieceType::kBishop;
    case kRook:
      return PieceType::kRook;
    case kQueen:
      return PieceType::kQueen;
    case kKing:
      return PieceType::kKing;
    default:
      return std::nullopt;
  }
}

std::optional<Square> Position::en_passant() const {
  return index(en_passant_) == 0 ? std::nullopt : std::optional(en_passant_);
}

std::uint64_t Position::computed_key() const {
  std::uint64_t key = kZobrist.rules[rules_];
  for (Bitboard men = occupied(); men;) {
    const auto s = static_cast<std::size_t>(pop_first(men));
    key ^= kZobrist.man[black_ >> s & 1][code_at(static_cast<int>(s))][s];
  }
  key ^= kZobrist.hand[0][reserve_[0]] ^ kZobrist.hand[1][reserve_[1]];
  if (side_ == Color::kBlack) key ^= kZobrist.black_to_move;
  return key ^ kZobrist.en_passant[detail::at(en_passant_)];
}

void Position::keep_usable_en_passant() {
  if (index(en_passant_) == 0) return;
  const Bitboard capturers =
      pawn_attacks(~side_, bit(en_passant_)) & pieces(side_, PieceType::kPawn);
  if (!capturers || !men_may_move(side_)) en_passant_ = Square{};
}

template <bool kSprint>
void Position::play_board_move(Move move) {
  const int from = index(move.from()), to = index(move.to());
  const std::size_t us = static_cast<std::size_t>(index(side_));
  const unsigned code = code_at(from), captured = code_at(to);
  const unsigned arriving = move.is_promotion() ? unsigned{kQueen} : code;
  const Bitboard keep = ~(bit(move.from()) | bit(move.to()));
  diagonal_ = (diagonal_ & keep) | Bitboard{arriving & 1} << to;
  straight_ = (straight_ & keep) | Bitboard{arriving >> 1 & 1} << to;
  slider_ = (slider_ & keep) | Bitboard{arriving >> 2} << to;
  black_ = (black_ & keep) | Bitboard{us} << to;
  const auto from_i = static_cast<std::size_t>(from), to_i = static_cast<std::size_t>(to);
  key_ ^= kZobrist.man[us][code][from_i] ^ kZobrist.man[us][arriving][to_i] ^
          kZobrist.man[us ^ 1][captured][to_i];
  const bool resets = code == kPawn || captured != kNone;
  halfmove_ = resets ? std::uint16_t{0} : static_cast<std::uint16_t>(halfmove_ + 1);
  if constexpr (kSprint) {
    const Square passed_before = en_passant_;
    en_passant_ = Square{};
    key_ ^= kZobrist.en_passant[detail::at(passed_before)];
    if (code != kPawn) return;
    if (index(passed_before) != 0 && move.to() == passed_before) {  // takes en passant
      const Square victim = static_cast<Square>(to ^ 8);
      diagonal_ &= ~bit(victim);
      black_ &= ~bit(victim);
      key_ ^= kZobrist.man[us ^ 1][kPawn][detail::at(victim)];
    } else if ((from ^ to) == 16) {
      en_passant_ = static_cast<Square>((from + to) / 2);
    }
  }
}

void Position::play(Move move) {
  if (move.is_placement()) {
    const std::size_t us = static_cast<std::size_t>(index(side_));
    const auto type = static_cast<std::size_t>(move.placed());
    put(side_, move.placed(), move.to());
    const std::uint8_t before = reserve_[us];
    reserve_[us] = static_cast<std::uint8_t>(before - (1u << kHandShift[type]));
    key_ ^= kZobrist.man[us][kCodes[type]][detail::at(move.to())] ^ kZobrist.hand[us][before] ^
            kZobrist.hand[us][reserve_[us]];
    ++halfmove_;
    if (rules_ & 1) {
      key_ ^= kZobrist.en_passant[detail::at(en_passant_)];
      en_passant_ = Square{};
    }
  } else if (rules_ & 1) [[unlikely]] {
    play_board_move<true>(move);
  } else {
    play_board_move<false>(move);
  }
  fullmove_ += static_cast<std::uint32_t>(index(side_));
  side_ = ~side_;
  key_ ^= kZobrist.black_to_move;
  if (index(en_passant_) != 0) {
    keep_usable_en_passant();
    key_ ^= kZobrist.en_passant[detail::at(en_passant_)];
  }
}

namespace {

constexpr Bitboard mirrored_board(Bitboard b) {
  b = (b & 0x5555555555555555) << 1 | (b >> 1 & 0x5555555555555555);
  b = (b & 0x3333333333333333) << 2 | (b >> 2 & 0x3333333333333333);
  return (b & 0x0f0f0f0f0f0f0f0f) << 4 | (b >> 4 & 0x0f0f0f0f0f0f0f0f);
}
Bitboard flipped_board(Bitboard b) { return __builtin_bswap64(b); }

}  // namespace

Position Position::mirrored() const {
  Position p = *this;
  for (Bitboard* plane : {&p.diagonal_, &p.straight_, &p.slider_, &p.black_}) {
    *plane = mirrored_board(*plane);
  }
  if (index(en_passant_) != 0) p.en_passant_ = rules::mirrored(en_passant_);
  p.key_ = p.computed_key();
  return p;
}

Position Position::color_flipped() const {
  Position p = *this;
  p.black_ = occupied() & ~black_;
  for (Bitboard* plane : {&p.diagonal_, &p.straight_, &p.slider_, &p.black_}) {
    *plane = flipped_board(*plane);
  }
  p.reserve_ = {reserve_[1], reserve_[0]};
  p.side_ = ~side_;
  if (index(en_passant_) != 0) p.en_passant_ = flipped(en_passant_);
  p.key_ = p.computed_key();
  return p;
}

}  // namespace rules
