#include "nn/nnue_file.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "nn/checkpoint.h"

namespace nn {
namespace {

constexpr float kSumUnits = 255;  // integers a unit of a sum
constexpr float kMaxFirst = 127;  // integer of the first hidden layer

template <class Integer>
Integer rounded(float weight, float largest, float units) {
  return static_cast<Integer>(std::lround(std::clamp(weight, -largest, largest) * units));
}

// Copies a row-major array into rows that may be longer than its own.
template <class Rows>
void copy_rows(std::span<const float> from, Rows& to) {
  const std::size_t columns = from.size() / to.size();
  for (std::size_t row = 0; row < to.size(); ++row) {
    std::ranges::copy(from.subspan(row * columns, columns), to[row].begin());
  }
}

template <class Rows>
void round_rows(const std::vector<float>& from, float largest, float units, Rows& to) {
  using Integer = typename Rows::value_type::value_type;
  std::size_t i = 0;
  for (auto& row : to) {
    for (Integer& weight : row) weight = rounded<Integer>(from[i++], largest, units);
  }
}

// Each output has a scale of its own, by which its largest weight becomes the largest integer.
void round_first(std::span<const float> from, tactics::NnueStack& to) {
  const std::size_t columns = to.first[0].size();
  for (std::size_t k = 0; k < to.first.size(); ++k) {
    const auto row = from.subspan(k * columns, columns);
    float largest = 0;
    for (const float w : row) largest = std::max(largest, std::abs(w));
    if (largest == 0) continue;
    std::ranges::transform(row, to.first[k].begin(), [largest](float w) {
      return rounded<std::int8_t>(w, largest, kMaxFirst / largest);
    });
    to.first_scale[k] = largest / kMaxFirst / 127;  // an input of 1 is 127
  }
}

// The part of an array that is of one stack.
std::span<const float> part_of(const std::vector<float>& array, std::size_t stack) {
  const std::size_t size = array.size() / tactics::NnueShape::kStacks;
  return std::span(array).subspan(stack * size, size);
}

// How many equal parts an array of version 3 is made of where all king's places and stacks are
// alike.
int parts_of(const std::string& name) {
  using Shape = tactics::NnueShape;
  return name == "bias" ? 1 : name == "feature" ? Shape::kKingPlaces : Shape::kStacks;
}

// Makes the arrays of versions 1 and 2 those of version 3; what from_arrays() would refuse in the
// one it refuses in the other.
void widen(Weights& arrays) {
  using Shape = tactics::NnueShape;
  for (auto& [name, array] : arrays) {
    if (name == "feature" &&
        array.shape == std::vector<std::int64_t>{Shape::kWhite, Shape::kSums}) {
      array.shape[0] = Shape::kKinds;
      array.values.resize(array.values.size() + Shape::kSums);
    }
    const int parts = parts_of(name);
    if (name == "feature" && !array.shape.empty()) {
      array.shape[0] *= parts;
    } else if (parts > 1) {
      array.shape.insert(array.shape.begin(), parts);
    }
    const auto once = array.values;
    for (int i = 1; i < parts; ++i) {
      array.values.insert(array.values.end(), once.begin(), once.end());
    }
  }
}

// The reverse, where all king's places and stacks are alike, else nothing.
std::optional<Weights> narrowed(Weights arrays) {
  for (auto& [name, array] : arrays) {
    const int parts = parts_of(name);
    if (parts == 1) continue;
    auto& values = array.values;
    const auto size = static_cast<std::ptrdiff_t>(values.size()) / parts;
    if (!std::equal(values.begin() + size, values.end(), values.begin())) return std::nullopt;
    values.resize(static_cast<std::size_t>(size));
    if (name == "feature") {
      array.shape[0] /= parts;
    } else {
      array.shape.erase(array.shape.begin());
    }
  }
  return arrays;
}

}  // namespace

Weights to_arrays(const NnueFloatWeights& weights) {
  Weights arrays;
  NnueFloatWeights::visit(weights, [&](const char* name, const std::vector<float>& values,
                                       std::vector<std::int64_t> shape) {
    arrays[name] = {std::move(shape), values};
  });
  return arrays;
}

std::uint64_t fingerprint(const NnueFloatWeights& weights) {
  const Weights arrays = to_arrays(weights);
  auto former = narrowed(arrays);
  if (!former) return fingerprint(arrays);
  std::vector<float>& feature = former->at("feature").values;
  const auto white = feature.end() - tactics::NnueShape::kSums;
  if (std::all_of(white, feature.end(), [](float w) { return w == 0; })) {
    feature.erase(white, feature.end());
  }
  return fingerprint(*former);
}

NnueFloatWeights from_arrays(const Weights& arrays) {
  NnueFloatWeights weights;
  std::size_t known = 0;
  NnueFloatWeights::visit(weights, [&](const char* name, std::vector<float>& values,
                                       const std::vector<std::int64_t>& shape) {
    const Array& array = find_array(arrays, name, shape);
    if (!std::ranges::all_of(array.values, [](float w) { return std::isfinite(w); })) {
      throw CheckpointError(std::string("array '") + name + "' holds values that are not finite");
    }
    values = array.values;
    ++known;
  });
  if (arrays.size() != known) {
    throw CheckpointError("there are " + std::to_string(arrays.size()) + " arrays, expected the " +
                          std::to_string(known) + " of an NNUE");
  }
  return weights;
}

void save_nnue(const NnueFile& nnue, const std::filesystem::path& path) {
  WeightsFile file{to_arrays(nnue.weights), {}};
  file.metadata["kind"] = kNnueKind;
  file.metadata["format_version"] = std::to_string(kNnueFormat);
  file.metadata["rules"] = nnue.repertoire.name();
  file.metadata["generation"] = std::to_string(nnue.generation);
  if (nnue.nodes > 0) file.metadata["nodes"] = std::to_string(nnue.nodes);
  save_weights(file, path);
}

NnueFile load_nnue(const std::filesystem::path& where) {
  const std::filesystem::path path = network_path(where, kNnueFile);
  WeightsFile file = load_weights(path);
  if (const std::string kind = metadata_kind(file); kind != kNnueKind) {
    throw CheckpointError(path.string() + ": is not an NNUE but " +
                          (kind.empty() ? "a network for tree search" : "of another kind"));
  }
  if (metadata_number(file, "format_version", 1, kNnueFormat, path) < kNnueFormat) {
    widen(file.weights);
  }
  NnueFile nnue;
  nnue.generation = metadata_number<std::int64_t>(file, "generation", 0, kMaxGeneration, path);
  nnue.repertoire = metadata_repertoire(file, path);
  if (file.metadata.contains("nodes")) {
    nnue.nodes = metadata_number<int>(file, "nodes", 1, 1000000000, path);
  }
  try {
    nnue.weights = from_arrays(file.weights);
  } catch (const CheckpointError& error) {
    throw CheckpointError(path.string() + ": " + error.what());
  }
  return nnue;
}

bool is_nnue(const std::filesystem::path& where) {
  try {
    return kind_of_file(network_path(where, kNnueFile)) == kNnueKind;
  } catch (const CheckpointError&) {
    return false;
  }
}

std::unique_ptr<tactics::NnueWeights> quantize(const NnueFloatWeights& weights) {
  auto made = std::make_unique<tactics::NnueWeights>();
  made->mirrors = !narrowed(to_arrays(weights)).has_value();
  round_rows(weights.feature, kMaxNnueFeature, kSumUnits, made->feature);
  std::ranges::transform(weights.bias, made->bias.begin(), [](float w) {
    return rounded<std::int16_t>(w, kMaxNnueFeature, kSumUnits);
  });
  for (std::size_t i = 0; i < made->stacks.size(); ++i) {
    tactics::NnueStack& stack = made->stacks[i];
    round_first(part_of(weights.first, i), stack);
    std::ranges::copy(part_of(weights.first_bias, i), stack.first_bias.begin());
    copy_rows(part_of(weights.table, i), stack.table);
    copy_rows(part_of(weights.second, i), stack.second);
    std::ranges::copy(part_of(weights.second_bias, i), stack.second_bias.begin());
    copy_rows(part_of(weights.out, i), stack.out);
    std::ranges::copy(part_of(weights.out_bias, i), stack.out_bias.begin());
  }
  return made;
}

std::shared_ptr<const tactics::NnueWeights> weights_to_play(const NnueFloatWeights& weights) {
  auto made = quantize(weights);
  tactics::order_sums(*made);
  return made;
}

}  // namespace nn
