#include "nn/quantized_layers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace nn {
namespace {

using dnnl::memory;
using Type = memory::data_type;
using Layout = memory::format_tag;

memory vector_memory(const dnnl::engine& engine, const std::vector<float>& values) {
  memory out({{static_cast<memory::dim>(values.size())}, Type::f32, Layout::a}, engine);
  std::copy(values.begin(), values.end(), static_cast<float*>(out.get_data_handle()));
  return out;
}

// The scratchpads are the operations' own: oneDNN's belong to the thread that makes them.
dnnl::primitive_attr attributes(After after) {
  dnnl::post_ops post;
  if (after == After::kAddToOutputThenRelu) post.append_sum(1.0f);
  if (after != After::kNothing) post.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(post);
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

}  // namespace

PackedWeights::PackedWeights(const dnnl::engine& engine, const memory::desc& desc,
                             const void* values)
    : engine_(engine), plain_(desc, engine) {
  std::memcpy(plain_.get_data_handle(), values, desc.get_size());
}

memory PackedWeights::in_layout(const memory::desc& desc) {
  for (const memory& packed : packed_) {
    if (packed.get_desc() == desc) return packed;
  }
  memory& packed = packed_.emplace_back(desc, engine_);
  dnnl::stream stream(engine_);
  dnnl::reorder(plain_, packed).execute(stream, plain_, packed);
  stream.wait();
  return packed;
}

QuantizedConvolution quantize(const dnnl::engine& engine, const Convolution& layer,
                              const Steps& in_steps, const Steps& out_steps) {
  const auto rows = static_cast<std::size_t>(layer.out), area = layer.weight.size() / rows;
  const std::size_t taps = area / static_cast<std::size_t>(layer.in);
  std::vector<std::int8_t> weight(layer.weight.size());
  std::vector<float> bias(rows), scales(rows), row(area);
  for (std::size_t o = 0; o < rows; ++o) {
    float top = 1e-20f;  // a row of zeros has some scale too
    for (std::size_t i = 0; i < area; ++i) {
      row[i] = layer.weight[o * area + i] * in_steps[i / taps];
      top = std::max(top, std::abs(row[i]));
    }
    const float scale = top / 127;
    for (std::size_t i = 0; i < area; ++i) {
      weight[o * area + i] = static_cast<std::int8_t>(std::lround(row[i] / scale));
    }
    bias[o] = layer.bias[o] / scale;
    scales[o] = out_steps.empty() ? scale : scale / out_steps[o];
  }
  const memory::desc desc({layer.out, layer.in, layer.kernel, layer.kernel}, Type::s8,
                          Layout::oihw);
  return {layer.in,
          layer.out,
          layer.kernel,
          PackedWeights(engine, desc, weight.data()),
          vector_memory(engine, bias),
          std::move(scales)};
}

Operation::Operation(dnnl::primitive primitive, std::vector<std::pair<int, memory>> arguments)
    : primitive_(std::move(primitive)), memories_(std::move(arguments)) {
  for (const auto& [index, one] : memories_) arguments_.push_back({index, one.get()});
}

void Operation::operator()(const dnnl::stream& stream) const {
  dnnl::error::wrap_c_api(
      dnnl_primitive_execute(primitive_.get(), stream.get(), static_cast<int>(arguments_.size()),
                             arguments_.data()),
      "oneDNN could not run a layer");
}

Operation OperationMaker::convolution(QuantizedConvolution& layer, const memory& in,
                                      const memory& out, Type out_type, After after) const {
  const memory::desc source({rows_, layer.in, 8, 8}, Type::u8, Layout::nhwc);
  const memory::desc target({rows_, layer.out, 8, 8}, out_type, Layout::nhwc);
  const memory::desc weight({layer.out, layer.in, layer.kernel, layer.kernel}, Type::s8,
                            Layout::any);
  const memory::dim padding = layer.kernel / 2;
  dnnl::primitive_attr how = attributes(after);
  how.set_output_scales(/*mask: by channel*/ 2, layer.scales);
  using Forward = dnnl::convolution_forward;
  const Forward::primitive_desc desc({dnnl::prop_kind::forward_inference,
                                      dnnl::algorithm::convolution_direct,
                                      source,
                                      weight,
                                      layer.bias.get_desc(),
                                      target,
                                      {1, 1},
                                      {padding, padding},
                                      {padding, padding}},
                                     how, engine_);
  return {Forward(desc),
          {{DNNL_ARG_SRC, memory(desc.src_desc(), engine_, in.get_data_handle())},
           {DNNL_ARG_WEIGHTS, layer.weight.in_layout(desc.weights_desc())},
           {DNNL_ARG_BIAS, layer.bias},
           {DNNL_ARG_DST, memory(desc.dst_desc(), engine_, out.get_data_handle())},
           {DNNL_ARG_SCRATCHPAD, memory(desc.scratchpad_desc(), engine_)}}};
}

}  // namespace nn
