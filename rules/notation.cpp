#include "rules/notation.h"

#include <algorithm>
#include <cstdlib>

#include "rules/attacks.h"
#include "rules/letters.h"

namespace rules {

using namespace std::string_literals;

namespace {

// What a pawn's way in UCI says of the pawn before the square of an entry.
std::optional<PawnStep> pawn_step(Square entered, std::string_view way) {
  for (const PawnStep step :
       {PawnStep::kOne, PawnStep::kTwo, PawnStep::kTakesLeft, PawnStep::kTakesRight}) {
    const Move move = Move::entry(PieceType::kKing, entered, step);
    if (way == to_string(move.pawn_from()) + to_string(move.pawn_to())) return step;
  }
  return std::nullopt;
}

// The move that a UCI text spells, legal or not; no move where it spells none.
Move spelled(std::string_view text) {
  if (text.size() == 9 && text[1] == '@' && text[4] == ',') {
    const auto type = type_of(text[0]);
    const auto to = square_of(text.substr(2, 2));
    if (!type || !to || (rank_of(*to) != 0 && rank_of(*to) != 7)) return {};
    const auto step = pawn_step(*to, text.substr(5));
    return step ? Move::entry(*type, *to, *step) : Move{};
  }
  if (text.size() == 4 && text[1] == '@') {
    const auto type = type_of(text[0]);
    const auto to = square_of(text.substr(2));
    return type && to ? Move::placement(*type, *to) : Move{};
  }
  const auto from = square_of(text.substr(0, 2));
  const auto to = square_of(text.size() < 4 ? "" : text.substr(2, 2));
  if (!from || !to) return {};
  if (text.size() == 4) return Move::board(*from, *to);
  if (text.size() != 5 || text[4] < 'a') return {};
  const auto type = type_of(static_cast<char>(text[4] - 0x20));
  if (!type || *type == PieceType::kPawn || *type == PieceType::kKing) return {};
  return Move::promotion(*from, *to, *type);
}

// What tells `move` from the moves of other such men to its square: "", file, row or both.
std::string disambiguation(const Position& position, Move move, PieceType type) {
  Bitboard others = attacks_from(type, move.to(), position.occupied()) &
                    position.pieces(position.side_to_move(), type) & ~bit(move.from());
  if (others && position.rule_set().king_safe) {  // else all of them may go there
    Bitboard legal = 0;
    for (const Move m : position.legal_moves()) {
      if (!m.is_placement() && m.to() == move.to()) legal |= bit(m.from());
    }
    others &= legal;
  }
  if (!others) return "";
  const std::string from = to_string(move.from());
  if (!(others & file_bb(file_of(move.from())))) return from.substr(0, 1);
  return others & rank_bb(rank_of(move.from())) ? from : from.substr(1);
}

bool is_castling(const Position& position, Move move) {
  if (move.is_placement()) return false;
  const Color us = position.side_to_move();
  if (!(position.pieces(us, PieceType::kKing) & bit(move.from()))) return false;
  const bool two_files = std::abs(file_of(move.from()) - file_of(move.to())) == 2;
  return two_files || (position.pieces(us) & bit(move.to())) != 0;
}

// "+" or "#" where kings are kept safe.
std::string check_sign(const Position& position, Move move) {
  if (!position.rule_set().king_safe) return "";
  const Position next = position.after(move);
  if (!next.in_check(next.side_to_move())) return "";
  return next.count_legal_moves() == 0 ? "#" : "+";
}

// REQUIRES: a legal move on the board.
bool captures(const Position& position, Move move) {
  const bool pawn = position.pieces(position.side_to_move(), PieceType::kPawn) & bit(move.from());
  return pawn ? file_of(move.from()) != file_of(move.to())
              : (position.occupied() & bit(move.to())) != 0;
}

// "R@e1", "R@e1,e4", "N@e1,exd3".
std::string placement_san(Move move) {
  std::string san = to_uci(move).substr(0, 4);
  if (move.pawn_step() == PawnStep::kStays) return san;
  san += ',';
  if (move.pawn_step() >= PawnStep::kTakesLeft) san += to_string(move.pawn_from())[0] + "x"s;
  return san + to_string(move.pawn_to());
}

std::string board_san(const Position& position, Move move) {
  const PieceType type = position.piece_at(move.from()).value();
  const bool pawn = type == PieceType::kPawn;
  const bool takes = captures(position, move);
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
  Bitboard from = ~Bitboard{0};  // where its disambiguation puts the man
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

char letter(PieceType type) { return kLetters[static_cast<std::size_t>(type)]; }

std::string to_string(Square square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

std::string to_uci(Move move) {
  if (move.is_placement()) {
    const std::string piece = std::string{letter(move.placed()), '@'} + to_string(move.to());
    if (move.pawn_step() == PawnStep::kStays) return piece;
    return piece + ',' + to_string(move.pawn_from()) + to_string(move.pawn_to());
  }
  std::string uci = to_string(move.from()) + to_string(move.to());
  if (move.is_promotion()) uci += lower(letter(move.promoted_to()));
  return uci;
}

Move parse_uci(const Position& position, std::string_view text) {
  const Move move = spelled(text);
  if (!move || !position.is_legal(move)) {
    refuse("move", text, "a legal move in " + position.to_fen());
  }
  return move;
}

std::string to_san(const Position& position, Move move) {
  std::string san;
  if (move.is_placement()) {
    san = placement_san(move);
  } else if (is_castling(position, move)) {
    san = index(move.to()) > index(move.from()) ? "O-O" : "O-O-O";
  } else {
    san = board_san(position, move);
  }
  return san + check_sign(position, move);
}

Move parse_san(const Position& position, std::string_view text) {
  std::string_view plain = text;
  while (plain.ends_with('+') || plain.ends_with('#')) plain.remove_suffix(1);
  const bool placement = plain.size() >= 4 && plain[1] == '@';
  if (placement || plain == "O-O" || plain == "O-O-O") {
    for (const Move m : position.legal_moves()) {
      if (!(placement ? m.is_placement() : is_castling(position, m))) continue;
      const std::string san = to_san(position, m);
      if (san.substr(0, san.find_first_of("+#")) == plain) return m;
    }
    refuse("move", text, "a legal move in " + position.to_fen());
  }
  const auto parts = split_san(plain);
  if (!parts) refuse("move", text, "SAN such as e3, Nbd2, exd4, e8=Q or N@d1");
  const Bitboard men = position.pieces(position.side_to_move(), parts->type) & parts->from;
  Move found;
  for (const Move m : position.legal_moves()) {
    if (m.is_placement() || m.to() != parts->to || !(men & bit(m.from()))) continue;
    if (is_castling(position, m)) continue;
    const auto promoted = m.is_promotion() ? std::optional(m.promoted_to()) : std::nullopt;
    if (promoted != parts->promoted || captures(position, m) != parts->takes) continue;
    if (found) refuse("move", text, "one legal move, not several, in " + position.to_fen());
    found = m;
  }
  if (!found) refuse("move", text, "a legal move in " + position.to_fen());
  return found;
}

void Line::play(std::string_view uci) {
  if (outcome({})) refuse("move", uci, "no move, for the game is over");
  play(parse_uci(position, uci));
}

Line parse_line(std::string_view text, RuleSet rules) {
  constexpr std::string_view kMoves = " moves";
  const std::size_t at = std::min(text.find(kMoves), text.size());
  std::string_view moves = text.substr(std::min(at + kMoves.size(), text.size()));
  const bool word_ends = moves.empty() || moves.front() == ' ';
  Line line(Position::from_fen(word_ends ? text.substr(0, at) : text, rules));
  while (true) {
    moves.remove_prefix(std::min(moves.find_first_not_of(' '), moves.size()));
    if (moves.empty()) return line;
    const std::string_view move = moves.substr(0, moves.find(' '));
    line.play(move);
    moves.remove_prefix(move.size());
  }
}

}  // namespace rules
