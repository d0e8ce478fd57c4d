#include "base/threads.h"

#include <utility>

namespace base {

void Threads::start(std::function<void()> body) {
  ++running_;
  threads_.emplace_back([this, run = std::move(body)] {
    try {
      run();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
    }
    --running_;
  });
}

void Threads::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace base
