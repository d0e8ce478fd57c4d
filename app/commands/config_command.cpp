#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/paths.h"
#include "app/program.h"
#include "training/settings/night_plan.h"
#include "training/settings/run_config.h"

namespace app {

int run_config(const Options& options) {
  const ConfigOptions& asked = options.config;
  if (!asked.check.empty()) {
    for (const auto& warning : training::warnings(training::load_config(asked.check))) {
      std::cerr << asked.check << ": warning: " << warning << "\n";
    }
    return options.common.json ? print(options.common, {{"file", asked.check}, {"ok", true}}, "")
                               : kDone;
  }
  training::RunConfig config;
  if (!asked.preset.empty()) {
    config = training::load_config(preset_file(asked.preset), asked.set);
  }
  if (!asked.plan.empty()) {
    const training::MeasuredSpeeds speeds = training::read_speeds(asked.plan, config.network);
    const training::NightPlan plan = training::plan(config, speeds);
    return print(options.common, training::to_json(config, speeds, plan),
                 training::to_text(config, speeds, plan), 2);
  }
  return print(options.common, training::to_json(config), training::to_toml(config, true), 2);
}

}  // namespace app
