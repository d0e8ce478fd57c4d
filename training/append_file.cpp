#include "training/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "nn/files.h"
#include "selfplay/errors.h"

namespace training {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw selfplay::EnvironmentError("cannot write " + path.string() + ": " + std::strerror(errno));
}

}  // namespace

AppendFile::AppendFile(std::filesystem::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail(path_);
}

AppendFile::~AppendFile() { ::close(descriptor_); }

void AppendFile::append(std::string_view bytes) {
  if (!nn::write_all(descriptor_, bytes)) fail(path_);
}

void AppendFile::sync() {
  if (::fsync(descriptor_) != 0) fail(path_);
}

}  // namespace training
