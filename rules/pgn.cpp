#include "rules/pgn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/numbers.h"
#include "rules/notation.h"

namespace rules {
namespace {

constexpr int kEnd = std::istream::traits_type::eof();
constexpr std::size_t kLineWidth = 79;
constexpr std::size_t kMaxText = 1 << 16;  // of one tag value or word: more is no PGN

constexpr std::array<std::pair<std::string_view, std::string PgnGame::*>, 6> kRoster{{
    {"Event", &PgnGame::event},
    {"Site", &PgnGame::site},
    {"Date", &PgnGame::date},
    {"Round", &PgnGame::round},
    {"White", &PgnGame::white},
    {"Black", &PgnGame::black},
}};

// The tags that stand for fields of a PgnGame.
constexpr std::array<std::string_view, 8> kFieldTags{
    "Result", "Variant", "WhiteScore", "BlackScore", "Termination", "FEN", "SetUp", "ScoringTable"};

constexpr std::array<std::string_view, 3> kAdjudications{"", " by resignation", " by fast_fifty"};

std::string result_of(const PgnGame& game) {
  if (!game.outcome) return "*";
  const double points = game.table.white_points(*game.outcome);
  if (game.rules.king_safe && points == 5) return "1/2-1/2";
  return points > 5 ? "1-0" : "0-1";
}

std::string termination_of(const PgnGame& game) {
  if (!game.outcome) return "unterminated";
  return std::string(name(*game.outcome))
      .append(kAdjudications[static_cast<std::size_t>(game.adjudication)]);
}

void append_tag(std::string& out, std::string_view key, std::string_view value) {
  out.append("[").append(key).append(" \"");
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  out.append("\"]\n");
}

// The words of the movetext, broken into lines.
class Movetext {
 public:
  void add(std::string_view word) {
    if (width_ > 0 && width_ + 1 + word.size() > kLineWidth) {
      text_ += '\n';
      width_ = 0;
    } else if (width_ > 0) {
      text_ += ' ';
      ++width_;
    }
    text_ += word;
    width_ += word.size();
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t width_ = 0;
};

}  // namespace

std::string to_pgn(const PgnGame& game) {
  std::string out;
  for (const auto& [key, field] : kRoster) append_tag(out, key, game.*field);
  append_tag(out, "Result", result_of(game));
  if (game.rules != kChess) append_tag(out, "Variant", game.rules.variant());
  if (game.outcome) {
    const double white = game.table.white_points(*game.outcome);
    append_tag(out, "WhiteScore", base::shortest_text(white));
    append_tag(out, "BlackScore", base::shortest_text(10 - white));
  }
  append_tag(out, "Termination", termination_of(game));
  if (game.start != Position::start(game.rules)) {
    append_tag(out, "SetUp", "1");
    append_tag(out, "FEN", game.start.to_fen());
  }
  const ScoringTable standard = game.rules.table();
  if (game.table != standard) append_tag(out, "ScoringTable", game.table.to_changes(standard));
  for (const auto& [key, value] : game.more_tags) append_tag(out, key, value);
  Movetext words;
  Position position = game.start;
  for (const Move& move : game.moves) {
    const bool white = position.side_to_move() == Color::kWhite;
    const bool first = &move == game.moves.data();
    const std::string turn = std::to_string(position.fullmove_number());
    if (white && (first || !position.is_mid_turn())) words.add(turn + ".");
    if (!white && first) words.add(turn + "...");
    const bool last = &move == &game.moves.back();
    if (move != Move::draw() || last) words.add(to_san(position, move));
    position.play(move);
  }
  words.add(result_of(game));
  return out + "\n" + words.text() + "\n\n";
}

int PgnReader::get() {
  const int c = in_.get();
  at_line_start_ = c == '\n';
  if (c == '\n') ++line_;
  return c;
}

void PgnReader::skip_line() {
  for (int c = get(); c != '\n' && c != kEnd; c = get()) {
  }
}

void PgnReader::skip_space() {
  while (true) {
    const int c = peek();
    if (c == '%' && at_line_start_) {
      skip_line();
    } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      get();
    } else {
      return;
    }
  }
}

// After an opening brace.
void PgnReader::skip_comment() {
  const long from = line_;
  for (int c = get(); c != '}'; c = get()) {
    if (c == kEnd) refuse("comment", "line " + std::to_string(from), "its closing brace");
  }
}

// After an opening bracket; variations nest.
void PgnReader::skip_variation() {
  const long from = line_;
  for (long depth = 1; depth > 0;) {
    const int c = get();
    if (c == kEnd) refuse("variation", "line " + std::to_string(from), "its closing bracket");
    if (c == '{') skip_comment();
    if (c == ';') skip_line();
    if (c == '(') ++depth;
    if (c == ')') --depth;
  }
}

std::string PgnReader::word() {
  constexpr std::string_view kEnds = " \t\r\n{}();[]";
  std::string out;
  while (peek() != kEnd && kEnds.find(static_cast<char>(peek())) == std::string_view::npos) {
    out += static_cast<char>(get());
    if (out.size() > kMaxText) refuse("movetext", out, "shorter words");
  }
  return out;
}

// From the opening bracket.
std::pair<std::string, std::string> PgnReader::tag() {
  get();
  skip_space();
  const std::string key = word();
  const bool named = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  });
  if (!named) refuse("tag name", key, "letters, digits and _");
  skip_space();
  if (get() != '"') refuse("tag", key, "[Name \"value\"]");
  std::string value;
  for (int c = get(); c != '"'; c = get()) {
    if (c == '\\') c = get();
    if (c == kEnd || c == '\n' || value.size() > kMaxText) {
      refuse("tag " + key, value, "a closing quote on the same line");
    }
    value += static_cast<char>(c);
  }
  skip_space();
  if (get() != ']') refuse("tag " + key, value, "a closing bracket after the value");
  return {key, value};
}

// To the next tag section.
void PgnReader::skip_game() {
  if (in_tags_) {
    for (skip_line(); peek() == '['; skip_space()) skip_line();
  }
  while (peek() != kEnd && !(peek() == '[' && at_line_start_)) skip_line();
}

// Builds one game out of the reader's words.
class PgnGameReader {
 public:
  explicit PgnGameReader(PgnReader& reader) : in_(reader) {}

  PgnGame read() {
    read_tags();
    apply_tags();
    read_moves();
    settle();
    return game_;
  }

 private:
  struct Tag {
    std::string value;
    long line = 0;
  };

  // The value of one of kFieldTags, empty where the game lacks it. From here on refusals are about
  // this tag.
  const std::string& about(std::string_view key) {
    const Tag& tag = tags_[key];
    in_.tag_line_ = tag.line;
    return tag.value;
  }

  void read_tags() {
    for (in_.skip_space(); in_.peek() == '['; in_.skip_space()) {
      const long line = in_.line_;
      auto [key, value] = in_.tag();
      const auto roster =
          std::ranges::find(kRoster, key, [](const auto& tag) { return tag.first; });
      if (roster != kRoster.end()) {
        game_.*roster->second = std::move(value);
      } else if (const auto field = std::ranges::find(kFieldTags, key); field != kFieldTags.end()) {
        tags_[*field] = {std::move(value), line};
      } else {
        game_.more_tags.emplace_back(std::move(key), std::move(value));
      }
    }
    in_.in_tags_ = false;
  }

  void apply_tags() {
    const std::string_view variant = about("Variant");
    game_.rules = variant.empty() ? in_.untagged_ : RuleSet::from_variant(variant);
    game_.table = ScoringTable::from_changes(about("ScoringTable"), game_.rules.table());
    const std::string_view fen = about("FEN");
    game_.start = fen.empty() ? Position::start(game_.rules) : Position::from_fen(fen, game_.rules);
    played_ = Line(game_.start);
    in_.tag_line_ = 0;
  }

  static bool is_result(std::string_view word) {
    return word == "1-0" || word == "0-1" || word == "*" || word == "1/2-1/2";
  }

  void read_moves() {
    while (true) {
      in_.skip_space();
      const int c = in_.peek();
      if (c == kEnd || c == '[') refuse("movetext", "", "a result (1-0, 0-1 or *) at its end");
      if (c == '{' || c == ';' || c == '(') {
        in_.get();
        if (c == '{') in_.skip_comment();
        if (c == ';') in_.skip_line();
        if (c == '(') in_.skip_variation();
        continue;
      }
      const std::string word = in_.word();
      if (word.empty()) refuse("movetext", std::string(1, static_cast<char>(c)), "a move");
      if (is_result(word)) {
        token_ = word;
        return;
      }
      if (word.front() != '$') play(without_number(word));
    }
  }

  // "12.e4", "12...e5", "12." and "..." lose what is not the move.
  static std::string_view without_number(std::string_view word) {
    const std::size_t digits = word.find_first_not_of("0123456789");
    if (digits == std::string_view::npos) return {};  // a number without its dot
    if (word[digits] != '.') return word;
    word.remove_prefix(std::min(word.find_first_not_of('.', digits), word.size()));
    return word;
  }

  void play(std::string_view san) {
    while (san.ends_with('!') || san.ends_with('?')) san.remove_suffix(1);
    if (san.empty()) return;
    if (played_.outcome(game_.table)) refuse("move", san, "a result, for the game is over");
    const bool draws = san.starts_with('?') && !played_.position.is_mid_turn();
    if (draws && played_.position.is_legal(Move::draw())) played_.play(Move::draw());
    played_.play(parse_san(played_.position, san));
  }

  // The outcome by the moves, or by adjudication; then everything said about it must agree.
  void settle() {
    game_.moves = std::move(played_.moves);
    game_.outcome = played_.outcome(game_.table);
    if (!game_.outcome) adjudicate();
    if (token_ != result_of(game_)) {
      refuse("result", token_, result_of(game_) + " for " + termination_of(game_));
    }
    const std::string_view result = about("Result");
    if (!result.empty() && result != token_) refuse("tag Result", result, token_);
    check_termination(about("Termination"));
    if (!game_.outcome) return;
    const double white = game_.table.white_points(*game_.outcome);
    check_score("tag WhiteScore", about("WhiteScore"), white);
    check_score("tag BlackScore", about("BlackScore"), 10 - white);
  }

  void adjudicate() {
    if (token_ == "*") return;
    const std::string_view said = tags_["Termination"].value;
    if (said.starts_with("impasse_") || said.find("fast_fifty") != std::string_view::npos ||
        (game_.rules.king_safe && token_ == "1/2-1/2")) {
      game_.outcome = played_.position.impasse(game_.table);
      game_.adjudication = Adjudication::kFastFifty;
    } else if (token_ == "1/2-1/2") {
      refuse("result", token_, "1-0, 0-1 or *");
    } else {
      game_.outcome = token_ == "1-0" ? Outcome::kWhiteWins : Outcome::kBlackWins;
      game_.adjudication = Adjudication::kResignation;
    }
  }

  // Another program's "normal" or "time forfeit" says nothing to check.
  void check_termination(std::string_view said) const {
    for (int i = 0; i < kOutcomes; ++i) {
      const auto other = static_cast<Outcome>(i);
      if (said.starts_with(name(other)) && game_.outcome != other) {
        refuse("tag Termination", said, termination_of(game_));
      }
    }
  }

  static void check_score(std::string_view field, std::string_view text, double expected) {
    if (text.empty()) return;
    const auto value = base::parse_number<double>(text);
    if (!value || !(std::abs(*value - expected) < 1e-9)) {
      refuse(field, text, base::shortest_text(expected));
    }
  }

  PgnReader& in_;
  PgnGame game_;
  Line played_{Position()};
  std::map<std::string_view, Tag> tags_;  // by key
  std::string token_;                     // the result at the end of the movetext
};

std::optional<PgnGame> PgnReader::next() {
  if (fault_) skip_game();
  fault_ = false;
  skip_space();
  if (peek() == kEnd) return std::nullopt;
  ++game_;
  fault_ = in_tags_ = true;
  tag_line_ = 0;
  try {
    PgnGame game = PgnGameReader(*this).read();
    fault_ = false;
    return game;
  } catch (const RulesError& error) {
    const long line = tag_line_ > 0 ? tag_line_ : line_;
    throw RulesError("game " + std::to_string(game_) + ", line " + std::to_string(line) + ": " +
                     error.what());
  }
}

}  // namespace rules
