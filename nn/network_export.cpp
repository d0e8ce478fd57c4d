#include "nn/network_export.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/tracer.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "nn/network.h"

namespace nn {
namespace {

// What the trained network computes, recorded while it does.
std::shared_ptr<torch::jit::Graph> trace(Network& network) {
  const auto forward = [&network](torch::jit::Stack inputs) -> torch::jit::Stack {
    const NetworkOutputs out = network->forward(inputs.at(0).toTensor(), inputs.at(1).toTensor());
    return {c10::ivalue::Tuple::create(std::vector<c10::IValue>{
        out.policy.all(), torch::softmax(out.outcomes, 1), out.moves_left * kMovesLeftScale})};
  };
  const Shape& shape = network->config.shape;
  constexpr int kRows = 2;  // any number: the graph holds for all
  torch::jit::Stack examples{torch::zeros({kRows, shape.planes, 8, 8}),
                             torch::zeros({kRows, shape.globals})};
  return torch::jit::tracer::trace(examples, forward, [](const torch::Tensor&) { return ""; })
      .first->graph;
}

}  // namespace

std::string torchscript(const NetworkFile& network) {
  const torch::NoGradGuard no_grad;
  Network source(network.config);
  set_weights(*source, network.weights);
  source->eval();
  for (auto& parameter : source->parameters()) parameter.set_requires_grad(false);

  torch::jit::Module module("sharpzero.Network");
  const auto graph = trace(source);
  graph->insertInput(0, "self")->setType(module._ivalue()->type());
  const auto name = c10::QualifiedName(*module.type()->name(), "forward");
  module.type()->addMethod(module._ivalue()->compilation_unit()->create_function(name, graph));
  // Into memory: LibTorch's own writer ends the program where a disk is full.
  std::ostringstream bytes;
  module.save(bytes);
  return std::move(bytes).str();
}

}  // namespace nn
