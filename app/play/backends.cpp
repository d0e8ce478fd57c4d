#include "app/play/backends.h"

namespace app {
namespace {

constexpr std::size_t kMostBackends = 16;  // that are kept

}  // namespace

std::shared_ptr<const Backend> Backends::of(const Opponent& opponent) {
  const std::lock_guard lock(mutex_);
  if (const auto known = loaded_.find(key(opponent)); known != loaded_.end()) return known->second;
  auto loaded = std::make_shared<const Backend>(load_(opponent));
  if (loaded_.size() >= kMostBackends) loaded_.erase(loaded_.begin());
  return loaded_[key(opponent)] = std::move(loaded);
}

}  // namespace app
