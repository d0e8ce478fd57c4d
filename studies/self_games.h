#pragma once
// Games of one player against itself for a study: a fixed list of numbered games, each played to
// its end, so that short games do not count more than long ones.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mcts/evaluator.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/rule_set.h"
#include "selfplay/game_store.h"
#include "studies/thinker.h"

namespace studies {

// What a move takes where nothing else is asked for and no file says what it learned with.
inline constexpr int kSimulations = 32, kNodes = 400;

struct SelfGamesConfig {
  int games = 400;
  int simulations = kSimulations;  // a move, or nodes of an NNUE; no noise
  // The first plies are drawn as Thinker::player() does, at the temperature, all others are the
  // best. Where all games begin alike, the first move is drawn by quantiles that spread evenly
  // with the game's number, so that any number of games has each first move in its due share.
  int opening_plies = 8;
  float temperature = 1;
  // Instead of drawing them: the first moves of each game, by its number, so that its twin under
  // another table begins alike. Empty: drawn.
  std::vector<std::vector<rules::Move>> openings;
  // Game number n draws with the random numbers of seed + n % seeds, as its game n / seeds.
  std::uint64_t seed = 1;
  int seeds = 4;
  std::optional<rules::Position> start;  // of all games, not over; none: the rule set's
  rules::RuleSet rules;
  rules::ScoringTable table;
  std::string name;          // the network's; for the record
  std::uint64_t player = 0;  // tells networks apart, by their weights
  std::string precision;     // the network's: another gives other games
  // Tells the search of alpha-beta apart (tactics::kSearchVersion). 0: the tree's, which its
  // settings tell apart, or that of an NNUE's games from before this was noted.
  std::uint64_t search = 0;
  bool only_kept = false;            // no game is played: all must be there
  int generation = 0;                // of the network; for the record
  std::string unit = "simulations";  // what the search counts
  int threads = 1;
  int games_at_once = 64;  // in each thread
};

// Where the game of this number begins, if not at config.start: of a shuffled setup any of its
// starts, all as likely. It depends on the seeds, the number and the setup alone, so that games of
// other networks, tables or castling rules begin alike.
rules::Position start_of(const SelfGamesConfig& config, int number);

// The starts that stand for the study: that of all games or, of a shuffled setup, those of the
// first ones.
std::vector<rules::Position> studied_starts(const SelfGamesConfig& config);

struct SelfGamesProgress {
  int done = 0;            // games, those of an earlier call among them
  int games = 0;           // to be played in all
  std::int64_t plies = 0;  // played by this call
  double plies_left = 0;   // estimated
  // Estimated, where this call has taken `seconds`; 0 where no ply has been played.
  double seconds_left(double seconds) const {
    return plies > 0 ? seconds * plies_left / static_cast<double>(plies) : 0;
  }
};

// The games in the order of their numbers. Those that the store has are taken from it, the others
// are played and stored as they end: a game is known by its record's seed, which depends on
// everything that makes it another game. Empty where `stop` was set on the way. `progress` is
// called about once a ply of all games, by one thread at a time. Throws base::InputError where
// the config makes no games or needs others than it may take, and what the store and the thinkers
// throw.
std::vector<selfplay::GameRecord> self_games(
    const SelfGamesConfig& config, const MakeThinker& make_thinker, selfplay::GameStore& store,
    const std::function<void(const SelfGamesProgress&)>& progress, const std::atomic<bool>& stop);

// White's mean points of ten at these positions (none of them over, at least one), by such a search
// of each and as the evaluator alone sees them.
double searched_points(const std::vector<rules::Position>& positions,
                       const rules::ScoringTable& table, int budget, Thinker& thinker);
double evaluated_points(const std::vector<rules::Position>& positions,
                        const rules::ScoringTable& table, mcts::Evaluator& evaluator);

}  // namespace studies
