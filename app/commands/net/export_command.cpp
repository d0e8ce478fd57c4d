#include "app/command.h"

#ifdef SHARPZERO_NET
#include <nlohmann/json.hpp>

#include "app/named/players.h"
#include "base/files.h"
#include "nn/network_export.h"
#endif

namespace app {
namespace {

struct Export final : Command {
  std::string net = option(net, net_option());
  std::string to =
      option(to, CommandOption("--to", "FILE", "file that torch.jit.load opens").mandatory());

  Export() : Command("export", "write a network as a TorchScript file for Python") {}
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

#ifdef SHARPZERO_NET

int Export::run(const CommonOptions& common) const {
  base::write_text(to, nn::torchscript(load_network(net)));
  return print(common, {{"file", to}}, to + ": torch.jit.load() opens it\n");
}

#endif  // SHARPZERO_NET

}  // namespace

std::unique_ptr<Command> export_command() { return std::make_unique<Export>(); }

}  // namespace app
