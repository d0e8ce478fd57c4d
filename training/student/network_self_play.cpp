#include <algorithm>
#include <iterator>

#include "nn/inference.h"
#include "selfplay/network_evaluator.h"
#include "training/student/run_precision.h"
#include "training/student/self_play.h"

namespace training {
namespace {

using selfplay::GenerateOptions;
using selfplay::WorkerStats;

class NetworkSelfPlay final : public SelfPlay {
 public:
  NetworkSelfPlay(const SelfPlaySetup& setup, RunCounters& counters)
      : setup_(setup), counters_(counters) {
    const RunConfig& config = setup.config;
    workers_ = selfplay::make_workers({.config = config.selfplay,
                                       .search = config.search,
                                       .repertoire = config.rules.repertoire(),
                                       .table = scoring_table(config),
                                       .book_starts = book_starts(config)},
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

std::unique_ptr<SelfPlay> network_self_play(const SelfPlaySetup& setup, RunCounters& counters) {
  return std::make_unique<NetworkSelfPlay>(setup, counters);
}

}  // namespace training
