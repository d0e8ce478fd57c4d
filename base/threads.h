#pragma once
// Threads that are joined together.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace base {

// Owned by one thread, which starts the others and joins them. The destructor waits for them too,
// but drops what they have thrown.
class Threads {
 public:
  // Runs the body on a thread of its own.
  void start(std::function<void()> body) {
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
  // The number of bodies that have not returned. For any thread.
  int running() const { return running_; }
  // Whether a body has thrown, which stops no other: each looks here. For any thread.
  bool failed() const { return failed_; }
  // Returns when all bodies have returned.
  void wait() { threads_.clear(); }
  // Rethrows the first exception of a body, if there was one. REQUIRES: wait() has returned.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }
  // Both, one after the other.
  void join() {
    wait();
    rethrow();
  }

 private:
  std::atomic<int> running_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // guards error_
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;  // the last member: ends before what they use
};

// Calls body(i) for every i below `count`, in order, on up to so many threads at once, and returns
// when all have returned. After one that throws none is begun, and the first exception comes out.
// REQUIRES: threads >= 1.
inline void for_each_index(std::size_t count, int threads,
                           const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next = 0;
  Threads all;
  for (std::size_t i = 0; i < std::min(count, static_cast<std::size_t>(threads)); ++i) {
    all.start([&] {
      for (std::size_t at = next++; at < count && !all.failed(); at = next++) body(at);
    });
  }
  all.join();
}

}  // namespace base
