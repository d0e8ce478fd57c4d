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

Board::Board(const std::string& fen, rules::RuleSet rules_)
    : rules(rules_), details(std::make_shared<rules::RuleDetails>(rules::details_of(rules_))) {
  std::istringstream in(fen);
  std::string board, side;
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
  if (board.back() != ']') return;
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
  if (rules.entry != rules::Entry::kNone) out += "[" + sorted + "]";
  return out + (white ? " w " : " b ") + castling + " " + en_passant + " " + std::to_string(clock) +
         " " + std::to_string(number);
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

std::string Board::army() const {
  if (rules.game != 0) {
    std::string held = details->reserve[white ? 0 : 1];
    std::erase(held, 'K');
    return held;
  }
  switch (rules.army) {
    case rules::Army::kTwoQueens:
      return "QQRRBBNN";
    case rules::Army::kNoKnights:
      return "QRRBB";
    case rules::Army::kKingAndQueen:
      return "Q";
    case rules::Army::kKing:
      return "";
    default:
      return "QRRBBNN";
  }
}

bool Board::pieces_may_move(bool of_white) const {
  if (king_place(of_white).size() != 2) return false;
  const auto waiting = std::count_if(hand.begin(), hand.end(), [&](char c) {
    return is_white(c) == of_white && capital(c) != 'K';
  });
  Board side = *this;
  side.white = of_white;
  return static_cast<long>(side.army().size()) - waiting >= rules.before;
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
  if (next < 0 || next > 7) return;
  const auto add = [&](int f) {
    const std::string uci = square(rank, file) + square(next, f);
    if (next != 0 && next != 7) return out.push_back(uci);
    const std::string kinds = promotions();
    if (kinds.empty()) out.push_back(uci);
    for (const char piece : kinds) out.push_back(uci + piece);
  };
  const int seen_rank = is_w ? rank : 7 - rank;  // as the side sees it
  const bool runs = (details->double_step >> (8 * seen_rank) & 1) != 0;
  if (get(next, file) == '.') {
    add(file);
    if (runs && get(rank + 2 * step, file) == '.') {
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

std::string Board::promotions() const {
  std::string kinds;
  for (const char piece : std::string("qrbn")) {
    const auto bit = std::string("nbrq").find(piece);
    if (!(details->promotion >> bit & 1)) continue;
    const auto type = std::string("PNBRQK").find(capital(piece));
    const int at_start =
        rules::at_start(rules, white ? rules::Color::kWhite : rules::Color::kBlack)[type];
    if (details->promotes_to_lost && count(coloured(piece, white)) >= at_start) continue;
    kinds += piece;
  }
  return kinds;
}

int Board::count(char piece) const {
  auto found = std::ranges::count(hand, piece);
  for (const auto& row : at) found += std::ranges::count(row, piece);
  return static_cast<int>(found);
}

bool Board::may_be_placed(char piece, int rank, int file) const {
  const auto type = std::string("PNBRQK").find(piece);
  const int seen_rank = white ? rank : 7 - rank;
  return at[static_cast<std::size_t>(rank)][static_cast<std::size_t>(file)] == '.' &&
         (details->placing[type] >> (8 * seen_rank + file) & 1) != 0;
}

// The piece may go on that square, and a bishop then in hand has a square left.
bool Board::bishops_allow(char piece, int rank_, int file) const {
  std::array<int, 2> standing{}, empty{};
  for (int rank = 0; rank < 8; ++rank) {
    for (int f = 0; f < 8; ++f) {
      const char man = at[static_cast<std::size_t>(rank)][static_cast<std::size_t>(f)];
      const auto shade = static_cast<std::size_t>((rank + f) % 2);
      standing[shade] += man == coloured('B', white);
      empty[shade] += may_be_placed('B', rank, f);
    }
  }
  const auto here = static_cast<std::size_t>((rank_ + file) % 2);
  if (piece == 'B' && standing[here] > 0 && standing[1 - here] == 0) return false;
  if (rules.before < std::ssize(army()) - std::ranges::count(army(), 'Q')) return true;
  --empty[here];
  auto left = std::count(hand.begin(), hand.end(), coloured('B', white));
  if (piece == 'B') {
    ++standing[here];
    --left;
  }
  if (left == 0) return true;
  if (standing[0] == 0 && standing[1] == 0 && left == 2) return empty[0] > 0 && empty[1] > 0;
  if (standing[0] > 0 && standing[1] == 0) return empty[1] > 0;
  if (standing[1] > 0 && standing[0] == 0) return empty[0] > 0;
  return empty[0] + empty[1] > 0;
}

// A piece before which an own pawn stands on the second row, and what that pawn does.
void Board::entries(char piece, int file, std::vector<std::string>& out) const {
  const auto get = [&](int r, int f) {
    return at[static_cast<std::size_t>(r)][static_cast<std::size_t>(f)];
  };
  const int first = white ? 0 : 7, second = white ? 1 : 6;
  if (get(second, file) != coloured('P', white)) return;
  const std::string entry = std::string{piece, '@'} + square(first, file);
  out.push_back(entry);
  Board alone = *this;  // the moves that the pawn would have
  alone.en_passant = "-";
  std::vector<std::string> steps;
  alone.pawn_moves(second, file, steps);
  for (const auto& step : steps) out.push_back(entry + "," + step);
}

// The square of the rook that a letter of the castling field stands for.
std::string Board::rook_of(char right) const {
  const int rank = is_white(right) ? 0 : 7;
  int file = capital(right) - 'A';
  if (capital(right) == 'K') file = 7;
  if (capital(right) == 'Q') file = 0;
  return square(rank, file);
}

std::array<int, 2> Board::castling_files(int king, int rook) const {
  const bool right = rook > king;
  if (rules.castling != rules::Castling::kChess480) return {right ? 6 : 2, right ? 5 : 3};
  const int far = right ? king + 2 : king - 2;
  if (far < 0 || far > 7) return {rook, king};
  return {far, right ? king + 1 : king - 1};
}

void Board::castlings(std::vector<std::string>& out) const {
  const std::string king = king_place(white);
  if (king.size() != 2) return;
  const int rank = king[1] - '1', from = king[0] - 'a';
  const auto row = static_cast<std::size_t>(rank);
  for (const char right : castling) {
    if (right == '-' || is_white(right) != white) continue;
    const int rook = rook_of(right)[0] - 'a';
    const auto [to, rook_to] = castling_files(from, rook);
    const auto [low, high] = rules.castling == rules::Castling::kChess480
                                 ? std::minmax({from, rook, to})
                                 : std::minmax({from, rook, to, rook_to});
    bool free = true;
    for (int f = low; f <= high; ++f) {
      if (f != from && f != rook && at[row][static_cast<std::size_t>(f)] != '.') free = false;
    }
    Board without = *this;
    without.at[row][static_cast<std::size_t>(from)] = '.';
    for (int f = std::min(from, to); f <= std::max(from, to); ++f) {
      if (without.attacked(rank, f, !white)) free = false;
    }
    const bool classical = rules.castling == rules::Castling::kClassical;
    if (free) out.push_back(king + square(rank, classical ? to : rook));
  }
}

void Board::castle(const std::string& uci) {
  const auto row = static_cast<std::size_t>(uci[1] - '1');
  const int king = uci[0] - 'a';
  int rook = uci[2] - 'a';
  if (rules.castling == rules::Castling::kClassical) rook = rook > king ? 7 : 0;
  const auto [to, rook_to] = castling_files(king, rook);
  at[row][static_cast<std::size_t>(king)] = at[row][static_cast<std::size_t>(rook)] = '.';
  at[row][static_cast<std::size_t>(to)] = coloured('K', white);
  at[row][static_cast<std::size_t>(rook_to)] = coloured('R', white);
}

// What leaves the square or arrives there takes its right away; a king takes both.
void Board::end_rights(const std::string& square_name) {
  std::string kept;
  for (const char right : castling) {
    if (right == '-' || rook_of(right) == square_name) continue;
    if (king_place(is_white(right)) == square_name) continue;
    kept += right;
  }
  castling = kept.empty() ? "-" : kept;
}

// While pieces are placed and nothing has moved: king on e, rook on a or h.
void Board::gain_rights() {
  castling.clear();
  for (const char right : std::string("KQkq")) {
    const std::string rook = rook_of(right);
    const auto row = static_cast<std::size_t>(rook[1] - '1');
    if (king_place(is_white(right)) == square(static_cast<int>(row), 4) &&
        at[row][static_cast<std::size_t>(rook[0] - 'a')] == coloured('R', is_white(right))) {
      castling += right;
    }
  }
  if (castling.empty()) castling = "-";
}

std::vector<std::string> Board::pseudo_moves() const {
  std::vector<std::string> out;
  std::string own;
  for (const char c : hand) {
    if (is_white(c) == white) own += capital(c);
  }
  for (const char piece : std::string("KQRBN")) {
    if (own.find(piece) == std::string::npos) continue;
    const bool queens_alone = own.find_first_not_of('Q') == std::string::npos;
    if (piece == 'Q' && !queens_alone && !rules.queen_any) continue;
    for (int rank = 0; rank < 8; ++rank) {
      for (int file = 0; file < 8; ++file) {
        if (!may_be_placed(piece, rank, file)) continue;
        if (rules.entry == rules::Entry::kBehindPawn) {
          entries(piece, file, out);
        } else if (!rules.bishops_opposite || bishops_allow(piece, rank, file)) {
          out.push_back(std::string{piece, '@'} + square(rank, file));
        }
      }
    }
  }
  if (!pieces_may_move(white)) return out;
  for (int rank = 0; rank < 8; ++rank) {
    for (int file = 0; file < 8; ++file) {
      if (is_man(at[static_cast<std::size_t>(rank)][static_cast<std::size_t>(file)], white)) {
        man_moves(rank, file, out);
      }
    }
  }
  castlings(out);
  return out;
}

std::vector<std::string> Board::moves() const {
  std::vector<std::string> out = pseudo_moves();
  if (rules.king_safe || rules.castling != rules::Castling::kNone) {
    std::erase_if(out, [&](const std::string& uci) {
      const bool castles = uci[1] != '@' && is_castling(uci);
      return (rules.king_safe || castles) && leaves_king_attacked(uci);
    });
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool Board::is_castling(const std::string& uci) const {
  const auto man = [&](char file, char rank) {
    return at[static_cast<std::size_t>(rank - '1')][static_cast<std::size_t>(file - 'a')];
  };
  if (capital(man(uci[0], uci[1])) != 'K') return false;
  return is_man(man(uci[2], uci[3]), white) || std::abs(uci[0] - uci[2]) > 1;
}

// All but whose turn it is then, and whether an en passant square is of use.
Board Board::moved(const std::string& uci) const {
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
    if (rules.castling == rules::Castling::kClassical) next.gain_rights();
    return uci.size() > 4 ? next.moved(uci.substr(5)) : next;
  }
  next.end_rights(uci.substr(0, 2));
  if (is_castling(uci)) {
    next.castle(uci);
    return next;
  }
  next.end_rights(uci.substr(2, 2));
  char& from = cell(uci[0], uci[1]);
  char& to = cell(uci[2], uci[3]);
  const bool pawn = capital(from) == 'P';
  if (pawn || to != '.') next.clock = 0;
  if (pawn && uci.substr(2, 2) == en_passant) cell(uci[2], uci[1]) = '.';
  to = uci.size() == 5 ? coloured(uci[4], white) : from;
  from = '.';
  if (pawn && std::abs(uci[3] - uci[1]) == 2 && details->en_passant) {
    next.en_passant = {uci[0], static_cast<char>((uci[1] + uci[3]) / 2)};
  }
  return next;
}

Board Board::after(const std::string& uci) const {
  Board next = moved(uci);
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
  const Board next = moved(uci);
  if (next.king_place(!white).empty()) return false;  // he took the other king
  const std::string king = next.king_place(white);
  return king.size() == 2 && next.attacked(king[1] - '1', king[0] - 'a', !white);
}

std::string Board::impasse() const {
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

bool Board::is_check() const {
  const std::string king = king_place(white);
  return king.size() == 2 && attacked(king[1] - '1', king[0] - 'a', !white);
}

bool Board::is_dead() const {
  if (rules.dead_material == rules::DeadMaterial::kNone) return false;
  if (has_own_ends()) return false;
  const auto can_enter = [&](bool of_white) {
    const auto& second = at[of_white ? 1 : 6];
    return rules.entry != rules::Entry::kBehindPawn ||
           std::count(second.begin(), second.end(), coloured('P', of_white)) > 0;
  };
  for (const char c : hand) {
    if (can_enter(is_white(c))) return false;
  }
  std::string men;  // but kings; bishops by the colour of their square
  for (std::size_t rank = 0; rank < 8; ++rank) {
    for (std::size_t file = 0; file < 8; ++file) {
      const char man = capital(at[rank][file]);
      if (man == 'B') men += (rank + file) % 2 == 0 ? 'D' : 'L';
      if (man != '.' && man != 'K' && man != 'B') men += man;
    }
  }
  if (men.empty()) return true;
  if (rules.dead_material == rules::DeadMaterial::kKingsOnly) return false;
  return men == "N" || men.find_first_not_of('D') == men.npos ||
         men.find_first_not_of('L') == men.npos;
}

std::string Board::king_safe_outcome() const {
  if (moves().empty()) {
    const bool in_hand = rules.stuck_in_hand_loses && king_place(white) == "hand";
    if (is_check() || in_hand) return white ? "black_wins" : "white_wins";
    return white ? "stalemate_white_stalemated" : "stalemate_black_stalemated";
  }
  return is_dead() || clock >= details->impasse_plies ? impasse() : "ongoing";
}

bool Board::has_own_ends() const {
  return details->bare_king_loses || details->extinct != 0 ||
         std::ranges::any_of(details->goal, [](auto squares) { return squares != 0; });
}

std::string Board::own_end() const {
  const auto win = [](bool of_white) { return of_white ? "white_wins" : "black_wins"; };
  const std::string types = "PNBRQK";
  for (const bool of_white : {!white, white}) {
    for (int rank = 0; rank < 8; ++rank) {
      for (int file = 0; file < 8; ++file) {
        const char man = at[static_cast<std::size_t>(rank)][static_cast<std::size_t>(file)];
        if (!is_man(man, of_white)) continue;
        const auto goal = details->goal[types.find(capital(man))];
        if (goal >> (8 * (of_white ? rank : 7 - rank) + file) & 1) return win(of_white);
      }
    }
  }
  for (const bool of_white : {white, !white}) {
    int others = 0;
    for (std::size_t type = 0; type < types.size(); ++type) {
      const int left = count(coloured(types[type], of_white));
      if (types[type] != 'K') others += left;
      if ((details->extinct >> type & 1) && left == 0) return win(!of_white);
    }
    if (details->bare_king_loses && others == 0) return win(!of_white);
  }
  return "";
}

std::string Board::outcome() const {
  if (has_own_ends() && !own_end().empty()) return own_end();
  if (rules.king_safe) return king_safe_outcome();
  if (king_captured()) return white ? "black_wins" : "white_wins";
  if (clock >= details->impasse_plies) return impasse();
  const auto all = moves();
  if (is_check()) {
    if (!all.empty()) return "ongoing";
    return white ? "black_wins" : "white_wins";
  }
  for (const auto& move : all) {
    if (!leaves_king_attacked(move)) return "ongoing";
  }
  return white ? "stalemate_white_stalemated" : "stalemate_black_stalemated";
}

bool Board::can_capture_king() const {
  if (clock >= details->impasse_plies || (has_own_ends() && !own_end().empty())) return false;
  const std::string king = king_place(!white);
  for (const auto& move : moves()) {
    if (move[1] != '@' && move.substr(2, 2) == king) return true;
  }
  return false;
}

std::vector<std::string> Board::surviving() const {
  if (rules.king_safe) return moves();
  std::vector<std::string> out;
  for (const auto& move : moves()) {
    const Board next = after(move);
    if (next.king_captured() || !next.can_capture_king()) out.push_back(move);
  }
  return out;
}

}  // namespace mailbox
