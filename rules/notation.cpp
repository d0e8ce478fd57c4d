#include "rules/notation.h"

#include <algorithm>
#include <bit>

#include "rules/fen_text.h"
#include "rules/letters.h"
#include "rules/spelling.h"

namespace rules {

using namespace std::string_literals;

namespace {

// What tells `move` from the moves of other pieces of its type to its square: "", file, row or
// both.
std::string disambiguation(const Position& position, Move move, PieceType type) {
  Bitboard others = 0;
  for (const Move m : position.legal_moves()) {
    if (!m.is_placement() && m.to() == move.to()) others |= bit(m.from());
  }
  others &= position.pieces(position.side_to_move(), type) & ~bit(move.from());
  if (!others) return "";
  const std::string from = to_string(move.from());
  if (!(others & file_bb(file_of(move.from())))) return from.substr(0, 1);
  return others & rank_bb(rank_of(move.from())) ? from : from.substr(1);
}

// "+" or "#" where kings are kept safe.
std::string check_sign(const Position& position, Move move) {
  if (!position.rule_set().king_safe) return "";
  const Position next = position.after(move);
  if (next.side_to_move() == position.side_to_move()) return "";  // the turn goes on
  if (!next.in_check(next.side_to_move())) return "";
  return next.count_legal_moves() == 0 ? "#" : "+";
}

// "R@e1", "R@e1,e4", "N@e1,exd3".
std::string placement_san(Move move) {
  if (move.is_off_board()) return to_uci(move);
  std::string san = to_uci(move).substr(0, 4);
  if (move.pawn_step() == PawnStep::kStays) return san;
  san += ',';
  if (move.pawn_step() >= PawnStep::kTakesLeft) san += to_string(move.pawn_from())[0] + "x"s;
  return san + to_string(move.pawn_to());
}

std::string board_san(const Position& position, Move move) {
  const PieceType type = position.piece_at(move.from()).value();
  const bool pawn = type == PieceType::kPawn;
  const bool takes = position.captured_by(move).has_value();
  std::string san;
  if (!pawn) san = letter(type) + disambiguation(position, move, type);
  if (pawn && takes) san = to_string(move.from()).substr(0, 1);
  if (takes) san += 'x';
  san += to_string(move.to());
  if (move.is_promotion()) san += std::string("=") + letter(move.promoted_to());
  return san;
}

// What a text says of a move on the board.
struct BoardMove {
  std::optional<PieceType> type;  // empty: any
  Square to{};
  Bitboard from = ~Bitboard{0};  // where its disambiguation puts the piece
  bool takes = false;            // false: not said
  std::optional<PieceType> promoted;
};

// Takes "=Q", "/q", "(Q)" or "Q" off the end; false where it is none of these.
bool take_promotion(std::string_view& text, BoardMove& move) {
  const bool bracketed = text.ends_with(')');
  if (bracketed) text.remove_suffix(1);
  if (text.size() < 3 || (text.back() >= '1' && text.back() <= '8')) return !bracketed;
  move.promoted = type_of(upper(text.back()));
  text.remove_suffix(1);
  const bool opened = bracketed && text.ends_with('(');
  if (opened || (!bracketed && (text.ends_with('=') || text.ends_with('/')))) text.remove_suffix(1);
  return move.promoted && bracketed == opened;
}

// A square, or a file or a row of one, off the front.
void take_origin(std::string_view& text, BoardMove& move) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'h') {
    move.from &= file_bb(text.front() - 'a');
    text.remove_prefix(1);
  }
  if (!text.empty() && text.front() >= '1' && text.front() <= '8') {
    move.from &= rank_bb(text.front() - '1');
    text.remove_prefix(1);
  }
}

// "Nbd2", "exd4", "a8=Q", "Nb1-c3", "e2e4", "e7e8q"; a piece's letter that names no file may be
// small.
std::optional<BoardMove> split_move(std::string_view text) {
  BoardMove move;
  if (!take_promotion(text, move)) return std::nullopt;
  if (const char c = text.empty() ? ' ' : text.front(); c != 'b' && type_of(upper(c))) {
    move.type = type_of(upper(c));
    text.remove_prefix(1);
  }
  const auto to = square_of(text.size() < 2 ? "" : text.substr(text.size() - 2));
  if (!to) return std::nullopt;
  move.to = *to;
  text.remove_suffix(2);
  move.takes = text.ends_with('x') || text.ends_with(':');
  if (move.takes || text.ends_with('-')) text.remove_suffix(1);
  take_origin(text, move);
  if (!text.empty()) return std::nullopt;
  // Without a letter it is a pawn's move, unless it tells where it begins.
  if (!move.type && std::popcount(move.from) > 1) move.type = PieceType::kPawn;
  if (move.type == PieceType::kPawn && move.from == ~Bitboard{0}) move.from = file_bb(file_of(*to));
  return move;
}

// Where the king of a legal castling move arrives and the rook stands.
Bitboard castling_goals(const Position& position, Move move) {
  const Color side = position.side_to_move();
  const bool right = index(move.to()) > index(move.from());
  const Bitboard below = bit(move.from()) - 1;
  const Bitboard rook = position.castling_rooks(side) & (right ? ~below : below);
  return rook | position.after(move).pieces(side, PieceType::kKing);
}

struct Found {
  Move move{};  // empty: none
  int count = 0;
};

// The legal moves on the board that are meant. A king's move that is none may be castling, told by
// the king's arrival or by the rook.
Found find(const Position& position, const BoardMove& meant) {
  Found found, castling;
  const Color side = position.side_to_move();
  for (const Move m : position.legal_moves()) {
    if (m.is_placement() || !(meant.from & bit(m.from()))) continue;
    const bool of_type = !meant.type || position.pieces(side, *meant.type) & bit(m.from());
    const bool takes = position.captured_by(m).has_value();
    if (!of_type || (meant.takes && !takes)) continue;
    const auto promoted = m.is_promotion() ? std::optional(m.promoted_to()) : std::nullopt;
    if (meant.promoted && promoted != meant.promoted) continue;
    const bool castles = position.is_castling(m);
    if (castles ? !(castling_goals(position, m) & bit(meant.to)) : m.to() != meant.to) continue;
    Found& kind = castles ? castling : found;
    kind = {m, kind.count + 1};
  }
  return found.count > 0 ? found : castling;
}

Move the_one(const Position& position, const BoardMove& meant, std::string_view text) {
  const Found found = find(position, meant);
  if (found.count > 1) refuse("move", text, "one legal move, not several, in " + position.to_fen());
  if (found.count == 0) refuse("move", text, "a legal move in " + position.to_fen());
  return found.move;
}

void refuse_null_move(std::string_view plain, std::string_view text) {
  for (const std::string_view null : {"--", "Z0", "0000", "@@@@", "<>", "null"}) {
    if (plain == null) refuse("move", text, "a move, for a null move is none");
  }
}

// "n@d4" and "@d4" as "N@d4" and "P@d4", "?n" as "?N".
std::string with_capital(std::string_view text) {
  std::string out(text);
  if (out.starts_with('@') && out.size() == 3) out.insert(0, "P");
  const std::size_t at = out.starts_with('?') ? 1 : 0;
  if (out.size() > 1 && (at == 1 || out[1] == '@')) out[at] = upper(out[at]);
  return out;
}

// "0-0" and "o-o" as "O-O"; empty for what is no castling.
std::string castling_word(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, '0', 'O');
  std::ranges::replace(out, 'o', 'O');
  return out == "O-O" || out == "O-O-O" ? out : "";
}

// Without signs of check, mate and en passant, and without what an annotator thinks of it.
std::string_view without_signs(std::string_view text) {
  constexpr std::string_view kSigns = "+#!?";
  for (bool shorter = true; shorter;) {
    shorter = false;
    if (text.size() > 1 && kSigns.find(text.back()) != std::string_view::npos) {
      text.remove_suffix(1);
      shorter = true;
    }
    for (const std::string_view word : {"e.p.", "ep", "(ep)", "(e.p.)"}) {
      if (!text.ends_with(word)) continue;
      text.remove_suffix(word.size());
      shorter = true;
    }
  }
  return text;
}

}  // namespace

std::string to_string(Square square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

std::string to_uci(Move move) {
  if (move == Move::draw()) return "draw";
  if (move == Move::pass()) return "pass";
  if (move.is_card()) return std::string{'?', letter(move.drawn())};
  if (move.is_placement()) {
    const std::string piece = std::string{letter(move.placed()), '@'} + to_string(move.to());
    if (move.pawn_step() == PawnStep::kStays) return piece;
    return piece + ',' + to_string(move.pawn_from()) + to_string(move.pawn_to());
  }
  std::string uci = to_string(move.from()) + to_string(move.to());
  if (move.is_promotion()) uci += letter(move.promoted_to(), Color::kBlack);
  return uci;
}

Move parse_uci(const Position& position, std::string_view text) {
  const std::string plain = with_capital(as_ascii(text));
  for (const Move move : position.legal_moves()) {
    if (to_uci(move) == plain) return move;
  }
  refuse_null_move(plain, text);
  const auto meant = split_move(plain);
  if (!meant || std::popcount(meant->from) > 1) {
    refuse("move", text, "a legal move in " + position.to_fen());
  }
  return the_one(position, *meant, text);
}

std::string to_san(const Position& position, Move move) {
  std::string san;
  if (move.is_placement()) {
    san = placement_san(move);
  } else if (position.is_castling(move)) {
    san = index(move.to()) > index(move.from()) ? "O-O" : "O-O-O";
  } else {
    san = board_san(position, move);
  }
  return san + check_sign(position, move);
}

Move parse_san(const Position& position, std::string_view text) {
  const std::string ascii = with_capital(as_ascii(text));
  const std::string_view plain = without_signs(ascii);
  refuse_null_move(plain, text);
  const std::string castling = castling_word(plain);
  const bool beside = plain == "draw" || plain == "pass" || plain.starts_with('?');
  const bool placement = beside || (plain.size() >= 4 && plain[1] == '@');
  if (placement || !castling.empty()) {
    for (const Move m : position.legal_moves()) {
      if (!(placement ? m.is_placement() : position.is_castling(m))) continue;
      const std::string san = to_san(position, m);
      if (san.substr(0, san.find_first_of("+#")) == (placement ? plain : castling)) return m;
    }
    refuse("move", text, "a legal move in " + position.to_fen());
  }
  const auto meant = split_move(plain);
  if (!meant) refuse("move", text, "SAN such as e3, Nbd2, exd4, e8=Q or N@d1");
  return the_one(position, *meant, text);
}

Move parse_move(const Position& position, std::string_view text) {
  try {
    return parse_san(position, text);
  } catch (const RulesError&) {
    return parse_uci(position, text);
  }
}

void Line::play(Move move) {
  moves.push_back(move);
  past.add(position);
  position.play(move);
}

void Line::play(std::string_view uci) {
  if (position.forced_outcome({})) refuse("move", uci, "no move, for the game is over");
  play(parse_uci(position, uci));
}

Line parse_line(std::string_view text, RuleSet rules) {
  constexpr std::string_view kMoves = "moves", kBlanks = " \t\r";
  std::size_t at = moves_after_fen(text);
  Line line(Position::from_fen(text.substr(0, at), rules));
  for (at += kMoves.size(); at < text.size();) {
    at = std::min(text.find_first_not_of(kBlanks, at), text.size());
    const std::string_view move = text.substr(at, text.find_first_of(kBlanks, at) - at);
    if (move.empty() || move[0] == ';' || move[0] == '#') break;
    try {
      line.play(move);
    } catch (const RulesError& error) {
      throw RulesError(error.bare(), column_after(text, at));
    }
    at += move.size();
  }
  return line;
}

}  // namespace rules
