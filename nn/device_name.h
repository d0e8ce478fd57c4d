#pragma once
// What devices are called. Includes no LibTorch.

#include <optional>
#include <string>

namespace nn {

enum class DeviceKind { kAuto, kCpu, kCuda, kSimulated };

// How long a simulated device takes, and when it fails (nn/simulated_device.h).
struct SimulatedTimes {
  double launch_us = 300;         // of a batch, whatever its size, microseconds
  double row_ns = 1500;           // on top for each of its rows, nanoseconds
  std::optional<double> step_us;  // of a learning step; none: 3 times a batch of its rows
  double step_launches = 1;       // parts of such a step, each queued when the one before is done
  double priority = 0;            // above 0: they go before batches that wait
  double fail_every = 0;          // each so manieth batch of a thread fails; 0: none
  double hang_after = 0;          // after so many batches nothing is answered any more; 0: never
  double memory_rows = 0;         // the largest batch that it has memory for; 0: any
  double timeout_s = 120;         // after so long without an answer it counts as hung

  // The times of a batch and of a learning step of so many rows, microseconds.
  double batch_us(int rows) const { return launch_us + rows * row_ns / 1000; }
  double learning_step_us(int rows) const { return step_us.value_or(3 * batch_us(rows)); }
};

struct DeviceName {
  DeviceKind kind = DeviceKind::kAuto;
  int number = 0;        // of a CUDA device; "cuda" is "cuda:0"
  SimulatedTimes times;  // of a simulated one
};

// For help and errors.
inline constexpr const char* kDeviceNames =
    "cpu, cuda, cuda:N, auto or simulated[:launch_us=L,row_ns=R,step_us=S]";
inline constexpr const char* kSimulatedKeys =
    "launch_us, row_ns, step_us, step_launches, priority, fail_every, hang_after, memory_rows, timeout_s";

// Reads "auto", "cpu", "cuda", "cuda:N" (N up to 99) and "simulated", which may be followed by
// times and faults: "simulated:launch_us=300,row_ns=1500". Throws base::InputError, one line.
// Whether there is such a device it does not ask.
DeviceName parse_device_name(const std::string& text);

}  // namespace nn
