#include "base/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace base {
namespace {

TEST(Threads, AllHaveEndedOnceTheyAreJoined) {
  Threads threads;
  std::atomic<int> ended = 0;
  for (int i = 0; i < 4; ++i) threads.start([&] { ++ended; });
  threads.join();
  EXPECT_EQ(ended.load(), 4);
  EXPECT_EQ(threads.running(), 0);
  EXPECT_FALSE(threads.failed());
}

TEST(Threads, TheFirstFailureIsSeenByTheOthersAndThrownOnceAllHaveEnded) {
  Threads threads;
  std::atomic<int> ended = 0;
  for (int i = 0; i < 3; ++i) {
    threads.start([&] {
      while (!threads.failed()) std::this_thread::yield();
      ++ended;
      throw std::runtime_error("later");
    });
  }
  threads.start([] { throw std::runtime_error("first"); });
  EXPECT_THAT([&] { threads.join(); },
              testing::ThrowsMessage<std::runtime_error>(testing::StrEq("first")));
  EXPECT_EQ(ended.load(), 3);
  EXPECT_EQ(threads.running(), 0);
}

TEST(Threads, WaitForEachOtherWithoutAJoinToo) {
  std::atomic<bool> ended = false;
  {
    Threads threads;
    threads.start([&] {
      while (!threads.failed()) std::this_thread::yield();
      ended = true;
    });
    threads.start([] { throw std::runtime_error("dropped"); });
  }
  EXPECT_TRUE(ended.load());
}

}  // namespace
}  // namespace base
