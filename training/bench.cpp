#include "training/bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "mcts/evaluator.h"
#include "nn/calibration.h"
#include "nn/inference.h"
#include "nn/network.h"
#include "selfplay/network_evaluator.h"
#include "selfplay/worker.h"
#include "training/learner.h"
#include "training/replay_window.h"

namespace training {
namespace {

using Clock = std::chrono::steady_clock;
using selfplay::SelfPlayWorker;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

nn::NetworkFile untrained(const BenchSettings& settings) {
  ReplayWindow nothing(settings.config.learner);
  const RunConfig& config = settings.config;
  return {config.network, config.rules.repertoire(), 0,
          Learner(config.network, config.learner, "cpu", 1, 1).averaged_weights(nothing)};
}

// What answers a batch, over and over.
using Forward = std::function<void(const nn::Batch&)>;
constexpr const char* kPlain = "plain";

Forward playing_form(const BenchSettings& settings, int batch, nn::Precision precision) {
  const nn::NetworkFile network = untrained(settings);
  const auto inference = std::make_shared<nn::Inference>(
      network.config, network.weights,
      nn::InferenceOptions{settings.device, precision, batch, network.repertoire});
  return [inference, out = nn::Outputs()](const nn::Batch& in) mutable { inference->run(in, out); };
}

// The network as it is trained, without what comes before and after it.
Forward plain_form(const BenchSettings& settings, int batch) {
  nn::Network network(settings.config.network);
  network->eval();
  network->to(torch::Device(settings.device));
  const nn::Shape& shape = settings.config.network.shape;
  const auto on_device = torch::TensorOptions().device(settings.device);
  const auto planes = torch::randint(0, 2, {batch, shape.planes, 8, 8}, on_device);
  const auto globals = torch::rand({batch, shape.globals}, on_device);
  return [network, planes, globals](const nn::Batch&) mutable {
    const torch::NoGradGuard no_grad;
    network->forward(planes, globals).outcomes.cpu();
  };
}

Forward make_form(const BenchSettings& settings, int batch, const std::string& form) {
  if (form == kPlain) return plain_form(settings, batch);
  return playing_form(settings, batch, nn::precision_of(form).value());
}

// Networks of one form, one a thread, and how many positions they answer.
class ForwardBench {
 public:
  ForwardBench(const BenchSettings& settings, int batch, const std::string& form)
      : batch_(nn::random_play(settings.config.rules.repertoire(), batch, 1)) {
    for (int i = 0; i < settings.threads; ++i) {
      networks_.push_back(make_form(settings, batch, form));
    }
    measure(0.2);  // warms up
  }

  // Positions a second of all threads together.
  double measure(double seconds) {
    std::atomic<std::int64_t> positions = 0;
    const auto begin = Clock::now();
    {
      std::vector<std::jthread> threads;
      for (Forward& network : networks_) {
        threads.emplace_back([&] {
          nn::use_one_torch_thread();
          while (seconds_since(begin) < seconds) {
            network(batch_);
            positions += batch_.size();
          }
        });
      }
    }
    return static_cast<double>(positions) / seconds_since(begin);
  }

 private:
  nn::Batch batch_;
  std::vector<Forward> networks_;
};

// Workers in the midst of their games: the first plies are played without a network, which is
// cheap.
class SelfPlayBench {
 public:
  SelfPlayBench(const BenchSettings& settings, nn::Precision precision) {
    const RunConfig& config = settings.config;
    const selfplay::WorkerSetup setup{config.selfplay, config.search, config.rules.repertoire(),
                                      scoring_table(config)};
    const nn::NetworkFile network = untrained(settings);
    for (int i = 0; i < settings.threads; ++i) {
      workers_.push_back(std::make_unique<SelfPlayWorker>(
          setup, rules::Rng(1).split(static_cast<std::uint64_t>(i))));
      evaluators_.push_back(std::make_unique<selfplay::NetworkEvaluator>(
          network.config, network.weights,
          nn::InferenceOptions{settings.device, precision, config.selfplay.games_per_worker,
                               setup.repertoire}));
    }
    const std::int64_t plies = 100LL * config.selfplay.games_per_worker;
    play(
        [&](std::size_t i, const std::atomic<bool>& stop, const SelfPlayWorker::Sink& sink) {
          mcts::UniformEvaluator nothing;
          return workers_[i]->play(nothing, plies, 0, stop, sink);
        },
        1e9);
    // Warms up, and goes on for some moves of each game: every call begins its searches anew.
    const auto stats = play_on(10LL * config.selfplay.games_per_worker, 10);
    evaluations_a_ply_ = static_cast<double>(stats.evaluations) /
                         static_cast<double>(std::max<std::int64_t>(1, stats.plies));
  }

  // Evaluations a second of all workers together.
  double measure(double seconds) {
    const auto begin = Clock::now();
    const auto stats = play_on(std::int64_t{1} << 40, seconds);
    return static_cast<double>(stats.evaluations) / seconds_since(begin);
  }
  double evaluations_a_ply() const { return evaluations_a_ply_; }

  // Of all finished games.
  double mean_plies() const {
    double plies = 0;
    for (const auto& game : games_) plies += static_cast<double>(game.plies.size());
    return plies / std::max<double>(1, static_cast<double>(games_.size()));
  }
  std::vector<selfplay::GameRecord> take_games() { return std::move(games_); }

 private:
  using Work = std::function<selfplay::WorkerStats(std::size_t, const std::atomic<bool>&,
                                                   const SelfPlayWorker::Sink&)>;

  // So many plies of each worker, or for so long.
  selfplay::WorkerStats play_on(std::int64_t plies, double seconds) {
    return play(
        [&](std::size_t i, const std::atomic<bool>& stop, const SelfPlayWorker::Sink& sink) {
          return workers_[i]->play(*evaluators_[i], plies, 1, stop, sink);
        },
        seconds);
  }

  // Lets every worker work until it is done, or for so long.
  selfplay::WorkerStats play(const Work& work, double seconds) {
    std::atomic<bool> stop = false;
    std::atomic<std::size_t> working = workers_.size();
    selfplay::WorkerStats sum;
    std::mutex mutex;  // guards sum and games_
    const auto sink = [&](selfplay::GameRecord game) {
      const std::lock_guard lock(mutex);
      games_.push_back(std::move(game));
    };
    const auto begin = Clock::now();
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      threads.emplace_back([&, i] {
        nn::use_one_torch_thread();
        const selfplay::WorkerStats own = work(i, stop, sink);
        const std::lock_guard lock(mutex);
        sum.evaluations += own.evaluations;
        sum.plies += own.plies;
        --working;
      });
    }
    while (working > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      stop = seconds_since(begin) >= seconds;
    }
    threads.clear();
    return sum;
  }

  std::vector<std::unique_ptr<SelfPlayWorker>> workers_;
  std::vector<std::unique_ptr<mcts::Evaluator>> evaluators_;
  std::vector<selfplay::GameRecord> games_;
  double evaluations_a_ply_ = 0;
};

// With the best batch.
ForwardSpeed fastest(const BenchSettings& settings, const std::string& form) {
  const std::vector<int> batches =
      settings.device == "cpu" ? std::vector{32, 64, 128, 256} : std::vector{256, 512, 1024, 2048};
  ForwardSpeed best{.form = form};
  for (const int batch : batches) {
    const double speed = ForwardBench(settings, batch, form)
                             .measure(settings.seconds / 2 / static_cast<double>(batches.size()));
    if (speed > best.evals_per_s) {
      best.evals_per_s = speed;
      best.batch = batch;
    }
  }
  return best;
}

}  // namespace

ForwardSpeeds bench_forward(const BenchSettings& settings) {
  const std::string playing = nn::name(nn::fastest_precision(untrained(settings), settings.device));
  std::vector<std::string> forms{kPlain};
  for (const nn::Precision precision : nn::precisions_on(settings.device)) {
    forms.push_back(nn::name(precision));
  }
  ForwardSpeeds speeds;
  for (const std::string& form : forms) {
    speeds.forms.push_back(fastest(settings, form));
    if (form == playing) speeds.playing = speeds.forms.back();
  }
  return speeds;
}

SelfPlaySpeed bench_selfplay(const BenchSettings& settings) {
  const auto precision = nn::fastest_precision(untrained(settings), settings.device);
  const std::string form = nn::name(precision);
  ForwardBench forward(settings, fastest(settings, form).batch, form);
  SelfPlayBench selfplay(settings, precision);
  constexpr int kTurns = 4;  // so that a change of the machine's speed meets both
  double alone = 0, evals = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    alone += forward.measure(settings.seconds / kTurns) / kTurns;
    evals += selfplay.measure(settings.seconds / kTurns) / kTurns;
  }
  const double plies = evals / selfplay.evaluations_a_ply();
  return {evals, 3600 * plies / selfplay.mean_plies(), plies, evals / alone};
}

double bench_train(const BenchSettings& settings) {
  SelfPlayBench games(settings, nn::Precision::kFloat32);
  ReplayWindow window(settings.config.learner, nn::Encoder(settings.config.rules.repertoire()));
  for (auto& game : games.take_games()) window.add(std::move(game));
  Learner learner(settings.config.network, settings.config.learner, settings.device,
                  settings.threads, 1);
  learner.use_mixed_precision(mixed_precision_pays(settings.config.network, settings.device));
  const auto seconds_of = [&](std::int64_t steps) {
    const auto begin = Clock::now();
    learner.train(window, steps, 0.5);
    return seconds_since(begin);
  };
  seconds_of(2);  // warms up
  const double step = seconds_of(4) / 4;
  const auto steps = std::max<std::int64_t>(4, static_cast<std::int64_t>(settings.seconds / step));
  return static_cast<double>(steps * settings.config.learner.batch) / seconds_of(steps);
}

}  // namespace training
