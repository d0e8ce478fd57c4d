#include "nn/export.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/players.h"
#include "app/program.h"
#include "base/files.h"

namespace app {

int run_export(const Options& options) {
  base::write_text(options.export_net.to, nn::torchscript(load_network(options.export_net.net)));
  if (options.common.json) {
    std::cout << nlohmann::json{{"file", options.export_net.to}} << "\n";
  } else {
    std::cout << options.export_net.to << ": torch.jit.load() opens it\n";
  }
  return kDone;
}

}  // namespace app
