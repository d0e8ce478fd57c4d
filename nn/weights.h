#pragma once
// Named float arrays in a file anyone can read: the safetensors format (an 8-byte length, a JSON
// header, raw little-endian data), with a checksum of the data in the header's metadata. No code is
// ever run by loading.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/text.h"
#include "rules/repertoire.h"

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

// --- what a file says of itself; each error is one line: file, key, value, expectation ---

// The largest generation that a file may name.
inline constexpr std::int64_t kMaxGeneration = std::int64_t{1} << 53;

// The number under `key`, in [min, max]. Throws CheckpointError where it is missing or is not one.
template <class Number>
Number metadata_number(const WeightsFile& file, const std::string& key, Number min, Number max,
                       const std::filesystem::path& path) {
  const auto found = file.metadata.find(key);
  std::optional<Number> value;
  if (found != file.metadata.end()) value = base::parse_number<Number>(found->second);
  if (!value || *value < min || *value > max) {
    throw CheckpointError(path.string() + ": metadata '" + key + "' is " +
                          (found == file.metadata.end() ? "missing" : "'" + found->second + "'") +
                          ", expected " + std::to_string(min) + " to " + std::to_string(max));
  }
  return *value;
}

// The rule sets under "rules". Throws CheckpointError.
rules::Repertoire metadata_repertoire(const WeightsFile& file, const std::filesystem::path& path);

// What a file holds that is not a network: its "kind"; empty for a network, which names none.
std::string metadata_kind(const WeightsFile& file);
// The same by the header alone, unchecked. Empty also where there is none that can be read.
std::string kind_of_file(const std::filesystem::path& path);

}  // namespace nn
