#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace training {

// Throws selfplay::InputError naming the path where something else than a plain file is there: a
// pipe would be waited for.
void require_plain_file(const std::filesystem::path& path);

// The whole file; empty where it cannot be read.
std::string read_text(const std::filesystem::path& path);

// Writes the file aside, syncs it and renames it (nn::write_aside): a failure leaves what was
// there. Throws selfplay::EnvironmentError naming the path.
void write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace training
