#pragma once
// Named float arrays in a file anyone can read: the safetensors format (an 8-byte length, a JSON
// header, raw little-endian data), with a checksum of the data in the header's metadata. No code is
// ever run by loading.

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace nn {

// A file that is damaged, of another version, or does not fit. One line: what, where, expected.
class CheckpointError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Array {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  bool operator==(const Array&) const = default;
};

using Weights = std::map<std::string, Array>;

// The array of this name. Throws CheckpointError where there is none, or one of another shape.
const Array& find_array(const Weights& weights, const std::string& name,
                        std::span<const std::int64_t> shape);

// The arrays and what else the file says of them.
struct WeightsFile {
  Weights weights;
  std::map<std::string, std::string> metadata;
};

// Returns a hash of names and values.
std::uint64_t fingerprint(const Weights& weights);

// Writes the file and fsyncs it. Throws base::EnvironmentError naming the path.
void save_weights(const WeightsFile& file, const std::filesystem::path& path);
// Throws CheckpointError. Sizes are checked against the file's length before anything is allocated.
WeightsFile load_weights(const std::filesystem::path& path);

}  // namespace nn
