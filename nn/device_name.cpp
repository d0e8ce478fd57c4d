#include "nn/device_name.h"

#include <string_view>

#include "base/errors.h"
#include "base/numbers.h"
#include "rules/error.h"

namespace nn {
namespace {

constexpr double kLongest_us = 1e9;

[[noreturn]] void refuse(const std::string& device, const std::string& expected) {
  throw base::InputError("no device " + rules::quoted(device) + ": expected " + expected);
}

// The N of "cuda:N".
int cuda_number(const std::string& device, std::string_view digits) {
  const auto number = base::parse_number<int>(digits);
  const bool plain = number && std::to_string(*number) == digits;
  if (!plain || *number < 0 || *number > 99) refuse(device, kDeviceNames);
  return *number;
}

// `list` is what stands behind "simulated:".
SimulatedTimes simulated_times(const std::string& device, std::string_view list) {
  SimulatedTimes times;
  while (true) {
    const std::string_view item = list.substr(0, list.find(','));
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    if (equals == item.npos || (key != "launch_us" && key != "row_ns" && key != "step_us")) {
      refuse(device, "launch_us=L, row_ns=R or step_us=S, separated by commas");
    }
    const auto value = base::parse_number<double>(item.substr(equals + 1));
    if (!value || !(*value >= 0 && *value <= kLongest_us)) {
      refuse(device, std::string(key) + " from 0 to 1000000000");
    }
    if (key == "launch_us") times.launch_us = *value;
    if (key == "row_ns") times.row_ns = *value;
    if (key == "step_us") times.step_us = *value;
    if (item.size() == list.size()) return times;
    list.remove_prefix(item.size() + 1);
  }
}

}  // namespace

DeviceName parse_device_name(const std::string& text) {
  constexpr std::string_view kCuda = "cuda:", kSimulated = "simulated:";
  if (text == "auto") return {DeviceKind::kAuto, 0, {}};
  if (text == "cpu") return {DeviceKind::kCpu, 0, {}};
  if (text == "cuda") return {DeviceKind::kCuda, 0, {}};
  if (text == "simulated") return {DeviceKind::kSimulated, 0, {}};
  const std::string_view rest(text);
  if (rest.starts_with(kCuda)) {
    return {DeviceKind::kCuda, cuda_number(text, rest.substr(kCuda.size())), {}};
  }
  if (rest.starts_with(kSimulated)) {
    return {DeviceKind::kSimulated, 0, simulated_times(text, rest.substr(kSimulated.size()))};
  }
  refuse(text, kDeviceNames);
}

}  // namespace nn
