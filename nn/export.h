#pragma once

#include <filesystem>

#include "nn/checkpoint.h"

namespace nn {

// Writes the network as a TorchScript file that Python opens with torch.jit.load(file). Its
// forward(planes [n, planes, 8, 8], globals [n, globals]) gives a tuple: policy logits
// [n, policy size], outcome probabilities [n, 7] (mover loses ... mover wins), plies to the end
// [n]. Throws CheckpointError where the weights do not fit the config, std::exception where the
// file cannot be written; what was there is then as it was.
void export_torchscript(const NetworkFile& network, const std::filesystem::path& file);

}  // namespace nn
