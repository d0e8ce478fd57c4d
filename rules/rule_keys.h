#pragma once
// What a game's file may say, key by key: one list for reading, writing and help. For the sources
// of rules/rule_file.h and rules/rule_report.h alone.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rules/letters.h"
#include "rules/position.h"
#include "rules/rule_details.h"

namespace rules {

// A game while it is read or written: the keys' own form of what the fields of a rule set are.
struct Draft {
  RuleSet rules;
  RuleDetails details;
  std::string title;
};
Draft draft_of(RuleSet rules);

// Makes the game that the draft says: the set of fields alone where one with a name says the same.
// Throws RulesError, with `where` before its message, where keys do not go together or the first
// position cannot be played from.
RuleSet made_of(Draft draft, const std::string& where);
// Throws RulesError: the message after `where`, if there is one.
[[noreturn]] void refuse_game(const std::string& where, const std::string& message);
// The keys that differ from Chess#'s, as RuleSet::name() has them: "{pawns={double_step=[2]}}".
std::string inline_text(const Draft& draft);

// Rows by their numbers, then other squares by their names.
std::vector<std::string> square_names(Bitboard squares);
// Names the piece types whose bits, by their index, are set.
std::vector<std::string> piece_names(unsigned types);

inline constexpr int kMostTurns = Position::kImpasseClock / 2;

template <class T>
struct Word {
  std::string_view word;
  T value;
};
template <class T, std::size_t n>
std::string words_of(const std::array<Word<T>, n>& words) {
  std::string all;
  for (const auto& [word, value] : words) {
    all += (all.empty() ? "'" : ", '") + std::string(word) + "'";
  }
  return all;
}

inline constexpr std::array<Word<Entry>, 4> kEntries{{{"squares", Entry::kFirstRow},
                                                      {"behind_pawn", Entry::kBehindPawn},
                                                      {"card", Entry::kCard},
                                                      {"none", Entry::kNone}}};
inline constexpr std::array<Word<Castling>, 4> kCastlings{{{"none", Castling::kNone},
                                                           {"classical", Castling::kClassical},
                                                           {"chess960", Castling::kChess960},
                                                           {"chess480", Castling::kChess480}}};
inline constexpr std::array<Word<DeadMaterial>, 3> kDeadMaterials{
    {{"none", DeadMaterial::kNone},
     {"chess", DeadMaterial::kClassical},
     {"kings", DeadMaterial::kKingsOnly}}};
inline constexpr std::array<Word<bool>, 2> kKingEnds{{{"captured", false}, {"mated", true}}};
inline constexpr std::array<Word<bool>, 2> kPawnRows{
    {{"second_row", false}, {"second_or_third_row", true}}};
inline constexpr std::array<Word<BlackArmy>, 3> kBlackArmies{{{"mirrored", BlackArmy::kMirrored},
                                                              {"turned", BlackArmy::kTurned},
                                                              {"apart", BlackArmy::kApart}}};
inline constexpr std::array<Word<bool Shuffle::*>, 4> kShuffles{
    {{"first_row", &Shuffle::on},
     {"bishops_opposite", &Shuffle::bishops_opposite},
     {"king_between_rooks", &Shuffle::king_between_rooks},
     {"king_in_corner", &Shuffle::king_in_corner}}};

inline constexpr std::string_view kSquaresExpected =
    "a list of squares ('e4'), rows ('1' to '8') and files ('a' to 'h') as White sees them";

template <class Visitor>
void visit_keys(Visitor& v, Draft& draft) {
  RuleSet& r = draft.rules;
  RuleDetails& d = draft.details;
  v.section("setup");
  v.rows("rows", d.rows[0],
         "White's first position: rows from his first on, pieces as capitals of PNBRQK, digits "
         "for empty squares");
  v.black("black", d,
          "Black's: mirrored top to bottom, turned by half a turn, mirrored but drawn apart, or "
          "rows of his own from his first on");
  v.shuffle("shuffle", d.shuffle,
            "all orders of the first row's pieces are first positions: 'first_row', and what "
            "they must keep");
  v.word("pawns", d.pawns_scattered, kPawnRows,
         "each pawn of the second row may begin on the third instead");
  v.letters("reserve", d.reserve[0], "White's pieces in hand");
  v.letters("black_reserve", d.reserve[1], "Black's; without it the same");
  v.section("placing");
  v.word("entry", r.entry, kEntries, "how pieces in hand come onto the board");
  v.squares("squares", d.placing, std::nullopt, "where a piece in hand may be placed");
  for (const PieceType type : kReserveOrder) {
    v.squares(kPieceNames[static_cast<std::size_t>(type)], d.placing, type,
              "where this piece may be placed, instead of `squares`");
  }
  v.number("before_moving", r.before, 0, 7,
           "how many pieces but the king leave the hand before pieces move, besides him");
  v.flag("queen_last", r.queen_any, false, "queens are placed when nothing else is in hand");
  v.flag("bishops_opposite", r.bishops_opposite, true,
         "the second bishop goes on a square of the other colour");
  v.section("pawns");
  v.row_list("double_step", d.double_step, "rows from which pawns may move two squares, 2 to 5");
  v.flag("en_passant", d.en_passant, true, "and may be taken by that");
  v.promotion("promotion", d.promotion,
              "what pawns become on their last row; [] for nothing: they stay there");
  v.flag("promotes_to_lost", d.promotes_to_lost, true,
         "only to a piece of which the side has fewer than at the start");
  v.section("kings");
  v.word("end", r.king_safe, kKingEnds, "how kings fall");
  v.word("castling", r.castling, kCastlings, "");
  v.section("ends");
  v.turns("impasse_turns", d.impasse_plies,
          "turns of both sides without capture or pawn's move that make an impasse");
  v.flag("repetition", r.repetition, true, "a position's third occurrence is an impasse");
  v.word("dead_material", r.dead_material, kDeadMaterials,
         "what cannot win any more and so is an impasse");
  v.flag("stuck_in_hand_loses", r.stuck_in_hand_loses, true,
         "who cannot move while his king is in hand has lost");
  v.flag("bare_king_loses", d.bare_king_loses, true, "who has nothing but his king has lost");
  v.pieces("extinct", d.extinct, "who has none left of one of these, in hand neither, has lost");
  for (const PieceType type : kAllTypes) {
    v.squares("goal_" + std::string(kPieceNames[static_cast<std::size_t>(type)]), d.goal, type,
              "who brings such a piece there has won");
  }
  v.section("points");
  v.table(d.table, "what an outcome pays White of ten, or what a piece counts at an impasse");
}

}  // namespace rules
