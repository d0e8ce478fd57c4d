#include "nn/export.h"

#include <gtest/gtest.h>
#include <torch/script.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "nn/network.h"

namespace nn {
namespace {

NetworkFile small() {
  torch::manual_seed(3);
  NetworkFile file;
  file.config = {.blocks = 2, .channels = 8, .policy_channels = 4, .value_channels = 2};
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

  std::string name = (std::filesystem::temp_directory_path() / "sharpzero-export-XXXXXX").string();
  ::close(::mkstemp(name.data()));
  export_torchscript(file, name);
  torch::jit::Module loaded = torch::jit::load(name);
  std::filesystem::remove(name);

  const torch::NoGradGuard no_grad;
  for (const int rows : {1, 5}) {  // another number than it was recorded with
    const auto planes = torch::randint(0, 2, {rows, kChessSharpPlanes, 8, 8}).to(torch::kFloat);
    const auto globals = torch::rand({rows, kChessSharpShape.globals});
    const NetworkOutputs expected = network->forward(planes, globals);
    const auto out = loaded.forward({planes, globals}).toTuple()->elements();
    EXPECT_TRUE(torch::allclose(out[0].toTensor(), expected.policy, 1e-4, 1e-5));
    EXPECT_TRUE(
        torch::allclose(out[1].toTensor(), torch::softmax(expected.outcomes, 1), 1e-4, 1e-5));
    EXPECT_TRUE(
        torch::allclose(out[2].toTensor(), expected.moves_left * kMovesLeftScale, 1e-4, 1e-4));
  }
}

TEST(Export, WhereItFailsWhatWasThereStays) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "sharpzero-export-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const fs::path file = fs::path(folder) / "net.pt";
  std::ofstream(file) << "what was there";
  fs::create_directories(fs::path(folder) / "net.pt.new" / "in the way");
  EXPECT_THROW(export_torchscript(small(), file), std::exception);
  EXPECT_EQ(fs::file_size(file), 14u);
  fs::remove_all(fs::path(folder) / "net.pt.new");
  export_torchscript(small(), file);
  EXPECT_NO_THROW(torch::jit::load(file.string()));
  EXPECT_FALSE(fs::exists(fs::path(folder) / "net.pt.new"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace nn
