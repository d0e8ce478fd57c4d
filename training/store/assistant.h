#pragma once
// Learners that help another one: they take their part of each of its steps
// (training/learner/learner_team.h).

#include <cstdint>
#include <string>

#include "training/learner/learner.h"
#include "training/learner/learner_team.h"
#include "training/run/run_loop.h"
#include "training/run/run_state.h"
#include "training/settings/run_config.h"

namespace training {

// What the leader of a team tells its assistants, who do the same at the same time. Throws as Team.
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

// Learns with the leader until it has ended. Keeps nothing on disk and plays nothing. Reads the
// games in RunOptions::store under the name of RunOptions::folder. Throws what Team and
// selfplay::SharedStore do.
void assist(const RunConfig& config, const RunOptions& options);

}  // namespace training
