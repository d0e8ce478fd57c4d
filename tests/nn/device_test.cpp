#include "nn/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace nn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

TEST(Device, TheCpuIsAlwaysThere) {
  EXPECT_EQ(resolve_device("cpu"), "cpu");
  EXPECT_EQ(resolve_device(resolve_device("auto")), resolve_device("auto"));
}

TEST(Device, WhatIsNoneIsRefusedInOneLine) {
  for (const char* device :
       {"", "gpu", "cudax", "cuda:", "cuda:x", "cuda:-1", "cuda:00", "cuda:999", "cuda:0\n"}) {
    EXPECT_THAT([&] { resolve_device(device); },
                ThrowsMessage<std::runtime_error>(
                    ::testing::AllOf(HasSubstr("no device '"), Not(HasSubstr("\n")))))
        << device;
  }
}

}  // namespace
}  // namespace nn
