#include "training/store/run_games.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/errors.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using selfplay::GameRecord;

void sort_for_learning(std::vector<GameRecord>& games) {
  std::sort(games.begin(), games.end(), [](const GameRecord& a, const GameRecord& b) {
    return std::pair(a.generation, a.seed) < std::pair(b.generation, b.seed);
  });
}

}  // namespace

void check_rules(const std::vector<GameRecord>& games, const rules::Repertoire& repertoire,
                 const fs::path& file) {
  for (const GameRecord& game : games) {
    if (repertoire.contains(game.rules)) continue;
    throw base::InputError(file.string() + ": game " + std::to_string(game.id) +
                           " was played under " + game.rules.name() + ", the run plays " +
                           repertoire.name());
  }
}

RunGames::RunGames(const RunConfig& config, const fs::path& run, selfplay::GameStore store,
                   GameWindow& window, GameWindow& validation)
    : config_(config.learner),
      repertoire_(config.rules.repertoire()),
      run_(run),
      store_(std::move(store)),
      window_(window),
      validation_(validation) {}

std::span<GameRecord> RunGames::not_stored(std::span<GameRecord> games) const {
  const std::int64_t count = store_.count(), last = store_.last_id();
  const auto begins_so = [&] {
    if (count > std::ssize(games)) return false;
    const GameRecord newest = store_.load(last, last).at(0);
    const GameRecord& given = games[static_cast<std::size_t>(count - 1)];
    return newest.generation == given.generation && newest.seed == given.seed;
  };
  if (count != 0 && !begins_so()) {
    throw base::InputError((run_ / "checkpoints").string() + ": no checkpoint, but " +
                           store_.name() + " holds " + std::to_string(count) +
                           " games; put the checkpoints back, or take another --run");
  }
  return games.subspan(static_cast<std::size_t>(count));
}

// Reads whole generations until both windows have what they remember.
void RunGames::restore(std::int64_t last_game, std::int64_t targets,
                       std::int64_t held_out_targets) {
  if (store_.last_id() < last_game) {
    throw base::InputError(store_.name() + ": ends with game " + std::to_string(store_.last_id()) +
                           ", the run has learned from " + std::to_string(last_game) +
                           ": damaged, cut off or another run's");
  }
  std::int64_t found = 0, found_validation = 0;
  int generation = 0;  // of the game that was read last
  const std::int64_t wanted = window_.memory();
  const std::int64_t wanted_validation =
      config_.hold_out == 0 ? 0 : std::min(held_out_targets, validation_.memory());
  auto games = store_.load_back(last_game, [&](const GameRecord& game) {
    const bool enough = found >= wanted && found_validation >= wanted_validation;
    if (enough && game.generation != generation) return false;
    generation = game.generation;
    const bool validation = is_validation_game(game, config_);
    (validation ? found_validation : found) += (validation ? validation_ : window_).targets(game);
    return true;
  });
  check_rules(games, repertoire_, store_.name());
  sort_for_learning(games);
  window_.set_total(targets - found);
  validation_.set_total(std::max<std::int64_t>(0, held_out_targets - found_validation));
  for (GameRecord& game : games) add(std::move(game));
  for (const GameRecord& game : stored_after(last_game)) stored_.insert(game.seed);
}

void RunGames::append(std::span<const GameRecord> games) {
  std::vector<GameRecord> unknown;
  std::ranges::copy_if(games, std::back_inserter(unknown),
                       [this](const GameRecord& game) { return !stored_.contains(game.seed); });
  store_.append(unknown);
}

std::vector<GameRecord> RunGames::stored_after(std::int64_t last_game) const {
  auto games = store_.load(last_game + 1, store_.last_id());
  check_rules(games, repertoire_, store_.name());
  sort_for_learning(games);
  return games;
}

void RunGames::add(GameRecord game) {
  (is_validation_game(game, config_) ? validation_ : window_).add(std::move(game));
}

}  // namespace training
