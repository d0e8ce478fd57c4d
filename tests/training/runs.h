#pragma once
// Runs of a few generations in a folder of the test's own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/errors.h"
#include "training/run/run_loop.h"
#include "training/student/student_network.h"

namespace training {

namespace fs = std::filesystem;

class Runs : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) /
            ("sharpzero_runs_" + std::to_string(::getpid()) + "_" +
             fs::path(testing::UnitTest::GetInstance()->current_test_info()->name())
                 .filename()
                 .string());
    fs::remove_all(root_);
    config_ = tiny({"run.generations=5", "evaluation.every=0", "evaluation.final_games=0"});
  }
  // The smallest config, with changes.
  virtual RunConfig tiny(const std::vector<std::string>& changes) const {
    return load_config(fs::path(SHARPZERO_CONFIGS) / "tiny.toml", changes);
  }
  void TearDown() override { fs::remove_all(root_); }

  RunOptions options(const std::string& name, int threads = 2) const {
    RunOptions options;
    options.folder = root_ / name;
    options.threads = threads;
    options.stop = &stop_;
    return options;
  }
  RunEnd run(const std::string& name) { return RunLoop(config_, options(name)).run(); }

  // Runs until the checkpoint is there, then stops wherever the run is by then.
  RunEnd run_until(const std::string& name, const char* checkpoint) {
    std::jthread stopper([&](const std::stop_token& done) {
      while (!done.stop_requested() && !fs::exists(root_ / name / "checkpoints" / checkpoint)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      stop_ = true;
    });
    const RunEnd end = run(name);
    stopper.request_stop();
    stopper.join();
    stop_ = false;
    return end;
  }

  // Stops it after so long.
  RunEnd run_for(const std::string& name, std::chrono::milliseconds time) {
    RunLoop loop(config_, options(name));
    std::jthread stopper(
        [&, until = std::chrono::steady_clock::now() + time](const std::stop_token& done) {
          while (!done.stop_requested() && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          stop_ = true;
        });
    const RunEnd end = loop.run();
    stopper.request_stop();
    stopper.join();
    stop_ = false;
    return end;
  }

  std::string bytes(const std::string& name, const std::string& file) const {
    std::ifstream in(root_ / name / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path root_;
  RunConfig config_;
  std::atomic<bool> stop_ = false;
};

// Runs that teach a residual network, and runs that teach an NNUE.
class EitherStudent : public Runs, public testing::WithParamInterface<const char*> {
 protected:
  bool is_nnue() const { return GetParam() == std::string("nnue"); }
  RunConfig tiny(const std::vector<std::string>& changes) const override {
    return load_config(fs::path(SHARPZERO_CONFIGS) / (is_nnue() ? "tiny-nnue.toml" : "tiny.toml"),
                       changes);
  }
  // The network's file in that checkpoint, from the run's folder.
  std::string network_of(const std::string& checkpoint) const {
    return "checkpoints/" + checkpoint + "/" + network_file(config_);
  }
};

// What a run refuses to begin or go on with, in one line.
inline std::string refusal(const RunConfig& config, const RunOptions& options) {
  try {
    RunLoop(config, options).run();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace training
