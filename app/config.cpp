#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/paths.h"
#include "training/run_config.h"

namespace app {

int run_config(const Options& options) {
  const ConfigOptions& asked = options.config;
  if (!asked.check.empty()) {
    for (const auto& warning : training::warnings(training::load_config(asked.check))) {
      std::cerr << asked.check << ": warning: " << warning << "\n";
    }
    if (options.common.json) {
      std::cout << nlohmann::json{{"file", asked.check}, {"ok", true}} << "\n";
    }
    return 0;
  }
  training::RunConfig config;
  if (!asked.preset.empty()) config = training::load_config(preset_file(asked.preset));
  if (options.common.json) {
    std::cout << training::to_json(config).dump(2) << "\n";
  } else {
    std::cout << training::to_toml(config, true);
  }
  return 0;
}

}  // namespace app
