#include "base/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "base/errors.h"

namespace base {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAside = ".new.";  // behind a file's name, before its writer's

fs::path parent_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

// Removes what writers of the file that were killed have left beside it: nothing was written to it
// for an hour.
void remove_leftovers(const fs::path& file) {
  const std::string beginning = file.filename().string() + kAside;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::error_code ignored;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(parent_of(file), ignored), end; at != end; at.increment(ignored)) {
    if (!at->path().filename().string().starts_with(beginning)) continue;
    if (at->last_write_time(ignored) < old && !ignored) found.push_back(at->path());
  }
  for (const fs::path& path : found) fs::remove(path, ignored);
}

[[noreturn]] void cannot_write(const fs::path& path) {
  throw EnvironmentError("cannot write " + path.string() + ": " + std::strerror(errno));
}

}  // namespace

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  try {
    return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  } catch (const std::ios_base::failure&) {
    return std::nullopt;  // the device failed
  }
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void sync(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  bool good = descriptor >= 0 && ::fsync(descriptor) == 0;
  const std::error_code error(errno, std::generic_category());
  if (descriptor >= 0) ::close(descriptor);
  good = good || (error == std::errc::invalid_argument && fs::is_directory(path));
  if (!good) throw fs::filesystem_error("cannot sync", path, error);
}

void write_aside(const std::filesystem::path& file,
                 const std::function<void(const std::filesystem::path&)>& write) {
  if (fs::exists(file) && !fs::is_regular_file(file)) return write(file);
  static std::atomic<int> written = 0;
  const fs::path aside =
      file.string() + kAside + std::to_string(::getpid()) + "." + std::to_string(++written);
  remove_leftovers(file);
  try {
    write(aside);
    sync(aside);
    fs::rename(aside, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove(aside, ignored);
    throw;
  }
  sync(parent_of(file));
}

void require_plain_file(const fs::path& path) {
  if (fs::exists(path) && !fs::is_regular_file(path)) {
    throw InputError(path.string() + ": expected a plain file");
  }
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw EnvironmentError("cannot make " + folder.string() + ": " + error.message());
  }
}

std::string read_text(const fs::path& path) { return read_file(path).value_or(""); }

void write_text(const fs::path& path, std::string_view text) {
  try {
    write_aside(path, [&](const fs::path& aside) { AppendFile(aside).append(text); });
  } catch (const fs::filesystem_error& error) {
    throw EnvironmentError("cannot write " + path.string() + ": " + error.code().message());
  }
}

AppendFile::AppendFile(fs::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) cannot_write(path_);
}

AppendFile::~AppendFile() { ::close(descriptor_); }

void AppendFile::append(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) cannot_write(path_);
}

void AppendFile::sync() {
  if (::fsync(descriptor_) != 0) cannot_write(path_);
}

FileLock::FileLock(const fs::path& path)
    : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644)) {
  if (descriptor_ < 0) cannot_write(path);
  is_held_ = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), is_held_(other.is_held_) {}

}  // namespace base
