#include "rules/rule_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <functional>
#include <optional>
#include <sstream>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "rules/letters.h"
#include "rules/notation.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/rule_details.h"
#include "rules/spelling.h"

namespace rules {
namespace {

constexpr std::array<std::string_view, kPieceTypes> kPieceNames{"pawn", "knight", "bishop",
                                                                "rook", "queen",  "king"};
constexpr int kMostBases = 8;    // files that are based on one another
constexpr int kMostPieces = 16;  // of a side
constexpr int kMostRows = 6;     // of both sides' first position together
constexpr int kMostTurns = Position::kImpasseClock / 2;

// A game while it is read or written: the keys' own form of what the fields of a rule set are.
struct Draft {
  RuleSet rules;
  RuleDetails details;
  std::string title;
};

Draft draft_of(RuleSet rules) {
  Draft draft{rules, details_of(rules), rules.title()};
  draft.rules.game = 0;
  return draft;
}

// Where the value stands: "my_game.toml:12".
std::string place(const std::string& where, const toml::node& node) {
  const auto line = node.source().begin.line;
  return line == 0 || where.empty() ? where : where + ":" + std::to_string(line);
}

std::string as_text(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  return out.str();
}

// --- values ---

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

constexpr std::array<Word<Entry>, 4> kEntries{{{"squares", Entry::kFirstRow},
                                               {"behind_pawn", Entry::kBehindPawn},
                                               {"card", Entry::kCard},
                                               {"none", Entry::kNone}}};
constexpr std::array<Word<Castling>, 4> kCastlings{{{"none", Castling::kNone},
                                                    {"classical", Castling::kClassical},
                                                    {"chess960", Castling::kChess960},
                                                    {"chess480", Castling::kChess480}}};
constexpr std::array<Word<DeadMaterial>, 3> kDeadMaterials{{{"none", DeadMaterial::kNone},
                                                            {"chess", DeadMaterial::kClassical},
                                                            {"kings", DeadMaterial::kKingsOnly}}};
constexpr std::array<Word<bool>, 2> kKingEnds{{{"captured", false}, {"mated", true}}};
constexpr std::array<Word<bool>, 2> kPawnRows{
    {{"second_row", false}, {"second_or_third_row", true}}};
constexpr std::array<Word<BlackArmy>, 3> kBlackArmies{{{"mirrored", BlackArmy::kMirrored},
                                                       {"turned", BlackArmy::kTurned},
                                                       {"apart", BlackArmy::kApart}}};
constexpr std::array<Word<bool Shuffle::*>, 4> kShuffles{
    {{"first_row", &Shuffle::on},
     {"bishops_opposite", &Shuffle::bishops_opposite},
     {"king_between_rooks", &Shuffle::king_between_rooks},
     {"king_in_corner", &Shuffle::king_in_corner}}};

std::string quoted_word(std::string_view word) { return "'" + std::string(word) + "'"; }

std::string list_of(const std::vector<std::string>& words) {
  std::string list = "[";
  for (const std::string& word : words) {
    list += (list.size() > 1 ? ", " : "") + quoted_word(word);
  }
  return list + "]";
}

std::string rows_of(Bitboard squares) {
  std::string list = "[";
  for (int row = 0; row < 8; ++row) {
    if (!(squares & rank_bb(row))) continue;
    list += (list.size() > 1 ? ", " : "") + std::to_string(row + 1);
  }
  return list + "]";
}

// Rows by their numbers, and other squares by their names.
std::string squares_text(Bitboard squares) {
  std::vector<std::string> words;
  for (int row = 0; row < 8; ++row) {
    if ((squares & rank_bb(row)) != rank_bb(row)) continue;
    words.push_back(std::to_string(row + 1));
    squares &= ~rank_bb(row);
  }
  while (squares) words.push_back(to_string(pop_first(squares)));
  return list_of(words);
}

std::optional<Bitboard> squares_of(std::string_view word) {
  if (word.size() == 1 && word[0] >= '1' && word[0] <= '8') return rank_bb(word[0] - '1');
  if (word.size() == 1 && word[0] >= 'a' && word[0] <= 'h') return file_bb(word[0] - 'a');
  if (const auto square = square_of(word)) return bit(*square);
  return std::nullopt;
}

std::string pieces_text(unsigned types) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < kPieceNames.size(); ++i) {
    if (types >> i & 1) words.emplace_back(kPieceNames[i]);
  }
  return list_of(words);
}

// "PPPPPPPP", "R3K2R": eight squares.
bool is_row(std::string_view row) {
  int squares = 0;
  for (const char c : row) {
    const bool digit = c >= '1' && c <= '8';
    if (!digit && !type_of(c)) return false;
    squares += digit ? c - '0' : 1;
  }
  return squares == 8;
}

// The reserve's letters as FEN lists them.
std::string in_order(std::string_view letters) {
  std::string ordered;
  for (const PieceType type : kReserveOrder) {
    ordered.append(static_cast<std::size_t>(std::ranges::count(letters, letter(type))),
                   letter(type));
  }
  return ordered;
}

// --- the keys, once for reading, writing and help ---

constexpr std::string_view kSquaresExpected =
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
              "the same of this piece");
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
  v.table(d.table, "what the outcomes pay White of ten, and the pieces' worth at an impasse");
}

// --- reading ---

class KeyReader {
 public:
  KeyReader(const toml::table& root, std::string where) : root_(root), where_(std::move(where)) {}

  void section(std::string_view name) {
    end_section();
    section_ = name;
    sections_.emplace_back(name);
    const toml::node* const node = root_.get(name);
    table_ = node == nullptr ? nullptr : node->as_table();
    if (node != nullptr && table_ == nullptr) refuse_at(*node, section_, "a section of keys");
    known_.clear();
  }

  void rows(std::string_view key, std::vector<std::string>& rows, std::string_view) {
    if (const toml::node* const node = find(key)) rows = rows_in(*node, key);
  }
  void black(std::string_view key, RuleDetails& d, std::string_view) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    if (node->is_array()) {
      d.black = BlackArmy::kOwn;
      d.rows[1] = rows_in(*node, key);
    } else {
      d.black = word_in(*node, key, kBlackArmies, ", or a list of rows");
      d.rows[1].clear();
    }
  }
  void shuffle(std::string_view key, Shuffle& shuffle, std::string_view) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    shuffle = {};
    const std::string expected = "a list of " + words_of(kShuffles);
    for (const std::string& word : words_in(*node, key, expected)) {
      const auto known = std::ranges::find(kShuffles, word, &Word<bool Shuffle::*>::word);
      if (known == kShuffles.end()) refuse_at(*node, name_of(key), expected);
      shuffle.*(known->value) = true;
      shuffle.on = true;
    }
  }
  void letters(std::string_view key, std::string& reserve, std::string_view) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const auto text = node->value<std::string>();
    const std::string_view allowed = "KQRBN";
    if (!text || text->find_first_not_of(allowed) != std::string::npos) {
      refuse_at(*node, name_of(key), "letters of KQRBN, as 'KQRRBBNN'");
    }
    reserve = in_order(*text);
    if (key == "reserve" && (table_ == nullptr || !table_->contains("black_reserve"))) {
      black_follows_ = true;
    }
  }
  template <class T, std::size_t n>
  void word(std::string_view key, T& field, const std::array<Word<T>, n>& words, std::string_view) {
    if (const toml::node* const node = find(key)) field = word_in(*node, key, words, "");
  }
  void flag(std::string_view key, bool& field, bool as, std::string_view) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<bool>();
    if (!value) refuse_at(*node, name_of(key), "true or false");
    field = *value == as;
  }
  void number(std::string_view key, std::uint8_t& field, int low, int high, std::string_view) {
    if (const toml::node* const node = find(key)) {
      field = static_cast<std::uint8_t>(number_in(*node, key, low, high));
    }
  }
  void turns(std::string_view key, int& plies, std::string_view) {
    if (const toml::node* const node = find(key)) plies = 2 * number_in(*node, key, 1, kMostTurns);
  }
  void row_list(std::string_view key, Bitboard& squares, std::string_view) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    constexpr std::string_view kExpected = "a list of rows from 2 to 5";
    if (!node->is_array()) refuse_at(*node, name_of(key), kExpected);
    squares = 0;
    for (const toml::node& each : *node->as_array()) {
      const auto row = each.value_exact<std::int64_t>();
      if (!row || *row < 2 || *row > 5) refuse_at(each, name_of(key), kExpected);
      squares |= rank_bb(static_cast<int>(*row) - 1);
    }
  }
  // Of one type, or of all.
  void squares(std::string_view key, SquaresByType& by_type, std::optional<PieceType> type,
               std::string_view) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    Bitboard squares = 0;
    for (const std::string& word : words_in(*node, key, kSquaresExpected)) {
      const auto some = squares_of(word);
      if (!some) refuse_at(*node, name_of(key), kSquaresExpected);
      squares |= *some;
    }
    if (type) {
      by_type[static_cast<std::size_t>(*type)] = squares;
    } else {
      by_type.fill(squares);
    }
  }
  void pieces(std::string_view key, unsigned& types, std::string_view) {
    if (const toml::node* const node = find(key)) types = pieces_in(*node, key, 0);
  }
  void promotion(std::string_view key, unsigned& kinds, std::string_view) {
    if (const toml::node* const node = find(key)) kinds = pieces_in(*node, key, 1);
  }
  void table(ScoringTable& table, std::string_view) {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_) {
      const std::string name(key.str());
      known_.push_back(name);
      if (!node.is_number()) refuse_at(node, name_of(name), "a number");
      try {
        table.set(name + "=" + base::shortest_text(*node.value<double>()));
      } catch (const RulesError& error) {
        throw RulesError(place(where_, node) + ": " + error.bare());
      }
    }
    try {
      table.check();
    } catch (const RulesError& error) {
      throw RulesError(place(where_, *table_) + ": " + error.bare());
    }
  }

  // After all keys: refuses those that nobody asked for.
  void refuse_others() {
    for (const auto& [key, node] : root_) {
      const std::string name(key.str());
      if (name == "title" || name == "based_on") continue;
      if (std::ranges::find(sections_, name) != sections_.end()) continue;
      std::string all = "title, based_on or a section of";
      for (const std::string& section : sections_) all += " [" + section + "]";
      refuse_at(node, name, all);
    }
  }
  // After each section's.
  void end_section() {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_) {
      const std::string name(key.str());
      if (std::ranges::find(known_, name) != known_.end()) continue;
      std::string all;
      for (const std::string& known : known_) all += (all.empty() ? "" : ", ") + known;
      refuse_at(node, section_ + "." + name, "a key of " + all);
    }
  }
  bool black_follows() const { return black_follows_; }

  [[noreturn]] void refuse_at(const toml::node& node, std::string_view name,
                              std::string_view expected) const {
    std::string value = as_text(node);
    if (const auto text = node.value<std::string>()) value = *text;
    const std::string at = place(where_, node);
    throw RulesError((at.empty() ? "" : at + ": ") + refusal(name, value, expected));
  }

 private:
  const toml::node* find(std::string_view key) {
    known_.emplace_back(key);
    return table_ == nullptr ? nullptr : table_->get(key);
  }
  std::string name_of(std::string_view key) const { return section_ + "." + std::string(key); }
  int number_in(const toml::node& node, std::string_view key, int low, int high) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < low || *value > high) {
      refuse_at(node, name_of(key),
                "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return static_cast<int>(*value);
  }
  std::vector<std::string> words_in(const toml::node& node, std::string_view key,
                                    std::string_view expected) const {
    if (!node.is_array()) refuse_at(node, name_of(key), expected);
    std::vector<std::string> words;
    for (const toml::node& each : *node.as_array()) {
      const auto word = each.value_exact<std::string>();
      if (!word) refuse_at(each, name_of(key), expected);
      words.push_back(*word);
    }
    return words;
  }
  std::vector<std::string> rows_in(const toml::node& node, std::string_view key) const {
    const std::string expected =
        "a list of one to four rows of eight squares, as ['RNBQKBNR', 'PPPPPPPP']";
    auto rows = words_in(node, key, expected);
    if (rows.empty() || rows.size() > 4) refuse_at(node, name_of(key), expected);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!is_row(rows[i])) refuse_at(*node.as_array()->get(i), name_of(key), expected);
    }
    if (rows.front().find('P') != std::string::npos) {
      refuse_at(node, name_of(key), "no pawn on the own first row");
    }
    return rows;
  }
  template <class T, std::size_t n>
  T word_in(const toml::node& node, std::string_view key, const std::array<Word<T>, n>& words,
            std::string_view more) const {
    const auto text = node.value_exact<std::string>();
    const auto known = text ? std::ranges::find(words, *text, &Word<T>::word) : words.end();
    if (known == words.end()) {
      refuse_at(node, name_of(key), "one of " + words_of(words) + std::string(more));
    }
    return known->value;
  }
  // As bits from the piece with this index on, which is 1.
  unsigned pieces_in(const toml::node& node, std::string_view key, std::size_t first) const {
    std::string expected = "a list of";
    const std::size_t end = first == 0 ? kPieceNames.size() : kPieceNames.size() - 1;
    for (std::size_t i = first; i < end; ++i) expected.append(" ").append(kPieceNames[i]);
    unsigned types = 0;
    for (const std::string& word : words_in(node, key, expected)) {
      const auto known = std::ranges::find(kPieceNames, word);
      const auto i = static_cast<std::size_t>(known - kPieceNames.begin());
      if (i < first || i >= end) refuse_at(node, name_of(key), expected);
      types |= 1u << (i - first);
    }
    return types;
  }

  const toml::table& root_;
  std::string where_, section_;
  const toml::table* table_ = nullptr;
  std::vector<std::string> known_, sections_;
  bool black_follows_ = false;
};

// --- writing ---

// Calls write(section, key, value's text, expected, help) for each key.
class KeyWriter {
 public:
  using Write = std::function<void(const std::string& section, const std::string& key,
                                   const std::string& value, const std::string& expected,
                                   std::string_view help)>;
  explicit KeyWriter(Write write) : write_(std::move(write)) {}

  void section(std::string_view name) { section_ = name; }
  void rows(std::string_view key, const std::vector<std::string>& rows, std::string_view help) {
    write(key, list_of(rows), "a list of rows, as ['RNBQKBNR', 'PPPPPPPP']", help);
  }
  void black(std::string_view key, const RuleDetails& d, std::string_view help) {
    std::string value = list_of(d.rows[1]);
    for (const auto& [word, black] : kBlackArmies) {
      if (black == d.black) value = quoted_word(word);
    }
    write(key, value, words_of(kBlackArmies) + " or a list of rows", help);
  }
  void shuffle(std::string_view key, const Shuffle& shuffle, std::string_view help) {
    std::vector<std::string> words;
    for (const auto& [word, member] : kShuffles) {
      if (shuffle.*member) words.emplace_back(word);
    }
    write(key, list_of(words), "a list of " + words_of(kShuffles), help);
  }
  void letters(std::string_view key, const std::string& reserve, std::string_view help) {
    write(key, quoted_word(reserve), "letters of KQRBN", help);
  }
  template <class T, std::size_t n>
  void word(std::string_view key, const T& field, const std::array<Word<T>, n>& words,
            std::string_view help) {
    const auto known = std::ranges::find(words, field, &Word<T>::value);
    write(key, quoted_word(known->word), words_of(words), help);
  }
  void flag(std::string_view key, bool field, bool as, std::string_view help) {
    write(key, field == as ? "true" : "false", "true or false", help);
  }
  void number(std::string_view key, std::uint8_t field, int low, int high, std::string_view help) {
    write(key, std::to_string(field), std::to_string(low) + " to " + std::to_string(high), help);
  }
  void turns(std::string_view key, int plies, std::string_view help) {
    write(key, std::to_string(plies / 2), "1 to " + std::to_string(kMostTurns), help);
  }
  void row_list(std::string_view key, Bitboard squares, std::string_view help) {
    write(key, rows_of(squares), "a list of rows from 2 to 5", help);
  }
  void squares(std::string_view key, const SquaresByType& by_type, std::optional<PieceType> type,
               std::string_view help) {
    // The key for all comes before those for each, which say what differs.
    if (!type) all_ = by_type[static_cast<std::size_t>(PieceType::kKing)];
    const Bitboard squares = type ? by_type[static_cast<std::size_t>(*type)] : all_;
    write(key, squares_text(squares), std::string(kSquaresExpected), help);
  }
  void pieces(std::string_view key, unsigned types, std::string_view help) {
    write(key, pieces_text(types), "a list of pieces", help);
  }
  void promotion(std::string_view key, unsigned kinds, std::string_view help) {
    write(key, pieces_text(kinds << 1), "a list of knight, bishop, rook, queen", help);
  }
  void table(const ScoringTable& table, std::string_view help) {
    for (const auto& [key, value] : table.entries()) {
      write(key, base::shortest_text(value), "a number", help);
    }
  }

 private:
  void write(std::string_view key, const std::string& value, const std::string& expected,
             std::string_view help) {
    write_(section_, std::string(key), value, expected, help);
  }
  Write write_;
  std::string section_;
  Bitboard all_ = 0;
};

struct KeyLine {
  std::string section, key, value;
};
std::vector<KeyLine> lines_of(const Draft& draft) {
  std::vector<KeyLine> lines;
  KeyWriter writer([&](const auto& section, const auto& key, const auto& value, const auto&, auto) {
    lines.push_back({section, key, value});
  });
  Draft copy = draft;
  visit_keys(writer, copy);
  return lines;
}

// Those that a file which begins from Chess# has to say.
std::vector<KeyLine> changed_lines(const Draft& draft) {
  std::vector<KeyLine> changed;
  const std::vector<KeyLine> standard = lines_of(draft_of(RuleSet{}));
  std::string reserve, squares;
  for (const KeyLine& line : lines_of(draft)) {
    if (line.key == "reserve") reserve = line.value;
    if (line.section == "placing" && line.key == "squares") squares = line.value;
    const bool is_placing = line.section == "placing" && line.value.starts_with('[');
    if (line.key == "black_reserve" ? line.value == reserve
        : is_placing && line.key != "squares"
            ? line.value == squares
            : std::ranges::any_of(standard, [&](const KeyLine& other) {
                return other.section == line.section && other.key == line.key &&
                       other.value == line.value;
              })) {
      continue;
    }
    changed.push_back(line);
  }
  return changed;
}

// "{setup={rows=['8', 'PPPPPPPP']}}"
std::string inline_text(const Draft& draft) {
  std::string text = "{", section;
  for (const KeyLine& line : changed_lines(draft)) {
    if (line.section != section) {
      text += (section.empty() ? "" : "},") + line.section + "={";
    } else {
      text += ",";
    }
    section = line.section;
    text += line.key + "=" + line.value;
  }
  std::erase(text, ' ');  // none of the values has one
  return text + (section.empty() ? "}" : "}}");
}

// --- from keys to a game ---

[[noreturn]] void refuse_game(const std::string& where, const std::string& message) {
  throw RulesError((where.empty() ? "" : where + ": ") + message);
}

std::string spread(const std::string& row) {
  std::string squares;
  for (const char c : row) {
    if (type_of(c)) {
      squares += c;
    } else {
      squares.append(static_cast<std::size_t>(c - '0'), '1');
    }
  }
  return squares;
}

bool keeps(const Shuffle& shuffle, const std::string& row) {
  const auto at = [&](char piece) { return row.find(piece); };
  if (shuffle.bishops_opposite) {
    std::array<bool, 2> shades{};
    for (std::size_t i = 0; i < row.size(); ++i) shades[i % 2] |= row[i] == 'B';
    if (!shades[0] || !shades[1]) return false;
  }
  if (shuffle.king_between_rooks && !(at('R') < at('K') && at('K') < row.rfind('R'))) return false;
  return !shuffle.king_in_corner || at('K') == 0 || at('K') == row.size() - 1;
}

// All first positions of the rows, each with as many rows, pieces on all squares or '1'.
std::vector<std::vector<std::string>> armies_of(const RuleDetails& details,
                                                const std::vector<std::string>& rows) {
  std::vector<std::string> squares;
  for (const std::string& row : rows) squares.push_back(spread(row));
  std::vector<std::vector<std::string>> armies{squares};
  if (details.shuffle.on) {
    armies.clear();
    std::vector<std::string> army = squares;
    std::ranges::sort(army.front());
    do {
      if (keeps(details.shuffle, army.front())) armies.push_back(army);
    } while (std::ranges::next_permutation(army.front()).found);
  }
  if (!details.pawns_scattered) return armies;
  std::vector<std::vector<std::string>> scattered;
  for (std::vector<std::string> army : armies) {
    army.resize(std::max<std::size_t>(army.size(), 3), std::string(8, '1'));
    for (unsigned forward = 0; forward < 256; ++forward) {
      std::vector<std::string> one = army;
      for (unsigned file = 0; file < 8; ++file) {
        if (forward >> file & 1) std::swap(one[1][file], one[2][file]);
      }
      if (std::ranges::find(scattered, one) == scattered.end()) scattered.push_back(one);
    }
  }
  return scattered;
}

std::string fen_row(const std::string& squares) {
  std::string row;
  for (const char c : squares) {
    if (c == '1' && !row.empty() && row.back() >= '1' && row.back() <= '7') {
      ++row.back();
    } else {
      row += c;
    }
  }
  return row;
}

// As FEN joins them; Black's with the empty rows after it.
std::string joined(std::vector<std::string> army, Color color, std::size_t empty_rows) {
  const bool white = color == Color::kWhite;
  if (white) std::ranges::reverse(army);
  std::string text;
  for (std::string row : army) {
    if (!white)
      std::ranges::transform(row, row.begin(), [](char c) { return type_of(c) ? lower(c) : c; });
    text += (text.empty() ? "" : "/") + fen_row(row);
  }
  for (std::size_t i = 0; !white && i < empty_rows; ++i) text += "/8";
  return white ? text : text + "/";
}

void set_armies(Game& made, const std::string& where) {
  const RuleDetails& details = made.details;
  const bool own = details.black == BlackArmy::kOwn;
  const auto white = armies_of(details, details.rows[0]);
  auto black = own ? armies_of(details, details.rows[1]) : white;
  if (white.empty()) refuse_game(where, "setup.shuffle: no order of the first row keeps all of it");
  if (details.black == BlackArmy::kTurned) {
    for (auto& army : black) {
      for (std::string& row : army) std::ranges::reverse(row);
    }
  }
  const std::size_t rows = white.front().size() + black.front().size();
  if (rows > kMostRows) {
    refuse_game(where, "setup.rows: " + std::to_string(rows) +
                           " rows of both sides, expected at most " + std::to_string(kMostRows));
  }
  for (const auto& army : white) made.armies[0].push_back(joined(army, Color::kWhite, 0));
  for (const auto& army : black) made.armies[1].push_back(joined(army, Color::kBlack, 8 - rows));
  for (const Color color : kColors) {
    const auto side = static_cast<std::size_t>(index(color));
    PieceCounts& held = made.in_reserve[side];
    held.fill(0);
    for (const char c : details.reserve[side]) ++held[static_cast<std::size_t>(*type_of(c))];
    PieceCounts& all = made.at_start[side] = held;
    for (const std::string& row : (color == Color::kWhite ? white : black).front()) {
      for (const char c : row) {
        if (const auto type = type_of(c)) ++all[static_cast<std::size_t>(*type)];
      }
    }
  }
}

void check_armies(const Game& made, const RuleSet& rules, const std::string& where) {
  constexpr PieceCounts kMostHeld{0, 3, 3, 3, 2, 1};
  for (const Color color : kColors) {
    const auto side = static_cast<std::size_t>(index(color));
    const std::string whose = color == Color::kWhite ? "White's " : "Black's ";
    const PieceCounts& all = made.at_start[side];
    int count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      count += all[i];
      if (made.in_reserve[side][i] > kMostHeld[i]) {
        refuse_game(where, "setup.reserve: " + whose + std::to_string(made.in_reserve[side][i]) +
                               " of " + std::string(kPieceNames[i]) + ", expected at most " +
                               std::to_string(kMostHeld[i]));
      }
    }
    const int kings = all[static_cast<std::size_t>(PieceType::kKing)];
    if (kings != 1) {
      refuse_game(where, "setup: " + whose + std::to_string(kings) +
                             " kings on the board and in reserve, expected one");
    }
    if (count > kMostPieces) {
      refuse_game(where, "setup: " + whose + std::to_string(count) + " pieces, expected at most " +
                             std::to_string(kMostPieces));
    }
    if (rules.entry == Entry::kNone && !made.details.reserve[side].empty()) {
      refuse_game(where, "setup.reserve: " + whose + made.details.reserve[side] +
                             ", expected '' where placing.entry is 'none'");
    }
  }
}

// What cannot be together.
void check_keys(const Draft& draft, const std::string& where) {
  const RuleSet& r = draft.rules;
  const RuleDetails& d = draft.details;
  const auto require = [&](bool holds, const std::string& message) {
    if (!holds) refuse_game(where, message);
  };
  for (const auto& [is_on, key] : {std::pair{r.repetition, "ends.repetition"},
                                   {r.dead_material != DeadMaterial::kNone, "ends.dead_material"},
                                   {r.stuck_in_hand_loses, "ends.stuck_in_hand_loses"}}) {
    require(!is_on || r.king_safe, std::string(key) + ": expected only where kings.end is 'mated'");
  }
  require(!d.shuffle.on || d.black != BlackArmy::kOwn,
          "setup.shuffle: expected none where setup.black has rows of its own");
  const bool alike = std::ranges::all_of(std::span(d.placing).subspan(1),
                                         [&](Bitboard b) { return b == d.placing[1]; });
  require(!r.bishops_opposite || alike,
          "placing.bishops_opposite: expected the same squares for all pieces");
  const bool first_row = alike && d.placing[1] == rank_bb(0);
  require(r.entry == Entry::kFirstRow || first_row,
          "placing: squares, expected only where placing.entry is 'squares'");
  require(r.entry != Entry::kBehindPawn || d.double_step == rank_bb(1),
          "pawns.double_step: expected [2] where placing.entry is 'behind_pawn'");
  const auto queens = std::ranges::count(d.reserve[0] + d.reserve[1], 'Q');
  const bool two = queens > 2 || d.reserve[0].find("QQ") != std::string::npos ||
                   d.reserve[1].find("QQ") != std::string::npos;
  require(!two || r.castling == Castling::kNone,
          "kings.castling: expected 'none' where two queens are in a reserve");
  require(!two || r.entry == Entry::kFirstRow,
          "setup.reserve: two queens, expected one where placing.entry is not 'squares'");
  if (r.entry != Entry::kCard) return;
  RuleSet cards = kRaindrop;
  cards.sprint = r.sprint;
  RuleDetails allowed = standard_details(cards);
  allowed.impasse_plies = d.impasse_plies;
  allowed.table = d.table;
  require(
      d == allowed && !d.double_step == !r.sprint && r.king_safe && r.castling == Castling::kNone,
      "placing.entry: 'card', expected only changes of points, impasse_turns and "
      "double_step = [2] to raindrop");
}

// The fields that the details imply.
void imply_fields(Draft& draft) {
  RuleSet& r = draft.rules;
  const RuleDetails& d = draft.details;
  r.sprint = d.double_step != 0;
  r.underpromotion = d.promotion != 8 || d.promotes_to_lost;
  r.prices = StandardTable::kChessSharp;
  r.army = Army::kChess;
  if (r.entry == Entry::kCard) {
    r.underpromotion = true;
    r.setup = Setup::kEmpty;
    return;
  }
  const bool two_queens = (d.reserve[0] + " " + d.reserve[1]).find("QQ") != std::string::npos;
  if (two_queens) r.army = Army::kTwoQueens;
  r.setup = Setup::kPawns;
}

// The set of fields alone that says the same, if there is one with a name.
std::optional<RuleSet> known_set(const Draft& draft) {
  for (const NamedRuleSet& named : kRuleSets) {
    RuleSet candidate = draft.rules;
    candidate.setup = named.rules.setup;
    candidate.army = named.rules.army;
    candidate.prices = named.rules.prices;
    if (candidate.name() == "unnamed") continue;
    if (standard_details(candidate) == draft.details) return candidate;
  }
  return std::nullopt;
}

void check_title(const std::string& title, const std::string& where) {
  constexpr std::size_t kMost = 40;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(" -_'.").find(c) != std::string_view::npos;
  };
  const bool letter_first = !title.empty() && fits(title[0]) && title[0] > '9';
  if (!letter_first || title.size() > kMost || !std::ranges::all_of(title, fits)) {
    refuse_game(where, refusal("title", title,
                               "at most 40 letters, digits, spaces and -_'. beginning with a "
                               "letter"));
  }
  if (RuleSet::spelt(title)) {
    refuse_game(where, refusal("title", title, "a name of its own: this game is another"));
  }
}

RuleSet made_of(Draft draft, const std::string& where) {
  imply_fields(draft);
  check_keys(draft, where);
  if (const auto known = known_set(draft)) return *known;
  check_title(draft.title, where);
  Game made;
  const std::string keys = inline_text(draft);
  made.name = draft.title + keys;
  made.fingerprint = base::fnv1a(keys);
  made.details = draft.details;
  if (draft.rules.entry != Entry::kCard) {
    set_armies(made, where);
    check_armies(made, draft.rules, where);
  } else {
    made.armies = {{{""}, {""}}};
    made.at_start.fill(kAtStart);
  }
  const RuleDetails& d = made.details;
  for (const Color color : kColors) {
    const auto side = static_cast<std::size_t>(index(color));
    const auto seen = [&](Bitboard b) { return color == Color::kWhite ? b : __builtin_bswap64(b); };
    std::ranges::transform(d.placing, made.placing[side].begin(), seen);
    std::ranges::transform(d.goal, made.goal[side].begin(), seen);
    made.double_step[side] = seen(d.double_step);
  }
  made.ends_its_own_way = d.bare_king_loses || d.extinct != 0 ||
                          std::ranges::any_of(d.goal, [](Bitboard b) { return b != 0; });
  const auto mirrored_alike = [](Bitboard squares) {
    Bitboard image = 0;
    for (Bitboard left = squares; left;) image |= bit(mirrored(pop_first(left)));
    return image == squares;
  };
  made.is_symmetric =
      std::ranges::all_of(d.placing, mirrored_alike) && std::ranges::all_of(d.goal, mirrored_alike);
  made.clock_from = Position::kImpasseClock - d.impasse_plies;
  if (made.starts() > 1) draft.rules.setup = Setup::kShuffled;
  RuleSet rules = draft.rules;
  rules.game = keep_game(std::move(made));
  return rules;
}

// First positions can be read, and none is over.
void check_starts(RuleSet rules, const std::string& where) {
  constexpr int kMost = 2000;
  const int starts = starts_of(rules), step = std::max(1, starts / kMost);
  for (int number = 0; number < starts; number += step) {
    try {
      const Position start = Position::start(rules, number);
      if (!start.outcome(rules.table())) continue;
      refuse_game(where, "setup: the first position " + start.to_fen() +
                             " is over, expected one to play from");
    } catch (const RulesError& error) {
      const std::string message = error.what();
      if (message.find("setup: ") != std::string::npos) throw;
      refuse_game(where, "setup: the first position: " + message);
    }
  }
}

RuleSet read_table(const toml::table& root, const std::string& where, std::string_view title,
                   int depth);

RuleSet read_file_at(const std::string& path, int depth) {
  const auto text = base::read_file(path);
  if (!text) refuse("rules file", path, "a file that can be read");
  try {
    return read_table(toml::parse(*text), path, {}, depth);
  } catch (const toml::parse_error& error) {
    refuse_game(path + ":" + std::to_string(error.source().begin.line),
                std::string(error.description()));
  }
}

// The set that a file begins from.
RuleSet base_of(const toml::table& root, const KeyReader& reader, const std::string& where,
                int depth) {
  const toml::node* const node = root.get("based_on");
  if (node == nullptr) return {};
  const auto name = node->value_exact<std::string>();
  if (!name) reader.refuse_at(*node, "based_on", "the name of a rule set or a file");
  if (!name->ends_with(".toml")) {
    if (const auto known = RuleSet::spelt(*name)) return *known;
    reader.refuse_at(*node, "based_on", "a file .toml or " + RuleSet::known_names());
  }
  if (depth == kMostBases)
    reader.refuse_at(*node, "based_on", "files that are not based on themselves");
  const auto beside = std::filesystem::path(where).parent_path() / *name;
  return read_file_at(beside.string(), depth + 1);
}

RuleSet read_table(const toml::table& root, const std::string& where, std::string_view title,
                   int depth) {
  KeyReader reader(root, where);
  const RuleSet base = base_of(root, reader, where, depth);
  Draft draft = draft_of(base);
  draft.title = title;
  if (const toml::node* const node = root.get("title")) {
    const auto text = node->value_exact<std::string>();
    if (!text) reader.refuse_at(*node, "title", "a text");
    draft.title = *text;
  } else if (title.empty()) {
    draft.title = std::filesystem::path(where).stem().string();
  }
  visit_keys(reader, draft);
  reader.end_section();
  reader.refuse_others();
  if (reader.black_follows()) draft.details.reserve[1] = draft.details.reserve[0];
  const RuleSet rules = made_of(std::move(draft), where);
  if (rules.game != 0) check_starts(rules, where);
  return rules;
}

}  // namespace

RuleSet read_game_file(const std::string& path) { return read_file_at(path, 0); }

RuleSet read_game_text(std::string_view text, const std::string& where) {
  try {
    return read_table(toml::parse(text), where, {}, 0);
  } catch (const toml::parse_error& error) {
    refuse_game(where + ":" + std::to_string(error.source().begin.line),
                std::string(error.description()));
  }
}

RuleSet read_game_name(std::string_view name) {
  const std::size_t brace = name.find('{');
  if (brace == std::string_view::npos) refuse("rule set", name, RuleSet::known_names());
  try {
    const toml::table root = toml::parse("game = " + std::string(name.substr(brace)));
    return read_table(*root["game"].as_table(), "", name.substr(0, brace), 0);
  } catch (const toml::parse_error& error) {
    refuse("rule set", name, "a title and keys in braces: " + std::string(error.description()));
  }
}

std::string game_file_text(RuleSet rules, bool all) {
  const Draft draft = draft_of(rules);
  std::string text = "title = \"" + draft.title + "\"\n", section;
  for (const KeyLine& line : all ? lines_of(draft) : changed_lines(draft)) {
    if (line.section != section) text += "\n[" + line.section + "]\n";
    section = line.section;
    text += line.key + " = " + line.value + "\n";
  }
  return text;
}

std::vector<GameKey> game_keys() {
  std::vector<GameKey> keys;
  KeyWriter writer([&](const auto& section, const auto& key, const auto&, const auto& expected,
                       std::string_view help) {
    keys.push_back({section, key, expected, std::string(help)});
  });
  Draft draft = draft_of(RuleSet{});
  visit_keys(writer, draft);
  return keys;
}

}  // namespace rules
