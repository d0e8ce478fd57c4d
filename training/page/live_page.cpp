#include "training/page/live_page.h"

#include <spdlog/spdlog.h>

#include "base/errors.h"
#include "base/stopwatch.h"
#include "training/page/report.h"

namespace training {
namespace {

constexpr double kFraction = 0.02;  // of the time
constexpr double kPause_s = 60;     // after which it is written anyway

}  // namespace

void LivePage::write(const selfplay::GameStore& games) {
  const double pause_s = base::seconds_since(written_);
  if (seconds_ > kFraction * pause_s && pause_s < kPause_s) return;
  const auto began = std::chrono::steady_clock::now();
  try {
    write_report(run_, &games);
  } catch (const base::InputError& error) {
    spdlog::warn("no report: {}", error.what());
  }
  written_ = std::chrono::steady_clock::now();
  seconds_ = base::seconds_since(began);
}

}  // namespace training
