#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/players.h"
#include "app/program.h"
#include "base/files.h"
#include "nn/network_export.h"

namespace app {

int run_export(const Options& options) {
  const auto& [net, file] = options.export_net;
  base::write_text(file, nn::torchscript(load_network(net)));
  return print(options.common, {{"file", file}}, file + ": torch.jit.load() opens it\n");
}

}  // namespace app
