#include <algorithm>
#include <iterator>
#include <utility>

#include "arena/network_player.h"
#include "nn/folded_weights.h"
#include "nn/inference.h"
#include "selfplay/network_evaluator.h"
#include "training/run/run_precision.h"
#include "training/store/assistant.h"
#include "training/student/self_play.h"
#include "training/student/student.h"

namespace training {
namespace {

using selfplay::GenerateOptions;
using selfplay::WorkerStats;

class NetworkStudent final : public Student {
 public:
  NetworkStudent(const RunConfig& config, const RunOptions& options, RunCounters& counters)
      : config_(config),
        options_(options),
        counters_(counters),
        windows_(config),
        team_(options.team ? meet(*options.team) : nullptr),
        learner_(make_learner(config.network, config.learner, options.device, options.threads,
                              static_cast<std::uint64_t>(config.run.seed), team_.get())) {
    if (team_) lead_ = std::make_unique<TeamLead>(*team_, config);
  }

  GameWindow& window() override { return windows_.learned; }
  GameWindow& held_out() override { return windows_.held_out; }

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
    return learner_->fit(validation ? windows_.held_out : windows_.learned, rows);
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
    const bool inaccurate = nn::excess_deviation(file, precision).has_value();
    how.precision = inaccurate ? nn::Precision::kFloat32 : precision;
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

class NetworkSelfPlay final : public SelfPlay {
 public:
  NetworkSelfPlay(const SelfPlaySetup& setup, RunCounters& counters)
      : setup_(setup), counters_(counters) {
    const RunConfig& config = setup.config;
    workers_ = selfplay::make_workers(
        {config.selfplay, config.search, config.rules.repertoire(), scoring_table(config)},
        setup.threads, setup.seed);
  }

  PlaySession session(const StudentNetwork& network, std::int64_t generation,
                      std::int64_t plies) override {
    const std::int64_t games = setup_.config.selfplay.games;
    GenerateOptions options;
    options.limit.plies = plies / games + (plies % games != 0 ? 1 : 0);  // divided among the seats
    options.generation = static_cast<int>(generation);
    const bool asked = has_learned(network);
    if (asked) {
      options.evaluator = evaluators_of(std::get<nn::NetworkFile>(network), generation);
    } else {
      // Answers as an untrained network does, at no cost.
      options.evaluator = [] { return std::make_unique<mcts::UniformEvaluator>(); };
    }
    return [this, options, asked](const selfplay::GameSink& store, const SessionTerms& terms) {
      GenerateOptions how = options;
      how.halt = terms.halt;
      how.store_at_once = terms.store_at_once;
      WorkerStats played = selfplay::generate(workers_, store, how);
      if (!asked) played.evaluations = 0;
      return played;
    };
  }

  std::vector<selfplay::GameInFlight> in_flight() const override {
    std::vector<selfplay::GameInFlight> all;
    for (const auto& worker : workers_) {
      std::ranges::move(worker->in_flight(), std::back_inserter(all));
    }
    std::ranges::sort(all, {}, &selfplay::GameInFlight::seat);
    return all;
  }
  void resume(std::span<const selfplay::GameInFlight> games) override {
    for (const auto& worker : workers_) worker->resume(games);
  }

 private:
  // Returns what makes each worker's evaluator.
  std::function<std::unique_ptr<mcts::Evaluator>()> evaluators_of(const nn::NetworkFile& network,
                                                                  std::int64_t generation) {
    const auto workers = static_cast<int>(workers_.size());
    const int most_at_once = (setup_.config.selfplay.games + workers - 1) / workers;
    const nn::Precision precision = precision_for(
        network, precision_of_play(setup_.config, network, setup_.device, counters_), generation);
    const nn::PlayingNetwork playing(network.config, network.weights,
                                     {setup_.device, precision, most_at_once, network.repertoire,
                                      /*batch_invariant=*/true});
    return [playing] { return std::make_unique<selfplay::NetworkEvaluator>(playing); };
  }

  SelfPlaySetup setup_;
  RunCounters& counters_;
  std::vector<std::unique_ptr<selfplay::SelfPlayWorker>> workers_;
};

}  // namespace

ReplayWindows::ReplayWindows(const RunConfig& config)
    : learned(config.learner, nn::Encoder(config.rules.repertoire()), config.search),
      held_out(held_out_config(config.learner), nn::Encoder(config.rules.repertoire()),
               config.search) {}

std::unique_ptr<Student> make_student(const RunConfig& config, const RunOptions& options,
                                      RunCounters& counters) {
  if (config.run.teaches_nnue()) return nnue_student(config, options, counters);
  return std::make_unique<NetworkStudent>(config, options, counters);
}

std::unique_ptr<SelfPlay> make_self_play(const SelfPlaySetup& setup, RunCounters& counters) {
  if (setup.config.run.teaches_nnue()) return nnue_self_play(setup);
  return std::make_unique<NetworkSelfPlay>(setup, counters);
}

}  // namespace training
