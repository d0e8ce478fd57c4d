#pragma once
// A run's games: all of them in its store, the newest in its student's windows too.

#include <cstdint>
#include <filesystem>
#include <span>
#include <unordered_set>
#include <vector>

#include "rules/repertoire.h"
#include "selfplay/game_record.h"
#include "selfplay/game_store.h"
#include "training/learner/game_window.h"
#include "training/settings/learner_config.h"
#include "training/settings/run_config.h"

namespace training {

// Throws base::InputError, naming file and game, where one was not played under these rules.
void check_rules(const std::vector<selfplay::GameRecord>& games,
                 const rules::Repertoire& repertoire, const std::filesystem::path& file);

// Owned by one thread. Its functions throw base::InputError, naming the file, where the store
// is damaged, cut off or of other rules, and base::EnvironmentError where disk or rights fail.
class RunGames {
 public:
  // The windows, of games to learn from and of validation games, must outlive it.
  RunGames(const RunConfig& config, const std::filesystem::path& run, selfplay::GameStore store,
           GameWindow& window, GameWindow& validation);

  selfplay::GameStore& store() { return store_; }

  // For a run without a checkpoint, which is to learn from these games of others first: returns
  // those that are still to be stored, in order, by store().append(); fewer than all where the run
  // was killed before its first checkpoint. Throws InputError where there are games that the run
  // must have played.
  std::span<selfplay::GameRecord> not_stored(std::span<selfplay::GameRecord> games) const;
  // For a run with a checkpoint: fills both windows with the games up to `last_game`, and with them
  // `targets` positions in all to one and `held_out_targets` to the other. On a CPU without a store
  // they are then as they were. Elsewhere games may have come after others of a later generation:
  // these stand in another order now.
  void restore(std::int64_t last_game, std::int64_t targets, std::int64_t held_out_targets);

  // Stores finished games, but for those that the store had when restore() was called and that are
  // played again, which on a device may end otherwise. For any one thread, beside the owner's.
  void append(std::span<const selfplay::GameRecord> games);

  // Returns the games after that one, in an order that does not depend on which worker was faster.
  std::vector<selfplay::GameRecord> stored_after(std::int64_t last_game) const;
  // Adds it to the window or to the validation games.
  void add(selfplay::GameRecord game);

 private:
  LearnerConfig config_;
  rules::Repertoire repertoire_;
  std::filesystem::path run_;
  selfplay::GameStore store_;
  GameWindow& window_;
  GameWindow& validation_;
  std::unordered_set<std::uint64_t> stored_;  // seeds of the games that restore() found unlearned
};

}  // namespace training
