#pragma once
// Measures how fast the parts of a training run are on this machine.

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "selfplay/game_record.h"
#include "training/settings/run_config.h"

namespace training {

struct BenchSettings {
  RunConfig config;
  std::string device = "cpu";
  int threads = 1;
  double seconds = 4;  // measured for each figure, roughly
  int games = 256;     // of untrained_games()
  // The most that bench_beside() learns beside games, on average: what a run needs.
  double positions_per_s = std::numeric_limits<double>::infinity();
};

// One form of the network alone, with its best batch.
struct ForwardSpeed {
  double evals_per_s = 0;
  int batch = 0;
  std::string form;                  // a name of nn::Precision, or "plain"
  std::map<int, double> by_batch{};  // evaluations a second with each batch that was tried
};
struct ForwardSpeeds {
  ForwardSpeed playing;  // the form that plays
  // All; on a simulated device without "plain". "plain" is the network as torch::nn builds it, in
  // fp32: nothing folded, and with its channels first, where training and the other forms have them
  // last.
  std::vector<ForwardSpeed> forms;
};
// Measures networks of the config, one in each thread, on positions of random games.
ForwardSpeeds bench_forward(const BenchSettings& settings);

// Plays the settings' number of games of an untrained network: by the uniform evaluator, which
// gives the same answers at no cost. All that are started are played to their end, so that short
// ones do not count more than long ones.
std::vector<selfplay::GameRecord> untrained_games(const BenchSettings& settings);

// Seconds that 14 plies of each game in flight may take; where they take more, moves and games are
// not a number.
inline constexpr double kLongestPlies_s = 150;

struct SelfPlaySpeed {
  double evals_per_s = 0;
  double games_per_h = 0;  // at the mean length of untrained_games()
  double moves_per_s = 0;  // of all games together, each with all its simulations
  double efficiency = 0;   // evals_per_s / what the network alone does, measured in turns
};
// Measures self-play as in a run, from positions in the middle of untrained_games().
SelfPlaySpeed bench_selfplay(const BenchSettings& settings);

// Measures how many positions a second the learner takes, of untrained_games().
double bench_train(const BenchSettings& settings);

// Games and learning at the same time, as in a run on a device, and each alone.
struct BesideSpeed {
  double evals_per_s = 0, alone_evals_per_s = 0;
  double positions_per_s = 0, alone_positions_per_s = 0;
};
// Measures them in turns, on untrained_games(). Throws base::InputError on a CPU, where a run does
// one after the other.
BesideSpeed bench_beside(const BenchSettings& settings);

// Runs three generations of the config's loop on the device, with matches beside the last two and
// at the end, in a folder of its own that is removed: games, learning, checkpoints, matches. One
// more comes first, whose games need no network, and does not count. Returns the figures of
// UseOfTime::take(), means over the three weighted by time (times: sums), by their key. Throws
// base::InputError on a CPU, and what a RunLoop throws.
std::map<std::string, double> bench_pipeline(const BenchSettings& settings);

}  // namespace training
