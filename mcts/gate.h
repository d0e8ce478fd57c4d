#pragma once
// Lets several threads into a tree, or one alone.

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace mcts {

// Entering costs a worker one store to its own cache line; closing waits until all workers are out.
class Gate {
 public:
  explicit Gate(int workers)
      : workers_(workers), slots_(std::make_unique<Slot[]>(static_cast<std::size_t>(workers))) {}

  // A worker's stay, by its number (0 to workers - 1). Waits while the gate is closed.
  class Stay {
   public:
    Stay(Gate& gate, int worker) : inside_(gate.slots_[static_cast<std::size_t>(worker)].inside) {
      for (;;) {
        inside_.store(true);  // sequentially consistent, as the closer's store and loads
        if (!gate.closed_.load()) return;
        inside_.store(false);
        gate.closed_.wait(true);
      }
    }
    ~Stay() { inside_.store(false, std::memory_order_release); }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    std::atomic<bool>& inside_;
  };

  // Keeps all workers out while it lives. REQUIRES: the thread is not inside.
  class Closed {
   public:
    explicit Closed(Gate& gate) : gate_(gate), alone_(gate.closing_) {
      gate.closed_.store(true);
      for (int i = 0; i < gate.workers_; ++i) {
        while (gate.slots_[static_cast<std::size_t>(i)].inside.load()) std::this_thread::yield();
      }
    }
    ~Closed() {
      gate_.closed_.store(false);
      gate_.closed_.notify_all();
    }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

   private:
    Gate& gate_;
    std::lock_guard<std::mutex> alone_;
  };

 private:
  struct alignas(64) Slot {
    std::atomic<bool> inside{false};
  };

  int workers_;
  std::unique_ptr<Slot[]> slots_;
  std::atomic<bool> closed_{false};
  std::mutex closing_;
};

}  // namespace mcts
