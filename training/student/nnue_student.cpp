#include <utility>

#include "arena/alphabeta_player.h"
#include "base/errors.h"
#include "base/rng.h"
#include "nn/nnue_file.h"
#include "training/learner/nnue_learner.h"
#include "training/learner/nnue_window.h"
#include "training/student/student.h"

namespace training {
namespace {

DrawRows rows_of(const NnueWindow& window) {
  return [&window](int rows, base::Rng& rng, NnueBatch& out) { window.sample(rows, rng, out); };
}

class NnueStudent final : public Student {
 public:
  NnueStudent(const RunConfig& config, const RunOptions& options, RunCounters& counters)
      : config_(config),
        options_(options),
        counters_(counters),
        window_(config.learner),
        validation_(validation_config(config.learner)),
        learner_(config.learner, options.threads, static_cast<std::uint64_t>(config.run.seed)) {}

  GameWindow& window() override { return window_; }
  GameWindow& validation() override { return validation_; }

  void begin(const std::optional<nn::Weights>& weights) override {
    if (weights) learner_.initialize(*weights);
    renew_network(0);
  }
  void restore(StudentNetwork network, const nn::Weights& state) override {
    learner_.restore(state);
    network_ = std::move(network);
  }
  nn::Weights state() const override { return learner_.state(); }

  LearnerReport train(std::int64_t steps, double progress) override {
    learner_.scale_learning_rate(counters_.learning_rate_scale);
    return learner_.train(rows_of(window_), steps, progress, options_.stop);
  }
  std::int64_t steps_taken() const override { return learner_.steps_taken(); }
  void renew_network(std::int64_t generation) override {
    network_ = nn::NnueFile{config_.rules.repertoire(), generation, learner_.averaged_weights(),
                            config_.nnue.nodes};
  }
  const StudentNetwork& network() const override { return network_; }
  Learner::Fit fit(bool validation, int rows) override {
    constexpr int kTimes = 16;
    return learner_.fit(rows_of(validation ? validation_ : window_), kTimes * rows);
  }

  arena::PlayerFactory player(const StudentNetwork& network, const std::string& name,
                              int /*games_at_once*/) override {
    arena::AlphaBetaPlayerOptions how;
    how.name = name;
    how.limits.nodes = static_cast<std::uint64_t>(config_.evaluation.simulations);
    const auto weights = nn::weights_to_play(std::get<nn::NnueFile>(network).weights);
    return [how, weights] { return std::make_unique<arena::AlphaBetaPlayer>(weights, how); };
  }

 private:
  RunConfig config_;
  RunOptions options_;
  RunCounters& counters_;
  NnueWindow window_, validation_;
  NnueLearner learner_;
  StudentNetwork network_;
};

}  // namespace

std::unique_ptr<Student> nnue_student(const RunConfig& config, const RunOptions& options,
                                      RunCounters& counters) {
  if (options.team) {
    throw base::InputError("WORLD_SIZE: several learners teach a residual network, not an NNUE");
  }
  return std::make_unique<NnueStudent>(config, options, counters);
}

}  // namespace training
