#pragma once
// In which number formats a run plays and learns: chosen once on a machine and kept in the run's
// counters, for other formats would play other games and learn other weights.

#include <optional>
#include <string>

#include "nn/checkpoint.h"
#include "nn/network_config.h"
#include "nn/precision.h"
#include "training/run_state.h"

namespace training {

// Where the run was on another processor before, or on none: chooses by a measurement how the
// network learns on this one, and forgets in what it played. Logged.
void settle_on_processor(const nn::NetworkConfig& network, const std::string& device,
                         RunCounters& counters);

// The format that was chosen for playing on this processor; none before it was.
std::optional<nn::Precision> chosen_precision(const RunCounters& counters,
                                              const std::string& device);

// The format for a generation's games: the one that was chosen, else the fastest, which is then
// kept. Where that has become inaccurate, the generation is played in fp32. Logged. REQUIRES:
// settle_on_processor() was called.
nn::Precision playing_precision(const nn::NetworkFile& network, const std::string& device,
                                RunCounters& counters);

}  // namespace training
