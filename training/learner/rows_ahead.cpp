#include "training/learner/rows_ahead.h"

#include <algorithm>
#include <utility>

namespace training {

RowsAhead::RowsAhead(const ReplayWindow& window, int rows, std::int64_t steps,
                     std::function<base::Rng(std::int64_t)> rng_of, int threads)
    : window_(window), rows_(rows), steps_(steps), rng_of_(std::move(rng_of)) {
  const auto count = static_cast<int>(std::clamp<std::int64_t>(steps, 1, std::max(threads, 1)));
  slots_.resize(static_cast<std::size_t>(count) + 2);  // one is read, one is ready
  for (int i = 0; i < count; ++i) threads_.emplace_back([this] { draw(); });
}

RowsAhead::~RowsAhead() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

const TrainingBatch& RowsAhead::next() {
  std::unique_lock lock(mutex_);
  Slot& slot = slot_of(taken_);
  changed_.wait(lock, [&] { return slot.step == taken_; });
  ++taken_;
  changed_.notify_all();
  if (slot.error) std::rethrow_exception(slot.error);
  return slot.batch;
}

// The batch that was taken last is still read: its slot is the last to be used again.
void RowsAhead::draw() {
  std::unique_lock lock(mutex_);
  const auto is_room = [this] {
    return started_ < std::max<std::int64_t>(taken_ - 1, 0) + std::ssize(slots_);
  };
  while (true) {
    changed_.wait(lock, [&] { return ended_ || started_ == steps_ || is_room(); });
    if (ended_ || started_ == steps_) return;
    const std::int64_t step = started_++;
    Slot& slot = slot_of(step);
    lock.unlock();
    std::exception_ptr error;
    try {
      base::Rng rng = rng_of_(step);
      window_.sample(rows_, rng, slot.batch);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    slot.error = error;
    slot.step = step;
    changed_.notify_all();
  }
}

}  // namespace training
