#include "app/command.h"

namespace app {
namespace {

struct Export final : Command {
  std::string net;
  std::string to;

  Export() : Command("export", "write a network as a TorchScript file for Python") {}
  std::vector<CommandOption> options() override {
    return {net_option(net),
            CommandOption("--to", "FILE", "file that torch.jit.load opens", &to).mandatory()};
  }
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

}  // namespace

std::unique_ptr<Command> export_command() { return std::make_unique<Export>(); }

}  // namespace app

#ifdef SHARPZERO_NET

#include <nlohmann/json.hpp>

#include "app/players.h"
#include "base/files.h"
#include "nn/network_export.h"

namespace app {
namespace {

int Export::run(const CommonOptions& common) const {
  base::write_text(to, nn::torchscript(load_network(net)));
  return print(common, {{"file", to}}, to + ": torch.jit.load() opens it\n");
}

}  // namespace
}  // namespace app

#endif  // SHARPZERO_NET
