#include "nn/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

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

TEST(Device, WhatKeepsFromAGpuIsNamedWithTheCommandThatHelps) {
  const GpuFacts good{"580.65.06", "2.11.0", true, 1, 0, ""};
  EXPECT_EQ(what_keeps_from_gpu(good), "");
  const auto expect = [&](auto change, std::initializer_list<const char*> words) {
    GpuFacts facts = good;
    change(facts);
    const std::string text = what_keeps_from_gpu(facts);
    for (const char* word : words) EXPECT_THAT(text, HasSubstr(word));
    EXPECT_THAT(text, Not(HasSubstr("\n")));
  };
  expect([](GpuFacts& f) { f.number = 1; }, {"finds 1 CUDA devices"});
  expect([](GpuFacts& f) { f.devices = 0, f.driver = ""; }, {"no NVIDIA driver"});
  expect([](GpuFacts& f) { f.devices = 0, f.driver = "535.104.05"; },
         {"535.104.05", "LibTorch 2.11.0", "SHARPZERO_TORCH=2.10.0", "580"});
  expect([](GpuFacts& f) { f.devices = 0, f.driver = "470.1"; }, {"470.1", "525 or newer"});
  expect([](GpuFacts& f) { f.devices = 0, f.has_cuda = false, f.libtorch = "1.13.0"; },
         {"1.13.0 was built without CUDA", "SHARPZERO_TORCH=2.11.0"});
  expect([](GpuFacts& f) { f.failure = "no kernel image"; },
         {"no kernel image", "580.65.06", "SHARPZERO_TORCH=2.6.0"});
}

}  // namespace
}  // namespace nn
