#pragma once
// A network on disk: one safetensors file that says in its metadata what it is.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "nn/network_config.h"
#include "nn/weights.h"
#include "rules/repertoire.h"

namespace nn {

inline constexpr int kNetworkFormat = 4;
inline constexpr const char* kNetworkFile = "network.safetensors";

struct NetworkFile {
  NetworkConfig config;
  rules::Repertoire repertoire;  // decides config.shape
  std::int64_t generation = 0;   // of the run that trained it
  Weights weights;
};

// Returns where the file lies that `where` stands for: a file itself, that of this name in a
// checkpoint's folder, or that of a run's newest checkpoint. Throws CheckpointError where `where`
// is not there, or a folder with neither.
std::filesystem::path network_path(const std::filesystem::path& where, const char* name);

void save_network(const NetworkFile& network, const std::filesystem::path& file);

// Reads network_path(). Throws CheckpointError where there is none, or it is damaged or of another
// version, where its metadata lack a field or have one out of range, where it is an NNUE
// (nn/nnue_file.h), and where it holds fewer weights than its config's trunk. Whether each array
// fits the config is checked where the weights are used: fold(), set_weights().
NetworkFile load_network(const std::filesystem::path& where);

// Whether the name is that of a checkpoint's folder: its generation in digits.
bool names_generation(const std::string& name);
// The folders in `run/checkpoints` whose names are numbers, oldest first; other names are ignored.
// Throws std::filesystem::filesystem_error where it is there and cannot be read.
std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& run);
// All of them where there are at most `count` (> 0); else at most `count`, evenly spread by
// generation, with the newest and, from two on, the oldest.
std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& run, int count);

}  // namespace nn
