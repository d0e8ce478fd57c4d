#include <algorithm>
#include <bit>

#include "base/text.h"
#include "rules/fen_text.h"
#include "rules/letters.h"
#include "rules/notation.h"
#include "rules/position.h"

namespace rules {
namespace {

std::string pieces_of(Color color) {
  return color == Color::kWhite ? "FEN White's pieces" : "FEN Black's pieces";
}

// The first row of one of the 960 starts, in Scharnagl's numbering: the number is 4 · (4 · (6 · n +
// q) + d) + l of the light and the dark bishop's, the queen's and the knights' places.
std::string shuffled_row(int number) {
  std::string row(8, ' ');
  const auto on_empty = [&](int nth) -> char& {
    std::size_t at = row.find(' ');
    for (; nth > 0; --nth) at = row.find(' ', at + 1);
    return row[at];
  };
  row[static_cast<std::size_t>(number % 4 * 2 + 1)] = 'B';
  row[static_cast<std::size_t>(number / 4 % 4 * 2)] = 'B';
  on_empty(number / 16 % 6) = 'Q';
  constexpr std::array<std::array<int, 2>, 10> kKnights{
      {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}}};
  for (const int nth : kKnights[static_cast<std::size_t>(number / 96)]) on_empty(nth) = 'N';
  for (const char piece : {'R', 'K', 'R'}) on_empty(0) = piece;
  return row;
}

// As KQkq, or with the rooks' files where these differ from game to game.
std::string castling_field(const Position& position) {
  const bool classical = position.rule_set().castling == Castling::kClassical;
  std::string out;
  for (const Color color : kColors) {
    for (int file = 7; file >= 0; --file) {
      if (!(position.castling_rooks(color) & file_bb(file))) continue;
      char c = static_cast<char>('A' + file);
      if (classical) c = file == 7 ? 'K' : 'Q';
      out += color == Color::kWhite ? c : lower(c);
    }
  }
  return out.empty() ? "-" : out;
}

// As "[KQRRBBNNkqrrbbnn]", with `count(color, type)` of each.
template <class Count>
std::string reserves(Count count) {
  std::string out = "[";
  for (const Color color : kColors) {
    for (const PieceType type : kReserveOrder) {
      out.append(static_cast<std::size_t>(count(color, type)), letter(type, color));
    }
  }
  return out + "]";
}

// As "[KQkq][QRBNqrbn]".
std::string decks_and_kits(const Position& position) {
  std::string out = "[";
  for (const Color color : kColors) {
    for (const Card card : kAllCards) {
      out.append(static_cast<std::size_t>(position.in_deck(color, card)), letter(card, color));
    }
  }
  out += "][";
  for (const Color color : kColors) {
    for (const PieceType type : kPromotionTypes) {
      if (position.kit(color) >> (index(type) - 1) & 1) out += letter(type, color);
    }
  }
  return out + "]";
}

}  // namespace

// Reads one FEN field by field; each step throws with the field's name.
class FenReader {
 public:
  // `unmoved`: the field of castling rights does not count, but that nothing has moved.
  explicit FenReader(std::string_view fen, RuleSet rules, bool unmoved = false)
      : rules_(rules), unmoved_(unmoved), fen_(split_fen(fen, rules)) {
    p_.rules_ = rules.id();
    pawns_stay_ = p_.has_cards();
    if (rules.game == 0) return;
    const RuleDetails& details = game(rules.game).details;
    pawns_stay_ = details.promotion == 0 || details.promotes_to_lost;
  }

  Position read() {
    field_ = fen_.board;
    read_board_and_reserves();
    field_ = fen_.side;
    read_side();
    p_.halfmove_ = static_cast<std::uint16_t>(
        first_clock(rules_) +
        read_number("FEN halfmove clock", fen_.clock, 0, Position::kMaxHalfmoveClock));
    p_.fullmove_ = static_cast<std::uint32_t>(
        read_number("FEN fullmove number", fen_.number, 1, Position::kMaxFullmoveNumber));
    if (p_.is_mid_turn() && p_.halfmove_ >= Position::kImpasseClock) {
      refuse("FEN halfmove clock", fen_.clock, "below 100 while a card is drawn or placed");
    }
    field_ = fen_.board;
    for (const Color color : kColors) check_counts(color);
    check_kings();
    if (p_.has_cards()) check_cards();
    if (unmoved_) {
      p_.castling_ = static_cast<std::uint16_t>(p_.castling_ | p_.unmoved_rights());
    } else if (rules_.castling != Castling::kNone) {
      read_castling();
    } else if (fen_.castling != "-") {
      refuse("FEN castling field", fen_.castling, "- (this game has no castling)");
    }
    check_placing();
    read_en_passant();
    p_.key_ = p_.computed_key();
    return p_;
  }

 private:
  // At the value's column or, where it was made up, the field's.
  [[noreturn]] void refuse(std::string_view field, std::string_view value,
                           std::string_view expectation) const {
    throw RulesError(refusal(field, value, expectation), fen_.column_of(value, field_));
  }

  void read_board_and_reserves() {
    if (p_.has_cards()) return read_board_decks_and_kits(fen_.board);
    read_board(fen_.board);
    read_reserves(fen_.reserves);
  }

  void read_board(std::string_view board) {
    const auto rows = base::split(board, '/');
    if (rows.size() != 8) refuse("FEN board", board, "8 rows, got " + std::to_string(rows.size()));
    for (int rank = 7; rank >= 0; --rank) read_row(rows[static_cast<std::size_t>(7 - rank)], rank);
  }

  void read_row(std::string_view row, int rank) {
    const std::string field = "FEN row " + std::to_string(rank + 1);
    int file = 0;
    for (const char& c : row) {
      if (c == '~' && &c != row.data() && type_of(upper(*(&c - 1)))) continue;  // was a pawn
      if (c >= '1' && c <= '8') {
        file += c - '0';
        continue;
      }
      const auto type = type_of(upper(c));
      if (!type) refuse(field, std::string_view(&c, 1), "one of PNBRQK, pnbrqk or 1 to 8");
      if (file < 8) {
        const auto code = Position::kCodes[static_cast<std::size_t>(*type)];
        p_.set_down(color_of(c), code, make_square(file, rank));
      }
      ++file;
    }
    if (file != 8) refuse(field, row, "8 squares, got " + std::to_string(file));
    // A pawn may have come to its last row with nothing left to become.
    const std::string_view misplaced = !pawns_stay_ ? "Pp" : rank == 0 ? "P" : "p";
    if ((rank == 0 || rank == 7) && row.find_first_of(misplaced) != std::string_view::npos) {
      refuse(field, row,
             pawns_stay_ ? "no pawn on its own first row" : "no pawn on the first or last row");
    }
  }

  void read_board_decks_and_kits(std::string_view field) {
    const std::size_t deck = field.find('['), kit = field.find("][");
    if (deck == std::string_view::npos || kit == std::string_view::npos || kit < deck ||
        field.back() != ']') {
      refuse("FEN board", field, "8 rows, then [decks][kits], each [] where both sides' are empty");
    }
    read_board(field.substr(0, deck));
    for (const char& c : field.substr(deck + 1, kit - deck - 1)) {
      const auto card = card_of(upper(c));
      if (!card) refuse("FEN deck", std::string_view(&c, 1), "cards of KQRLDNP and kqrldnp");
      require_cards(color_of(c), *card, p_.in_deck(color_of(c), *card) + 1);
      p_.change_deck(color_of(c), *card, 1);
    }
    for (const char& c : field.substr(kit + 2, field.size() - kit - 3)) {
      const auto type = type_of(upper(c));
      const bool named = type && *type != PieceType::kPawn && *type != PieceType::kKing;
      if (!named) refuse("FEN kit", std::string_view(&c, 1), "pieces of QRBN and qrbn");
      const unsigned piece =
          1u << (8 * index(color_of(c)) + Position::kKitShift + index(*type) - 1);
      if (p_.castling_ & piece) refuse("FEN kit", std::string_view(&c, 1), "each piece once");
      p_.set_castling(p_.castling_ | piece);
    }
  }

  // Refuses more of a card than there are at the start.
  void require_cards(Color color, Card card, int count) const {
    const int most = kCardsAtStart[static_cast<std::size_t>(card)];
    if (count <= most) return;
    refuse("FEN deck", std::to_string(count) + " of " + letter(card, color),
           "at most " + std::to_string(most) + ", the drawn card counted in");
  }

  void read_reserves(std::string_view reserves) {
    for (const char& c : reserves) {
      const auto type = type_of(upper(c));
      if (!type || *type == PieceType::kPawn) {
        refuse("FEN reserve", std::string_view(&c, 1), "pieces of KQRBN and kqrbn");
      }
      const int most = at_start(color_of(c), *type);
      if (p_.reserve(color_of(c), *type) == most) {
        refuse("FEN reserve", reserves, "at most " + std::to_string(most) + " of " + c);
      }
      p_.put_in_reserve(color_of(c), *type);
    }
  }

  void read_side() {
    const std::string_view side = fen_.side;
    if (side.substr(0, 1) != "w" && side.substr(0, 1) != "b") {
      refuse("FEN side to move", side, "w or b");
    }
    p_.side_ = side[0] == 'w' ? Color::kWhite : Color::kBlack;
    if (side.size() > 1) read_card_phase(side);
  }

  // "w?": a card is being drawn; "w?N": a knight has been drawn.
  void read_card_phase(std::string_view side) {
    if (p_.has_cards() && side.substr(1) == "?") {
      if (p_.deck_size(p_.side_) == 0) refuse("FEN side to move", side, "a card to draw");
      return p_.set_card_phase(Position::kDrawing);
    }
    const bool held = p_.has_cards() && side.size() == 3 && side[1] == '?';
    const auto card = card_of(held ? side[2] : ' ');
    if (!card) {
      refuse("FEN side to move", side,
             p_.has_cards() ? "w or b, then ? where a card is drawn and it, of KQRLDNP" : "w or b");
    }
    require_cards(p_.side_, *card, p_.in_deck(p_.side_, *card) + 1);
    p_.set_card_phase(Position::kHolding + index(*card));
  }

  int read_number(std::string_view field, std::string_view text, int least, int most) const {
    const auto value = base::parse_number<int>(text);
    if (!value || text[0] == '-' || *value < least || *value > most) {
      refuse(field, text, std::to_string(least) + " to " + std::to_string(most));
    }
    return *value;
  }

  int at_start(Color color, PieceType type) const {
    return rules::at_start(rules_, color)[static_cast<std::size_t>(type)];
  }

  // On the board, in reserve or deck, and the card in hand.
  int count(Color color, PieceType type) const {
    const bool held = color == p_.side_ && p_.card() && piece_on(*p_.card()) == type;
    return std::popcount(p_.pieces(color, type)) + p_.reserve(color, type) + (held ? 1 : 0);
  }

  // Each piece was a card, or a pawn that took it from the kit.
  void check_cards() const {
    for (const Color color : kColors) {
      const unsigned kit = p_.kit(color);
      const int used = 4 - std::popcount(kit);
      const auto require = [&](bool holds, std::string_view what, std::string_view expected) {
        if (!holds) refuse(pieces_of(color), what, expected);
      };
      require(count(color, PieceType::kPawn) + used <= 8, "too many pawns",
              "at most 8, those that took a piece from the kit counted in");
      for (const PieceType type : kMinorAndMajor) {
        const int taken = ~kit >> (index(type) - 1) & 1;
        require(count(color, type) <= at_start(color, type) + taken,
                std::string("too many of ") + letter(type, color),
                "the cards there are, and one more where the kit lacks it");
      }
      const Bitboard bishops = p_.pieces(color, PieceType::kBishop);
      const int more = ~kit >> 1 & 1;
      for (const Card card : {Card::kLight, Card::kDark}) {
        const Bitboard squares = card == Card::kDark ? kDarkSquares : ~kDarkSquares;
        const bool held = color == p_.side_ && p_.card() == card;
        require(std::popcount(bishops & squares) + p_.in_deck(color, card) + held <= 1 + more,
                "two bishops on squares of one color",
                "a card for each, or a kit without a bishop");
      }
      const Bitboard last = rank_bb(color == Color::kWhite ? 7 : 0);
      require(kit == 0 || !(p_.pieces(color, PieceType::kPawn) & last), "a pawn on its last row",
              "an empty kit, or the piece that it became");
    }
  }

  // No more pieces than at the start, but for what missing pawns may have become.
  void check_counts(Color color) const {
    const auto require_at_most = [&](int most, int got, std::string_view what,
                                     std::string_view expected) {
      if (got <= most) return;
      refuse(pieces_of(color), std::to_string(got) + " " + std::string(what), expected);
    };
    const int pawns_at_start = at_start(color, PieceType::kPawn);
    const int pawns = count(color, PieceType::kPawn), missing = pawns_at_start - pawns;
    require_at_most(pawns_at_start, pawns, "pawns", "at most " + std::to_string(pawns_at_start));
    require_at_most(1, count(color, PieceType::kKing), "kings",
                    "at most 1 on the board and in reserve");
    if (p_.has_cards()) return;  // check_cards() knows more
    if (rules_.underpromotion) {
      int more = 0;
      for (const PieceType type : kMinorAndMajor) {
        more += std::max(0, count(color, type) - at_start(color, type));
      }
      return require_at_most(
          missing, more, "pieces more than at the start",
          "at most one for each of " + std::to_string(missing) + " missing pawns");
    }
    constexpr std::array<std::string_view, 3> kNames{"knights", "bishops", "rooks"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const int most = at_start(color, kMinorAndMajor[i]);
      require_at_most(most, count(color, kMinorAndMajor[i]), kNames[i],
                      "at most " + std::to_string(most) + " on the board and in reserve");
    }
    const int queens = at_start(color, PieceType::kQueen);
    require_at_most(queens + missing, count(color, PieceType::kQueen), "queens",
                    "at most " + std::to_string(queens) + " and one more for each of " +
                        std::to_string(missing) + " missing pawns");
  }

  void check_kings() const {
    const Color waiting = ~p_.side_;
    if (rules_.king_safe) {
      for (const Color color : kColors) {
        if (count(color, PieceType::kKing) == 0) {
          refuse(pieces_of(color), "no king",
                 rules_.entry == Entry::kNone ? "a king"
                 : p_.has_cards()             ? "a king on the board or in the deck"
                                              : "a king on the board or in reserve");
        }
      }
      if (p_.in_check(waiting)) {
        refuse(pieces_of(waiting), "king attacked", "only the side to move in check");
      }
    } else if (count(waiting, PieceType::kKing) == 0) {
      refuse(pieces_of(waiting), "no king",
             "a king on the board or in reserve (only the side to move may have lost its king)");
    }
  }

  void read_castling() {
    unsigned rights = 0;
    for (const char c : fen_.castling == "-" ? std::string_view() : fen_.castling) {
      const Color color = color_of(c);
      const auto rook = castling_rook(color, upper(c));
      if (!rook) bad_castling("- or rights whose king and rook stand in place");
      const unsigned right = 1u << (file_of(*rook) + 8 * index(color));
      if (rights & right) bad_castling("no right twice");
      rights |= right;
    }
    p_.castling_ = static_cast<std::uint16_t>(rights);
    for (const Color color : kColors) check_sides(color);
  }

  [[noreturn]] void bad_castling(std::string_view expected) const {
    refuse("FEN castling field", fen_.castling, expected);
  }

  // The rook that a capital letter gives the right to castle with: K and Q are the outermost rooks,
  // files (Shredder's letters) are read where the rooks' files differ from game to game.
  std::optional<Square> castling_rook(Color color, char letter) const {
    const int row = color == Color::kWhite ? 0 : 7;
    const Bitboard king = p_.pieces(color, PieceType::kKing);
    const Bitboard rooks = p_.pieces(color, PieceType::kRook) & rank_bb(row);
    if (!(king & rank_bb(row))) return std::nullopt;
    const int king_file = file_of(first_square(king));
    const bool classical = rules_.castling == Castling::kClassical;
    if (classical ? king_file != 4 : king_file == 0 || king_file == 7) return std::nullopt;
    Bitboard meant = 0;
    if (letter == 'K' || letter == 'Q') {
      const Bitboard side = rooks & (letter == 'K' ? ~(king | (king - 1)) : king - 1);
      if (!side) return std::nullopt;
      meant = letter == 'Q' ? side & (~side + 1) : std::bit_floor(side);
      if (classical) meant &= file_bb(letter == 'K' ? 7 : 0);
    } else if (!classical && letter >= 'A' && letter <= 'H') {
      meant = rooks & file_bb(letter - 'A');
    }
    return meant ? std::optional(first_square(meant)) : std::nullopt;
  }

  // At most one right on either side of the king.
  void check_sides(Color color) const {
    const Bitboard rooks = p_.castling_rooks(color);
    if (!rooks) return;
    const Bitboard king = p_.pieces(color, PieceType::kKing);
    if (std::popcount(rooks & (king - 1)) > 1 || std::popcount(rooks & ~(king - 1)) > 1) {
      bad_castling("at most one right on either side of a king");
    }
  }

  void check_placing() const {
    // Whether all pieces are placed, in turn, before any piece moves.
    if (rules_.entry != Entry::kFirstRow || !rules_.king_safe || rules_.before != 7) return;
    const auto held = [&](Color color) {
      int count = 0;
      for (const PieceType type : kReserveOrder) count += p_.reserve(color, type);
      return count;
    };
    const int white = held(Color::kWhite), black = held(Color::kBlack);
    if (black - white != (p_.side_ == Color::kBlack ? 1 : 0) && white + black > 0) {
      refuse("FEN reserve", fen_.board,
             "reserves of one size with White to move, one more piece in Black's with Black");
    }
    if (white + black > 0 && p_.castling_ != p_.unmoved_rights()) {
      bad_castling("the rights of the kings and rooks that are placed, for nothing has moved");
    }
  }

  void read_en_passant() {
    const std::string_view text = fen_.en_passant;
    if (text == "-") return;
    const auto bad = [&](std::string_view expected) {
      refuse("FEN en passant square", text, expected);
    };
    if (!rules_.sprint) bad("- (pawns move one square)");
    if (p_.is_mid_turn()) bad("- while a card is drawn or placed");
    const auto square = square_of(text);
    const bool white = p_.side_ == Color::kWhite;
    Bitboard passed = rank_bb(white ? 5 : 2);
    if (rules_.game != 0) {
      const Game& own = game(rules_.game);
      if (!own.details.en_passant) bad("- (nothing is taken en passant)");
      passed = forward(~p_.side_, own.double_step[static_cast<std::size_t>(index(~p_.side_))]);
    }
    if (!square || !(passed & bit(*square))) {
      bad(rules_.game != 0 ? "- or a square that a pawn may pass over"
          : white          ? "- or a square of row 6"
                           : "- or a square of row 3");
    }
    const Square pawn = static_cast<Square>(index(*square) + (white ? -8 : 8));
    const Square home = static_cast<Square>(index(*square) + (white ? 8 : -8));
    if (!(p_.pieces(~p_.side_, PieceType::kPawn) & bit(pawn))) bad("a pawn just past it");
    if (p_.occupied() & (bit(*square) | bit(home))) bad("the two squares behind the pawn empty");
    if (p_.halfmove_ != first_clock(rules_)) bad("- where the halfmove clock is not 0");
    p_.en_passant_ = *square;
    p_.keep_usable_en_passant();
  }

  RuleSet rules_;
  bool unmoved_;
  bool pawns_stay_ = false;  // where they can become nothing
  Position p_;
  FenText fen_;
  std::string_view field_;  // what is being read or checked
};

Position Position::from_fen(std::string_view fen, RuleSet rules) {
  return FenReader(fen, rules).read();
}

namespace {

// The start of a game from a file.
std::string start_fen(const RuleSet& rules, int number) {
  const Game& own = game(rules.game);
  number %= own.starts();
  const bool apart = own.details.black == BlackArmy::kApart;
  const auto white_count = static_cast<int>(own.armies[0].size());
  const auto white = static_cast<std::size_t>(number % white_count);
  const std::size_t black = apart ? static_cast<std::size_t>(number / white_count) : white;
  const auto held = [&](Color color, PieceType type) {
    return own.in_reserve[static_cast<std::size_t>(index(color))][static_cast<std::size_t>(type)];
  };
  const std::string board = own.armies[1][black] + own.armies[0][white];
  const std::string reserve = rules.entry == Entry::kNone ? "" : reserves(held);
  return board + reserve + " w - - 0 1";
}

}  // namespace

Position Position::start(RuleSet rules, int number) {
  if (rules.game != 0 && rules.entry != Entry::kCard) {
    return FenReader(start_fen(rules, number), rules, /*unmoved=*/true).read();
  }
  if (rules.setup == Setup::kPawns) {
    const auto held = [&](Color, PieceType type) {
      return rules.at_start()[static_cast<std::size_t>(type)];
    };
    return from_fen("8/pppppppp/8/8/8/8/PPPPPPPP/8" + reserves(held) + " w - - 0 1", rules);
  }
  if (rules.setup == Setup::kEmpty) {
    return from_fen("8/8/8/8/8/8/8/8[KQRRLDNNPPPPPPPPkqrrldnnpppppppp][QRBNqrbn] w - - 0 1", rules);
  }
  const std::string row = rules.setup == Setup::kShuffled ? shuffled_row(number) : "RNBQKBNR";
  std::string black = row;
  for (char& c : black) c = lower(c);
  const std::string empty = rules.entry == Entry::kNone ? "" : "[]";
  const std::string rights = rules.castling == Castling::kNone ? "-" : "KQkq";
  return from_fen(black + "/pppppppp/8/8/8/8/PPPPPPPP/" + row + empty + " w " + rights + " - 0 1",
                  rules);
}

std::string Position::to_fen() const {
  std::string fen;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const Square s = make_square(file, rank);
      const auto type = piece_at(s);
      if (!type) {
        ++empty;
        continue;
      }
      if (empty > 0) fen += static_cast<char>('0' + empty);
      empty = 0;
      fen += letter(*type, black_ & bit(s) ? Color::kBlack : Color::kWhite);
    }
    if (empty > 0) fen += static_cast<char>('0' + empty);
    if (rank > 0) fen += '/';
  }
  if (has_cards()) {
    fen += decks_and_kits(*this);
  } else if (rule_set().entry != Entry::kNone) {
    fen += reserves([this](Color color, PieceType type) { return reserve(color, type); });
  }
  fen += side_ == Color::kWhite ? " w" : " b";
  if (is_mid_turn()) fen += '?';
  if (card()) fen += letter(*card());
  fen += ' ';
  fen += castling_field(*this) + ' ';
  const auto passed = en_passant();
  fen += passed ? to_string(*passed) : "-";
  return fen + " " + std::to_string(halfmove_ - first_clock(rule_set())) + " " +
         std::to_string(std::min(fullmove_number(), kMaxFullmoveNumber));
}

}  // namespace rules
