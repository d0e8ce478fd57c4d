#include "rules/rule_details.h"

#include <algorithm>
#include <mutex>

#include "rules/error.h"
#include "rules/letters.h"
#include "rules/move_sinks.h"

namespace rules {

namespace detail {
std::array<std::atomic<const Game*>, 256> games;
}

std::uint8_t keep_game(Game game) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::size_t number = 1;
  for (; number < detail::games.size(); ++number) {
    const Game* const known = detail::games[number].load(std::memory_order_relaxed);
    if (known == nullptr) break;
    if (known->name == game.name) return static_cast<std::uint8_t>(number);
  }
  if (number == detail::games.size()) {
    refuse("games from files", std::to_string(number), "at most 255 in one program");
  }
  // Positions may refer to it as long as the program runs.
  detail::games[number].store(new Game(std::move(game)), std::memory_order_release);
  return static_cast<std::uint8_t>(number);
}

int Game::starts() const {
  const std::size_t each = armies[0].size();
  return static_cast<int>(details.black == BlackArmy::kApart ? each * armies[1].size() : each);
}

int starts_of(RuleSet rules) {
  constexpr int kShuffles = 960;
  if (rules.game != 0) return game(rules.game).starts();
  return rules.setup == Setup::kShuffled ? kShuffles : 1;
}

namespace {

std::string reserve_text(const PieceCounts& counts) {
  std::string text;
  for (const PieceType type : kReserveOrder) {
    text.append(static_cast<std::size_t>(counts[static_cast<std::size_t>(type)]), letter(type));
  }
  return text;
}

}  // namespace

RuleDetails standard_details(RuleSet rules) {
  RuleDetails details;
  const bool on_board = rules.setup == Setup::kClassical || rules.setup == Setup::kShuffled;
  std::vector<std::string>& rows = details.rows[0];
  if (on_board) rows = {"RNBQKBNR", "PPPPPPPP"};
  if (rules.setup == Setup::kPawns) rows = {"8", "PPPPPPPP"};
  details.shuffle.on = details.shuffle.bishops_opposite = details.shuffle.king_between_rooks =
      rules.setup == Setup::kShuffled;
  if (rules.setup == Setup::kPawns) details.reserve.fill(reserve_text(rules.at_start()));
  details.placing.fill(rank_bb(0));
  if (rules.sprint) details.double_step = rank_bb(1);
  details.promotion = rules.underpromotion ? kAnyPromotion : 8;
  details.table = rules.table();
  return details;
}

RuleDetails details_of(RuleSet rules) {
  return rules.game == 0 ? standard_details(rules) : game(rules.game).details;
}

}  // namespace rules
