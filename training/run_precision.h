#pragma once
// In which precisions a run plays and learns. Where its config leaves that open they are measured
// once and kept in the run's counters, for another precision would play other games and learn other
// weights.

#include <optional>
#include <string>

#include "nn/checkpoint.h"
#include "nn/precision.h"
#include "training/run_config.h"
#include "training/run_state.h"

namespace training {

// What the config asks play to work in; none where that is to be measured. Throws base::InputError
// where the device does not have it.
std::optional<nn::Precision> requested_precision(const RunConfig& config,
                                                 const std::string& device);

// Whether the run learns in mixed precision: as the config says, else as chosen before, else by a
// measurement, which is then kept. Logged where it was measured or is another processor's choice.
bool learns_mixed(const RunConfig& config, const std::string& device, RunCounters& counters);

// The run's precision of play: as the config says, else as chosen before, where the device has it,
// else the fastest for the network by a measurement, which is then kept and logged. REQUIRES:
// learns_mixed() was asked.
nn::Precision precision_of_play(const RunConfig& config, const nn::NetworkFile& network,
                                const std::string& device, RunCounters& counters);

// The same for one network: fp32 where the run's precision is int8 and has become inaccurate for
// it, which is logged.
nn::Precision precision_for(const nn::NetworkFile& network, nn::Precision of_play,
                            std::int64_t generation);

}  // namespace training
