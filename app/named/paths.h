#pragma once
// Where the program's own files lie.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

// The names of the presets, sorted: of configs/NAME.toml.
std::vector<std::string> presets();

// configs/NAME.toml. Throws base::InputError listing the presets where there is no such file.
std::filesystem::path preset_file(const std::string& name);

// A config's file: this one or, where there is none of that name, the preset's.
std::filesystem::path config_file(const std::string& name);

// The newest file of networks/ by name. Throws base::InputError where there is none.
std::filesystem::path default_network();
// The same of networks/nnue/.
std::filesystem::path default_nnue();
// Both, the NNUE first; without those that do not come along.
std::vector<std::filesystem::path> networks_that_come_along();

// The folder of an opening book: the one named, else the one that comes along (networks/book), else
// empty. Throws base::InputError where the one named holds none.
std::filesystem::path book_folder(const std::string& name);

// Whether a run with checkpoints lies there.
bool is_run(const std::filesystem::path& folder);

// The folder of the run that the network belongs to, if any.
std::optional<std::filesystem::path> run_of(const std::filesystem::path& network);
// The run's name where the network belongs to a run, else its own.
std::string study_name(const std::filesystem::path& network);

// Throws base::InputError where games or answers put into the folder would mix with those of a run,
// also of one that has no checkpoints yet.
void require_no_run(const std::filesystem::path& folder);

}  // namespace app
