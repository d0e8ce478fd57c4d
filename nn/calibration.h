#pragma once
// What eight-bit inference needs to know of a network before it plays, measured on positions of
// random games.

#include "nn/batch.h"
#include "nn/folded_weights.h"
#include "nn/precision.h"
#include "nn/quantized_forward_pass.h"
#include "rules/repertoire.h"

namespace nn {

// Positions along random games, every move of which is asked for: half of them under their rules'
// own scoring table, the others under one drawn around it, as near or wide as self-play draws them.
Batch random_play(const rules::Repertoire& repertoire, int positions, std::uint64_t seed);

// Steps at which nothing saturates that the fp32 network does on a few hundred positions, with a
// tenth to spare. A channel's range is the geometric mean of its own and its layer's: finer steps
// for small channels cost precision of the weights that they are multiplied with. On one LibTorch
// thread: the steps do not depend on how many the caller has.
ActivationSteps calibrate(const FoldedWeights& weights, const rules::Repertoire& repertoire);

Deviation deviation(const Batch& batch, const Outputs& a, const Outputs& b);

}  // namespace nn
