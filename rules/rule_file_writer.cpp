#include <algorithm>
#include <functional>
#include <optional>

#include "base/text.h"
#include "rules/notation.h"
#include "rules/rule_file.h"
#include "rules/rule_keys.h"

namespace rules {
namespace {

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
    write(key, list_of(square_names(squares)), std::string(kSquaresExpected), help);
  }
  void pieces(std::string_view key, unsigned types, std::string_view help) {
    write(key, list_of(piece_names(types)), "a list of pieces", help);
  }
  void promotion(std::string_view key, unsigned kinds, std::string_view help) {
    write(key, list_of(piece_names(kinds << 1)), "a list of knight, bishop, rook, queen", help);
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

}  // namespace

std::vector<std::string> square_names(Bitboard squares) {
  std::vector<std::string> names;
  for (int row = 0; row < 8; ++row) {
    if ((squares & rank_bb(row)) != rank_bb(row)) continue;
    names.push_back(std::to_string(row + 1));
    squares &= ~rank_bb(row);
  }
  while (squares) names.push_back(to_string(pop_first(squares)));
  return names;
}

std::vector<std::string> piece_names(unsigned types) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kPieceNames.size(); ++i) {
    if (types >> i & 1) names.emplace_back(kPieceNames[i]);
  }
  return names;
}

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

std::vector<GameKey> game_keys(RuleSet rules) {
  std::vector<GameKey> keys;
  KeyWriter writer([&](const auto& section, const auto& key, const auto& value,
                       const auto& expected, std::string_view help) {
    keys.push_back({section, key, value, expected, std::string(help)});
  });
  Draft draft = draft_of(rules);
  visit_keys(writer, draft);
  return keys;
}

}  // namespace rules
