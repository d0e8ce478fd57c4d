#include "training/bench/training_bench.h"

#include <torch/torch.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "base/errors.h"
#include "base/stopwatch.h"
#include "base/threads.h"
#include "mcts/evaluator.h"
#include "nn/inference.h"
#include "nn/int8_calibration.h"
#include "nn/network.h"
#include "nn/simulated_device.h"
#include "nn/torch_threads.h"
#include "selfplay/generate.h"
#include "selfplay/network_evaluator.h"
#include "training/learner/learner.h"
#include "training/learner/learner_parts.h"
#include "training/learner/replay_window.h"
#include "training/student/run_precision.h"

namespace training {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kTurns = 4;  // in turns, a change of the machine's speed affects both of a comparison
using selfplay::GameRecord;
using selfplay::WorkerStats;

nn::NetworkFile untrained(const BenchSettings& settings) {
  const RunConfig& config = settings.config;
  return {config.network, config.rules.repertoire(), 0,
          nn::weights_of(*build_network(config.network, torch::kCPU, 1))};
}

// The batches that fastest() tries, the smallest first.
std::vector<int> batches(const BenchSettings& settings) {
  if (settings.device == "cpu") return {32, 64, 128, 256};
  return {64, 128, 256, 512, 1024, 2048};
}

// A network for any batch that is measured here.
nn::PlayingNetwork playing_network(const BenchSettings& settings, const nn::NetworkFile& file,
                                   nn::Precision precision) {
  const int largest = std::max(batches(settings).back(), settings.config.selfplay.games);
  return nn::PlayingNetwork(file.config, file.weights,
                            {settings.device, precision, largest, file.repertoire});
}

// Runs a network on a batch. Owned by one thread.
using Forward = std::function<void(const nn::Batch&)>;

using MakeForward = std::function<Forward(int batch)>;  // for batches of that size

MakeForward playing_forward(const nn::PlayingNetwork& network) {
  return [network](int) -> Forward {
    const auto inference = std::make_shared<nn::Inference>(network);
    return
        [inference, out = nn::Outputs()](const nn::Batch& in) mutable { inference->run(in, out); };
  };
}

// The network alone, without encoding its inputs or reading its outputs.
Forward plain_forward(const BenchSettings& settings, int batch) {
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

// Networks of one form, one for each thread, and how many positions they answer.
class ForwardBench {
 public:
  ForwardBench(const BenchSettings& settings, int batch, const MakeForward& make)
      : batch_(nn::random_play(settings.config.rules.repertoire(), batch, 1)) {
    for (int i = 0; i < settings.threads; ++i) networks_.push_back(make(batch));
    measure(settings.seconds / 20);  // warms up
  }

  // Positions a second of all threads together.
  double measure(double seconds) {
    std::atomic<std::int64_t> positions = 0;
    const auto begin = Clock::now();
    base::Threads threads;
    for (Forward& network : networks_) {
      threads.start([&] {
        nn::use_one_torch_thread();
        while (base::seconds_since(begin) < seconds) {
          network(batch_);
          positions += batch_.size();
        }
      });
    }
    threads.join();
    return static_cast<double>(positions) / base::seconds_since(begin);
  }

 private:
  nn::Batch batch_;
  std::vector<Forward> networks_;
};

using Workers = std::vector<std::unique_ptr<selfplay::SelfPlayWorker>>;

Workers make_workers(const BenchSettings& settings, std::uint64_t seed) {
  const RunConfig& config = settings.config;
  return selfplay::make_workers(
      {config.selfplay, config.search, config.rules.repertoire(), scoring_table(config)},
      settings.threads, seed);
}

double mean_plies(std::span<const GameRecord> games) {
  double plies = 0;
  for (const GameRecord& game : games) plies += static_cast<double>(game.plies.size());
  return plies / static_cast<double>(games.size());
}

// Games as a long run has them in flight: each stands at a ply drawn from all plies of `games`.
std::vector<selfplay::GameInFlight> in_flight(std::span<const GameRecord> games, int count,
                                              base::Rng rng) {
  std::size_t plies = 0;
  for (const GameRecord& game : games) plies += game.plies.size();
  std::vector<selfplay::GameInFlight> seats;
  for (int seat = 0; seat < count; ++seat) {
    std::size_t ply = rng.below(static_cast<std::uint32_t>(plies));
    auto game = games.begin();
    for (; ply >= game->plies.size(); ++game) ply -= game->plies.size();
    seats.push_back({seat, 0, *game, rng.split(static_cast<std::uint64_t>(seat)).state()});
    seats.back().game.plies.resize(ply);
  }
  return seats;
}

// Workers in the midst of their games.
class SelfPlayBench {
 public:
  SelfPlayBench(const BenchSettings& settings, const nn::PlayingNetwork& network,
                std::span<const GameRecord> games)
      : seats_(settings.config.selfplay.games), workers_(make_workers(settings, 2)) {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      evaluators_.push_back(std::make_shared<selfplay::NetworkEvaluator>(network));
    }
    for (const auto& worker : workers_) {
      worker->resume(in_flight(games, static_cast<int>(seats_), base::Rng(3)));
    }
  }

  // Evaluations a second of all workers together.
  double measure(double seconds) {
    const auto begin = Clock::now();
    const WorkerStats stats = play_on({}, seconds);
    return static_cast<double>(stats.evaluations) / base::seconds_since(begin);
  }
  // Not a number where that takes too long. The longer stretch begins with the same plies as the
  // shorter one, and the difference counts: that leaves out the searches that a call starts without
  // a tree, and about as many are unfinished at its begin as at its end.
  double evaluations_a_ply(std::span<const GameRecord> games) {
    constexpr int kFewPlies = 4, kManyPlies = 14;  // of each game
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const WorkerStats few = stretch(games, kFewPlies);
    if (few.plies < kFewPlies * seats_) return kNone;
    const WorkerStats many = stretch(games, kManyPlies);
    if (many.plies < kManyPlies * seats_) return kNone;
    return static_cast<double>(many.evaluations - few.evaluations) /
           static_cast<double>(many.plies - few.plies);
  }

 private:
  // Plays `plies` plies of each game, fewer where they take too long; the same ones each time.
  WorkerStats stretch(std::span<const GameRecord> games, int plies) {
    const auto seats = in_flight(games, static_cast<int>(seats_), base::Rng(3));
    for (const auto& worker : workers_) worker->resume(seats);
    return play_on({.plies = plies}, kLongestPlies_s);
  }
  WorkerStats play_on(const selfplay::PlayLimit& limit, double seconds) {
    const auto begin = Clock::now();
    std::atomic<std::size_t> next = 0;
    selfplay::GenerateOptions how;
    how.limit = limit;
    how.evaluator = [&] { return evaluators_[next++]; };
    how.halt = [&](std::int64_t, std::int64_t) { return base::seconds_since(begin) >= seconds; };
    return selfplay::generate(
        workers_, [](std::span<const GameRecord>) {}, how);
  }

  std::int64_t seats_;
  Workers workers_;
  std::vector<std::shared_ptr<mcts::Evaluator>> evaluators_;  // one for each worker
};

// The form's speed with its best batch.
ForwardSpeed fastest(const BenchSettings& settings, const std::string& form,
                     const MakeForward& make) {
  const std::vector<int> all = batches(settings);
  ForwardSpeed best{.form = form};
  for (const int batch : all) {
    const double speed = ForwardBench(settings, batch, make)
                             .measure(settings.seconds / 2 / static_cast<double>(all.size()));
    best.by_batch[batch] = speed;
    if (speed > best.evals_per_s) {
      best.evals_per_s = speed;
      best.batch = batch;
    }
  }
  return best;
}

// The precision that the config asks for, or the fastest.
nn::Precision precision_of_play(const BenchSettings& settings, const nn::NetworkFile& network) {
  return nn::precision_to_play(requested_precision(settings.config, settings.device), network,
                               settings.device);
}

ReplayWindow window_of(const BenchSettings& settings, std::span<const GameRecord> games) {
  ReplayWindow window(settings.config.learner, nn::Encoder(settings.config.rules.repertoire()),
                      settings.config.search);
  for (const GameRecord& game : games) window.add(game);
  return window;
}

std::unique_ptr<Learner> learner_of(const BenchSettings& settings) {
  auto learner = make_learner(settings.config.network, settings.config.learner, settings.device,
                              settings.threads, 1);
  const std::string& precision = settings.config.learner.precision;
  learner->use_mixed_precision(precision == "auto"
                                   ? mixed_precision_pays(settings.config.network, settings.device)
                                   : precision == "mixed");
  return learner;
}

// Learns for so long, at most `most` positions a second on average. Returns positions a second.
double learn_for(Learner& learner, const ReplayWindow& window, double seconds, double most) {
  constexpr std::int64_t kManySteps = 1'000'000;
  std::atomic<bool> stop = false;
  base::Threads clock;
  clock.start([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    stop = true;
  });
  const auto begin = Clock::now();
  const double rows = learner.rows_per_step();
  const bool paced = std::isfinite(most);
  double positions = 0;
  while (!stop) {
    const auto steps = paced ? std::llround(std::max(most / rows, 1.0)) : kManySteps;
    positions += rows * static_cast<double>(learner.train(window, steps, 0.5, &stop).steps);
    const std::chrono::duration<double> due(paced ? std::min(positions / most, seconds) : 0);
    std::this_thread::sleep_until(begin + due);
  }
  clock.join();
  return positions / base::seconds_since(begin);
}

// The games, often enough that each position is drawn as often as in a run, on average, while so
// many are learned: what a run does when it first draws one counts as it does there.
ReplayWindow window_for(const BenchSettings& settings, std::vector<GameRecord> games,
                        double positions) {
  ReplayWindow window = window_of(settings, games);
  const double rows = std::max<double>(1, static_cast<double>(window.size()));
  const double copies = positions / (rows * static_cast<double>(settings.config.learner.reuse));
  for (int copy = 1; copy < copies; ++copy) {
    for (GameRecord& game : games) {
      ++game.seed;
      window.add(game);
    }
  }
  return window;
}

}  // namespace

ForwardSpeeds bench_forward(const BenchSettings& settings) {
  const nn::NetworkFile file = untrained(settings);
  const nn::Precision playing = precision_of_play(settings, file);
  ForwardSpeeds speeds;
  if (!nn::is_simulated(settings.device)) {
    speeds.forms.push_back(
        fastest(settings, "plain", [&](int batch) { return plain_forward(settings, batch); }));
  }
  for (const nn::Precision precision : nn::precisions_on(settings.device)) {
    const nn::PlayingNetwork network = playing_network(settings, file, precision);
    speeds.forms.push_back(fastest(settings, nn::name(precision), playing_forward(network)));
    if (precision == playing) speeds.playing = speeds.forms.back();
  }
  return speeds;
}

std::vector<GameRecord> untrained_games(const BenchSettings& settings) {
  selfplay::GenerateOptions how;
  how.limit.games = settings.games;
  how.evaluator = [] { return std::make_shared<mcts::UniformEvaluator>(); };
  std::vector<GameRecord> games;
  const auto keep = [&](std::span<const GameRecord> more) {
    games.insert(games.end(), more.begin(), more.end());
  };
  selfplay::generate(make_workers(settings, 1), keep, how);
  return games;
}

SelfPlaySpeed bench_selfplay(const BenchSettings& settings) {
  const std::vector<GameRecord> games = untrained_games(settings);
  const nn::NetworkFile file = untrained(settings);
  const nn::PlayingNetwork network =
      playing_network(settings, file, precision_of_play(settings, file));
  const MakeForward make = playing_forward(network);
  ForwardBench forward(settings, fastest(settings, "", make).batch, make);
  SelfPlayBench selfplay(settings, network, games);
  const double evaluations_a_ply = selfplay.evaluations_a_ply(games);
  double alone = 0, evals = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    alone += forward.measure(settings.seconds / kTurns) / kTurns;
    evals += selfplay.measure(settings.seconds / kTurns) / kTurns;
  }
  const double plies = evals / evaluations_a_ply;
  return {evals, 3600 * plies / mean_plies(games), plies, evals / alone};
}

double bench_train(const BenchSettings& settings) {
  const ReplayWindow window = window_of(settings, untrained_games(settings));
  const auto learner = learner_of(settings);
  const double seconds = settings.seconds / kTurns;
  std::int64_t steps = 2;
  double took = learner->train(window, steps, 0.5).seconds;  // warms up
  double positions_per_s = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    steps = std::max<std::int64_t>(2, std::llround(seconds * static_cast<double>(steps) / took));
    took = learner->train(window, steps, 0.5).seconds;
    positions_per_s += static_cast<double>(steps * learner->rows_per_step()) / took / kTurns;
  }
  return positions_per_s;
}

BesideSpeed bench_beside(const BenchSettings& settings) {
  if (settings.device == "cpu") {
    throw base::InputError(
        "bench beside: --device cpu: expected a device beside the cores, such as simulated");
  }
  const std::vector<GameRecord> games = untrained_games(settings);
  const auto learner = learner_of(settings);
  const nn::NetworkFile file = untrained(settings);
  const int most_at_once =
      (settings.config.selfplay.games + settings.threads - 1) / settings.threads;
  const nn::PlayingNetwork network(
      file.config, file.weights,
      {settings.device, precision_of_play(settings, file), most_at_once, file.repertoire});
  SelfPlayBench selfplay(settings, network, games);
  const double seconds = settings.seconds / kTurns;
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  // Warms up, as does what follows.
  const double most = learn_for(*learner, window_of(settings, games), seconds, kNoLimit);
  selfplay.measure(2 * seconds);
  BesideSpeed speed;
  const auto window = [&](double how_long, double limit) {
    return window_for(settings, games, std::min(most, limit) * how_long);
  };
  for (int turn = 0; turn < kTurns; ++turn) {
    const ReplayWindow alone = window(seconds, kNoLimit);
    speed.alone_positions_per_s += learn_for(*learner, alone, seconds, kNoLimit) / kTurns;
    speed.alone_evals_per_s += selfplay.measure(seconds) / kTurns;
    const ReplayWindow beside = window(2 * seconds, settings.positions_per_s);
    base::Threads games_thread;
    double evals = 0;
    games_thread.start([&] { evals = selfplay.measure(2 * seconds); });
    speed.positions_per_s +=
        learn_for(*learner, beside, 2 * seconds, settings.positions_per_s) / kTurns;
    games_thread.join();
    speed.evals_per_s += evals / kTurns;
  }
  return speed;
}

}  // namespace training
