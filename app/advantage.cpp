#include "training/studies/advantage.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/balance.h"
#include "app/commands.h"
#include "app/machine.h"
#include "app/program.h"
#include "app/scoring_table.h"
#include "app/study.h"
#include "training/studies/answers.h"

namespace app {
namespace {

using nlohmann::ordered_json;

constexpr int kDeepSimulations = 3200;

// What is studied: networks (all but the newest with the first number of simulations only).
std::vector<std::pair<std::filesystem::path, int>> plan(const AdvantageOptions& asked,
                                                        const Study& study) {
  std::vector<std::pair<std::filesystem::path, int>> steps;
  if (asked.checkpoints > 1) {
    auto checkpoints = nn::list_checkpoints(study.source(), asked.checkpoints);
    if (!checkpoints.empty()) checkpoints.pop_back();
    for (const auto& checkpoint : checkpoints) steps.emplace_back(checkpoint, asked.sims.front());
  }
  for (const int simulations : asked.sims) steps.emplace_back(study.source(), simulations);
  return steps;
}

}  // namespace

int run_advantage(const Options& options) {
  if (wants_balance(options)) return run_balance(options);
  const AdvantageOptions& asked = options.advantage;
  Study study(asked.study, options.common);
  const rules::ScoringTable table = scoring_table(asked.table, study.rules());
  ordered_json answer{{"study", "advantage"}, {"format_version", 1}};
  for (const auto& [network, simulations] : plan(asked, study)) {
    study.take(network);
    const training::SelfGamesConfig config = study.config(simulations, table);
    const auto games = study.games(config);
    if (games.empty()) return stopped(study, options.common);
    const auto start = training::start_values(config, kDeepSimulations, *study.evaluator()());
    answer["sets"].push_back(training::advantage_figures(config, study.name(), games, start));
  }
  answer["answers"] = training::advantage_answers(answer);
  const auto report = study.write("advantage.json", answer.dump(1));
  if (options.common.json) {
    std::cout << answer.dump(2) << "\n";
    return kDone;
  }
  for (const auto& set : answer["sets"]) std::cout << training::advantage_text(set) << "\n";
  std::cout << training::answers_text(answer["answers"]) << "report " << report.string() << "\n";
  return kDone;
}

}  // namespace app
