#include "rules/pgn.h"

#include <algorithm>

#include "base/text.h"
#include "rules/notation.h"
#include "rules/pgn_tags.h"

namespace rules {
namespace {

constexpr std::size_t kLineWidth = 79;

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

// The result in points as the app writes it, with an en dash.
std::string points_text(const PgnGame& game) {
  std::string text = PgnResult::points_of(game).text;
  if (const auto dash = text.find('-'); dash != std::string::npos) text.replace(dash, 1, "\u2013");
  return text;
}

// The name of a set that the app plays: Chess# and its family.
std::string app_variant(const PgnGame& game) {
  const auto set = std::ranges::find(kRuleSets, game.rules, &NamedRuleSet::rules);
  if (set == kRuleSets.end() || game.rules.prices != StandardTable::kChessSharp) {
    refuse("rule set", game.rules.name(), "one that the app plays: Chess# and its family");
  }
  std::string variant(set->variant);
  if (variant.ends_with('#')) variant.replace(variant.size() - 1, 1, "\u266f");
  return variant;
}

// The app's FEN has brackets only while a reserve holds something.
std::string start_fen(const PgnGame& game, PgnDialect dialect) {
  std::string fen = game.start.to_fen();
  const auto empty = fen.find("[]");
  if (dialect == PgnDialect::kApp && empty != std::string::npos) fen.erase(empty, 2);
  return fen;
}

// What the app has no tags for.
void append_own_tags(std::string& out, const PgnGame& game) {
  if (game.outcome) {
    const double white = game.table.white_points(*game.outcome);
    append_tag(out, "WhiteScore", base::shortest_text(white));
    append_tag(out, "BlackScore", base::shortest_text(10 - white));
  }
  append_tag(out, "Termination", termination_of(game));
}

void add_moves(Movetext& words, const PgnGame& game) {
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
}

}  // namespace

std::string to_pgn(const PgnGame& game, PgnDialect dialect) {
  const bool own = dialect == PgnDialect::kOwn;
  const std::string result = own ? PgnResult::of(game).text : points_text(game);
  const std::string variant = own ? game.rules.variant() : app_variant(game);
  std::string out;
  for (const auto& [key, field] : kRosterTags) append_tag(out, key, game.*field);
  append_tag(out, "Result", result);
  if (!variant.empty()) append_tag(out, "Variant", variant);
  if (own) append_own_tags(out, game);
  if (game.start != Position::start(game.rules)) {
    append_tag(out, "SetUp", "1");
    append_tag(out, "FEN", start_fen(game, dialect));
  }
  if (own) {
    const ScoringTable standard = game.rules.table();
    if (game.table != standard) append_tag(out, "ScoringTable", game.table.to_changes(standard));
    for (const auto& [key, value] : game.more_tags) append_tag(out, key, value);
  }
  Movetext words;
  add_moves(words, game);
  if (!own && game.adjudication == Adjudication::kFastFifty) words.add("{ fast-fifty }");
  words.add(result);
  return out + "\n" + words.text() + "\n\n";
}

}  // namespace rules
