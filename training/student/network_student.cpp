#include <spdlog/spdlog.h>

#include <utility>

#include "arena/network_player.h"
#include "nn/folded_weights.h"
#include "training/student/run_precision.h"
#include "training/student/student.h"
#include "training/student/team_lead.h"

namespace training {
namespace {

class NetworkStudent final : public Student {
 public:
  NetworkStudent(const RunConfig& config, const RunOptions& options, RunCounters& counters)
      : config_(config),
        options_(options),
        counters_(counters),
        windows_(config),
        team_(options.team ? join_team(config, options) : nullptr),
        learner_(make_learner(config.network, config.learner, options.device, options.threads,
                              static_cast<std::uint64_t>(config.run.seed), team_.get())) {
    spdlog::info("peak learning rate {:.3g}{}",
                 peak_learning_rate(config.learner, config.network.channels),
                 config.learner.learning_rate > 0 ? "" : ", by batch and width");
    if (team_) lead_ = std::make_unique<TeamLead>(*team_, config);
  }

  GameWindow& window() override { return windows_.learned; }
  GameWindow& validation() override { return windows_.validation; }

  void begin(const std::optional<nn::Weights>& weights) override {
    if (weights) learner_->initialize(*weights);
    renew_network(0);
  }
  void restore(StudentNetwork network, const nn::Weights& state) override {
    nn::fold(config_.network, std::get<nn::NetworkFile>(network).weights);
    learner_->restore(state);
    network_ = std::move(network);
    is_told_ = false;
  }
  nn::Weights state() const override { return learner_->state(); }

  LearnerReport train(std::int64_t steps, double progress) override {
    learner_->use_mixed_precision(learns_mixed(config_, options_.device, counters_));
    learner_->scale_learning_rate(counters_.learning_rate_scale);
    if (lead_) {
      if (!std::exchange(is_told_, true)) lead_->start_from(counters_, *learner_);
      lead_->train(steps, progress, counters_);
    }
    return learner_->train(windows_.learned, steps, progress, options_.stop);
  }
  std::int64_t steps_taken() const override { return learner_->steps_taken(); }
  void renew_network(std::int64_t generation) override {
    network_ = nn::NetworkFile{config_.network, config_.rules.repertoire(), generation,
                               learner_->averaged_weights(windows_.learned)};
  }
  const StudentNetwork& network() const override { return network_; }
  Learner::Fit fit(bool validation, int rows) override {
    return learner_->fit(validation ? windows_.validation : windows_.learned, rows);
  }

  arena::PlayerFactory player(const StudentNetwork& network, const std::string& name,
                              int games_at_once) override {
    const auto& file = std::get<nn::NetworkFile>(network);
    const nn::Precision precision =
        precision_of_play(config_, std::get<nn::NetworkFile>(network_), options_.device, counters_);
    arena::NetworkPlayerOptions how;
    how.name = name;
    how.search = config_.search;
    how.device = options_.device;
    how.precision = precision_for(file, precision, file.generation);
    how.limits.nodes = static_cast<std::uint64_t>(config_.evaluation.simulations);
    how.games_at_once = games_at_once;
    return arena::network_player(file, how);
  }

 private:
  RunConfig config_;
  RunOptions options_;
  RunCounters& counters_;
  ReplayWindows windows_;
  std::unique_ptr<Team> team_;  // where several learners are one
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<TeamLead> lead_;
  bool is_told_ = false;  // the team: of the learner's state
  StudentNetwork network_;
};

}  // namespace

std::unique_ptr<Student> network_student(const RunConfig& config, const RunOptions& options,
                                         RunCounters& counters) {
  return std::make_unique<NetworkStudent>(config, options, counters);
}

}  // namespace training
