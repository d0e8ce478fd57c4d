// Any bytes as a PGN file: each game is refused, or written again as a text that reads back to it.
#include <sstream>

#include "rules/pgn.h"
#include "tests/fuzz/check.h"

namespace {

void check_game(const rules::PgnGame& game) {
  const std::string text = rules::to_pgn(game);
  std::istringstream in(text);
  rules::PgnReader reader(in, rules::kChess);
  const auto again = reader.next();
  fuzz::check(again.has_value() && !reader.next(), "one game is written");
  fuzz::check(again->moves == game.moves && again->start == game.start &&
                  again->outcome == game.outcome && again->adjudication == game.adjudication &&
                  again->table == game.table && again->rules == game.rules,
              "a game reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data + 1), size - 1));
  rules::PgnReader reader(in, fuzz::rule_set(*data));
  while (true) {
    try {
      const auto game = reader.next();
      if (!game) return 0;
      check_game(*game);
    } catch (const rules::RulesError& error) {
      fuzz::check_refusal(error.what());
    }
  }
}
