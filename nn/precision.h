#pragma once
// The precisions of play, and which of them to take.

#include <optional>
#include <string>
#include <vector>

#include "nn/checkpoint.h"

namespace nn {

// kInt8: see QuantizedForwardPass.
enum class Precision { kFloat32, kBFloat16, kFloat16, kInt8 };

std::string name(Precision precision);                           // "fp32", "bf16", "fp16", "int8"
std::optional<Precision> precision_of(const std::string& name);  // none where it is no name()

// Those that Inference can work in on the device. int8 only on a CPU with VNNI instructions,
// without which oneDNN's sums can overflow, and in a build with oneDNN.
std::vector<Precision> precisions_on(const std::string& device);

// The one that is asked for by name; none for "auto". Throws base::InputError where the device does
// not have it: "WHAT NAME: expected on DEVICE one of auto …".
std::optional<Precision> requested_precision(const std::string& what, const std::string& asked,
                                             const std::string& device);

// How far two forms' answers to a batch lie apart: means over its positions of the total variation
// (half of the sum of absolute differences) of two distributions.
struct Deviation {
  double policy = 0;    // over the moves
  double outcomes = 0;  // over the seven outcomes
};

// With how much of it from fp32 int8 may play: some three times what trained networks show.
inline constexpr Deviation kTolerated{0.02, 0.02};

// Of the precision from fp32 on the CPU, on positions of random games other than those by which
// int8 is calibrated. On one LibTorch thread.
Deviation deviation_from_fp32(const NetworkFile& network, Precision precision);
bool within(const Deviation& deviation, const Deviation& tolerated);
// That of int8 where it is more than is tolerated; none in the others, which are exact enough.
std::optional<Deviation> excess_deviation(const NetworkFile& network, Precision precision);

// On a CPU narrower networks work in fp32: their time is not in the multiplications, and what would
// choose is the noise of the measurement.
inline constexpr int kLeastChannels = 16;

// The precision to play this network in. On CUDA bf16, unmeasured. On a CPU the fastest by a
// measurement, on one LibTorch thread as players have, that takes about a thousand evaluations:
// fp32 where nothing else is at least 5 % faster, int8 only where its deviation is within what is
// tolerated.
Precision fastest_precision(const NetworkFile& network, const std::string& device,
                            const Deviation& tolerated = kTolerated);

}  // namespace nn
