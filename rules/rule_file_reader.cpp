#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/files.h"
#include "base/text.h"
#include "rules/rule_file.h"
#include "rules/rule_keys.h"

namespace rules {
namespace {

constexpr int kMostBases = 8;  // files that are based on one another

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

std::optional<Bitboard> squares_of(std::string_view word) {
  if (word.size() == 1 && word[0] >= '1' && word[0] <= '8') return rank_bb(word[0] - '1');
  if (word.size() == 1 && word[0] >= 'a' && word[0] <= 'h') return file_bb(word[0] - 'a');
  if (const auto square = square_of(word)) return bit(*square);
  return std::nullopt;
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
    for_words(*node, key, expected, [&](const std::string& word) {
      const auto known = std::ranges::find(kShuffles, word, &Word<bool Shuffle::*>::word);
      if (known == kShuffles.end()) return false;
      shuffle.*(known->value) = true;
      return shuffle.on = true;
    });
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
  // Sets the squares of the type or, without one, of all types.
  void squares(std::string_view key, SquaresByType& by_type, std::optional<PieceType> type,
               std::string_view) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    Bitboard squares = 0;
    for_words(*node, key, kSquaresExpected, [&](const std::string& word) {
      const auto some = squares_of(word);
      squares |= some.value_or(0);
      return some.has_value();
    });
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
    throw RulesError((at.empty() ? "" : at + ": ") + refusal(printable(name), value, expected));
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
  // Calls take(word) for each of a list; refuses the one for which it is false.
  template <class Take>
  void for_words(const toml::node& node, std::string_view key, std::string_view expected,
                 const Take& take) const {
    if (!node.is_array()) refuse_at(node, name_of(key), expected);
    for (const toml::node& each : *node.as_array()) {
      const auto word = each.value_exact<std::string>();
      if (!word || !take(*word)) refuse_at(each, name_of(key), expected);
    }
  }
  std::vector<std::string> rows_in(const toml::node& node, std::string_view key) const {
    const std::string expected =
        "a list of one to four rows of eight squares, as ['RNBQKBNR', 'PPPPPPPP']";
    std::vector<std::string> rows;
    for_words(node, key, expected, [&](const std::string& word) {
      rows.push_back(word);
      return is_row(word);
    });
    if (rows.empty() || rows.size() > 4) refuse_at(node, name_of(key), expected);
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
    std::string expected;
    const std::size_t end = first == 0 ? kPieceNames.size() : kPieceNames.size() - 1;
    for (std::size_t i = first; i < end; ++i) {
      expected.append(i == first ? "a list of " : ", ").append(kPieceNames[i]);
    }
    unsigned types = 0;
    for_words(node, key, expected, [&](const std::string& word) {
      const auto known = std::ranges::find(kPieceNames, word);
      const auto i = static_cast<std::size_t>(known - kPieceNames.begin());
      if (i < first || i >= end) return false;
      types |= 1u << (i - first);
      return true;
    });
    return types;
  }

  const toml::table& root_;
  std::string where_, section_;
  const toml::table* table_ = nullptr;
  std::vector<std::string> known_, sections_;
  bool black_follows_ = false;
};

RuleSet read_table(const toml::table& root, const std::string& where, std::string_view title,
                   int depth);

RuleSet read_file_at(const std::string& path, int depth) {
  const auto text = base::read_file(path);
  if (!text) refuse("rules file", path, "a file that can be read");
  try {
    return read_table(toml::parse(*text), path, {}, depth);
  } catch (const toml::parse_error& error) {
    refuse_game(path + ":" + std::to_string(error.source().begin.line),
                printable(error.description()));
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
  if (depth == kMostBases) {
    reader.refuse_at(*node, "based_on", "the name of a rule set: no further file is read");
  }
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
  return made_of(std::move(draft), where);
}

}  // namespace

RuleSet read_game_file(const std::string& path) { return read_file_at(path, 0); }

RuleSet read_game_text(std::string_view text, const std::string& where) {
  try {
    return read_table(toml::parse(text), where, {}, kMostBases);
  } catch (const toml::parse_error& error) {
    refuse_game(where + ":" + std::to_string(error.source().begin.line),
                printable(error.description()));
  }
}

RuleSet read_game_name(std::string_view name) {
  if (const auto known = find_game(name)) return *known;
  const std::size_t brace = name.find('{');
  if (brace == std::string_view::npos) refuse("rule set", name, RuleSet::known_names());
  try {
    const toml::table root = toml::parse("game = " + std::string(name.substr(brace)));
    // It says all itself, and so leads to no other file.
    if (root.size() != 1 || root["game"].as_table()->contains("based_on")) {
      refuse("rule set", name, "a title and keys in braces");
    }
    return read_table(*root["game"].as_table(), "", name.substr(0, brace), 0);
  } catch (const toml::parse_error& error) {
    refuse("rule set", name, "a title and keys in braces: " + printable(error.description()));
  }
}

}  // namespace rules
