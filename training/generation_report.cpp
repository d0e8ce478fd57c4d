#include "training/generation_report.h"

#include <spdlog/spdlog.h>

namespace training {

void GameSummary::add(const selfplay::GameRecord& game) {
  ++games;
  plies += static_cast<double>(game.plies.size());
  points_white += game.table.white_points(game.outcome);
  outcomes[static_cast<std::size_t>(rules::index(game.outcome))] += 1;
}

nlohmann::ordered_json record_of(const GenerationReport& report, const RunCounters& counters,
                                 double elapsed_s) {
  const GameSummary& games = report.summary;
  const LearnerReport& learned = report.learned;
  nlohmann::ordered_json record = {{"generation", counters.generation},
                                   {"elapsed_s", elapsed_s},
                                   {"games", counters.games},
                                   {"positions", counters.targets},
                                   {"plies", counters.plies},
                                   {"evals", counters.evaluations},
                                   {"loss", learned.loss},
                                   {"policy_loss", learned.policy_loss},
                                   {"policy_floor", learned.policy_floor},
                                   {"outcome_loss", learned.outcome_loss},
                                   {"moves_left_loss", learned.moves_left_loss},
                                   {"auxiliary_loss", learned.auxiliary_loss},
                                   {"learning_rate", learned.learning_rate},
                                   {"steps", report.steps},
                                   {"window", report.window},
                                   {"points_white", games.mean(games.points_white)},
                                   {"outcomes", nlohmann::json::array()},
                                   {"plies_mean", games.mean(games.plies)},
                                   {"games_per_h", report.games_per_h()},
                                   {"evals_per_s", report.evals_per_s()},
                                   {"adjudicated", report.played.adjudicated},
                                   {"verdicts_tested", report.played.verdicts},
                                   {"verdicts_false", report.played.false_verdicts},
                                   {"selfplay_s", report.games_seconds},
                                   {"train_s", learned.seconds}};
  if (learned.reply_loss > 0) record["reply_loss"] = learned.reply_loss;
  if (report.fit) {
    record["window_policy_gap"] = report.fit->first.policy;
    record["window_outcome_gap"] = report.fit->first.outcome;
    record["held_out_policy_gap"] = report.fit->second.policy;
    record["held_out_outcome_gap"] = report.fit->second.outcome;
  }
  for (const double count : games.outcomes) record["outcomes"].push_back(games.mean(count));
  return record;
}

void add_matches(const Comparisons& comparisons, nlohmann::ordered_json& record) {
  for (const auto& [key, result] : comparisons) {
    record[key] = selfplay::to_json(result.points());
    record[key]["games"] = result.games();
    if (key != "score_vs_start") continue;
    record["elo"] = selfplay::to_json(result.elo());
    record["elo"]["games"] = result.games();
  }
}

void tell_games(const GenerationReport& report, std::int64_t generation, double elapsed_s,
                double minutes_left) {
  const GameSummary& games = report.summary;
  const LearnerReport& learned = report.learned;
  std::array<double, rules::kOutcomes> percent{};
  for (std::size_t i = 0; i < percent.size(); ++i) percent[i] = 100 * games.mean(games.outcomes[i]);
  spdlog::info(
      "generation {} after {:.0f} s: {} games of {:.0f} plies, {:.0f} games/h, {:.0f} evals/s; "
      "loss {:.3f} (policy {:.3f}, at best {:.3f}; outcome {:.3f})",
      generation, elapsed_s, games.games, games.mean(games.plies), report.games_per_h(),
      report.evals_per_s(), learned.loss, learned.policy_loss, learned.policy_floor,
      learned.outcome_loss);
  spdlog::info(
      "  White {:.2f} points; White : Black wins {:.0f} : {:.0f} %, stalemates {:.0f} : {:.0f} %, "
      "impasses {:.0f} : {:.0f} %, equal {:.0f} %; about {:.0f} min to go",
      games.mean(games.points_white), percent[6], percent[0], percent[5], percent[1], percent[4],
      percent[2], percent[3], minutes_left);
}

void tell_matches(const Comparisons& comparisons, int simulations) {
  for (const auto& [key, result] : comparisons) {
    const selfplay::Estimate points = result.points();
    spdlog::info(
        "  newest network against {}: {:.2f} of 10 points [{:.2f}, {:.2f}], {} games, {} "
        "simulations a move, by points alone",
        result.b, points.mean, points.low, points.high, result.games(), simulations);
  }
}

}  // namespace training
