#pragma once
// Several learners that are one, by torch's c10d: each takes a part of every step's shards, and all
// take the same steps. Includes no LibTorch.

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "training/settings/run_options.h"

namespace training {

// Called by one thread of each learner, by all in the same order: a call waits for the others.
// Throws base::EnvironmentError where another has gone.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Makes each value the sum over all learners: the same bits everywhere.
  virtual void sum(std::span<float> values) = 0;
  // Returns what rank 0 gives.
  virtual std::string share(const std::string& bytes) = 0;
  // Throws base::EnvironmentError where the learners' checksums differ.
  virtual void require_equal(std::uint64_t checksum) = 0;
};

// Meets the others, and waits for them no longer than `patience`; calls of the team wait up to a
// day, for assistants have nothing to do while the leader's games are played. On processors by
// gloo. Throws base::EnvironmentError where they do not come, base::InputError where the program
// was built without gloo.
std::unique_ptr<Team> meet(const TeamPlace& place,
                           std::chrono::milliseconds patience = std::chrono::minutes(5));

}  // namespace training
