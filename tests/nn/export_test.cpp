#include <gtest/gtest.h>
#include <torch/script.h>

#include <sstream>

#include "nn/network.h"
#include "nn/network_export.h"

namespace nn {
namespace {

NetworkFile small_file() {
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
  const NetworkFile file = small_file();
  Network network(file.config);
  set_weights(*network, file.weights);
  network->eval();

  std::istringstream bytes(torchscript(file));
  torch::jit::Module loaded = torch::jit::load(bytes);

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

}  // namespace
}  // namespace nn
