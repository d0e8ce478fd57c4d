#pragma once
// The precisions of play, and which of them to choose.

#include <optional>
#include <string>
#include <vector>

#include "nn/checkpoint.h"

namespace nn {

// kInt8: see quantized_forward_pass().
enum class Precision { kFloat32, kBFloat16, kFloat16, kInt8 };

std::string name(Precision precision);  // "fp32", "bf16", "fp16", "int8"

// Returns the precisions that Inference has on the device, fp32 first. On a CPU those for which it
// has instructions: bf16 with AVX512-BF16 or AMX, as it would be emulated elsewhere, up to a
// hundred times slower than fp32; int8, in a build with oneDNN, with VNNI, without which sums can
// overflow.
std::vector<Precision> precisions_on(const std::string& device);

// Returns the precision of that name; none for "auto". Throws base::InputError where the device
// does not have it: "WHAT NAME: expected on DEVICE one of auto …".
std::optional<Precision> requested_precision(const std::string& what, const std::string& asked,
                                             const std::string& device);

// How far two precisions' answers to a batch lie apart: means over its positions of the total
// variation (half of the sum of absolute differences) of two distributions.
struct Deviation {
  double policy = 0;    // over the moves
  double outcomes = 0;  // over the seven outcomes
};

// Deviation from fp32 with which int8 may still play: some three times what trained networks show.
inline constexpr Deviation kTolerated{0.02, 0.02};

// Measures the precision's deviation from fp32 on the CPU, on positions of random games other than
// those of int8's calibration. Runs on one LibTorch thread.
Deviation deviation_from_fp32(const NetworkFile& network, Precision precision);
bool within(const Deviation& deviation, const Deviation& tolerated);
// Returns int8's deviation where it is more than is tolerated; none for the other precisions, which
// are exact enough.
std::optional<Deviation> excess_deviation(const NetworkFile& network, Precision precision);

// On a CPU networks with fewer channels run in fp32: multiplications take little of their time, and
// the noise of the measurement would choose.
inline constexpr int kLeastChannels = 16;

// Returns the precision to play this network in: on CUDA bf16, unmeasured; on a CPU the fastest by
// a measurement of about a thousand evaluations on one LibTorch thread, as players have: fp32 where
// no other is at least 5 % faster, int8 only where its deviation is tolerated.
Precision fastest_precision(const NetworkFile& network, const std::string& device,
                            const Deviation& tolerated = kTolerated);
// Returns the precision asked for, else the fastest.
inline Precision precision_to_play(std::optional<Precision> asked, const NetworkFile& network,
                                   const std::string& device) {
  return asked ? *asked : fastest_precision(network, device);
}

}  // namespace nn
