#pragma once
// Files that may come from strangers, and files that are written aside.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// A regular file's whole content; empty for anything else, or where it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

// Writes all of it to the file, also where signals interrupt; false, and errno says why, where that
// cannot be done.
bool write_all(int descriptor, std::string_view bytes);

// Syncs the file or folder: what was written, or made and renamed in it, is on disk when this
// returns. Throws std::filesystem::filesystem_error naming it where it cannot be done; a file
// system that syncs no folders is no error.
void sync(const std::filesystem::path& path);

// Lets `write` write a new file beside the one asked for, under a name that no other writer has,
// syncs it, gives it its name and syncs the folder: a failure, which is thrown on, leaves what was
// there and no other file. What killed writers left beside it is removed after an hour. What is no
// plain file is written as it is. Throws std::filesystem::filesystem_error where the name cannot be
// given or a sync fails.
void write_aside(const std::filesystem::path& file,
                 const std::function<void(const std::filesystem::path&)>& write);

// Throws InputError naming the path where something else than a plain file is there: a
// pipe would be waited for.
void require_plain_file(const std::filesystem::path& path);

// Makes it, and those above it, where they are missing. Throws EnvironmentError naming it.
void make_folder(const std::filesystem::path& path);
// The whole file; empty where it cannot be read.
std::string read_text(const std::filesystem::path& path);

// Writes the file aside, syncs it and renames it (write_aside): a failure leaves what was
// there. Throws EnvironmentError naming the path.
void write_text(const std::filesystem::path& path, std::string_view text);

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

// A file, made where it is missing, that one process at a time holds. It is free again when this
// goes or its process dies (flock).
class FileLock {
 public:
  // Throws EnvironmentError naming the path where the file cannot be opened.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;

  // False: another process, or another FileLock of this one, holds it.
  bool is_held() const { return is_held_; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  bool is_held_ = false;
};

}  // namespace base
