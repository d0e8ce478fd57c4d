#include "arena/search_player.h"

#include <utility>

#include "base/errors.h"
#include "rules/history.h"

namespace arena {
namespace {

using Clock = std::chrono::steady_clock;
// Between two looks at the clock; about a millisecond.
constexpr std::uint64_t kSettledAtOnce = 256;

}  // namespace

SearchPlayer::SearchPlayer(std::unique_ptr<mcts::Evaluator> evaluator, SearchPlayerOptions options)
    : evaluator_(std::move(evaluator)),
      options_(std::move(options)),
      cache_(evaluator_->knows_outcomes() ? options_.search.cache_mib : 0),
      batch_{.cache = &cache_} {}

void SearchPlayer::new_game(int slot, base::Rng rng) {
  const auto i = static_cast<std::size_t>(slot);
  if (i >= slots_.size()) slots_.resize(i + 1);
  slots_[i] = {rng, std::nullopt, 0};
}

void SearchPlayer::choose(std::span<const GameView> games, std::span<Choice> choices) {
  const std::size_t together = timed() ? 1 : games.size();
  for (std::size_t i = 0; i < games.size(); i += together) search(games.subspan(i, together));
  for (std::size_t i = 0; i < games.size(); ++i) {
    const bool opening = std::ssize(games[i].moves) < options_.opening_plies;
    choices[i] = {slot(games[i]).search->choose(opening ? options_.opening_temperature : 0), {}};
  }
}

// Searches these games side by side, until they have what they are given.
void SearchPlayer::search(std::span<const GameView> games) {
  const Clock::time_point end = Clock::now() + options_.move_time;
  for (const GameView& game : games) follow(game);
  while (round(games) && (!timed() || Clock::now() < end)) {
  }
}

// Brings the slot's search to the game's position and starts it.
void SearchPlayer::follow(const GameView& game) {
  Slot& own = slot(game);
  if (!own.search) {
    const rules::RuleSet rules = game.position->rule_set();
    if (options_.repertoire && !options_.repertoire->contains(rules)) {
      throw base::InputError(options_.name + ": a network for " + options_.repertoire->name() +
                             " does not play the rule set " + rules.name());
    }
    own.search.emplace(options_.search, *game.position, options_.table.value_or(*game.table),
                       own.rng, rules::History(*game.start, game.moves));
  } else {
    for (const rules::Move move : game.moves.subspan(own.plies)) own.search->advance(move);
  }
  own.plies = game.moves.size();
  own.search->start(
      {.simulations = options_.simulations,
       .evaluations = options_.evaluations,
       .explore = options_.explore,
       .settled_at_once = timed() ? kSettledAtOnce : mcts::SearchLimits{}.settled_at_once});
}

bool SearchPlayer::round(std::span<const GameView> games) {
  batch_.clear();
  counts_.clear();
  bool all_done = true;
  for (const GameView& game : games) {
    mcts::Search& search = *slot(game).search;
    const int count = search.done() ? 0 : search.collect(options_.leaves_per_game, batch_);
    counts_.push_back(static_cast<std::size_t>(count));
    all_done = all_done && search.done();
  }
  if (!batch_.leaves.empty()) evaluator_->evaluate(batch_);
  evaluations_ += static_cast<std::int64_t>(batch_.leaves.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (counts_[i] != 0) slot(games[i]).search->apply(batch_, first, counts_[i]);
    first += counts_[i];
  }
  return !all_done || !batch_.leaves.empty();
}

}  // namespace arena
