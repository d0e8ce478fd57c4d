#include "nn/device_name.h"

#include <string_view>

#include "base/errors.h"
#include "base/text.h"
#include "rules/error.h"

namespace nn {
namespace {

constexpr double kLargest = 1e9;

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

// Where the value of that key belongs; null: there is no such key.
double* field(SimulatedTimes& times, std::string_view key) {
  if (key == "launch_us") return &times.launch_us;
  if (key == "row_ns") return &times.row_ns;
  if (key == "step_us") return &times.step_us.emplace(0);
  if (key == "step_launches") return &times.step_launches;
  if (key == "priority") return &times.priority;
  if (key == "fail_every") return &times.fail_every;
  if (key == "hang_after") return &times.hang_after;
  if (key == "memory_rows") return &times.memory_rows;
  if (key == "timeout_s") return &times.timeout_s;
  return nullptr;
}

// `list` is what stands behind "simulated:".
SimulatedTimes simulated_times(const std::string& device, std::string_view list) {
  SimulatedTimes times;
  while (true) {
    const std::string_view item = list.substr(0, list.find(','));
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    double* const found = equals == item.npos ? nullptr : field(times, key);
    if (!found)
      refuse(device, std::string("KEY=VALUE, separated by commas; keys ") + kSimulatedKeys);
    const auto value = base::parse_number<double>(item.substr(equals + 1));
    if (!value || !(*value >= 0 && *value <= kLargest)) {
      refuse(device, std::string(key) + " from 0 to 1000000000");
    }
    *found = *value;
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
