#pragma once
// Rows of learning steps, drawn before they are wanted. Includes no LibTorch.

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "training/learner/replay_window.h"

namespace training {

// How many threads of a run on a device draw rows: half, as the games beside need cores too.
inline int row_threads(int threads) { return std::clamp(threads / 2, 1, 8); }

// Lets threads of its own draw and pack the batches of the next steps, so that a device need not
// wait for them: what a step is given depends on its number alone. The window must not change
// meanwhile. Owned by one thread.
class RowsAhead {
 public:
  // `rng_of(step)`: the random stream of a step, counted from 0 to `steps` - 1; called on any
  // thread.
  RowsAhead(const ReplayWindow& window, int rows, std::int64_t steps,
            std::function<base::Rng(std::int64_t step)> rng_of, int threads);
  ~RowsAhead();
  RowsAhead(const RowsAhead&) = delete;
  RowsAhead& operator=(const RowsAhead&) = delete;

  // The next step's rows, which hold until the next call. Throws what drawing them threw. REQUIRES:
  // called at most `steps` times.
  const TrainingBatch& next();

 private:
  struct Slot {
    TrainingBatch batch;
    std::int64_t step = -1;  // whose rows it holds
    std::exception_ptr error;
  };
  void draw();
  Slot& slot_of(std::int64_t step) {
    return slots_[static_cast<std::size_t>(step) % slots_.size()];
  }

  const ReplayWindow& window_;
  const int rows_;
  const std::int64_t steps_;
  const std::function<base::Rng(std::int64_t)> rng_of_;
  std::mutex mutex_;  // guards what follows, but for the batches that are being drawn
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  std::int64_t started_ = 0;  // steps whose rows a thread has begun to draw
  std::int64_t taken_ = 0;    // calls of next()
  bool ended_ = false;
  std::vector<std::jthread> threads_;  // the last: end before what they use
};

}  // namespace training
