#include "base/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/errors.h"
#include "base/files.h"

namespace base {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw EnvironmentError("cannot write " + path.string() + ": " + std::strerror(errno));
}

}  // namespace

AppendFile::AppendFile(std::filesystem::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail(path_);
}

AppendFile::~AppendFile() { ::close(descriptor_); }

void AppendFile::append(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) fail(path_);
}

void AppendFile::sync() {
  if (::fsync(descriptor_) != 0) fail(path_);
}

}  // namespace base
