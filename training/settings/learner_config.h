#pragma once

#include <cmath>
#include <string>

namespace training {

// How the network learns from the games in the window.
struct LearnerConfig {
  int batch = 256;
  int shard_rows = 128;
  float reuse = 3.0f;
  int hold_out = 32;
  int window_min = 20000;
  int window_max = 250000;
  float window_exponent = 0.6f;
  float learning_rate = 0;
  int warmup_positions = 25600;
  float anneal_share = 0.25f;
  bool plateau_guard = true;
  float weight_decay = 0.01f;
  float clip_norm = 1.0f;
  float average_positions = 51200;
  float search_value_share = 0.5f;
  int search_value_rise = 0;
  float search_value_plies = 8.0f;
  bool last_layer_alone = false;
  float deep_share = 0.15f;
  float policy_weight = 1.0f;
  float outcome_weight = 1.0f;
  float moves_left_weight = 0.1f;
  float auxiliary_weight = 0.3f;
  std::string precision = "auto";

  template <class Visitor>
  void visit(Visitor&& v) {
    v("batch", batch, 8, 65536, "positions a step");
    v("shard_rows", shard_rows, 8, 65536,
      "the most positions over which batch norm takes its statistics: on a CPU a step's batch is "
      "split evenly into shards of at most this many, which threads learn in parallel");
    v("reuse", reuse, 0.01f, 100.0f,
      "replay ratio: how often a new position is learned from, on average");
    v("hold_out", hold_out, 0, 1000000,
      "one game in this many is a validation game: never learned from, it measures overfitting; "
      "0: none");
    v("window_min", window_min, 1, 1000000000,
      "positions up to which the window holds all there are");
    v("window_max", window_max, 1, 1000000000, "the most positions in the window");
    v("window_exponent", window_exponent, 0.0f, 1.0f,
      "beyond window_min the window grows as total^exponent");
    v("learning_rate", learning_rate, 0.0f, 1.0f,
      "peak learning rate (AdamW); 0: by batch and width, 0.005 * sqrt(batch / 256) * 64 / "
      "network.channels");
    v("warmup_positions", warmup_positions, 0, 1000000000,
      "positions, in steps of learner.batch, of linear warm-up");
    v("anneal_share", anneal_share, 0.0f, 1.0f,
      "last fraction of the run, in which the learning rate falls to a twentieth");
    v("plateau_guard", plateau_guard,
      "where over a long stretch learning gains nothing on validation games, warn, then halve the "
      "learning rate, four times at most");
    v("weight_decay", weight_decay, 0.0f, 1.0f, "decoupled weight decay");
    v("clip_norm", clip_norm, 0.001f, 1000.0f, "largest gradient norm");
    v("average_positions", average_positions, 0.0f, 1e12f,
      "time constant, in positions learned from, of the averaged weights (EMA) that play: they decay "
      "by exp(-batch / average_positions) a step; 0: the newest weights play");
    v("search_value_share", search_value_share, 0.0f, 1.0f,
      "fraction of the search's outcome estimate in the outcome target; the rest is the game's result");
    v("search_value_rise", search_value_rise, 0, 1000000,
      "generations over which that fraction rises to 1, game by game, as their searches know more "
      "than one result: games of this generation and later ones teach by their searches alone, those "
      "of --games as the first; 0: it stays");
    v("search_value_plies", search_value_plies, 0.0f, 1000.0f,
      "mean distance of the later plies whose searches that estimate is averaged over, the weight "
      "falling with the distance; 0: the position's own search alone");
    v("last_layer_alone", last_layer_alone,
      "of an NNUE: learn no other layer, so that with search_value_share 0 its probabilities follow "
      "the games' results, of which so few weights can learn none by heart");
    v("deep_share", deep_share, 0.0f, 1.0f,
      "fraction of the positions that are learned with tactics search.play_lookahead plies deep; the "
      "others with search.lookahead plies, as self-play sees them");
    v("policy_weight", policy_weight, 0.0f, 100.0f, "weight of the policy loss");
    v("outcome_weight", outcome_weight, 0.0f, 100.0f, "weight of the outcome loss");
    v("moves_left_weight", moves_left_weight, 0.0f, 100.0f, "weight of the moves-left loss");
    v("auxiliary_weight", auxiliary_weight, 0.0f, 100.0f,
      "weight of the short-horizon value and material losses");
    v("precision", precision, {"auto", "fp32", "mixed"},
      "fp32, or mixed with bf16; auto: on a GPU mixed, on a CPU where a measurement at the run's "
      "start shows it to be clearly faster, which then holds for the run");
  }
};

// The peak learning rate of a residual network of that many channels: the config's own, or where
// that is 0 in proportion to the square root of the batch and to 1 / channels.
inline double peak_learning_rate(const LearnerConfig& config, int channels) {
  if (config.learning_rate > 0) return config.learning_rate;
  return 5e-3 * std::sqrt(config.batch / 256.0) * 64 / channels;
}

}  // namespace training
