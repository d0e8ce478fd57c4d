#include "nn/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "nn/encoder.h"
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

}  // namespace

fs::path network_path(const fs::path& where, const char* name) {
  std::error_code unreadable;
  if (!fs::exists(where, unreadable)) {
    throw CheckpointError(where.string() + ": no such file or folder");
  }
  if (!fs::is_directory(where, unreadable)) return where;
  if (fs::exists(where / name, unreadable)) return where / name;
  const auto checkpoints = list_checkpoints(where);
  if (checkpoints.empty()) {
    throw CheckpointError(where.string() + ": holds neither a network nor checkpoints");
  }
  return checkpoints.back() / name;
}

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
  const fs::path path = network_path(where, kNetworkFile);
  WeightsFile file = load_weights(path);
  if (const std::string kind = metadata_kind(file); !kind.empty()) {
    throw CheckpointError(
        path.string() + ": is not a network for tree search but " +
        (kind == kNnueKind ? "an NNUE, the evaluator of an alpha-beta search" : "of another kind"));
  }
  metadata_number(file, "format_version", kNetworkFormat, kNetworkFormat, path);
  NetworkFile network;
  network.generation = metadata_number<std::int64_t>(file, "generation", 0, kMaxGeneration, path);
  network.config.visit([&](const char* key, auto& field, auto min, auto max, const char*) {
    using Field = std::remove_reference_t<decltype(field)>;
    field = static_cast<Field>(metadata_number<int>(file, key, min, max, path));
  });
  network.repertoire = metadata_repertoire(file, path);
  network.config.shape = Encoder(network.repertoire).shape();
  network.weights = std::move(file.weights);
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
