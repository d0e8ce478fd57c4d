#pragma once

#include <string>

#include "nn/checkpoint.h"

namespace nn {

// The network as the bytes of a TorchScript file, which Python opens with torch.jit.load(file). Its
// forward(planes [n, planes, 8, 8], globals [n, globals]) gives a tuple: policy logits
// [n, policy size], outcome probabilities [n, 7] (mover loses ... mover wins), plies to the end
// [n]. Throws CheckpointError where the weights do not fit the config.
std::string torchscript(const NetworkFile& network);

}  // namespace nn
