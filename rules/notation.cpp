#include "rules/notation.h"

#include <algorithm>

#include "base/split.h"

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

// What a SAN text of a move on the board says.
struct SanParts {
  PieceType type = PieceType::kPawn;
  Square to{};
  Bitboard from = ~Bitboard{0};  // where its disambiguation puts the piece
  bool takes = false;
  std::optional<PieceType> promoted;
};

std::optional<SanParts> split_san(std::string_view text) {
  SanParts parts;
  if (text.size() > 2 && text[text.size() - 2] == '=') {
    parts.promoted = type_of(text.back());
    if (!parts.promoted) return std::nullopt;
    text.remove_suffix(2);
  }
  if (!text.empty() && type_of(text.front())) {
    parts.type = *type_of(text.front());
    text.remove_prefix(1);
  }
  const auto to = square_of(text.size() < 2 ? "" : text.substr(text.size() - 2));
  if (!to) return std::nullopt;
  parts.to = *to;
  text.remove_suffix(2);
  parts.takes = text.ends_with('x');
  if (parts.takes) text.remove_suffix(1);
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'h') {
    parts.from &= file_bb(text.front() - 'a');
    text.remove_prefix(1);
  }
  if (!text.empty() && text.front() >= '1' && text.front() <= '8') {
    parts.from &= rank_bb(text.front() - '1');
    text.remove_prefix(1);
  }
  return text.empty() ? std::optional(parts) : std::nullopt;
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
  for (const Move move : position.legal_moves()) {
    if (to_uci(move) == text) return move;
  }
  refuse("move", text, "a legal move in " + position.to_fen());
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
  std::string_view plain = text;
  while (plain.ends_with('+') || plain.ends_with('#')) plain.remove_suffix(1);
  const bool beside = plain == "draw" || plain == "pass" || plain.starts_with('?');
  const bool placement = beside || (plain.size() >= 4 && plain[1] == '@');
  if (placement || plain == "O-O" || plain == "O-O-O") {
    for (const Move m : position.legal_moves()) {
      if (!(placement ? m.is_placement() : position.is_castling(m))) continue;
      const std::string san = to_san(position, m);
      if (san.substr(0, san.find_first_of("+#")) == plain) return m;
    }
    refuse("move", text, "a legal move in " + position.to_fen());
  }
  const auto parts = split_san(plain);
  if (!parts) refuse("move", text, "SAN such as e3, Nbd2, exd4, e8=Q or N@d1");
  const Bitboard candidates = position.pieces(position.side_to_move(), parts->type) & parts->from;
  Move found;
  for (const Move m : position.legal_moves()) {
    if (m.is_placement() || m.to() != parts->to || !(candidates & bit(m.from()))) continue;
    if (position.is_castling(m)) continue;
    const auto promoted = m.is_promotion() ? std::optional(m.promoted_to()) : std::nullopt;
    if (promoted != parts->promoted) continue;
    if (position.captured_by(m).has_value() != parts->takes) continue;
    if (found) refuse("move", text, "one legal move, not several, in " + position.to_fen());
    found = m;
  }
  if (!found) refuse("move", text, "a legal move in " + position.to_fen());
  return found;
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
  constexpr std::string_view kMoves = " moves";
  const std::size_t at = std::min(text.find(kMoves), text.size());
  const std::string_view moves = text.substr(std::min(at + kMoves.size(), text.size()));
  const bool word_ends = moves.empty() || moves.front() == ' ';
  Line line(Position::from_fen(word_ends ? text.substr(0, at) : text, rules));
  for (const std::string_view move : base::split(moves, ' ')) {
    if (!move.empty()) line.play(move);
  }
  return line;
}

}  // namespace rules
