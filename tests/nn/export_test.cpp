#include "nn/export.h"

#include <gtest/gtest.h>
#include <torch/script.h>

#include <filesystem>

#include "nn/network.h"
#include "tests/temporary_folder.h"

namespace nn {
namespace {

NetworkFile small() {
  torch::manual_seed(3);
  NetworkFile file;
  file.config = {.blocks = 2, .channels = 8, .policy_channels = 4, .value_channels = 2};
  file.config.policy_attention = 4;
  Network network(file.config);
  for (auto& parameter : network->parameters()) {
    torch::nn::init::normal_(parameter, 0, 0.2);  // the heads begin at zero
  }
  file.weights = weights_of(*network);
  return file;
}

TEST(Export, TheTorchScriptFileComputesWhatTheNetworkDoes) {
  const NetworkFile file = small();
  Network network(file.config);
  set_weights(*network, file.weights);
  network->eval();

  const TemporaryFolder folder;
  export_torchscript(file, folder / "net.pt");
  torch::jit::Module loaded = torch::jit::load(folder / "net.pt");

  const torch::NoGradGuard no_grad;
  for (const int rows : {1, 5}) {  // another number than it was recorded with
    const auto planes = torch::randint(0, 2, {rows, kChessSharpPlanes, 8, 8}).to(torch::kFloat);
    const auto globals = torch::rand({rows, kChessSharpShape.globals});
    const NetworkOutputs expected = network->forward(planes, globals);
    const auto out = loaded.forward({planes, globals}).toTuple()->elements();
    EXPECT_TRUE(torch::allclose(out[0].toTensor(), expected.policy.all(), 1e-4, 1e-5));
    EXPECT_TRUE(
        torch::allclose(out[1].toTensor(), torch::softmax(expected.outcomes, 1), 1e-4, 1e-5));
    EXPECT_TRUE(
        torch::allclose(out[2].toTensor(), expected.moves_left * kMovesLeftScale, 1e-4, 1e-4));
  }
}

TEST(Export, WhereItFailsWhatWasThereStays) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const fs::path file = folder.write("net.pt", "what was there");
  const fs::path aside = folder / "net.pt.new";
  fs::create_directories(aside / "in the way");
  EXPECT_THROW(export_torchscript(small(), file), std::exception);
  EXPECT_EQ(fs::file_size(file), 14u);
  fs::remove_all(aside);
  export_torchscript(small(), file);
  EXPECT_NO_THROW(torch::jit::load(file.string()));
  EXPECT_FALSE(fs::exists(aside));
}

}  // namespace
}  // namespace nn
