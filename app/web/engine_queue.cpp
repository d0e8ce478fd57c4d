#include "app/web/engine_queue.h"

#include <algorithm>

namespace app {
namespace {

constexpr double kLeastMs = 10;

}  // namespace

EngineQueue::Lease EngineQueue::wait_for_turn(const Opponent& opponent, std::uint64_t visitor,
                                              std::chrono::steady_clock::time_point deadline) {
  std::uint64_t behind = 0;
  {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = next_ticket_++;
    changed_.wait(lock, [&] { return now_served_ == ticket; });
    behind = next_ticket_ - ticket - 1;
  }
  Lease lease(this, 0);  // leaves the queue where the rest throws
  prepare(opponent, visitor);
  const std::chrono::duration<double, std::milli> left =
      deadline - std::chrono::steady_clock::now();
  lease.ms_ = std::max(kLeastMs, left.count() / static_cast<double>(1 + behind));
  return lease;
}

void EngineQueue::prepare(const Opponent& opponent, std::uint64_t visitor) {
  if (engine_key_ != Backends::key(opponent)) {
    engine_key_.reset();
    EngineOptions options = options_;
    const auto& known = options.tablebase;
    if (known && !known->hold_for(opponent.rules, known->table())) options.tablebase.reset();
    engine_ = backend(opponent)->make_engine(options);
    engine_key_ = Backends::key(opponent);
  } else if (last_visitor_ != visitor) {
    engine_->clear();
  }
  last_visitor_ = visitor;
}

bool EngineQueue::is_wanted() const {
  const std::lock_guard lock(mutex_);
  return next_ticket_ > now_served_ + 1;
}

void EngineQueue::leave() {
  {
    const std::lock_guard lock(mutex_);
    ++now_served_;
  }
  changed_.notify_all();
}

EngineQueue::Lease::~Lease() {
  if (queue_ != nullptr) queue_->leave();
}

}  // namespace app
