#include "studies/calibration.h"

#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/scoring_table.h"
#include "app/study.h"

namespace app {

int run_calibration(const Options& options) {
  const CalibrationOptions& asked = options.calibration;
  Study study(asked.study, options.common);
  const bool played = !asked.played.empty();
  const auto games =
      played ? study.unseen(asked.played)
             : study.games(study.config(asked.sims, scoring_table(asked.table, study.rules())));
  if (games.empty()) return stopped(options.common, study.folder());
  nlohmann::ordered_json answer{
      {"study", "calibration"}, {"format_version", 1}, {"net", study.name()}};
  if (played) {
    answer["played"] = asked.played;
  } else {
    answer["simulations"] = asked.sims;
  }
  answer.update(studies::calibration_figures(games, *study.evaluator()()));
  const auto report = study.write("calibration.json", answer.dump(1));
  return print_answer(options.common, answer, studies::calibration_text(answer), report);
}

}  // namespace app
