#pragma once
// One form of a network's forward pass.

#include "nn/batch.h"

namespace nn {

// Owned and called by one thread.
class ForwardPass {
 public:
  virtual ~ForwardPass() = default;
  // REQUIRES: 0 < batch.size() <= the rows it was made for; `outputs` sized for the batch.
  virtual void run(const Batch& batch, Outputs& outputs) = 0;
};

// Reads the value head's numbers (7 outcome logits, moves left before softplus, auxiliary, squared
// error before softplus) of the position into its outputs.
void read_values(const float* head, std::size_t position, Outputs& outputs);

}  // namespace nn
