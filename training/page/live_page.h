#pragma once
// The report of a run while it goes on.

#include <chrono>
#include <filesystem>
#include <utility>

#include "selfplay/game_store.h"

namespace training {

// Owned by one thread.
class LivePage {
 public:
  explicit LivePage(std::filesystem::path run) : run_(std::move(run)) {}

  // Writes report.html, unless that would take more than a small fraction of the time; then it
  // waits, but for a minute at most. A damaged file of a study costs only the page.
  void write(const selfplay::GameStore& games);

 private:
  std::filesystem::path run_;
  std::chrono::steady_clock::time_point written_{};
  double seconds_ = 0;  // that the last one took
};

}  // namespace training
