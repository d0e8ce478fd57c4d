#include "studies/advantage.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/balance.h"
#include "app/commands.h"
#include "app/scoring_table.h"
#include "app/study.h"
#include "base/errors.h"
#include "studies/answers.h"

namespace app {
namespace {

using nlohmann::ordered_json;

constexpr int kDeepSimulations = 3200;

// What is studied: networks (all but the newest with the first number of simulations only). Throws
// base::InputError where there is no run to take checkpoints from.
std::vector<std::pair<std::filesystem::path, int>> plan(const AdvantageOptions& asked,
                                                        const Study& study) {
  std::vector<std::pair<std::filesystem::path, int>> steps;
  if (asked.checkpoints > 1) {
    auto checkpoints = nn::list_checkpoints(study.source(), asked.checkpoints);
    if (checkpoints.empty()) {
      throw base::InputError("advantage: --checkpoints: expected a run folder, not " +
                             study.source().string());
    }
    checkpoints.pop_back();  // it is the network
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
    const studies::SelfGamesConfig config = study.config(simulations, table);
    const auto games = study.games(config);
    if (games.empty()) return stopped(options.common, study.folder());
    const auto start = studies::start_values(config, kDeepSimulations, *study.evaluator()());
    answer["sets"].push_back(studies::advantage_figures(config, study.name(), games, start));
  }
  answer["answers"] = studies::advantage_answers(answer);
  const auto report = study.write("advantage.json", answer.dump(1));
  std::string text;
  for (const auto& set : answer["sets"]) text += studies::advantage_text(set) + "\n";
  return print_answer(options.common, answer, text + studies::answers_text(answer["answers"]),
                      report);
}

}  // namespace app
