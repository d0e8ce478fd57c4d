#pragma once
// What a game from a file (rules/rule_file.h) has beyond the fields of RuleSet: data that is
// written once, to which a position refers by a number.

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "rules/types.h"

namespace rules {

using PieceCounts = std::array<int, kPieceTypes>;
using SquaresByType = std::array<Bitboard, kPieceTypes>;

// How Black's first position follows from White's: mirrored top to bottom, turned by half a turn,
// mirrored but drawn for itself, or rows of its own.
enum class BlackArmy : std::uint8_t { kMirrored, kTurned, kApart, kOwn };

// All orders of the first row's pieces that keep what is asked for are first positions.
struct Shuffle {
  bool on = false;
  bool bishops_opposite = false;    // squares of both colours
  bool king_between_rooks = false;  // one of them on either side
  bool king_in_corner = false;
  bool operator==(const Shuffle&) const = default;
};

// Squares and rows are as White sees them; for Black they are flipped top to bottom.
struct RuleDetails {
  // By side, the first position: rows of FEN from the own first row on, pieces as capitals, and
  // what is in reserve as FEN lists it. Black's rows count where `black` is kOwn.
  std::array<std::vector<std::string>, 2> rows;
  std::array<std::string, 2> reserve;
  BlackArmy black = BlackArmy::kMirrored;
  Shuffle shuffle;
  bool pawns_scattered = false;  // each pawn of the second row stands there or on the third

  SquaresByType placing{};   // where a piece in reserve may be placed (Entry::kFirstRow)
  Bitboard double_step = 0;  // from where pawns may move two squares
  bool en_passant = true;    // and be taken by that
  unsigned promotion = 0;    // what pawns become, bits as of Position::kit(); 0: they stay pawns
  bool promotes_to_lost = false;  // of these only what the side has fewer of than at the start
  int impasse_plies = 100;        // the clock that ends the game; 2 to 100
  SquaresByType goal{};           // who brings such a piece there wins
  unsigned extinct = 0;           // PieceTypes as bits: who has none left of one of them loses
  bool bare_king_loses = false;   // who has nothing else left
  ScoringTable table;

  bool operator==(const RuleDetails&) const = default;
};

// What the fields of a set alone say.
RuleDetails standard_details(RuleSet rules);
// The details of any set.
RuleDetails details_of(RuleSet rules);

// A game from a file, as positions ask for it. Arrays of two are by side.
struct Game {
  std::string name;  // what RuleSet::name() says
  RuleSet rules;     // the fields
  RuleDetails details;
  std::uint64_t fingerprint = 0;  // of the name without the title; for keys of positions
  std::array<std::vector<std::string>, 2>
      armies;  // the rows of each first position, as FEN joins them
  std::array<SquaresByType, 2> placing{}, goal{};
  std::array<Bitboard, 2> double_step{};
  std::array<PieceCounts, 2> at_start{}, in_reserve{};  // of the first army; reserve counted in
  bool ends_its_own_way = false;                        // by goal, extinct or bare_king_loses
  bool is_symmetric = true;                             // left to right
  int clock_from = 0;  // where a position's clock begins, so that all games end at 100

  // How many first positions there are.
  int starts() const;
};

// Gives the game a number, that of its rules where they have one under whatever title, and returns
// the set. Throws RulesError where there are 255 already.
RuleSet number_game(Game game);
// The set of the game with the rules of this name, if it has a number; keeps it from drop_game().
std::optional<RuleSet> find_game(std::string_view name);
// Frees the number of a game that was not asked for since it got it. REQUIRES: no position of it is
// left.
void drop_game(RuleSet rules);

namespace detail {
extern std::array<std::atomic<const Game*>, 256> games;
}
// REQUIRES: number_game() returned the number.
inline const Game& game(std::uint8_t number) {
  return *detail::games[number].load(std::memory_order_acquire);
}

// How many of each type a side has at the start, in reserve or deck counted in.
inline const PieceCounts& at_start(const RuleSet& rules, Color color) {
  return rules.game == 0 ? rules.at_start()
                         : game(rules.game).at_start[static_cast<std::size_t>(index(color))];
}
// The halfmove clock of a game's first position.
inline int first_clock(const RuleSet& rules) {
  return rules.game == 0 ? 0 : game(rules.game).clock_from;
}
// How many first positions a set has.
int starts_of(RuleSet rules);

}  // namespace rules
