#include "training/run/generation_report.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace training {

void GameSummary::add(const selfplay::GameRecord& game, const rules::ScoringTable& run_table) {
  const double points = run_table.white_points(game.outcome);
  ++games;
  plies += static_cast<double>(game.plies.size());
  points_white += points;
  outcomes[static_cast<std::size_t>(rules::index(game.outcome))] += 1;
  if (game.table == run_table) run_table_scores.add(points / 10);
}

std::optional<arena::Estimate> GameSummary::run_table_points_white() const {
  const double count = run_table_scores.pairs();
  if (count < 2) return std::nullopt;
  return 10 * arena::score_interval({.mean = std::clamp(run_table_scores.mean(), 0.0, 1.0),
                                     .variance = run_table_scores.scatter() / (count - 1),
                                     .count = count,
                                     .degrees = count - 1});
}

double total_loss(const Learner::Fit& fit) {
  return (std::isnan(fit.policy) ? 0 : fit.policy) + fit.outcome;
}

nlohmann::ordered_json record_of(const GenerationReport& report, const RunCounters& counters,
                                 double elapsed_s) {
  const GameSummary& games = report.summary;
  const LearnerReport& learned = report.learned;
  const auto of_steps = [&](double mean) {
    return learned.steps > 0 ? mean : std::numeric_limits<double>::quiet_NaN();
  };
  nlohmann::ordered_json record = {{"generation", counters.generation},
                                   {"elapsed_s", elapsed_s},
                                   {"games", counters.games},
                                   {"positions", counters.targets},
                                   {"plies", counters.plies},
                                   {"evals", counters.evaluations},
                                   {"loss", of_steps(learned.losses[kTotal])},
                                   {"policy_loss", of_steps(learned.losses[kPolicyLoss])},
                                   {"policy_floor", of_steps(learned.losses[kPolicyFloor])},
                                   {"outcome_loss", of_steps(learned.losses[kOutcomeLoss])},
                                   {"moves_left_loss", of_steps(learned.losses[kMovesLeftLoss])},
                                   {"auxiliary_loss", of_steps(learned.losses[kAuxiliaryLoss])},
                                   {"learning_rate", of_steps(learned.learning_rate)},
                                   {"steps", report.steps},
                                   {"window", report.window},
                                   {"points_white", games.mean(games.points_white)},
                                   {"outcomes", nullptr},
                                   {"plies_mean", games.mean(games.plies)},
                                   {"games_per_h", report.games_per_h()},
                                   {"evals_per_s", report.evals_per_s()},
                                   {"selfplay_s", report.games_seconds},
                                   {"train_s", learned.seconds}};
  if (report.fit) {
    record["window_policy_gap"] = report.fit->first.policy;
    record["window_outcome_gap"] = report.fit->first.outcome;
    record["held_out_policy_gap"] = report.fit->second.policy;
    record["held_out_outcome_gap"] = report.fit->second.outcome;
  }
  if (report.fit && report.fit_before) {
    record["window_gain"] = total_loss(report.fit_before->first) - total_loss(report.fit->first);
    record["held_out_gain"] =
        total_loss(report.fit_before->second) - total_loss(report.fit->second);
  }
  if (games.games > 0) {
    record["outcomes"] = games.outcomes;
    for (auto& share : record["outcomes"]) share = games.mean(share.get<double>());
  }
  if (const auto points = games.run_table_points_white()) {
    record["points_white_run_table"] = arena::to_json(*points);
    record["points_white_run_table"]["games"] = games.run_table_scores.pairs();
  }
  return record;
}

void add_matches(const Comparisons& comparisons, nlohmann::ordered_json& record) {
  for (const auto& [key, result] : comparisons) {
    record[key] = arena::to_json(result.points());
    record[key]["games"] = result.games();
    record[key]["evals"] = result.evaluations_a + result.evaluations_b;
    if (key != "score_vs_start") continue;
    record["elo"] = arena::to_json(result.elo());
    record["elo"]["games"] = result.games();
  }
}

void tell_games(const GenerationReport& report, std::int64_t generation, double elapsed_s,
                const std::string& time_left) {
  const GameSummary& games = report.summary;
  const auto& losses = report.learned.losses;
  spdlog::info(
      "generation {} after {:.0f} s: {} games{}, {:.0f} games/h, {:.0f} evals/s; "
      "loss {:.3f} ({}outcome {:.3f})",
      generation, elapsed_s, games.games,
      games.games > 0 ? fmt::format(" of {:.0f} plies", games.mean(games.plies)) : "",
      report.games_per_h(), report.evals_per_s(), losses[kTotal],
      std::isnan(losses[kPolicyLoss]) ? ""
                                      : fmt::format("policy {:.3f}, at best {:.3f}; ",
                                                    losses[kPolicyLoss], losses[kPolicyFloor]),
      losses[kOutcomeLoss]);
  if (games.games == 0) return;
  std::array<double, rules::kOutcomes> percent{};
  for (std::size_t i = 0; i < percent.size(); ++i) percent[i] = 100 * games.mean(games.outcomes[i]);
  spdlog::info(
      "  White {:.2f} points; White : Black wins {:.0f} : {:.0f} %, stalemates {:.0f} : {:.0f} %, "
      "impasses {:.0f} : {:.0f} %, equal {:.0f} %; about {} to go",
      games.mean(games.points_white), percent[6], percent[0], percent[5], percent[1], percent[4],
      percent[2], percent[3], time_left);
}

void tell_matches(const Comparisons& comparisons, int simulations) {
  for (const auto& [key, result] : comparisons) {
    const arena::Estimate points = result.points();
    spdlog::info(
        "  {} against {}: {:.2f} of 10 points [{:.2f}, {:.2f}], {} games, {} simulations a move",
        result.a, result.b, points.mean, points.low, points.high, result.games(), simulations);
  }
}

namespace {

constexpr int kFitRows = 512;               // positions of either kind
constexpr std::int64_t kLeastHeldOut = 24;  // validation games: with fewer no gap is measured
constexpr double kFullWindow = 0.95;        // fraction of `full`: the first games are few
constexpr double kAlarmingGap = 0.3;        // nats

}  // namespace

Fits measured_fits(const GameWindow& window, const GameWindow& validation,
                   const MeasureFit& measure) {
  if (window.size() == 0 || validation.games() < kLeastHeldOut || validation.size() == 0) {
    return std::nullopt;
  }
  return std::pair(measure(false, kFitRows), measure(true, kFitRows));
}

void tell_overfitting(const Fits& fits, const GameWindow& window, std::int64_t full) {
  if (!fits) return;
  const auto& [known, unknown] = *fits;
  const bool alarming = unknown.outcome - known.outcome >= kAlarmingGap ||
                        unknown.policy - known.policy >= kAlarmingGap;
  if (alarming && static_cast<double>(window.size()) >= kFullWindow * static_cast<double>(full)) {
    spdlog::warn(
        "the network overfits its games: outcomes cost {:.2f} nats in the window and {:.2f} "
        "in validation games, policies {:.2f} and {:.2f}; "
        "less learner.reuse or a larger window may help",
        known.outcome, unknown.outcome, known.policy, unknown.policy);
  }
}

}  // namespace training
