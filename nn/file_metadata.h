#pragma once
// Reads what a weights file says of itself. Each error is one line: file, key, value, expectation.

#include <filesystem>
#include <optional>
#include <string>

#include "base/text.h"
#include "nn/weights.h"
#include "rules/repertoire.h"

namespace nn {

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

}  // namespace nn
