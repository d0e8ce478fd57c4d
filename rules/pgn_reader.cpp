#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "rules/notation.h"
#include "rules/pgn.h"
#include "rules/pgn_tags.h"
#include "rules/spelling.h"

namespace rules {
namespace {

constexpr int kEnd = std::istream::traits_type::eof();
constexpr std::size_t kMaxText = 1 << 16;  // of one tag value or word: more is no PGN

// The tags that stand for fields of a PgnGame, beside the roster.
constexpr std::array<std::string_view, 8> kFieldTags{
    "Result", "Variant", "WhiteScore", "BlackScore", "Termination", "FEN", "SetUp", "ScoringTable"};

bool is_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// "12.e4", "12...e5", "12." and "..." lose what is not the move.
std::string_view without_number(std::string_view word) {
  const std::size_t digits = word.find_first_not_of("0123456789");
  if (digits == std::string_view::npos) return {};  // a number without its dot
  if (word[digits] != '.') return word;
  word.remove_prefix(std::min(word.find_first_not_of('.', digits), word.size()));
  return word;
}

// What says something of the move before or of the position, and is no move: "!?", "+-", "e.p.".
bool is_remark(std::string_view word) {
  if (word == "e.p." || word == "ep" || word == "ch" || word == "mate") return true;
  if (word.starts_with('$')) return true;
  return word != "--" && word.find_first_not_of("!?+-=/#") == std::string_view::npos;
}

// A comment by which both sides have agreed on a fast-fifty, or one has proposed it.
bool tells_fast_fifty(std::string_view comment) {
  const std::string text = folded_name(comment);
  const auto tells = [&text](std::string_view word) { return text.find(word) != text.npos; };
  return tells("fastfifty") && !tells("declin") && !tells("refus") && !tells("reject");
}

}  // namespace

int PgnReader::peek() {
  if (at_ == text_.size()) {
    if (!base::read_line(in_, text_)) {
      text_.clear();
      at_ = 0;
      return kEnd;
    }
    text_ += '\n';
    at_ = 0;
    ++line_;
  }
  return static_cast<unsigned char>(text_[at_]);
}

int PgnReader::get() {
  const int c = peek();
  if (c != kEnd) ++at_;
  return c;
}

PgnReader::Place PgnReader::here() const { return {std::max(line_, 1L), column_after(text_, at_)}; }

// Before a line such as [White "..."].
bool PgnReader::at_tag() const {
  if (at_ > 0 || !text_.starts_with('[')) return false;
  const auto name_end = std::find_if_not(text_.begin() + 1, text_.end(), is_name);
  const auto value = std::find_if_not(name_end, text_.end(), [](char c) { return c == ' '; });
  return name_end != text_.begin() + 1 && value != text_.end() && *value == '"';
}

void PgnReader::skip_line() {
  if (peek() != kEnd) at_ = text_.size();
}

void PgnReader::skip_space() {
  while (true) {
    const int c = peek();
    if (c == '%' && at_ == 0) {
      skip_line();
    } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      get();
    } else {
      return;
    }
  }
}

// After an opening brace.
std::string PgnReader::comment() {
  const long from = line_;
  std::string out;
  for (int c = get(); c != '}'; c = get()) {
    if (c == kEnd) refuse("comment", "line " + std::to_string(from), "its closing brace");
    if (out.size() < kMaxText) out += static_cast<char>(c);
  }
  return out;
}

// From a semicolon.
std::string PgnReader::line_comment() {
  std::string out = text_.substr(at_, kMaxText);
  skip_line();
  return out;
}

// After an opening bracket; variations nest.
void PgnReader::skip_variation() {
  const long from = line_;
  for (long depth = 1; depth > 0;) {
    const int c = get();
    if (c == kEnd) refuse("variation", "line " + std::to_string(from), "its closing bracket");
    if (c == '{') comment();
    if (c == ';') skip_line();
    if (c == '(') ++depth;
    if (c == ')') --depth;
  }
}

// To a space, a comment, a variation or a bracket; "a8(Q)" is one word.
std::string PgnReader::word() {
  constexpr std::string_view kEnds = " \t\r\n{}();[]", kPromotions = "QRBNqrbn";
  std::string out;
  while (peek() != kEnd && kEnds.find(static_cast<char>(peek())) == std::string_view::npos) {
    out += static_cast<char>(get());
    if (out.size() > kMaxText) refuse("movetext", out, "shorter words");
  }
  const std::string next = at_ < text_.size() ? text_.substr(at_, 3) : "";
  if (!out.empty() && next.size() == 3 && next[0] == '(' && next[2] == ')' &&
      kPromotions.find(next[1]) != std::string_view::npos) {
    out += next;
    at_ += next.size();
  }
  return out;
}

// To the next tag section.
void PgnReader::skip_game() {
  if (in_tags_) {
    for (skip_line(); peek() == '['; skip_space()) skip_line();
  }
  while (peek() != kEnd && !at_tag()) skip_line();
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
    PgnReader::Place place;
  };

  // The value of one of kFieldTags, empty where the game lacks it. From here on refusals are about
  // this tag.
  const std::string& about(std::string_view key) {
    const Tag& tag = tags_[key];
    in_.about_ = tag.place;
    return tag.value;
  }

  // From the opening bracket.
  std::pair<std::string, Tag> read_tag() {
    in_.about_ = in_.here();
    in_.get();
    in_.skip_space();
    const std::string key = in_.word();
    const bool named = !key.empty() && std::ranges::all_of(key, is_name);
    if (!named) refuse("tag name", key, "letters, digits and _");
    in_.skip_space();
    if (in_.get() != '"') refuse("tag", key, "[Name \"value\"]");
    Tag tag{"", in_.here()};
    std::string& value = tag.value;
    for (int c = in_.get(); c != '"'; c = in_.get()) {
      if (c == '\\') c = in_.get();
      if (c == kEnd || c == '\n' || value.size() > kMaxText) {
        refuse("tag " + key, value, "a closing quote on the same line");
      }
      value += static_cast<char>(c);
    }
    in_.skip_space();
    if (in_.get() != ']') refuse("tag " + key, value, "a closing bracket after the value");
    return {key, tag};
  }

  void read_tags() {
    for (in_.skip_space(); in_.peek() == '['; in_.skip_space()) {
      auto [key, tag] = read_tag();
      const auto roster =
          std::ranges::find(kRosterTags, key, [](const auto& entry) { return entry.first; });
      if (roster != kRosterTags.end()) {
        game_.*roster->second = std::move(tag.value);
      } else if (const auto field = std::ranges::find(kFieldTags, key); field != kFieldTags.end()) {
        tags_[*field] = std::move(tag);
      } else {
        game_.more_tags.emplace_back(std::move(key), std::move(tag.value));
      }
    }
    in_.in_tags_ = false;
  }

  void apply_tags() {
    const std::string_view variant = about("Variant");
    const bool untagged = variant.empty() || variant == "?";
    game_.rules = untagged ? in_.untagged_ : RuleSet::from_variant(variant);
    game_.table = ScoringTable::from_changes(about("ScoringTable"), game_.rules.table());
    const std::string_view fen = about("FEN");
    game_.start = fen.empty() ? Position::start(game_.rules) : Position::from_fen(fen, game_.rules);
    played_ = Line(game_.start);
    const std::string_view result = about("Result");
    if (result.empty() || result == "?") return;
    tag_result_ = PgnResult::read(result);
    if (!tag_result_) refuse("tag Result", result, "1-0, 0-1, 1/2-1/2, * or the points, as 7-3");
  }

  void read_moves() {
    while (true) {
      in_.skip_space();
      in_.about_ = in_.here();
      const int c = in_.peek();
      if (c == kEnd || in_.at_tag()) {
        if (!tag_result_) refuse("movetext", "", "a result (1-0, 0-1, 10-0 or *) at its end");
        result_ = *tag_result_;
        return;
      }
      if (c == ';') {
        hear(in_.line_comment());
      } else if (c == '{' || c == '(') {
        in_.get();
        c == '{' ? hear(in_.comment()) : in_.skip_variation();
      } else if (read_word()) {
        return;
      }
    }
  }

  // True at the result.
  bool read_word() {
    const std::string word = as_ascii(in_.word());
    if (word.empty()) {
      refuse("movetext", std::string(1, static_cast<char>(in_.peek())), "a move");
    }
    if (const auto result = PgnResult::read(word)) {
      result_ = *result;
      return true;
    }
    play(without_number(word));
    return false;
  }

  void hear(std::string_view comment) { told_fast_fifty_ |= tells_fast_fifty(comment); }

  void play(std::string_view san) {
    while (san.ends_with('!') || san.ends_with('?')) san.remove_suffix(1);
    if (san.empty() || is_remark(san)) return;
    if (played_.position.forced_outcome(game_.table)) {
      refuse("move", san, "a result, for the game is over");
    }
    const bool draws = san.starts_with('?') && !played_.position.is_mid_turn();
    if (draws && played_.position.is_legal(Move::draw())) played_.play(Move::draw());
    played_.play(parse_san(played_.position, san));
    told_fast_fifty_ = false;
  }

  // The outcome by the moves, by a claim, or by adjudication; then everything said about it must
  // agree.
  void settle() {
    game_.moves = std::move(played_.moves);
    game_.outcome = played_.position.forced_outcome(game_.table);
    if (!game_.outcome) claim();
    if (!game_.outcome) adjudicate();
    if (!result_.fits(game_)) {
      const PgnResult right =
          result_.white_points ? PgnResult::points_of(game_) : PgnResult::of(game_);
      refuse("result", result_.text, right.text + " for " + termination_of(game_));
    }
    about("Result");
    if (tag_result_ && !tag_result_->fits(game_)) {
      refuse("tag Result", tag_result_->text, result_.text);
    }
    check_termination(about("Termination"));
    if (!game_.outcome) return;
    const double white = game_.table.white_points(*game_.outcome);
    check_score("tag WhiteScore", about("WhiteScore"), white);
    check_score("tag BlackScore", about("BlackScore"), 10 - white);
  }

  // An end that players may leave unclaimed, where the result does not say that they did.
  void claim() {
    const bool adjudicated = tags_["Termination"].value.find(" by ") != std::string::npos;
    game_.outcome = played_.outcome(game_.table);
    if (adjudicated || !result_.fits(game_)) game_.outcome.reset();
  }

  void adjudicate() {
    if (result_.text == "*") return;
    const PgnResult& told =
        !result_.white_points && tag_result_ && tag_result_->white_points ? *tag_result_ : result_;
    const std::string_view said = tags_["Termination"].value;
    game_.adjudication = Adjudication::kTablebase;
    for (int i = 0; i < kOutcomes; ++i) {
      game_.outcome = static_cast<Outcome>(i);
      if (said == termination_of(game_)) return;
    }
    game_.outcome = agreed_impasse(told);
    game_.adjudication = Adjudication::kFastFifty;
    const bool draw = told.winner() == "1/2-1/2";
    if (said.starts_with("impasse_") || said.find("fast_fifty") != std::string_view::npos ||
        (game_.rules.king_safe && draw)) {
      return;
    }
    if (draw && !told.white_points) refuse("result", told.text, "1-0, 0-1 or *");
    const Outcome win = told.winner() == "1-0" ? Outcome::kWhiteWins : Outcome::kBlackWins;
    const bool pays_win = told.white_points == game_.table.white_points(win);
    if (told.white_points ? !pays_win : told_fast_fifty_ && told.fits(game_)) return;
    game_.outcome = win;
    game_.adjudication = Adjudication::kResignation;
  }

  // The impasse of a fast-fifty: by the material on the board, unless the players say twice that
  // they agreed on another, in a comment and by points, or in Termination and WhiteScore.
  Outcome agreed_impasse(const PgnResult& told) {
    const Outcome board = played_.position.impasse(game_.table);
    for (const Outcome other :
         {board, Outcome::kImpasseBlackMore, Outcome::kImpasseEqual, Outcome::kImpasseWhiteMore}) {
      const double points = game_.table.white_points(other);
      const bool in_words = told_fast_fifty_ && told.white_points == points;
      const bool in_tags =
          tags_["Termination"].value == std::string(name(other)) + " by fast_fifty" &&
          base::parse_number<double>(tags_["WhiteScore"].value) == points;
      if (in_words || in_tags) return other;
    }
    return board;
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
  std::optional<PgnResult> tag_result_;
  PgnResult result_;              // at the end of the movetext; else the tag's
  bool told_fast_fifty_ = false;  // after the last move
};

std::optional<PgnGame> PgnReader::next() {
  if (fault_) skip_game();
  fault_ = false;
  skip_space();
  if (peek() == kEnd) return std::nullopt;
  ++game_;
  fault_ = in_tags_ = true;
  about_ = here();
  try {
    PgnGame game = PgnGameReader(*this).read();
    fault_ = false;
    return game;
  } catch (const RulesError& error) {
    const std::size_t within = std::max(error.column(), std::size_t{1}) - 1;
    throw RulesError("game " + std::to_string(game_) + ", line " + std::to_string(about_.line) +
                     ", column " + std::to_string(about_.column + within) + ": " + error.bare());
  }
}

}  // namespace rules
