#include "selfplay/worker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mcts/tree.h"
#include "rules/history.h"
#include "selfplay/adjudication.h"
#include "selfplay/openings.h"
#include "selfplay/scoring_tables.h"

namespace selfplay {

using rules::Move;
using rules::Position;

// One training game: its record so far, its own random stream, its search.
class SelfPlayWorker::Game {
 public:
  Game(const WorkerSetup& setup, rules::Rng rng) : setup_(setup), rng_(rng) {}

  // On which a call of play() plays.
  struct Terms {
    bool outcomes_known;  // by the evaluator: what a search saw of them is worth keeping
    bool adjudicating;
  };

  // A new game from a start of its own.
  void begin(const Terms& terms) {
    record_ = GameRecord{};
    record_.rules = setup_.repertoire.draw(rng_);
    record_.table = draw_table(setup_.config, setup_.table, rng_);
    record_.seed = rng_.next();
    position_ = random_opening();
    past_ = {};
    record_.start_fen = position_.to_fen();
    think(terms);
  }

  // Searches the present position anew, without a tree.
  void think(const Terms& terms) {
    over_ = false;
    search_.emplace(setup_.search, position_, record_.table, rng_.split(record_.plies.size()),
                    past_);
    start_search(terms);
  }

  // Leaves for the evaluator, while the search wants any. Plays moves as searches end; `on_ply` and
  // `on_end` hear of it, and `on_end` says whether to begin another game: else over().
  template <class OnPly, class OnEnd>
  void collect(mcts::LeafBatch& batch, const Terms& terms, OnPly&& on_ply, OnEnd&& on_end) {
    first_ = batch.leaves.size();
    count_ = 0;
    while (count_ == 0) {
      count_ = static_cast<std::size_t>(search_->collect(1, batch));
      if (count_ > 0) return;
      play_move(terms);
      on_ply();
      if (!over_) continue;
      if (!on_end(std::move(record_))) return;
      begin(terms);
    }
  }
  void apply(const mcts::LeafBatch& batch) { search_->apply(batch, first_, count_); }

  bool over() const { return over_; }
  const GameRecord& record() const { return record_; }
  const rules::Rng& rng() const { return rng_; }
  void resume(GameRecord record, const std::array<std::uint64_t, 4>& random) {
    record_ = std::move(record);
    rng_.set_state(random);
    position_ = record_.start();
    past_ = {};
    for (const PlyRecord& ply : record_.plies) make(ply.played);
  }

 private:
  // Up to so many uniformly random plies; a line that ends the game is tried again.
  Position random_opening() {
    const SelfPlayConfig& config = setup_.config;
    if (rng_.uniform() >= static_cast<double>(config.random_opening_share)) {
      return draw_start(record_.rules, rng_);
    }
    for (;;) {
      const auto plies = rng_.below(static_cast<std::uint32_t>(config.random_opening_plies) + 1);
      const auto line = random_line(record_.rules, record_.table, static_cast<int>(plies), rng_);
      if (line) return line->position();
    }
  }

  void make(Move move) {
    past_.add(position_);
    position_.play(move);
  }

  // Without a network all moves look alike, and only the noise of exploring lets each of them be
  // tried.
  void start_search(const Terms& terms) {
    const SelfPlayConfig& config = setup_.config;
    full_ = rng_.uniform() < static_cast<double>(config.full_share);
    if (full_ && terms.adjudicating && config.soft_resign && verdict()) full_ = false;
    search_->start({.simulations = full_ ? config.simulations : config.fast_simulations,
                    .explore = full_ || !terms.outcomes_known});
  }

  // What the searches agree on, unless the game is one of those that test that.
  std::optional<Verdict> verdict() const {
    if (played_through(record_, setup_.config)) return std::nullopt;
    return verdict_on(record_, record_.plies.size(), position_, setup_.config);
  }

  float temperature() const {
    const SelfPlayConfig& config = setup_.config;
    return static_cast<int>(record_.plies.size()) < config.temperature_plies
               ? config.temperature
               : config.temperature_late;
  }

  // Ends the search with a move.
  void play_move(const Terms& terms) {
    PlyRecord ply;
    mcts::PolicyTarget target = search_->policy_target();
    ply.is_target = full_ && is_a_question();
    ply.played = search_->choose(temperature());
    ply.root_value_stm = std::clamp(target.value_stm, -1.0f, 1.0f);
    if (terms.outcomes_known) ply.root_outcomes = target.outcomes;
    if (ply.is_target) {
      ply.policy = std::move(target.weights);
      ply.surprise = std::min(target.surprise, kMostSurprise);
    }
    make(ply.played);
    record_.plies.push_back(std::move(ply));
    over_ = ended(terms.adjudicating);
    if (!over_) {
      search_->advance(record_.plies.back().played);
      start_search(terms);
    }
  }

  // By the rules or by a verdict; then the record says how.
  bool ended(bool adjudicating) {
    if (const auto outcome = position_.outcome(record_.table, past_.occurrences(position_))) {
      record_.outcome = *outcome;
      return true;
    }
    if (!adjudicating || setup_.config.soft_resign) return false;
    const auto agreed = verdict();
    if (!agreed) return false;
    record_.outcome = agreed->outcome;
    record_.ended = agreed->ended;
    return true;
  }

  // Where a search knows the end at once there is nothing to learn from the choice.
  bool is_a_question() const {
    rules::MoveList moves;
    return !mcts::exact_end(position_, past_.occurrences(position_), record_.table, moves);
  }

  const WorkerSetup& setup_;
  rules::Rng rng_;
  GameRecord record_;
  Position position_;
  rules::History past_;
  std::optional<mcts::Search> search_;
  bool full_ = false;
  bool over_ = false;
  std::size_t first_ = 0, count_ = 0;  // this round's leaves in the worker's batch
};

SelfPlayWorker::SelfPlayWorker(const WorkerSetup& setup, rules::Rng rng)
    : setup_(setup), rng_(rng), cache_(setup.search.cache_mib) {}
SelfPlayWorker::~SelfPlayWorker() = default;

void SelfPlayWorker::count_verdict(const GameRecord& game, WorkerStats& stats) const {
  if (game.ended != Ended::kRules) {
    ++stats.adjudicated;
  } else if (const auto verdict = first_verdict(game, setup_.config)) {
    ++stats.verdicts;
    if (verdict->outcome != game.outcome) ++stats.false_verdicts;
  }
}

void SelfPlayWorker::set_simulations(int full, int fast) {
  setup_.config.simulations = full;
  setup_.config.fast_simulations = fast;
}

WorkerStats SelfPlayWorker::play(mcts::Evaluator& evaluator, const PlayLimit& limit, int generation,
                                 const std::atomic<bool>& stop, const Sink& sink) {
  const Game::Terms terms{evaluator.knows_outcomes(), adjudicating_};
  for (auto& game : games_) game->think(terms);
  const auto seats = static_cast<std::size_t>(setup_.config.games_per_worker);
  std::int64_t to_begin = limit.games;
  std::size_t seated = std::max(seats, games_.size());  // more where a resumed run has fewer seats
  for (; games_.size() < seats && to_begin > 0; --to_begin) {
    games_.push_back(std::make_unique<Game>(setup_, rng_.split(seats_begun_++)));
    games_.back()->begin(terms);
  }
  cache_.clear();
  batch_.cache = evaluator.knows_outcomes() ? &cache_ : nullptr;
  WorkerStats stats;
  const auto on_ply = [&] { ++stats.plies; };
  const auto on_end = [&](GameRecord record) {
    ++stats.games;
    count_verdict(record, stats);
    record.generation = generation;
    sink(std::move(record));
    if (to_begin == 0) return false;
    if (seated > seats) {
      --seated;
      return false;
    }
    --to_begin;
    return true;
  };
  while (!games_.empty() && stats.plies < limit.plies && !stop.load(std::memory_order_relaxed)) {
    batch_.clear();
    for (auto& game : games_) game->collect(batch_, terms, on_ply, on_end);
    plies_played_.store(stats.plies, std::memory_order_relaxed);
    std::erase_if(games_, [](const auto& game) { return game->over(); });
    if (games_.empty()) break;
    evaluator.evaluate(batch_);
    for (auto& game : games_) game->apply(batch_);
    stats.evaluations += static_cast<std::int64_t>(batch_.leaves.size());
    ++stats.rounds;
  }
  return stats;
}

SelfPlayWorker::Flight SelfPlayWorker::flight() const {
  Flight flight;
  for (const auto& game : games_) {
    flight.games.push_back(game->record());
    flight.random.push_back(game->rng().state());
  }
  flight.random.push_back(rng_.state());
  flight.begun = seats_begun_;
  return flight;
}

void SelfPlayWorker::resume(const Flight& flight) {
  games_.clear();
  rng_.set_state(flight.random.back());
  for (std::size_t i = 0; i < flight.games.size(); ++i) {
    games_.push_back(std::make_unique<Game>(setup_, rules::Rng()));
    games_.back()->resume(flight.games[i], flight.random[i]);
  }
  seats_begun_ = flight.begun;
}

}  // namespace selfplay
