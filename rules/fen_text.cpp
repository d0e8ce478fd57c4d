#include "rules/fen_text.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/text.h"
#include "rules/error.h"

namespace rules {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Takes the next word off the text; empty at its end.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kSpace));
  text.remove_prefix(word.size());
  return word;
}

bool begins_comment(std::string_view word) {
  return word.starts_with(';') || word.starts_with('#');
}

bool begins_with_letter(std::string_view word) {
  return !word.empty() &&
         ((word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z'));
}

std::string_view without_end(std::string_view word) {
  return word.ends_with(';') ? word.substr(0, word.size() - 1) : word;
}

constexpr std::size_t kEpdFields = 4, kFields = 6;

class Splitter {
 public:
  Splitter(std::string_view text, RuleSet rules) : rules_(rules), left_(text) { fen_.text = text; }

  FenText split() {
    read_fields();
    read_reserves();
    return fen_;
  }

 private:
  [[noreturn]] void refuse(std::string_view field, std::string_view value,
                           const std::string& expected) const {
    throw RulesError(refusal(field, value, expected), fen_.column_of(value, fen_.text));
  }

  void read_fields() {
    std::vector<std::string_view> fields;
    while (true) {
      const std::string_view rest = left_, word = take_word(left_);
      if (word.empty() || begins_comment(word)) break;
      if (fields.size() >= kEpdFields && begins_with_letter(word)) {
        left_ = rest;
        read_operations();
        break;
      }
      const bool reserves = fields.size() == 1 && word.starts_with('[') && !has_cards();
      (reserves ? apart_ : fields.emplace_back()) = word;
    }
    require_known(fields);
    fen_.board = fields[0];
    fen_.side = fields[1];
    if (fields.size() > 2) fen_.castling = fields[2];
    if (fields.size() > 3) fen_.en_passant = without_end(fields[3]);
    if (fields.size() == kFields) {
      fen_.clock = fields[4];
      fen_.number = without_end(fields[5]);
    }
  }

  bool has_cards() const { return rules_.entry == Entry::kCard; }

  void require_known(const std::vector<std::string_view>& fields) const {
    const std::size_t least = rules_.castling == Castling::kNone ? 2 : 3, got = fields.size();
    if (got == kFields || (got >= least && got <= kEpdFields)) return;
    const char* const names = has_cards() ? "board[decks][kits] side - - clock number"
                              : rules_.entry == Entry::kNone
                                  ? "board side castling en-passant clock number"
                                  : "board[reserves] side - - clock number";
    const std::string_view beyond = got > kFields ? fields[kFields] : fen_.text;
    throw RulesError(refusal("FEN", fen_.text,
                             std::string("6 fields (") + names +
                                 "), or without clock and number, got " + std::to_string(got)),
                     fen_.column_of(beyond, fen_.text));
  }

  // "hmvc 3; fmvn 12; id \"a; b\";"
  void read_operations() {
    while (true) {
      left_.remove_prefix(std::min(left_.find_first_not_of(kSpace), left_.size()));
      if (left_.empty() || begins_comment(left_)) return;
      bool quoted = false;
      const auto end = std::ranges::find_if(left_, [&quoted](char c) {
        if (c == '"') quoted = !quoted;
        return c == ';' && !quoted;
      });
      if (end == left_.end()) refuse("FEN operation", left_, "a semicolon after it");
      std::string_view operation = left_.substr(0, static_cast<std::size_t>(end - left_.begin()));
      left_.remove_prefix(operation.size() + 1);
      const std::string_view name = take_word(operation), value = take_word(operation);
      if (name == "hmvc") fen_.clock = value;
      if (name == "fmvn") fen_.number = value;
    }
  }

  void read_reserves() {
    if (has_cards()) return;
    std::string_view& board = fen_.board;
    std::string_view brackets = apart_;
    if (const std::size_t open = board.find('['); open != std::string_view::npos) {
      if (!apart_.empty()) refuse("FEN reserve", apart_, "reserves once");
      brackets = board.substr(open);
      board = board.substr(0, open);
    } else if (std::ranges::count(board, '/') == 8) {
      const std::size_t end = board.rfind('/');
      fen_.reserves = board.substr(end + 1);
      board = board.substr(0, end);
    }
    if (!brackets.empty()) {
      if (brackets.size() < 2 || !brackets.ends_with(']')) {
        refuse("FEN board", brackets, "8 rows, then the reserves in brackets");
      }
      fen_.reserves = brackets.substr(1, brackets.size() - 2);
    }
    if (fen_.reserves == "-") fen_.reserves = {};
    if (rules_.entry == Entry::kNone && !fen_.reserves.empty()) {
      refuse("FEN board", fen_.reserves, "8 rows alone, for this game has no reserves");
    }
  }

  RuleSet rules_;
  std::string_view left_;   // what has not been split yet
  std::string_view apart_;  // reserves in brackets in a word of their own
  FenText fen_;
};

}  // namespace

std::size_t FenText::column_of(std::string_view part, std::string_view other) const {
  const std::less<const char*> before;
  const bool within = part.data() != nullptr && !before(part.data(), text.data()) &&
                      !before(text.data() + text.size(), part.data() + part.size());
  if (!within) return other.data() == part.data() ? 1 : column_of(other, other);
  return column_after(text, static_cast<std::size_t>(part.data() - text.data()));
}

FenText split_fen(std::string_view text, RuleSet rules) { return Splitter(text, rules).split(); }

std::size_t moves_after_fen(std::string_view text) {
  bool quoted = false;
  std::string_view left = text;
  bool operations = false;
  for (std::size_t words = 0;; ++words) {
    const std::string_view word = take_word(left);
    if (word.empty()) return text.size();
    if (!quoted && word == "moves") return static_cast<std::size_t>(word.data() - text.data());
    operations = operations || (words >= kEpdFields && begins_with_letter(word));
    if (!quoted && begins_comment(word) && !(operations && word == ";")) return text.size();
    if (std::ranges::count(word, '"') % 2 == 1) quoted = !quoted;
  }
}

}  // namespace rules
