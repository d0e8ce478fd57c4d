#pragma once
// Convolutions of bytes, as oneDNN runs them.

#include <oneapi/dnnl/dnnl.hpp>
#include <utility>
#include <vector>

#include "nn/float_kernels.h"
#include "nn/folded_weights.h"
#include "nn/forward_pass.h"

namespace nn {

// Weights in whatever layouts the operations ask for, each made once.
class PackedWeights {
 public:
  PackedWeights(const dnnl::engine& engine, const dnnl::memory::desc& desc, const void* values);
  dnnl::memory in_layout(const dnnl::memory::desc& desc);

 private:
  dnnl::engine engine_;
  dnnl::memory plain_;
  std::vector<dnnl::memory> packed_;
};

// output = scales * (sum of products of integers + bias), by output channel.
struct QuantizedConvolution {
  int in, out, kernel;
  PackedWeights weight;
  dnnl::memory bias;
  std::vector<float> scales;
};

// Quantizes a layer whose inputs are in units of `in_steps` and whose outputs are in units of
// `out_steps`, or plain floats where these are empty.
QuantizedConvolution quantize(const dnnl::engine& engine, const Convolution& layer,
                              const Steps& in_steps, const Steps& out_steps);

// A layer, ready to run on fixed memory.
class Operation {
 public:
  Operation(dnnl::primitive primitive, std::vector<std::pair<int, dnnl::memory>> arguments);
  void operator()(const dnnl::stream& stream) const;

 private:
  dnnl::primitive primitive_;
  std::vector<std::pair<int, dnnl::memory>> memories_;  // keeps what arguments_ points to
  std::vector<dnnl_exec_arg_t> arguments_;
};

// Makes the operations for one number of rows. `in` and `out` are memory of at least that many
// rows, [row][square][channel].
class OperationMaker {
 public:
  OperationMaker(const dnnl::engine& engine, int rows) : engine_(engine), rows_(rows) {}

  // From bytes to bytes or floats.
  Operation convolution(QuantizedConvolution& layer, const dnnl::memory& in,
                        const dnnl::memory& out, dnnl::memory::data_type out_type,
                        After after) const;

 private:
  dnnl::engine engine_;
  int rows_;
};

}  // namespace nn
