#pragma once
// A second implementation of the rules, as slow and plain as can be, that shares nothing with the
// bitboards: what the random walk compares the real one with.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "rules/rule_details.h"
#include "rules/rule_set.h"

namespace mailbox {

// A board of characters ('.' empty, FEN letters), read from and written to FEN.
struct Board {
  std::array<std::array<char, 8>, 8> at{};  // [rank][file]
  std::string hand;                         // letters in any order
  bool white = true;
  std::string castling = "-";  // the FEN's field
  std::string en_passant = "-";
  int clock = 0;
  int number = 1;
  rules::RuleSet rules;
  std::shared_ptr<const rules::RuleDetails> details;

  Board(const std::string& fen, rules::RuleSet rules);
  std::string fen() const;

  // In UCI, sorted.
  std::vector<std::string> moves() const;
  Board after(const std::string& uci) const;
  // A man of that side could reach the square by a capture, whatever his own king's place.
  bool attacked(int rank, int file, bool by_white) const;
  // As `inspect` names it; the material is counted in the default table. The past is not known.
  std::string outcome() const;
  bool king_captured() const;  // of the side to move
  // The moves after which the opponent has no move that captures the king, or the clock is at 100,
  // or the enemy king is gone.
  std::vector<std::string> surviving() const;
  bool can_capture_king() const;

 private:
  std::string army() const;  // a side's pieces at the start, without king and pawns
  bool pieces_may_move(bool of_white) const;
  std::vector<std::string> pseudo_moves() const;
  std::string impasse() const;
  std::string king_safe_outcome() const;
  bool is_dead() const;
  bool is_check() const;  // the side to move's king on the board is attacked
  void entries(char piece, int file, std::vector<std::string>& out) const;
  bool bishops_allow(char piece, int rank, int file) const;
  bool may_be_placed(char piece, int rank, int file) const;
  std::string promotions() const;  // what a pawn of the side to move becomes; empty: it stays
  int count(char piece) const;     // on the board and in hand
  bool has_own_ends() const;
  std::string own_end() const;  // the outcome by goal, extinction or a bare king; or ""
  void castlings(std::vector<std::string>& out) const;
  std::string rook_of(char right) const;                        // the square
  std::array<int, 2> castling_files(int king, int rook) const;  // where they arrive
  void castle(const std::string& uci);
  bool is_castling(const std::string& uci) const;
  Board moved(const std::string& uci) const;
  void end_rights(const std::string& square_name);
  void gain_rights();
  void man_moves(int rank, int file, std::vector<std::string>& out) const;
  void pawn_moves(int rank, int file, std::vector<std::string>& out) const;
  bool reaches(int rank, int file, int to_rank, int to_file) const;
  bool leaves_king_attacked(const std::string& uci) const;
  std::string king_place(bool of_white) const;  // a square, "hand" or ""
};

}  // namespace mailbox
