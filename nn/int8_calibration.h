#pragma once
// Calibration of eight-bit inference, measured on positions of random games.

#include "nn/batch.h"
#include "nn/forward_pass.h"
#include "rules/repertoire.h"

namespace nn {

// Returns positions along random games, with all their moves: half of them under their rules' own
// scoring table, the others under one drawn around it, as near or wide as self-play draws them.
Batch random_play(const rules::Repertoire& repertoire, int positions, std::uint64_t seed);

// Returns steps at which no activation of the fp32 network saturates on a few hundred positions,
// with a tenth to spare. A channel's range is the geometric mean of its own and its layer's: finer
// steps for small channels cost precision of the weights that they are multiplied with.
ActivationSteps calibrate(const FoldedWeights& weights, const rules::Repertoire& repertoire);

// How far two networks' outputs for the batch lie apart.
Deviation deviation(const Batch& batch, const Outputs& a, const Outputs& b);

}  // namespace nn
