#pragma once
// Learning on a simulated device, of which only the time is real. Includes no LibTorch.

#include <cstdint>
#include <memory>
#include <string>

#include "training/learner/learner.h"

namespace training {

// Draws and packs a step's rows as a learner on CUDA does, on `threads` threads ahead of time, and
// waits for the device, which takes
// SimulatedTimes::learning_step_us() for it. The weights stay what they were at first, but that a
// step marks them as trained; losses and fits are not numbers.
std::unique_ptr<Learner> simulated_learner(const nn::NetworkConfig& network,
                                           const LearnerConfig& config, const std::string& device,
                                           int threads, std::uint64_t seed);

}  // namespace training
