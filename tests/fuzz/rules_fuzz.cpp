// Any text as a game's file: refused in one line, or a game that reads back from its name and its
// file, and that can be played.
#include <vector>

#include "base/rng.h"
#include "rules/position.h"
#include "rules/rule_details.h"
#include "rules/rule_file.h"
#include "rules/rule_report.h"
#include "tests/fuzz/check.h"

namespace {

void play(rules::RuleSet set) {
  base::Rng rng(1);
  rules::Position position = rules::Position::start(set, static_cast<int>(rng.below(1000)));
  for (int ply = 0; ply < 60; ++ply) {
    const rules::MoveList moves = position.legal_moves();
    fuzz::check(static_cast<int>(moves.size()) == position.count_legal_moves(),
                "moves are counted");
    fuzz::check(rules::Position::from_fen(position.to_fen(), set) == position, "a FEN reads back");
    if (moves.empty() || position.outcome(set.table()) || position.has_cards()) return;
    position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    rules::RuleSet set = rules::read_game_text(text, "fuzz.toml");
    std::vector<std::string> forms{set.name(), rules::game_file_text(set, true),
                                   rules::game_file_text(set, false)};
    fuzz::check(!rules::sentences(set).empty(), "a game can be told");
    play(set);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if (set.game == 0) return 0;
      rules::drop_game(set);
      set =
          i == 0 ? rules::read_game_name(forms[0]) : rules::read_game_text(forms[i], "again.toml");
      fuzz::check(set.name() == forms[0], "a game reads back");
    }
    rules::drop_game(set);
  } catch (const rules::RulesError& error) {
    for (const char c : std::string_view(error.what())) {
      fuzz::check(c >= 0x20 && c < 0x7f, "a refusal is one printable line");
    }
  }
  return 0;
}
