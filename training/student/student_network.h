#pragma once
// The network of a run, of whichever kind it teaches: as a value, and on disk.

#include <cstdint>
#include <filesystem>
#include <variant>

#include "nn/checkpoint.h"
#include "nn/nnue_file.h"
#include "training/settings/run_config.h"

namespace training {

using StudentNetwork = std::variant<nn::NetworkFile, nn::NnueFile>;

std::int64_t generation_of(const StudentNetwork& network);

// Whether the network has learned anything: an untrained residual network is indifferent
// (nn::NetworkImpl), an untrained NNUE takes all outcomes to be as likely but for noise.
bool has_learned(const StudentNetwork& network);

// The name of the network's file in a checkpoint of such a run.
const char* network_file(const RunConfig& config);
const char* network_file(const StudentNetwork& network);

// Writes the file into the folder. Throws base::EnvironmentError naming the path.
void save_network(const StudentNetwork& network, const std::filesystem::path& folder);
// Reads a file, or that of a checkpoint's folder. Throws nn::CheckpointError naming the file.
StudentNetwork load_student_network(const std::filesystem::path& where);

// Throws base::InputError, `where` being the network's place and `config_file` the config's, where
// the network is not of the config's student, rules or size.
void check_network(const StudentNetwork& network, const RunConfig& config, const std::string& where,
                   const std::string& config_file);

}  // namespace training
