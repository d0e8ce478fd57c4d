#pragma once
// The precisions in which a run plays and learns. Where its config says "auto" they are measured
// once and kept in the run's counters, for another precision would play other games and learn other
// weights.

#include <optional>
#include <string>

#include "nn/checkpoint.h"
#include "nn/precision.h"
#include "training/settings/run_config.h"
#include "training/settings/run_options.h"

namespace training {

// Returns the precision of play that the config asks for; none for "auto". Throws base::InputError
// where the device does not have it.
std::optional<nn::Precision> requested_precision(const RunConfig& config,
                                                 const std::string& device);

// Whether a step in mixed precision takes clearly less time here than one in fp32, by a measurement
// of a second or two at most: it does where a processor multiplies bfloat16 faster than fp32 (AMX,
// Zen 4), and does not where it only has the instruction. On other devices than a CPU: true.
bool mixed_precision_pays(const nn::NetworkConfig& network, const std::string& device);

// Whether the run learns in mixed precision: as the config says, else as chosen before, else by
// mixed_precision_pays(), whose answer is then kept. Logged where it was measured or another
// processor's answer is used.
bool learns_mixed(const RunConfig& config, const std::string& device, RunCounters& counters);

// Returns the run's precision of play: as the config says, else as chosen before, where the device
// has it, else nn::fastest_precision() for the network, which is then kept and logged.
nn::Precision precision_of_play(const RunConfig& config, const nn::NetworkFile& network,
                                const std::string& device, RunCounters& counters);

// Returns the precision of play for one network: fp32, which is logged, where the run's is int8 and
// is inaccurate for this network.
nn::Precision precision_for(const nn::NetworkFile& network, nn::Precision of_play,
                            std::int64_t generation);

}  // namespace training
