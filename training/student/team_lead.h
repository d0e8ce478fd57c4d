#pragma once
// What the leader of several learners tells the others (training/store/assistant.h).

#include <cstdint>
#include <memory>
#include <string>

#include "training/learner/learner.h"
#include "training/learner/learner_team.h"
#include "training/settings/run_config.h"
#include "training/settings/run_options.h"

namespace training {

// Its assistants do the same at the same time. Throws as Team.
class TeamLead {
 public:
  // Ends the assistants' work in the destructor. Throws base::EnvironmentError where their config
  // is another.
  TeamLead(Team& team, const RunConfig& config);
  ~TeamLead();
  TeamLead(const TeamLead&) = delete;
  TeamLead& operator=(const TeamLead&) = delete;

  // Gives them the learner's state, and the games of the windows, which the counters name.
  void start_from(const RunCounters& counters, const Learner& learner);
  // Lets them take in the games that were stored since, and call train() as the leader does.
  void train(std::int64_t steps, double progress, const RunCounters& counters);

 private:
  Team& team_;
};

// Meets the others. What this learner alone can refuse it refuses before, as the others' word would
// else be that one has gone. Throws as shard_count() and meet(). REQUIRES: options.team.
std::unique_ptr<Team> join_team(const RunConfig& config, const RunOptions& options);
// Throws base::InputError where the learners' configs differ.
void require_same_config(Team& team, const RunConfig& config);
// The learner's state, as start_from() shares it.
nn::Weights weights_of(const std::string& bytes);

}  // namespace training
