#pragma once
// What a run teaches: a residual network for tree search, or an NNUE for alpha-beta search.
// Includes no LibTorch.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "arena/player.h"
#include "nn/weights.h"
#include "training/learner/game_window.h"
#include "training/learner/learner.h"
#include "training/learner/replay_window.h"
#include "training/settings/run_config.h"
#include "training/settings/run_options.h"
#include "training/student/student_network.h"

namespace training {

// Owns windows, learner and network. Owned by one thread. Throws as Learner does.
class Student {
 public:
  virtual ~Student() = default;

  // The newest games that it learns from and, as many games back, the validation games.
  virtual GameWindow& window() = 0;
  virtual GameWindow& validation() = 0;

  // Starts anew, from these weights where there are some. Throws nn::CheckpointError where they do
  // not fit.
  virtual void begin(const std::optional<nn::Weights>& weights) = 0;
  // Goes on from a checkpoint's network and state(). Throws nn::CheckpointError where they do not
  // fit. REQUIRES: check_network().
  virtual void restore(StudentNetwork network, const nn::Weights& state) = 0;
  virtual nn::Weights state() const = 0;

  // Learns from the window, as Learner::train(), at the run's scale of the learning rate; stops as
  // the run does.
  virtual LearnerReport train(std::int64_t steps, double progress) = 0;
  virtual std::int64_t steps_taken() const = 0;
  // Makes the averaged weights the network that plays, of this generation.
  virtual void renew_network(std::int64_t generation) = 0;
  virtual const StudentNetwork& network() const = 0;
  // Measures the network on `rows` rows, or more where they cost little, of the window or of the
  // validation games. REQUIRES: renew_network() was called since the last step.
  virtual Learner::Fit fit(bool validation, int rows) = 0;

  // The network as a player of the run's matches; `games_at_once` on one thread.
  virtual arena::PlayerFactory player(const StudentNetwork& network, const std::string& name,
                                      int games_at_once) = 0;
};

// The two windows of a residual network's games.
struct ReplayWindows {
  explicit ReplayWindows(const RunConfig& config);
  ReplayWindow learned, validation;
};

// Makes the student of the config. `counters`: the run's, which must outlive it; it reads the scale
// of the learning rate and keeps the precisions there that it has chosen. Throws base::InputError
// where it cannot be taught as the options ask.
std::unique_ptr<Student> make_student(const RunConfig& config, const RunOptions& options,
                                      RunCounters& counters);
std::unique_ptr<Student> network_student(const RunConfig& config, const RunOptions& options,
                                         RunCounters& counters);
std::unique_ptr<Student> nnue_student(const RunConfig& config, const RunOptions& options,
                                      RunCounters& counters);

}  // namespace training
