#include "training/mixed_precision.h"

#include <algorithm>
#include <chrono>

#include "base/stopwatch.h"
#include "nn/inference.h"
#include "nn/precision.h"
#include "training/autocast.h"

namespace training {

bool mixed_precision_pays(const nn::NetworkConfig& config, const std::string& device) {
  const torch::Device where(device);
  if (where.is_cuda()) return true;
  if (config.channels < nn::kLeastChannels) return false;
  constexpr int kRows = 32;  // a large network has them in a second, too
  constexpr int kRounds = 4;
  constexpr double kClearly = 0.9;
  const nn::TorchThreads one(1);
  nn::Network network = build_network(config, where, 0);
  const auto planes =
      torch::ones({kRows, 8, 8, config.shape.planes}).permute({0, 3, 1, 2});  // as to_tensors()
  const auto globals = torch::ones({kRows, config.shape.globals});
  const auto seconds = [&](bool mixed) {
    const auto begin = std::chrono::steady_clock::now();
    torch::Tensor sum;
    {
      const Autocast autocast(mixed, false);
      const nn::NetworkOutputs out = network->forward(planes, globals);
      sum = out.policy.by_move.sum() + out.outcomes.sum();
      if (out.policy.by_pair.defined()) sum = sum + out.policy.by_pair.sum();
    }
    sum.backward();
    return base::seconds_since(begin);
  };
  // In turns: what else the machine does meets both.
  double mixed = 1e9, plain = 1e9;
  for (int i = 0; i < kRounds; ++i) {
    mixed = std::min(mixed, seconds(true));
    plain = std::min(plain, seconds(false));
  }
  return mixed < kClearly * plain;
}

}  // namespace training
