#include "training/settings/night_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/files.h"
#include "base/json.h"

namespace training {
namespace {

constexpr double kSquares = 64;
constexpr double kBytesAPly = 50;      // in games.db
constexpr double kBytesAWeight = 20;   // in a checkpoint: twice fp32, moments, and what plays
constexpr double kBoth = 2, kOne = 1;  // sides of a game that a network plays

// A device takes so many times as long for a row of a match as for one of self-play, whose batches
// are ten times as large: 15 x 192 on an H100, 25 and 256 rows.
constexpr double kMatchRow = 4;

// Evaluations of a generation's matches, played every `evaluation.every` generations: one against a
// player without a network, one against a network.
double match_evaluations(const RunConfig& config, const MeasuredSpeeds& speeds) {
  const EvaluationSettings& matches = config.evaluation;
  if (matches.every == 0) return 0;
  const auto full = static_cast<double>(config.selfplay.full_share);
  const double simulations =
      full * config.selfplay.simulations + (1 - full) * config.selfplay.fast_simulations;
  const double a_move = speeds.evals_per_move / simulations * matches.simulations;
  const double moves = matches.games * speeds.plies_per_game * (kOne + kBoth) / 2;
  return moves * a_move / matches.every;
}

}  // namespace

std::string size_of(const nn::NetworkConfig& network) {
  return fmt::format("{} blocks of {} channels", network.blocks, network.channels);
}

MeasuredSpeeds read_speeds(const std::filesystem::path& bench, const nn::NetworkConfig& network) {
  const auto bytes = base::read_file(bench);
  if (!bytes) throw base::InputError(bench.string() + ": cannot be read");
  const auto json = base::parse<nlohmann::ordered_json>(*bytes);
  const auto number = [&](const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    if (found == json.end() || !found->is_number() || !(found->get<double>() > 0)) {
      throw base::InputError(bench.string() + ": no number above 0 for " + key +
                             "; expected what `bench all --json` prints");
    }
    return found->get<double>();
  };
  const auto named = json.is_object() ? json.find("net") : json.end();
  const bool is_named = named != json.end() && named->is_string();
  const auto net = is_named ? named->get<std::string>() : "";
  if (!net.ends_with(size_of(network))) {
    throw base::InputError(fmt::format("{}: net '{}': expected the plan's network, {}",
                                       bench.string(), net, size_of(network)));
  }
  MeasuredSpeeds speeds;
  speeds.evals_per_s = number("selfplay_evals_per_s");
  speeds.evals_per_move = number("selfplay_evals_per_move");
  speeds.plies_per_game = 3600 * number("selfplay_moves_per_s") / number("selfplay_games_per_h");
  speeds.train_positions_per_s = number("train_positions_per_s");
  if (json.contains("beside_positions_per_s")) {
    speeds.left_beside = number("beside_evals_per_s") / number("alone_evals_per_s");
    speeds.beside_positions_per_s = number("beside_positions_per_s");
  }
  return speeds;
}

NetworkCost cost_of(const nn::NetworkConfig& network) {
  NetworkCost cost;
  const auto add = [&cost](double in, double out, double times, double kernel = 1) {
    cost.weights += (kernel * in + 1) * out;
    cost.flops += 2 * times * kernel * in * out;
  };
  const double channels = network.channels, policy = network.policy_channels;
  const double globals = network.shape.globals, keys = network.policy_attention;
  add(network.shape.planes, channels, kSquares, 9);
  add(globals, channels, 1);
  for (int block = 0; block < network.blocks; ++block) {
    for (int layer = 0; layer < 2; ++layer) add(channels, channels, kSquares, 9);
    if (!network.conditioned(block)) continue;
    add(channels + globals, nn::kSqueezed, 1);
    add(nn::kSqueezed, 2 * channels, 1);
  }
  add(channels, policy, kSquares);
  add(policy, network.shape.move_planes, kSquares);
  if (keys > 0) {
    add(policy, 2 * keys, kSquares);
    cost.flops += 2 * kSquares * kSquares * keys;
  }
  add(channels, network.value_channels, kSquares);
  add(kSquares * network.value_channels + globals, network.value_hidden, 1);
  add(network.value_hidden, nn::kValueOutputs, 1);
  return cost;
}

NightPlan plan(const RunConfig& config, const MeasuredSpeeds& speeds) {
  const auto plies = static_cast<double>(config.run.plies_per_generation);
  const double positions = plies * static_cast<double>(config.selfplay.full_share) *
                           static_cast<double>(config.learner.reuse);
  const double games_s = plies * speeds.evals_per_move / speeds.evals_per_s;
  const double learning_s =
      positions / (speeds.beside_positions_per_s > 0 ? speeds.beside_positions_per_s
                                                     : speeds.train_positions_per_s);
  const double matches_s = kMatchRow * match_evaluations(config, speeds) / speeds.evals_per_s;
  const double slower_s = learning_s * std::max(1 - speeds.left_beside, 0.0);

  NightPlan plan;
  plan.generation_s = std::max(games_s + slower_s, learning_s) + matches_s;
  plan.generations = config.run.generations;
  if (config.run.max_minutes > 0) {
    plan.generations = std::min(plan.generations, 60 * config.run.max_minutes / plan.generation_s);
  }
  plan.seconds = plan.generations * plan.generation_s;
  plan.games_fraction = games_s / plan.generation_s;
  plan.matches_fraction = matches_s / plan.generation_s;
  plan.learning_fraction = 1 - plan.games_fraction - plan.matches_fraction;
  plan.learns_fraction = learning_s / plan.generation_s;
  plan.plies = plan.generations * plies;
  plan.games = plan.plies / speeds.plies_per_game;
  plan.evaluations = plan.plies * speeds.evals_per_move;
  plan.positions_learned = plan.generations * positions;
  // The first, the newest and each tenth.
  const double kept = 1 + std::min<double>(plan.generations, config.run.keep_checkpoints) +
                      std::max(0.0, plan.generations - config.run.keep_checkpoints) / 10;
  plan.disk_bytes =
      kBytesAPly * plan.plies + kBytesAWeight * cost_of(config.network).weights * kept;
  return plan;
}

nlohmann::ordered_json to_json(const RunConfig& config, const MeasuredSpeeds& speeds,
                               const NightPlan& plan) {
  const NetworkCost cost = cost_of(config.network);
  return {{"hours", plan.seconds / 3600},
          {"evals_per_s", speeds.evals_per_s},
          {"flops_per_evaluation", cost.flops},
          {"weights", cost.weights},
          {"generations", plan.generations},
          {"generation_s", plan.generation_s},
          {"games_fraction", plan.games_fraction},
          {"learning_fraction", plan.learning_fraction},
          {"matches_fraction", plan.matches_fraction},
          {"learns_fraction", plan.learns_fraction},
          {"plies", plan.plies},
          {"games", plan.games},
          {"evaluations", plan.evaluations},
          {"positions_learned", plan.positions_learned},
          {"disk_bytes", plan.disk_bytes}};
}

std::string to_text(const RunConfig& config, const MeasuredSpeeds& speeds, const NightPlan& plan) {
  const NetworkCost cost = cost_of(config.network);
  return fmt::format(
      "{:.1f} h with a network of {} blocks and {} channels ({:.2f} million weights, {:.3g} GFLOP an "
      "evaluation)\n"
      "{:.0f} evaluations/s in games, which alone would take {:.1f} % of the time; beside them "
      "learning adds {:.1f} %,\nmatches add {:.1f} %; the network learns for {:.1f} % of the time\n"
      "{:.0f} generations of {:.0f} s: {:.3g} million plies, {:.0f} games, {:.3g} million "
      "evaluations\n"
      "{:.3g} million positions learned from; {:.2f} GB on disk at the end\n",
      plan.seconds / 3600, config.network.blocks, config.network.channels, cost.weights / 1e6,
      cost.flops / 1e9, speeds.evals_per_s, 100 * plan.games_fraction, 100 * plan.learning_fraction,
      100 * plan.matches_fraction, 100 * plan.learns_fraction, plan.generations, plan.generation_s,
      plan.plies / 1e6, plan.games, plan.evaluations / 1e6, plan.positions_learned / 1e6,
      plan.disk_bytes / 1e9);
}

}  // namespace training
