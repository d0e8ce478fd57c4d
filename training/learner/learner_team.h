#pragma once
// Several learners that are one, by torch's c10d: each takes a part of every step's shards, and all
// take the same steps. Includes no LibTorch.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace training {

// A learner's place among several.
struct TeamPlace {
  int rank = 0, size = 1;  // rank 0 leads: it alone writes
  std::string address;     // of rank 0
  int port = 29500;
};

// Reads RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT as torchrun sets them, or in their place
// SLURM_PROCID and SLURM_NTASKS; none where there is one learner. Throws base::InputError naming
// what is missing or wrong.
std::optional<TeamPlace> team_place();

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

// Meets the others; waits for them for at most five minutes. On processors by gloo. Throws
// base::EnvironmentError where they do not come, base::InputError where the program was built
// without gloo.
std::unique_ptr<Team> meet(const TeamPlace& place);

}  // namespace training
