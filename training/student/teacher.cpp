#include "training/student/teacher.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "base/errors.h"
#include "base/threads.h"
#include "mcts/take_turns.h"
#include "mcts/tree.h"
#include "nn/checkpoint.h"
#include "nn/nnue_file.h"
#include "nn/torch_threads.h"
#include "rules/history.h"
#include "selfplay/network_evaluator.h"
#include "training/student/run_precision.h"

namespace training {
namespace {

using rules::Position;
using selfplay::GameRecord;
using selfplay::PlyRecord;

constexpr auto kHandOnEvery = std::chrono::milliseconds(50);

void note(PlyRecord& ply, const mcts::Evaluation& evaluation) {
  ply.root_outcomes_white = evaluation.outcomes;
  ply.root_value_stm = std::clamp(evaluation.value_stm, -1.0f, 1.0f);
}

// Games that threads take one by one. A game must not move until it is done.
struct Work {
  explicit Work(std::span<GameRecord> all) : games(all), done(all.size()) {}

  std::span<GameRecord> games;
  std::vector<std::atomic<bool>> done;      // by game
  std::atomic<std::size_t> next = 0;        // that no thread has taken
  std::atomic<std::int64_t> positions = 0;  // that the network was asked
  std::atomic<bool> halt = false;
};

// One thread's part of the work. Its games run on from batch to batch.
class Labeller {
 public:
  Labeller(Work& work, const nn::PlayingNetwork& network, int lookahead)
      : work_(work),
        evaluator_(network),
        max_batch_(static_cast<std::size_t>(network.options().max_batch)),
        lookahead_(lookahead) {
    mcts::make_groups(evaluator_, work.games.size(), nullptr, batches_);
    groups_.resize(batches_.size());
  }

  void run() {
    mcts::take_turns(
        evaluator_, batches_, [this](std::size_t group) { return collect(group); },
        [this](std::size_t group) { apply(group); }, [this] { return work_.halt.load(); });
  }

 private:
  struct Group {
    std::vector<PlyRecord*> plies;   // of the batch's leaves
    std::vector<std::size_t> ended;  // games that are done with the batch
  };

  bool collect(std::size_t group) {
    const mcts::LeafBatch& batch = batches_[group];
    while (batch.leaves.size() < max_batch_ && (game_ || take_game(group))) step(group);
    if (!batch.leaves.empty()) return true;
    hand_on(group);
    return false;
  }

  void apply(std::size_t group) {
    const std::vector<mcts::Leaf>& leaves = batches_[group].leaves;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      note(*groups_[group].plies[i], leaves[i].evaluation);
    }
    work_.positions += std::ssize(leaves);
    hand_on(group);
  }

  void hand_on(std::size_t group) {
    Group& own = groups_[group];
    for (const std::size_t game : own.ended) work_.done[game] = true;
    own.plies.clear();
    own.ended.clear();
  }

  // Returns false where there is none.
  bool take_game(std::size_t group) {
    number_ = work_.next++;
    if (number_ >= work_.games.size()) return false;
    game_ = &work_.games[number_];
    position_ = game_->start();
    past_ = {};
    ply_ = 0;
    last_group_ = group;
    return true;
  }

  // Adds the game's next position to the batch, unless its end is certain; or ends the game.
  void step(std::size_t group) {
    if (ply_ == game_->plies.size()) {
      groups_[last_group_].ended.push_back(number_);
      game_ = nullptr;
      return;
    }
    PlyRecord& ply = game_->plies[ply_++];
    rules::MoveList moves;
    if (const auto end = mcts::exact_end_of_moves(position_, moves)) {
      mcts::Leaf known;
      known.position = position_;
      known.table = &game_->table;
      known.expect(rules::certain(end->outcome));
      note(ply, known.evaluation);
    } else {
      mcts::Leaf& leaf = batches_[group].add(position_, game_->table, {moves.data(), moves.size()});
      leaf.lookahead = lookahead_;
      leaf.occurrences = past_.occurrences(position_);
      groups_[group].plies.push_back(&ply);
      last_group_ = group;
    }
    past_.add(position_);
    position_.play(ply.played);
  }

  Work& work_;
  selfplay::NetworkEvaluator evaluator_;
  std::size_t max_batch_;
  int lookahead_;
  std::vector<mcts::LeafBatch> batches_;
  std::vector<Group> groups_;  // by batch
  // The game that is walked, null between two, and the position before its next ply.
  GameRecord* game_ = nullptr;
  std::size_t number_ = 0, ply_ = 0;
  std::size_t last_group_ = 0;  // with whose batch it is done as far as it was walked
  Position position_;
  rules::History past_;
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
  Work work(games);
  base::Threads threads;
  for (int i = 0; i < threads_; ++i) {
    threads.start([&] {
      nn::use_one_torch_thread();
      Labeller(work, network_, lookahead_).run();
    });
  }
  std::size_t first = 0;  // that was not handed on
  const auto hand_on = [&] {
    std::size_t end = first;
    while (end < games.size() && work.done[end]) ++end;
    if (end > first && terms.labelled) terms.labelled(games.subspan(first, end - first));
    first = end;
    if (terms.progress) terms.progress(first, work.positions);
  };
  try {
    while (threads.running() > 0 && !threads.failed()) {
      std::this_thread::sleep_for(kHandOnEvery);
      hand_on();
      work.halt = terms.stop && terms.stop->load();
    }
  } catch (...) {
    work.halt = true;
    throw;
  }
  work.halt = work.halt || threads.failed();
  threads.wait();
  hand_on();
  threads.rethrow();
  return first;
}

}  // namespace training
