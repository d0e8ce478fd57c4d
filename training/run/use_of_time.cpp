#include "training/run/use_of_time.h"

#include <nlohmann/json.hpp>

#include "base/stopwatch.h"

namespace training {

UseOfTime::UseOfTime(const std::string& device, int threads)
    : measures_(device != "cpu"), threads_(threads) {}

void UseOfTime::enter(Part part) {
  const nn::DeviceUse device = nn::device_use();
  const std::clock_t cores = std::clock();
  Sums& sums = sums_[part_];
  sums.seconds += base::seconds_since(entered_);
  sums.cores_s += static_cast<double>(cores - cores_) / CLOCKS_PER_SEC;
  sums.device = sums.device + (device - device_);
  part_ = part;
  entered_ = std::chrono::steady_clock::now();
  cores_ = cores;
  device_ = device;
}

void UseOfTime::take(nlohmann::ordered_json& record) {
  enter(part_);
  if (measures_) {
    Sums all;
    for (const Sums& sums : sums_) {
      all.seconds += sums.seconds;
      all.cores_s += sums.cores_s;
      all.device = all.device + sums.device;
    }
    add(sums_[kGames], "games", record);
    add(sums_[kLearning], "learning", record);
    add(sums_[kMatches], "matches", record);
    record["all_parts_s"] = all.seconds;
    record["device_busy_all"] = all.device.busy_s / all.seconds;
    record["cores_busy"] = all.cores_s / (threads_ * all.seconds);
    record["device_awaited"] = all.device.waited_s / (threads_ * all.seconds);
  }
  sums_ = {};
}

void UseOfTime::add(const Sums& sums, const std::string& part,
                    nlohmann::ordered_json& record) const {
  if (sums.seconds == 0) return;
  record[part + "_part_s"] = sums.seconds;
  record["device_busy_" + part] = sums.device.busy_s / sums.seconds;
  record["cores_busy_" + part] = sums.cores_s / (threads_ * sums.seconds);
  record["device_awaited_" + part] = sums.device.waited_s / (threads_ * sums.seconds);
  if (sums.device.batches == 0) return;
  record["rows_per_batch_" + part] =
      static_cast<double>(sums.device.rows) / static_cast<double>(sums.device.batches);
}

}  // namespace training
