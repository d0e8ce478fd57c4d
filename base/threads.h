#pragma once
// Threads that are joined together.

#include <atomic>
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

}  // namespace base
