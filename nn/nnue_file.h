#pragma once
// An NNUE on disk (one safetensors file of float weights), and the integers with which it plays.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "nn/weights.h"
#include "rules/repertoire.h"
#include "tactics/nnue.h"

namespace nn {

inline constexpr int kNnueFormat = 3;
inline constexpr const char* kNnueKind = "nnue";  // the metadata's "kind"
inline constexpr const char* kNnueFile = "nnue.safetensors";

// The largest weight of a feature, and bias of a sum, that the integers hold. It is so small that
// no sum leaves int16, whatever is active: 1 + kMaxActive terms stay below 128.
inline constexpr float kMaxNnueFeature = 127.0f / (1 + tactics::NnueShape::kMaxActive);

// The network as it is learned. With h(z) = clamp(z, 0, 1)^2, x the 2 * kSums values
// h(bias + sum of the active features' rows), the view of the side to move first, and the layers of
// the position's stack:
//   a = first_bias + first x + t table,  b = second_bias + h(a) second,  logits = out_bias + h(b)
//   out
// The logits' order is from loses to wins of the side to move. All arrays are row-major, those
// behind the sums by stack.
struct NnueFloatWeights {
  using S = tactics::NnueShape;
  static constexpr int kOutcomes = rules::kOutcomes;
  static std::vector<float> zeros(int rows, int columns = 1) {
    return std::vector<float>(static_cast<std::size_t>(rows * columns));
  }

  std::vector<float> feature = zeros(S::kFeatures, S::kSums);
  std::vector<float> bias = zeros(S::kSums);
  std::vector<float> first = zeros(S::kStacks * S::kHidden, 2 * S::kSums);
  std::vector<float> first_bias = zeros(S::kStacks, S::kHidden);
  std::vector<float> table = zeros(S::kStacks * S::kTable, S::kHidden);
  std::vector<float> second = zeros(S::kStacks * S::kHidden, S::kHidden);
  std::vector<float> second_bias = zeros(S::kStacks, S::kHidden);
  std::vector<float> out = zeros(S::kStacks * S::kHidden, kOutcomes);
  std::vector<float> out_bias = zeros(S::kStacks, kOutcomes);

  // Calls v(name, array, shape) for each array of `self`, const or not, in a fixed order.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& v) {
    using Sizes = std::vector<std::int64_t>;
    v("feature", self.feature, Sizes{S::kFeatures, S::kSums});
    v("bias", self.bias, Sizes{S::kSums});
    v("first", self.first, Sizes{S::kStacks, S::kHidden, 2 * S::kSums});
    v("first_bias", self.first_bias, Sizes{S::kStacks, S::kHidden});
    v("table", self.table, Sizes{S::kStacks, S::kTable, S::kHidden});
    v("second", self.second, Sizes{S::kStacks, S::kHidden, S::kHidden});
    v("second_bias", self.second_bias, Sizes{S::kStacks, S::kHidden});
    v("out", self.out, Sizes{S::kStacks, S::kHidden, kOutcomes});
    v("out_bias", self.out_bias, Sizes{S::kStacks, kOutcomes});
  }
  bool operator==(const NnueFloatWeights&) const = default;
};

struct NnueFile {
  rules::Repertoire repertoire;
  std::int64_t generation = 0;  // of the run that trained it
  NnueFloatWeights weights;
  int nodes = 0;  // a move in the games that it learned from; 0: the file does not say
};

// The weights by name, for files.
Weights to_arrays(const NnueFloatWeights& weights);
// Tells NNUEs apart, as fingerprint() of nn/weights.h does: those of former versions by their own
// arrays, without the row that version 1 lacks, as ever, so that games played with them are known.
std::uint64_t fingerprint(const NnueFloatWeights& weights);
// Throws CheckpointError where an array is missing, unknown, of another shape, or not finite.
NnueFloatWeights from_arrays(const Weights& arrays);

// Writes the file and fsyncs it. Throws base::EnvironmentError naming the path.
void save_nnue(const NnueFile& nnue, const std::filesystem::path& path);
// Reads network_path(). Throws CheckpointError, in one line,
// where there is none, or it is damaged, of another kind (a network) or version, or has other
// arrays. Files of versions 1 and 2 have one king's place and one stack, which become all of them.
// Version 1 has no row for NnueShape::kWhite either: it becomes zero.
NnueFile load_nnue(const std::filesystem::path& where);
// Whether an NNUE is there, by its header alone, whatever its version. False too where there is no
// file or it cannot be read: load_nnue() and load_network() say why.
bool is_nnue(const std::filesystem::path& where);

// Rounds to the nearest integers; features and sums' biases beyond kMaxNnueFeature become that. An
// NNUE whose king's places and stacks are all alike, as of former versions, does not mirror.
// REQUIRES: all are finite.
std::unique_ptr<tactics::NnueWeights> quantize(const NnueFloatWeights& weights);
// The same, with its sums in the order in which it plays fastest. REQUIRES: as quantize().
std::shared_ptr<const tactics::NnueWeights> weights_to_play(const NnueFloatWeights& weights);

}  // namespace nn
