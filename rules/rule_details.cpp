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

namespace {

// A game is known by its rules, whatever its title is.
std::string_view rules_in(std::string_view name) {
  return name.substr(std::min(name.find('{'), name.size()));
}

std::mutex games_mutex;
std::array<bool, 256> is_kept{};

}  // namespace

RuleSet number_game(Game game) {
  const std::lock_guard lock(games_mutex);
  std::size_t number = 0;
  for (std::size_t i = detail::games.size() - 1; i > 0; --i) {
    const Game* const known = detail::games[i].load(std::memory_order_relaxed);
    if (known == nullptr) {
      number = i;
    } else if (rules_in(known->name) == rules_in(game.name)) {
      is_kept[i] = true;
      return known->rules;
    }
  }
  if (number == 0) refuse("games from files", game.name, "at most 255 in one program");
  game.rules.game = static_cast<std::uint8_t>(number);
  is_kept[number] = false;
  const RuleSet rules = game.rules;
  detail::games[number].store(new Game(std::move(game)), std::memory_order_release);
  return rules;
}

std::optional<RuleSet> find_game(std::string_view name) {
  const std::lock_guard lock(games_mutex);
  for (std::size_t i = 1; i < detail::games.size(); ++i) {
    const Game* const known = detail::games[i].load(std::memory_order_relaxed);
    if (known == nullptr || rules_in(known->name) != rules_in(name)) continue;
    is_kept[i] = true;
    return known->rules;
  }
  return std::nullopt;
}

void drop_game(RuleSet rules) {
  const std::lock_guard lock(games_mutex);
  if (!is_kept[rules.game]) delete detail::games[rules.game].exchange(nullptr);
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
  std::vector<std::string>& rows = details.rows[0] = {"8"};
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
