#include <iostream>
#include <nlohmann/json.hpp>

#include "app/command.h"
#include "app/named/paths.h"
#include "base/errors.h"
#include "training/settings/night_plan.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

struct Config final : Command {
  std::string preset = option(preset, {"--preset", "NAME", "with the values of configs/NAME.toml"});
  std::string check =
      option(check, CommandOption("--check", "FILE", "check this file and print nothing else")
                        .without({"--preset"}));
  std::string plan = option(
      plan, CommandOption("--plan", "FILE",
                          "print what a run of the preset brings: games, evaluations, disk; FILE: "
                          "what `bench all --json` printed on the machine")
                .without({"--check"})
                .only_with("--preset"));
  std::vector<std::string> set = option(set, set_option().only_with("--preset"));

  Config() : Command("config", "print every key of a run's config with value, range and help") {}
  int run(const CommonOptions& common) const override;
};

int Config::run(const CommonOptions& common) const {
  if (!check.empty()) {
    for (const auto& warning : training::warnings(training::load_config(check))) {
      std::cerr << check << ": warning: " << warning << "\n";
    }
    return common.json ? print(common, {{"file", check}, {"ok", true}}, "") : kDone;
  }
  training::RunConfig config;
  if (!preset.empty()) {
    config = training::load_config(preset_file(preset), set);
  }
  if (!plan.empty()) {
    if (!config.run.plays_games()) {
      throw base::InputError("--plan: expected a run that plays games (run.plies_per_generation)");
    }
    const training::MeasuredSpeeds speeds = training::read_speeds(plan, config.network);
    const training::NightPlan night = training::plan(config, speeds);
    return print(common, training::to_json(config, speeds, night),
                 training::to_text(config, speeds, night), 2);
  }
  return print(common, training::to_json(config), training::to_toml(config, true), 2);
}

}  // namespace

std::unique_ptr<Command> config_command() { return std::make_unique<Config>(); }

}  // namespace app
