#include "arena/search_player.h"

#include <chrono>
#include <limits>
#include <utility>

#include "base/errors.h"
#include "mcts/take_turns.h"
#include "rules/history.h"

namespace arena {
namespace {

using Clock = std::chrono::steady_clock;
// Walks that one search settles between two looks at the clock; about a millisecond.
constexpr std::uint64_t kSettledWhileTimed = 256;
constexpr std::uint64_t kSettledUntimed = std::numeric_limits<std::uint64_t>::max();

// Lets each search collect up to `leaves` leaves into the batch, which is empty, and says where in
// it they end. False where there are none and every search is done. `settled_at_once`: as
// Search::collect().
bool collect(std::span<mcts::Search* const> searches, int leaves, std::uint64_t settled_at_once,
             mcts::LeafBatch& batch, std::vector<std::size_t>& ends) {
  ends.clear();
  bool all_done = true;
  for (mcts::Search* search : searches) {
    if (!search->done()) search->collect(leaves, batch, settled_at_once);
    ends.push_back(batch.leaves.size());
    all_done = all_done && search->done();
  }
  return !batch.leaves.empty() || !all_done;
}

void apply(const mcts::LeafBatch& batch, std::span<const std::size_t> ends,
           std::span<mcts::Search* const> searches) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < searches.size(); first = ends[i++]) {
    if (ends[i] > first) searches[i]->apply(batch, first, ends[i] - first);
  }
}

}  // namespace

SearchPlayer::SearchPlayer(std::unique_ptr<mcts::Evaluator> evaluator, SearchPlayerOptions options)
    : evaluator_(std::move(evaluator)),
      options_(std::move(options)),
      cache_(evaluator_->knows_outcomes() ? options_.search.cache_mib : 0) {}

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
  const std::chrono::duration<double, std::milli> time(options_.limits.move_time_ms.value_or(0));
  const auto end = Clock::now() + time;
  std::vector<mcts::Search*> searches;
  for (const GameView& game : games) searches.push_back(follow(game));
  mcts::make_groups(*evaluator_, searches.size(), &cache_, batches_);
  const std::size_t groups = batches_.size();
  std::vector<std::vector<std::size_t>> ends(groups);
  const auto searches_of = [&](std::size_t group) {
    return mcts::group_of(std::span(searches), group, groups);
  };
  std::size_t turns = 0;
  mcts::take_turns(
      *evaluator_, batches_,
      [&](std::size_t group) {
        ++turns;
        return collect(searches_of(group), options_.leaves_per_game,
                       timed() ? kSettledWhileTimed : kSettledUntimed, batches_[group],
                       ends[group]);
      },
      [&](std::size_t group) {
        apply(batches_[group], ends[group], searches_of(group));
        evaluations_ += std::ssize(batches_[group].leaves);
      },
      [&] { return turns >= groups && timed() && Clock::now() >= end; });
}

// Brings the slot's search to the game's position and starts it.
mcts::Search* SearchPlayer::follow(const GameView& game) {
  Slot& own = slot(game);
  if (!own.search) {
    const rules::RuleSet rules = game.position->rule_set();
    if (options_.repertoire && !options_.repertoire->contains(rules)) {
      throw base::InputError(options_.name + ": a network for " + options_.repertoire->title() +
                             " does not play the rule set " + rules.title());
    }
    own.search.emplace(options_.search, *game.position, options_.table.value_or(*game.table),
                       own.rng, rules::History(*game.start, game.moves));
    own.search->set_tablebase(options_.tablebase);
  } else {
    for (const rules::Move move : game.moves.subspan(own.plies)) own.search->advance(move);
  }
  own.plies = game.moves.size();
  own.search->start(options_.limits);
  return &*own.search;
}

bool search_round(std::span<mcts::Search* const> searches, int leaves, mcts::Evaluator& evaluator,
                  mcts::LeafBatch& batch) {
  batch.clear();
  std::vector<std::size_t> ends;
  const bool more = collect(searches, leaves, kSettledUntimed, batch, ends);
  if (batch.leaves.empty()) return more;
  evaluator.evaluate(batch);
  apply(batch, ends, searches);
  return true;
}

}  // namespace arena
