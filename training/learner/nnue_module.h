#pragma once
// The NNUE as it is trained (tactics::Nnue plays). Includes LibTorch: only .cpp files of this
// folder include it.

#include <torch/nn.h>

#include <vector>

#include "nn/nnue_file.h"
#include "training/learner/nnue_window.h"

namespace training {

// Its parameters are called and shaped as in nn::NnueFloatWeights, where the formula is; and two
// that are 0 between steps: `kinds`, what a step changes in a kind of feature's rows for all king's
// places alike, and `pieces`, in the rows of a piece's features on all its squares and in hand
// alike.
struct NnueModule : torch::nn::Module {
  NnueModule();

  // Logits [rows, 7], without gradients.
  torch::Tensor logits(const NnueBatch& batch) const;
  // Leaves the gradients of the mean cross-entropy in the parameters. Returns the losses [kLosses]
  // on the CPU in double precision; 0 where an NNUE has none.
  torch::Tensor backward(const NnueBatch& batch);
  // Adds `kinds` and `pieces` to the features, and brings the weights within what nn::quantize()
  // holds. Without gradients.
  void settle();
  // Factors on the learning rate, by parameter; 0 for all but the last layer's where that is to
  // learn alone.
  std::vector<double> rates(bool last_layer_alone) const;

  torch::Tensor feature, bias, first, first_bias, table, second, second_bias, out, out_bias, kinds,
      pieces;

 private:
  torch::Tensor hidden(const torch::Tensor& squares, const NnueBatch& batch) const;
  torch::Tensor piece_of_;  // by kind of feature: a row of `pieces`
};

}  // namespace training
