#pragma once
// A run's games: all of them in its store, the newest in memory too.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "rules/repertoire.h"
#include "selfplay/game_record.h"
#include "selfplay/game_store.h"
#include "training/learner_config.h"
#include "training/replay_window.h"
#include "training/run_config.h"

namespace training {

// Throws base::InputError, naming file and game, where one was not played under these rules.
void check_rules(const std::vector<selfplay::GameRecord>& games,
                 const rules::Repertoire& repertoire, const std::filesystem::path& file);

// Owned by one thread. Its functions throw base::InputError, naming the file, where the store
// is damaged, cut off or of other rules, and base::EnvironmentError where disk or rights fail.
class RunGames {
 public:
  // Opens run/games.db, or makes it.
  RunGames(const RunConfig& config, const std::filesystem::path& run);

  selfplay::GameStore& store() { return store_; }
  // Those that are learned from and, as many games back, those that are not.
  const ReplayWindow& window() const { return window_; }
  const ReplayWindow& held_out() const { return held_out_; }

  // Of a run without a checkpoint: stores what others have played, for the first learning to find.
  // Throws InputError where there are games that the run must have played.
  void begin_with(const std::vector<selfplay::GameRecord>& games);
  // Of a run with one: fills both windows as they were when the games up to `last_game` had been
  // added, and with them `targets` positions ever to one and `held_out_targets` to the other.
  void restore(std::int64_t last_game, std::int64_t targets, std::int64_t held_out_targets);

  // The games behind that one, in an order that does not depend on which worker was faster.
  std::vector<selfplay::GameRecord> stored_after(std::int64_t last_game) const;
  // To the window or to those held out.
  void add(selfplay::GameRecord game);

 private:
  std::filesystem::path store_file() const { return run_ / "games.db"; }

  LearnerConfig config_;
  rules::Repertoire repertoire_;
  std::filesystem::path run_;
  selfplay::GameStore store_;
  ReplayWindow window_;
  ReplayWindow held_out_;
};

}  // namespace training
