#include "training/student/teacher.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "base/errors.h"
#include "base/threads.h"
#include "mcts/node.h"
#include "mcts/tree.h"
#include "nn/checkpoint.h"
#include "nn/nnue_file.h"
#include "nn/torch_threads.h"
#include "rules/history.h"
#include "training/student/run_precision.h"

namespace training {
namespace {

using rules::Position;
using selfplay::GameRecord;
using selfplay::PlyRecord;

constexpr auto kHandOnEvery = std::chrono::milliseconds(50);

void say(PlyRecord& ply, const rules::Outcomes& white, const rules::ScoringTable& table,
         rules::Color side_to_move) {
  ply.root_outcomes_white = white;
  const double value = rules::value_stm(table.white_points(white), side_to_move);
  ply.root_value_stm = std::clamp(static_cast<float>(value), -1.0f, 1.0f);
}

// Labels games on one thread, which fills a batch while the device has the one before.
class Labeller {
 public:
  using Done = std::function<void(const std::vector<std::size_t>& games, int positions)>;

  Labeller(const nn::PlayingNetwork& network, int lookahead_plies, Done done)
      : max_batch_(network.options().max_batch),
        lookahead_plies_(lookahead_plies),
        done_(std::move(done)),
        encoder_(network.options().repertoire),
        inference_(network) {}

  // `game` must not move until it was among those that are done; `number` tells it from others.
  void add(GameRecord& game, std::size_t number) {
    Position position = game.start();
    rules::History past;
    for (PlyRecord& ply : game.plies) {
      add(game, ply, position, past.occurrences(position));
      past.add(position);
      position.play(ply.played);
    }
    filling().games.push_back(number);
  }
  // Waits for the rest.
  void flush() {
    send();
    while (finished_ < started_) finish();
  }

 private:
  struct Row {
    PlyRecord* ply;
    const rules::ScoringTable* table;
    rules::Color side_to_move;
  };
  struct Flight {
    nn::Batch in;
    std::vector<Row> rows;           // of the batch
    std::vector<std::size_t> games;  // which end in it
  };

  Flight& filling() { return flights_[started_ % flights_.size()]; }

  void add(const GameRecord& game, PlyRecord& ply, const Position& position, int occurrences) {
    const rules::Color side = position.side_to_move();
    rules::MoveList moves;
    if (const auto end = mcts::exact_end_of_moves(position, moves)) {
      return say(ply, rules::certain(end->outcome), game.table, side);
    }
    const std::span<const rules::Move> all{moves.data(), moves.size()};
    const auto finding = lookahead_.find(position, game.table, all, lookahead_plies_);
    Flight& flight = filling();
    // No policy is wanted: one move's, as each position has one.
    flight.in.add(encoder_, position, occurrences, game.table, finding, all.first(1));
    flight.rows.push_back({&ply, &game.table, side});
    if (flight.in.size() == max_batch_) send();
  }

  void send() {
    inference_.start(filling().in);
    ++started_;
    if (started_ - finished_ == static_cast<std::size_t>(inference_.most_in_flight())) finish();
  }

  void finish() {
    Flight& flight = flights_[finished_++ % flights_.size()];
    inference_.finish(out_);
    for (std::size_t i = 0; i < flight.rows.size(); ++i) {
      const auto& [ply, table, side] = flight.rows[i];
      say(*ply, rules::outcomes_seen_by(out_.outcomes[i], side), *table, side);
    }
    done_(flight.games, flight.in.size());
    flight.in.clear();
    flight.rows.clear();
    flight.games.clear();
  }

  int max_batch_, lookahead_plies_;
  Done done_;
  nn::Encoder encoder_;
  nn::Inference inference_;
  tactics::Lookahead lookahead_;
  std::size_t started_ = 0, finished_ = 0;  // flights so far
  std::array<Flight, 2> flights_;           // by their number modulo 2
  nn::Outputs out_;
};

nn::NetworkFile load_teacher(const RunConfig& config) {
  const std::string& name = config.nnue.teacher;
  const std::string where = "teacher " + name + ": ";
  if (nn::is_nnue(name)) throw base::InputError(where + "an NNUE: expected a residual network");
  nn::NetworkFile teacher = nn::load_network(name);
  const rules::Repertoire repertoire = config.rules.repertoire();
  if (!teacher.repertoire.contains(repertoire.first())) {
    throw base::InputError(where + "a network for " + teacher.repertoire.name() +
                           ", the run plays " + repertoire.name());
  }
  return teacher;
}

nn::PlayingNetwork load_playing(const RunConfig& config, const std::string& device) {
  constexpr int kRowsOnCpu = 256, kRowsOnDevice = 2048;
  const nn::NetworkFile network = load_teacher(config);
  try {
    const nn::Precision precision =
        nn::precision_to_play(requested_precision(config, device), network, device);
    return {network.config,
            network.weights,
            {device, precision, device == "cpu" ? kRowsOnCpu : kRowsOnDevice, network.repertoire,
             /*batch_invariant=*/true}};
  } catch (const nn::CheckpointError& error) {
    throw nn::CheckpointError("teacher " + config.nnue.teacher + ": " + error.what());
  }
}

}  // namespace

Teacher::Teacher(const RunConfig& config, const std::string& device, int threads)
    : network_(load_playing(config, device)),
      lookahead_(config.search.lookahead),
      threads_(threads) {}

std::size_t Teacher::label(std::span<GameRecord> games, const Terms& terms) const {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::int64_t> positions = 0;
  std::atomic<bool> halt = false;
  std::vector<std::atomic<bool>> done(games.size());
  base::Threads threads;
  for (int i = 0; i < threads_; ++i) {
    threads.start([&] {
      nn::use_one_torch_thread();
      Labeller own(network_, lookahead_, [&](const std::vector<std::size_t>& ended, int rows) {
        positions += rows;
        for (const std::size_t game : ended) done[game] = true;
      });
      for (std::size_t at = next++; at < games.size() && !halt && !threads.failed(); at = next++) {
        own.add(games[at], at);
      }
      own.flush();
    });
  }
  std::size_t first = 0;  // that was not handed on
  const auto hand_on = [&] {
    std::size_t end = first;
    while (end < games.size() && done[end]) ++end;
    if (end > first && terms.labelled) terms.labelled(games.subspan(first, end - first));
    first = end;
    if (terms.progress) terms.progress(first, positions);
  };
  try {
    while (threads.running() > 0 && !threads.failed()) {
      std::this_thread::sleep_for(kHandOnEvery);
      hand_on();
      halt = terms.stop && terms.stop->load();
    }
  } catch (...) {
    halt = true;
    throw;
  }
  threads.wait();
  hand_on();
  threads.rethrow();
  return first;
}

}  // namespace training
