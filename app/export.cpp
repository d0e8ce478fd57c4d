#include "nn/export.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/players.h"
#include "app/program.h"
#include "selfplay/errors.h"

namespace app {

int run_export(const Options& options) {
  const nn::NetworkFile network = load_network(options.export_net.net);
  try {
    nn::export_torchscript(network, options.export_net.to);
  } catch (const nn::CheckpointError&) {
    throw;
  } catch (const std::exception& error) {
    throw selfplay::EnvironmentError("cannot write " + options.export_net.to + ": " + error.what());
  }
  if (options.common.json) {
    std::cout << nlohmann::json{{"file", options.export_net.to}} << "\n";
  } else {
    std::cout << options.export_net.to << ": torch.jit.load() opens it\n";
  }
  return kDone;
}

}  // namespace app
