#pragma once
// A FEN or EPD as text: its fields, found but not yet read.

#include <cstddef>
#include <string_view>

#include "rules/rule_set.h"

namespace rules {

// The fields are parts of the text, or constants where it lacks them.
struct FenText {
  std::string_view text;
  std::string_view board;     // with cards: and the decks and kits
  std::string_view reserves;  // without brackets; empty where both are
  std::string_view side, castling = "-", en_passant = "-", clock = "0", number = "1";

  // Where the part begins; that of `other` where it is no part of the text.
  std::size_t column_of(std::string_view part, std::string_view other) const;
};

// Fields stand between spaces or tabs. The clock and the number may be left out together, as EPD
// has it (whose operations hmvc and fmvn are taken, and others read over), then en passant, then,
// in a set without castling, castling. Reserves stand in brackets ("[]", "[-]": both are empty), in
// a ninth row, or, where both are empty, nowhere. A word that begins with ; or # begins a comment.
// Throws RulesError.
FenText split_fen(std::string_view text, RuleSet rules);

// Where " moves" begins, which goes before moves from a FEN; its size where there are none.
std::size_t moves_after_fen(std::string_view text);

}  // namespace rules
