#pragma once
// Bytes as a file, for what reads files.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/fuzz/check.h"

namespace fuzz {

// A file in memory where the system has such a folder; one for each process, written anew.
inline std::filesystem::path file_of(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path memory = "/dev/shm";
  const std::filesystem::path folder =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  const std::filesystem::path path = folder / ("sharpzero-fuzz-" + std::to_string(::getpid()));
  std::FILE* file = std::fopen(path.c_str(), "wb");
  check(file != nullptr && std::fwrite(data, 1, size, file) == size, "the file is written");
  std::fclose(file);
  return path;
}

}  // namespace fuzz
