#pragma once
// How well a run uses its device and its cores, by part of the loop.

#include <array>
#include <chrono>
#include <ctime>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "nn/device_use.h"

namespace training {

// Splits a run's time into parts. Measures the whole process. Owned by one thread.
class UseOfTime {
 public:
  enum Part { kGames, kLearning, kMatches, kRest };  // kRest: checkpoints, records, the report

  UseOfTime(const std::string& device, int threads);
  // From now on, time belongs to this part; at first to kRest.
  void enter(Part part);
  // Adds what was measured since the last call to a generation's record, and on a CPU nothing. For
  // PART games, learning and matches, where any time was spent on it, and for all of them and the
  // rest together:
  //   PART_part_s, all_parts_s               wall time
  //   device_busy_PART, device_busy_all      fraction of it in which the device had work
  //   cores_busy_PART, cores_busy            fraction of the run's threads that ran: CPU time
  //   device_awaited_PART, device_awaited    threads that waited for it, for each of the run's
  //   rows_per_batch_PART                    positions in a batch of games or matches, mean
  // What is left of the threads' time they waited for one another, or for a core.
  void take(nlohmann::ordered_json& record);

 private:
  struct Sums {
    double seconds = 0, cores_s = 0;
    nn::DeviceUse device;
  };
  void add(const Sums& sums, const std::string& part, nlohmann::ordered_json& record) const;

  bool measures_;
  int threads_;
  Part part_ = kRest;
  std::chrono::steady_clock::time_point entered_ = std::chrono::steady_clock::now();
  std::clock_t cores_ = std::clock();
  nn::DeviceUse device_ = nn::device_use();
  std::array<Sums, kRest + 1> sums_;  // by part
};

}  // namespace training
