#include "training/student/student.h"

#include "training/student/self_play.h"

namespace training {

ReplayWindows::ReplayWindows(const RunConfig& config)
    : learned(config.learner, nn::Encoder(config.rules.repertoire()), config.search),
      validation(validation_config(config.learner), nn::Encoder(config.rules.repertoire()),
                 config.search) {}

std::unique_ptr<Student> make_student(const RunConfig& config, const RunOptions& options,
                                      RunCounters& counters) {
  return (config.run.teaches_nnue() ? nnue_student : network_student)(config, options, counters);
}

std::unique_ptr<SelfPlay> make_self_play(const SelfPlaySetup& setup, RunCounters& counters) {
  if (setup.config.run.teaches_nnue()) return nnue_self_play(setup);
  return network_self_play(setup, counters);
}

}  // namespace training
