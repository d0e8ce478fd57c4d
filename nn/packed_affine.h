#pragma once
// Affine layers in floats on a CPU.

#include <vector>

#include "nn/folded_weights.h"
#include "nn/lanes.h"

namespace nn {

// An affine layer that answers each row alike, wherever it stands among however many rows, bit for
// bit: it sums in the order of the inputs. BLAS does not promise that: OpenBLAS's kernel for AVX2
// takes rows by twelves and the last ones by fours, and rounds otherwise in these.
class PackedAffine {
 public:
  explicit PackedAffine(const Affine& layer);
  int in() const { return in_; }
  int out() const { return out_; }
  // out[row] = bias + weight * in[row], for rows of in() and out() numbers.
  void operator()(const float* in, int rows, float* out) const;

 private:
  int in_, out_;
  std::vector<Lanes> weight_;  // [blocks of outputs][in]
  std::vector<Lanes> bias_;    // [blocks of outputs]
};

}  // namespace nn
