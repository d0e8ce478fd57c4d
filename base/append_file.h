#pragma once

#include <filesystem>
#include <string_view>

namespace base {

// A file that only grows, made where it is missing. Every function throws
// EnvironmentError naming the path where disk or rights fail.
class AppendFile {
 public:
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void append(std::string_view bytes);
  // What was appended is on disk when this returns.
  void sync();

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace base
