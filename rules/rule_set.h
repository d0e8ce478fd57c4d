#pragma once
// Which game is played: a plain constant. A game from a file has more (rules/rule_details.h).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "rules/error.h"
#include "rules/types.h"

namespace rules {

struct ScoringTable;

// The pieces with which each side begins.
enum class Army : std::uint8_t { kChess, kTwoQueens, kNoKnights, kKingAndQueen, kKing };
inline constexpr std::array<std::array<int, kPieceTypes>, 5> kArmies{
    {kAtStart, {8, 2, 2, 2, 2, 1}, {8, 0, 2, 2, 1, 1}, {8, 0, 0, 0, 1, 1}, {8, 0, 0, 0, 0, 1}}};

// The first position.
enum class Setup : std::uint8_t {
  kPawns,      // the pawns; the other pieces are in reserve
  kClassical,  // as in chess
  kShuffled,   // one of Chess960's 960 first rows, the same for both sides
  kEmpty       // nothing; all sixteen pieces are cards
};
// How a piece in reserve comes onto the board.
enum class Entry : std::uint8_t {
  kFirstRow,    // on an empty square of the own first row
  kBehindPawn,  // there, behind an own pawn on the second row, which may move in the same turn
  kNone,        // there is no reserve
  kCard         // drawn from a shuffled deck: a turn is a move or a draw and the card's placement
};
enum class Castling : std::uint8_t { kNone, kClassical, kChess960, kChess480 };
// What pieces cannot win any more, so that the game is an impasse.
enum class DeadMaterial : std::uint8_t { kNone, kClassical, kKingsOnly };
// The set's own scoring table.
enum class StandardTable : std::uint8_t { kChessSharp, kChess, kStalemateWins };

// A rule set in a word: the fields that the move generator asks for in the low bits
// (rule_bits::kGenerator), the others above.
using RuleSetId = std::uint32_t;

// The default is Chess#. Any combination of fields can be played; those with a name are below.
struct RuleSet {
  bool sprint = false;  // pawns on their second row may move two squares; en passant
  // Pieces on the board may move once the king is on it and this many of the other pieces have left
  // the reserve; 0 to 7.
  std::uint8_t before = 0;
  // The second bishop goes on a square of the other colour; where pieces move only after as many
  // others as are no queens, no placement may take that square away.
  bool bishops_opposite = false;
  bool queen_any = false;       // queens are placed like any other piece; else as the last
  bool underpromotion = false;  // to a rook, bishop or knight too
  Army army = Army::kChess;     // with two queens there is no castling
  // No move may leave the own king attacked, and mate, stalemate, dead material, clock and
  // repetition end the game in this order; else kings are captured.
  bool king_safe = false;
  Entry entry = Entry::kFirstRow;
  Castling castling = Castling::kNone;

  Setup setup = Setup::kPawns;
  // Where king_safe:
  bool stuck_in_hand_loses = false;  // no legal move, and the own king still in hand: a loss
  bool repetition = false;           // the third occurrence of a position is an impasse
  DeadMaterial dead_material = DeadMaterial::kNone;
  StandardTable prices = StandardTable::kChessSharp;
  // The number of a game from a file, whose further rules are in rules/rule_details.h; 0: none.
  std::uint8_t game = 0;

  // The set with this name, variant, UCI name or app's name of kRuleSets, or another that is in use
  // ("Fischerandom"), in any spelling (folded_name()); after one of the Chess# family options in
  // any order, each at most once, as in "chess_sharp+sprint+before=3"; after raindrop "+sprint"; or
  // the name() of a game from a file. Empty: none. Throws RulesError where such a name is wrong.
  static std::optional<RuleSet> spelt(std::string_view name);
  // spelt(), which must be. Throws RulesError.
  static RuleSet parse(std::string_view name);
  // The same, or the game of a file whose name ends in ".toml": for what the user says, not for
  // what stands in files of others.
  static RuleSet parse_or_read(std::string_view name);
  // All that parse() reads, for messages and help.
  static std::string known_names();
  // What parse() reads, the options in a fixed order; of a game from a file its title and, in
  // braces, its rules; "unnamed" for a set that has no name.
  std::string name() const;
  // name() without the braces, for people.
  std::string title() const;
  // What PGN's Variant tag says; empty for chess, which has none, "unnamed" for a set without one.
  std::string variant() const;
  // What UCI engines call it in the option UCI_Variant, as Fairy-Stockfish does where it knows the
  // set; chess960 is "chess" with the option UCI_Chess960; of a game from a file its title's
  // letters and digits. Empty for a set that has no name.
  std::string uci_variant() const;
  // What the app of the game's inventor and its engine call it; empty for a set that they lack.
  std::string app_variant() const;
  // The set that a Variant tag names (spelt()); an empty one is chess. Throws RulesError.
  static RuleSet from_variant(std::string_view variant);
  // What the outcomes pay where nothing else is said.
  ScoringTable table() const;
  // One of the Chess# family, with any options.
  constexpr bool in_chess_sharp_family() const;
  // One of the Chess# family without options: it differs from Chess# in its reserve alone.
  constexpr bool in_plain_chess_sharp_family() const;

  // How many of each PieceType a side has at the start, in reserve or deck counted in.
  constexpr const std::array<int, kPieceTypes>& at_start() const {
    return kArmies[static_cast<std::size_t>(army)];
  }
  // Counts the pieces of at_start() that are neither pawns, queens nor the king.
  constexpr int minors_and_rooks() const { return at_start()[1] + at_start()[2] + at_start()[3]; }
  constexpr int queens() const { return at_start()[4]; }

  // Chess# is 0.
  constexpr RuleSetId id() const;
  // REQUIRES: id was made by id().
  static constexpr RuleSet from_id(RuleSetId id);

  bool operator==(const RuleSet&) const = default;
};

// Masks of an id's bits and a field's place among them.
namespace rule_bits {
inline constexpr int kBeforeShift = 1;
inline constexpr RuleSetId kBishopsOpposite = 1 << 4;
inline constexpr RuleSetId kKingSafe = 1 << 7;
inline constexpr RuleSetId kEntry = 3 << 8;
inline constexpr RuleSetId kCardEntry = static_cast<RuleSetId>(Entry::kCard) << 8;
inline constexpr RuleSetId kCastling = 3 << 10;
inline constexpr RuleSetId kStuckInHandLoses = 1 << 14;
inline constexpr RuleSetId kRepetition = 1 << 15;
inline constexpr int kArmyShift = 20;
inline constexpr RuleSetId kArmy = 7 << kArmyShift;
inline constexpr int kGameShift = 23;
inline constexpr RuleSetId kGame = 255u << kGameShift;
inline constexpr RuleSetId kTwoQueens = static_cast<RuleSetId>(Army::kTwoQueens) << kArmyShift;
inline constexpr RuleSetId kChessSharpOptions = 0x7f | kArmy;
inline constexpr RuleSetId kGenerator = 0xfff | kArmy | kGame;

// Calls field(value, bits) for each field of the set, the id's lowest bits first.
template <class Rules, class Field>
constexpr void visit(Rules& rules, Field&& field) {
  field(rules.sprint, 1);
  field(rules.before, 3);
  field(rules.bishops_opposite, 1);
  field(rules.queen_any, 1);
  field(rules.underpromotion, 1);
  field(rules.king_safe, 1);
  field(rules.entry, 2);
  field(rules.castling, 2);
  field(rules.setup, 2);
  field(rules.stuck_in_hand_loses, 1);
  field(rules.repetition, 1);
  field(rules.dead_material, 2);
  field(rules.prices, 2);
  field(rules.army, 3);
  field(rules.game, 8);  // not in keys of positions, which are the same on every machine
}
}  // namespace rule_bits

constexpr RuleSetId RuleSet::id() const {
  RuleSetId id = 0;
  rule_bits::visit(*this, [&id, shift = 0](auto value, int bits) mutable {
    id |= static_cast<RuleSetId>(value) << shift;
    shift += bits;
  });
  return id;
}

constexpr RuleSet RuleSet::from_id(RuleSetId id) {
  RuleSet rules;
  rule_bits::visit(rules, [&id](auto& value, int bits) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(id & ((1u << bits) - 1));
    id >>= bits;
  });
  return rules;
}

constexpr bool RuleSet::in_chess_sharp_family() const {
  return (id() & ~rule_bits::kChessSharpOptions) == 0;
}

constexpr bool RuleSet::in_plain_chess_sharp_family() const {
  return (id() & ~rule_bits::kArmy) == 0;
}

// Chess# with other reserves.
inline constexpr RuleSet kChessDoubleSharp{.army = Army::kTwoQueens};
inline constexpr RuleSet kChessFlat{.army = Army::kNoKnights};
inline constexpr RuleSet kChessDoubleFlat{.army = Army::kKingAndQueen};
inline constexpr RuleSet kChessTripleFlat{.army = Army::kKing};

inline constexpr RuleSet kChess{.sprint = true,
                                .underpromotion = true,
                                .king_safe = true,
                                .entry = Entry::kNone,
                                .castling = Castling::kClassical,
                                .setup = Setup::kClassical,
                                .repetition = true,
                                .dead_material = DeadMaterial::kClassical,
                                .prices = StandardTable::kChess};
// A set with some fields changed by `change(set)`.
template <class Change>
constexpr RuleSet changed(RuleSet rules, Change&& change) {
  change(rules);
  return rules;
}
// Chess with Chess#'s points: its only ends are mate, stalemate and the clock.
inline constexpr RuleSet kClassicalChessSharp = changed(kChess, [](RuleSet& r) {
  r.repetition = false;
  r.dead_material = DeadMaterial::kNone;
  r.prices = StandardTable::kChessSharp;
});
inline constexpr RuleSet kNoCastling =
    changed(kChess, [](RuleSet& r) { r.castling = Castling::kNone; });
inline constexpr RuleSet kPawnOneSquare = changed(kChess, [](RuleSet& r) { r.sprint = false; });
// Who is stalemated loses all ten points, so that no pieces are dead but bare kings.
inline constexpr RuleSet kStalemateWin = changed(kChess, [](RuleSet& r) {
  r.dead_material = DeadMaterial::kKingsOnly;
  r.prices = StandardTable::kStalemateWins;
});
inline constexpr RuleSet kChess960 = changed(kChess, [](RuleSet& r) {
  r.castling = Castling::kChess960;
  r.setup = Setup::kShuffled;
});
inline constexpr RuleSet kChess480 =
    changed(kChess960, [](RuleSet& r) { r.castling = Castling::kChess480; });
// Both sides place all their pieces in turn, then it is chess.
inline constexpr RuleSet kPreChess = changed(kChess, [](RuleSet& r) {
  r.before = 7;
  r.bishops_opposite = true;
  r.queen_any = true;
  r.entry = Entry::kFirstRow;
  r.setup = Setup::kPawns;
});
inline constexpr RuleSet kChessPlus = changed(kNoCastling, [](RuleSet& r) {
  r.queen_any = true;
  r.entry = Entry::kBehindPawn;
  r.setup = Setup::kPawns;
  r.stuck_in_hand_loses = true;
});
// A turn is a chess move or a card. Without sprint pawns go one square, from everywhere.
inline constexpr RuleSet kRaindrop = changed(kNoCastling, [](RuleSet& r) {
  r.sprint = false;
  r.entry = Entry::kCard;
  r.setup = Setup::kEmpty;
});

// The sets with a name of their own, in the order in which they are listed.
struct NamedRuleSet {
  std::string_view name;
  std::string_view variant;      // PGN's Variant tag
  std::string_view uci_variant;  // the value of UCI_Variant
  std::string_view
      app_variant;  // the same in the app of Chess#'s inventor; empty where it has none
  RuleSet rules;
};
inline constexpr std::array kRuleSets{
    NamedRuleSet{"chess_sharp", "Chess#", "chesssharp", "chess-sharp", {}},
    NamedRuleSet{"chess_double_sharp", "Chess𝄪", "chessdoublesharp", "chess-double-sharp",
                 kChessDoubleSharp},
    NamedRuleSet{"chess_flat", "Chess♭", "chessflat", "chess-flat", kChessFlat},
    NamedRuleSet{"chess_double_flat", "Chess𝄫", "chessdoubleflat", "chess-double-flat",
                 kChessDoubleFlat},
    NamedRuleSet{"chess_triple_flat", "Chess𝄫♭", "chesstripleflat", "chess-triple-flat",
                 kChessTripleFlat},
    NamedRuleSet{"classical_chess_sharp", "Classical Chess♯", "classicalchesssharp",
                 "classical-chess-sharp", kClassicalChessSharp},
    NamedRuleSet{"chess", "", "chess", "", kChess},
    NamedRuleSet{"no_castling", "No Castling", "nocastle", "", kNoCastling},
    NamedRuleSet{"pawn_one_square", "Pawn One Square", "pawnonesquare", "", kPawnOneSquare},
    NamedRuleSet{"stalemate_win", "Stalemate Win", "stalematewin", "", kStalemateWin},
    NamedRuleSet{"chess960", "Chess960", "chess", "", kChess960},
    NamedRuleSet{"chess480", "Chess480", "chess480", "", kChess480},
    NamedRuleSet{"pre_chess", "Pre-Chess", "placement", "", kPreChess},
    NamedRuleSet{"chess_plus", "Chess+", "chessplus", "", kChessPlus},
    NamedRuleSet{"raindrop", "Raindrop", "raindrop", "", kRaindrop},
};

// The rules as the move generator takes them: those of one set, known to the compiler, or of any
// set, asked field by field.
template <RuleSet kRules>
struct Known {
  static constexpr RuleSet get() { return kRules; }
};
struct Asked {
  RuleSet rules;
  constexpr RuleSet get() const { return rules; }
};

// Out of line, so that Chess#'s path through dispatch() is as short as if there were no others.
template <class F>
[[gnu::noinline]] decltype(auto) dispatch_asked(RuleSetId id, const F& f) {
  return f(Asked{RuleSet::from_id(id)});
}
template <class F>
[[gnu::noinline]] decltype(auto) dispatch_others(RuleSetId id, const F& f) {
  if ((id & rule_bits::kGenerator) == (kChess.id() & rule_bits::kGenerator)) {
    return f(Known<kChess>{});
  }
  return dispatch_asked(id, f);
}

// Calls f with the rules of the set with this id, as far as the generator asks for them: the one
// switch.
template <class F>
inline decltype(auto) dispatch(RuleSetId id, const F& f) {
  if (id == 0) [[likely]]
    return f(Known<RuleSet{}>{});
  return dispatch_others(id, f);
}

}  // namespace rules
