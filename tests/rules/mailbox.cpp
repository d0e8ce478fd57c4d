#include "mailbox.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>

namespace mailbox {
namespace {

bool is_white(char c) { return c >= 'A' && c <= 'Z'; }
bool is_man(char c, bool white) { return c != '.' && is_white(c) == white; }
char capital(char c) { return static_cast<char>(std::toupper(c)); }
char coloured(char letter, bool white) {
  return static_cast<char>(white ? std::toupper(letter) : std::tolower(letter));
}
std::string square(int rank, int file) {
  return {static_cast<char>('a' + file), static_cast<char>('1' + rank)};
}

}  // namespace

Board::Board(const std::string& fen, bool sprint_, int before_) : sprint(sprint_), before(before_) {
  std::istringstream in(fen);
  std::string board, side, castling;
  in >> board >> side >> castling >> en_passant >> clock >> number;
  white = side == "w";
  for (auto& row : at) row.fill('.');
  std::istringstream rows(board.substr(0, board.find('[')));
  std::string row;
  for (int rank = 7; rank >= 0 && std::getline(rows, row, '/'); --rank) {
    std::size_t file = 0;
    for (const char c : row) {
      if (std::isdigit(c)) {
        file += static_cast<std::size_t>(c - '0');
      } else {
        at[static_cast<std::size_t>(rank)][file++] = c;
      }
    }
  }
  hand = board.substr(board.find('[') + 1);
  hand.pop_back();
}

std::string Board::fen() const {
  std::string out;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (const char c : at[static_cast<std::size_t>(rank)]) {
      if (c == '.') {
        ++empty;
        continue;
      }
      if (empty) out += std::to_string(empty);
      empty = 0;
      out += c;
    }
    if (empty) out += std::to_string(empty);
    if (rank) out += '/';
  }
  std::string sorted;
  for (const char c : std::string("KQRBNkqrbn")) {
    sorted.append(static_cast<std::size_t>(std::count(hand.begin(), hand.end(), c)), c);
  }
  return out + "[" + sorted + "] " + (white ? "w" : "b") + " - " + en_passant + " " +
         std::to_string(clock) + " " + std::to_string(number);
}

std::string Board::king_place(bool of_white) const {
  for (int rank = 0; rank < 8; ++rank) {
    for (int file = 0; file < 8; ++file) {
      if (at[static_cast<std::size_t>(rank)][static_cast<std::size_t>(file)] ==
          coloured('K', of_white)) {
        return square(rank, file);
      }
    }
  }
  return hand.find(coloured('K', of_white)) == std::string::npos ? "" : "hand";
}

bool Board::men_may_move(bool of_white) const {
  if (king_place(of_white).size() != 2) return false;
  const auto waiting = std::count_if(hand.begin(), hand.end(), [&](char c) {
    return is_white(c) == of_white && capital(c) != 'K';
  });
  return 7 - waiting >= before;
}

// By the way the men move, with no look at whose turn it is or what stands on the target.
bool Board::reaches(int rank, int file, int to_rank, int to_file) const {
  const char man = at[static_cast<std::size_t>(rank)][static_cast<std::size_t>(file)];
  const int up = to_rank - rank, right = to_file - file;
  const int far = std::max(std::abs(up), std::abs(right));
  if (far == 0) return false;
  const bool straight = up == 0 || right == 0, diagonal = std::abs(up) == std::abs(right);
  switch (capital(man)) {
    case 'P':
      return up == (is_white(man) ? 1 : -1) && std::abs(right) == 1;
    case 'N':
      return std::abs(up * right) == 2;
    case 'K':
      return far == 1;
    case 'B':
      if (!diagonal) return false;
      break;
    case 'R':
      if (!straight) return false;
      break;
    case 'Q':
      if (!straight && !diagonal) return false;
      break;
    default:
      return false;
  }
  for (int i = 1; i < far; ++i) {
    const auto r = static_cast<std::size_t>(rank + up / far * i);
    const auto f = static_cast<std::size_t>(file + right / far * i);
    if (at[r][f] != '.') return false;
  }
  return true;
}

bool Board::attacked(int rank, int file, bool by_white) const {
  for (int r = 0; r < 8; ++r) {
    for (int f = 0; f < 8; ++f) {
      const char man = at[static_cast<std::size_t>(r)][static_cast<std::size_t>(f)];
      if (is_man(man, by_white) && reaches(r, f, rank, file)) return true;
    }
  }
  return false;
}

void Board::pawn_moves(int rank, int file, std::vector<std::string>& out) const {
  const auto get = [&](int r, int f) {
    return at[static_cast<std::size_t>(r)][static_cast<std::size_t>(f)];
  };
  const bool is_w = is_white(get(rank, file));
  const int step = is_w ? 1 : -1, next = rank + step;
  const auto add = [&](int f) {
    out.push_back(square(rank, file) + square(next, f) + (next == 0 || next == 7 ? "q" : ""));
  };
  if (get(next, file) == '.') {
    add(file);
    if (sprint && rank == (is_w ? 1 : 6) && get(rank + 2 * step, file) == '.') {
      out.push_back(square(rank, file) + square(rank + 2 * step, file));
    }
  }
  for (const int f : {file - 1, file + 1}) {
    if (f < 0 || f > 7) continue;
    if (is_man(get(next, f), !is_w) || square(next, f) == en_passant) add(f);
  }
}

void Board::man_moves(int rank, int file, std::vector<std::string>& out) const {
  const char man = at[static_cast<std::size_t>(rank)][static_cast<std::size_t>(file)];
  if (capital(man) == 'P') return pawn_moves(rank, file, out);
  for (int r = 0; r < 8; ++r) {
    for (int f = 0; f < 8; ++f) {
      const char target = at[static_cast<std::size_t>(r)][static_cast<std::size_t>(f)];
      if (reaches(rank, file, r, f) && !is_man(target, is_white(man))) {
        out.push_back(square(rank, file) + square(r, f));
      }
    }
  }
}

std::vector<std::string> Board::moves_of(bool of_white) const {
  std::vector<std::string> out;
  std::string own;
  for (const char c : hand) {
    if (is_white(c) == of_white) own += capital(c);
  }
  for (const char piece : std::string("KQRBN")) {
    if (own.find(piece) == std::string::npos || (piece == 'Q' && own != "Q")) continue;
    const int first = of_white ? 0 : 7;
    for (int file = 0; file < 8; ++file) {
      if (at[static_cast<std::size_t>(first)][static_cast<std::size_t>(file)] == '.') {
        out.push_back(std::string{piece, '@'} + square(first, file));
      }
    }
  }
  if (men_may_move(of_white)) {
    for (int rank = 0; rank < 8; ++rank) {
      for (int file = 0; file < 8; ++file) {
        if (is_man(at[static_cast<std::size_t>(rank)][static_cast<std::size_t>(file)], of_white)) {
          man_moves(rank, file, out);
        }
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> Board::moves() const { return moves_of(white); }

Board Board::after(const std::string& uci) const {
  Board next = *this;
  const auto cell = [&](char file, char rank) -> char& {
    return next.at[static_cast<std::size_t>(rank - '1')][static_cast<std::size_t>(file - 'a')];
  };
  next.en_passant = "-";
  ++next.clock;
  if (uci[1] == '@') {
    const char man = coloured(uci[0], white);
    next.hand.erase(next.hand.find(man), 1);
    cell(uci[2], uci[3]) = man;
  } else {
    char& from = cell(uci[0], uci[1]);
    char& to = cell(uci[2], uci[3]);
    const bool pawn = capital(from) == 'P';
    if (pawn || to != '.') next.clock = 0;
    if (pawn && uci.substr(2, 2) == en_passant) cell(uci[2], uci[1]) = '.';
    to = uci.size() == 5 ? coloured(uci[4], white) : from;
    from = '.';
    if (pawn && std::abs(uci[3] - uci[1]) == 2) {
      next.en_passant = {uci[0], static_cast<char>((uci[1] + uci[3]) / 2)};
    }
  }
  next.white = !white;
  if (!white) ++next.number;
  if (next.en_passant != "-") {  // kept only where a legal move uses it
    const auto replies = next.moves();
    const bool used = std::any_of(replies.begin(), replies.end(), [&](const std::string& m) {
      return m.substr(2, 2) == next.en_passant && m[0] != next.en_passant[0] && m[1] != '@' &&
             capital(next.at[static_cast<std::size_t>(m[1] - '1')]
                            [static_cast<std::size_t>(m[0] - 'a')]) == 'P';
    });
    if (!used) next.en_passant = "-";
  }
  return next;
}

bool Board::king_captured() const { return king_place(white).empty(); }

bool Board::leaves_king_attacked(const std::string& uci) const {
  const Board next = after(uci);
  if (next.king_captured()) return false;
  const std::string king = next.king_place(white);
  return king != "hand" && next.attacked(king[1] - '1', king[0] - 'a', !white);
}

std::string Board::outcome() const {
  if (king_captured()) return white ? "black_wins" : "white_wins";
  if (clock >= 100) {
    const std::map<char, int> values{{'P', 1}, {'N', 3}, {'B', 3}, {'R', 5}, {'Q', 9}};
    int balance = 0;
    for (const auto& row : at) {
      for (const char c : row) {
        const auto value = values.find(capital(c));
        if (value != values.end()) balance += is_white(c) ? value->second : -value->second;
      }
    }
    if (balance == 0) return "impasse_equal";
    return balance > 0 ? "impasse_white_more" : "impasse_black_more";
  }
  const std::string king = king_place(white);
  const bool in_check = king != "hand" && attacked(king[1] - '1', king[0] - 'a', !white);
  const auto all = moves();
  if (in_check) {
    if (!all.empty()) return "ongoing";
    return white ? "black_wins" : "white_wins";
  }
  for (const auto& move : all) {
    if (!leaves_king_attacked(move)) return "ongoing";
  }
  return white ? "stalemate_white_stalemated" : "stalemate_black_stalemated";
}

bool Board::can_capture_king() const {
  if (clock >= 100) return false;
  const std::string king = king_place(!white);
  for (const auto& move : moves()) {
    if (move[1] != '@' && move.substr(2, 2) == king) return true;
  }
  return false;
}

std::vector<std::string> Board::surviving() const {
  std::vector<std::string> out;
  for (const auto& move : moves()) {
    const Board next = after(move);
    if (next.king_captured() || !next.can_capture_king()) out.push_back(move);
  }
  return out;
}

}  // namespace mailbox
