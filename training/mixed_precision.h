#pragma once

#include <string>

#include "nn/network_config.h"

namespace training {

// Whether a step in mixed precision takes clearly less time here than one in fp32, by a measurement
// of a second or two at most: it does where a processor multiplies bfloat16 at more than fp32's
// rate (AMX, Zen 4), and does not where it only has the instruction.
bool mixed_precision_pays(const nn::NetworkConfig& network, const std::string& device);

}  // namespace training
