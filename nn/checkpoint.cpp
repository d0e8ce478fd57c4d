#include "nn/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "nn/encoder.h"
#include "nn/file_metadata.h"
#include "nn/nnue_file.h"

namespace nn {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostDigits = 18;  // of a generation

// The trunk's convolutions must fit in the file: a config cannot claim more than is there.
void check_size(const NetworkFile& network, const fs::path& path) {
  std::size_t values = 0;
  for (const auto& [name, array] : network.weights) values += array.values.size();
  const auto channels = static_cast<std::size_t>(network.config.channels);
  if (values < 18 * channels * channels * static_cast<std::size_t>(network.config.blocks)) {
    throw CheckpointError(path.string() + ": fewer weights than its config's network has");
  }
}

// Weights [out, in, …] with `count` inputs of weight 0 before input `at`.
void insert_inputs(Array& array, std::int64_t at, std::int64_t count) {
  const bool fits = !array.values.empty() && array.shape.size() > 1 && array.shape[1] >= at;
  if (!fits) return;  // refused when it is used
  std::int64_t cell = 1;
  for (std::size_t i = 2; i < array.shape.size(); ++i) cell *= array.shape[i];
  std::vector<float> values;
  for (std::int64_t out = 0; out < array.shape[0]; ++out) {
    const auto row = array.values.begin() + out * array.shape[1] * cell;
    values.insert(values.end(), row, row + at * cell);
    values.insert(values.end(), static_cast<std::size_t>(count * cell), 0.0f);
    values.insert(values.end(), row + at * cell, row + array.shape[1] * cell);
  }
  array.values = std::move(values);
  array.shape[1] += count;
}

// Adds the tactics' inputs to a network of format 2, with weights of 0.
void add_tactics_inputs(NetworkFile& network) {
  const NetworkConfig& config = network.config;
  const auto add = [&](const std::string& name, std::int64_t at, std::int64_t count) {
    const auto found = network.weights.find(name);
    if (found != network.weights.end()) insert_inputs(found->second, at, count);
  };
  const auto add_globals = [&](const std::string& name, std::int64_t before) {
    add(name, before + kChessSharpShape.globals - kTacticsGlobals, kTacticsGlobals);
  };
  add("stem.conv.weight", kBestMove, kTacticsPlanes);
  add_globals("global_shift.weight", 0);
  add_globals("value_first.weight", 64 * config.value_channels);
  for (int i = 0; i < config.blocks; ++i) {
    add_globals("block" + std::to_string(i) + ".condition.squeeze.weight", config.channels);
  }
}

// Removes outputs of older networks: the value's squared error, the opponent's reply.
void remove_old_heads(NetworkFile& network) {
  for (const char* name : {"value_out.weight", "value_out.bias"}) {
    const auto found = network.weights.find(name);
    if (found == network.weights.end() || found->second.shape.empty()) continue;
    Array& array = found->second;
    const auto rows = static_cast<std::size_t>(array.shape[0]);
    if (array.shape[0] <= kValueOutputs) continue;
    array.values.resize(array.values.size() / rows * kValueOutputs);
    array.shape[0] = kValueOutputs;
  }
  network.weights.erase("reply_out.weight");
  network.weights.erase("reply_out.bias");
}

fs::path resolve(const fs::path& where) {
  if (!fs::exists(where)) throw CheckpointError(where.string() + ": no such file or folder");
  if (!fs::is_directory(where)) return where;
  if (fs::exists(where / kNetworkFile)) return where / kNetworkFile;
  const auto checkpoints = list_checkpoints(where);
  if (checkpoints.empty()) {
    throw CheckpointError(where.string() + ": holds neither a network nor checkpoints");
  }
  return checkpoints.back() / kNetworkFile;
}

}  // namespace

bool names_generation(const std::string& name) {
  return !name.empty() && name.size() <= kMostDigits &&
         name.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<fs::path> list_checkpoints(const fs::path& run) {
  std::vector<fs::path> found;
  const fs::path folder = run / "checkpoints";
  if (!fs::is_directory(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const bool named = names_generation(entry.path().filename().string());
    if (named && entry.is_directory()) found.push_back(entry.path());
  }
  std::ranges::sort(found, {}, [](const fs::path& path) {
    const std::string name = path.filename().string();
    return std::pair(name.size(), name);
  });
  return found;
}

void save_network(const NetworkFile& network, const fs::path& file) {
  WeightsFile out{network.weights, {}};
  out.metadata["format_version"] = std::to_string(kNetworkFormat);
  out.metadata["rules"] = network.repertoire.name();
  out.metadata["generation"] = std::to_string(network.generation);
  NetworkConfig config = network.config;
  config.visit([&out](const char* key, const auto& field, auto, auto, const char*) {
    out.metadata[key] = std::to_string(static_cast<int>(field));
  });
  save_weights(out, file);
}

NetworkFile load_network(const fs::path& where) {
  const fs::path path = resolve(where);
  WeightsFile file = load_weights(path);
  if (const std::string kind = metadata_kind(file); !kind.empty()) {
    throw CheckpointError(
        path.string() + ": is not a network for tree search but " +
        (kind == kNnueKind ? "an NNUE, the evaluator of an alpha-beta search" : "of another kind"));
  }
  const int format = metadata_number(file, "format_version", 2, kNetworkFormat, path);
  NetworkFile network;
  network.generation = metadata_number<std::int64_t>(file, "generation", 0, kMaxGeneration, path);
  // Older files name neither policy_attention, which their networks lack, nor sight, which they
  // have.
  network.config.policy_attention = 0;
  network.config.visit([&](const char* key, auto& field, auto min, auto max, const char*) {
    if (min == 0 && !file.metadata.contains(key)) return;
    using Field = std::remove_reference_t<decltype(field)>;
    field = static_cast<Field>(metadata_number<int>(file, key, min, max, path));
  });
  network.repertoire = metadata_repertoire(file, path);
  network.config.shape = Encoder(network.repertoire).shape();
  network.weights = std::move(file.weights);
  if (format == 2) add_tactics_inputs(network);
  if (format < kNetworkFormat) remove_old_heads(network);
  check_size(network, path);
  return network;
}

std::vector<fs::path> list_checkpoints(const fs::path& run, int count) {
  const auto all = list_checkpoints(run);
  if (std::ssize(all) <= count) return all;
  const auto generation = [](const fs::path& path) { return std::stod(path.filename().string()); };
  std::set<std::size_t> indices;
  for (int i = 0; i < count; ++i) {
    const double way = count > 1 ? static_cast<double>(i) / (count - 1) : 1;
    const double wanted = std::lerp(generation(all.front()), generation(all.back()), way);
    const auto nearest = std::ranges::min_element(
        all, {}, [&](const fs::path& path) { return std::abs(generation(path) - wanted); });
    indices.insert(static_cast<std::size_t>(nearest - all.begin()));
  }
  std::vector<fs::path> chosen;
  for (const std::size_t i : indices) chosen.push_back(all[i]);
  return chosen;
}

}  // namespace nn
