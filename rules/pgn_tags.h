#pragma once
// Tags and results of a PGN game, as its reader and its writer know them.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rules/pgn.h"

namespace rules {

inline constexpr std::array<std::pair<std::string_view, std::string PgnGame::*>, 6> kRosterTags{{
    {"Event", &PgnGame::event},
    {"Site", &PgnGame::site},
    {"Date", &PgnGame::date},
    {"Round", &PgnGame::round},
    {"White", &PgnGame::white},
    {"Black", &PgnGame::black},
}};

// What the tag Termination says: the outcome's name and how it came, as in "white_wins by
// resignation".
std::string termination_of(const PgnGame& game);

// What a Result tag says, or the result at the end of the moves: "1-0", "0-1", "1/2-1/2" or "*";
// or, where the two sides' points of ten are told ("7-3"), those.
struct PgnResult {
  std::string text;  // with hyphens
  std::optional<double> white_points;

  // Any dash may stand between the two, spaces beside it; ½ and 0.5 are read too. Empty where the
  // text is no result.
  static std::optional<PgnResult> read(std::string_view text);
  static PgnResult of(const PgnGame& game);         // the first kind
  static PgnResult points_of(const PgnGame& game);  // the second; "*" where the game is unfinished

  // Which half of the points White has, where the text is of the first kind.
  std::string_view winner() const;
  // Whether the game came to this result.
  bool fits(const PgnGame& game) const;
};

}  // namespace rules
