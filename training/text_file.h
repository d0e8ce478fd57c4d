#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace training {

// The whole file; empty where it cannot be read.
std::string read_text(const std::filesystem::path& path);

// Writes the file aside, syncs it and renames it (nn::write_aside): a failure leaves what was
// there. Throws selfplay::EnvironmentError naming the path.
void write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace training
