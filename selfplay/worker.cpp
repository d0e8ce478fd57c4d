#include "selfplay/worker.h"

#include <algorithm>
#include <utility>

#include "mcts/take_turns.h"
#include "mcts/tree.h"
#include "rules/history.h"
#include "rules/table_spread.h"

namespace selfplay {

using rules::Move;
using rules::Position;

rules::ScoringTable draw_table(const SelfPlayConfig& config, const rules::ScoringTable& own,
                               base::Rng& rng) {
  const double draw = rng.uniform();
  const auto official = static_cast<double>(config.official_table_share);
  if (draw < official) return own;
  rules::TableSpread spread = rules::kNearTables;
  if (draw >= official + static_cast<double>(config.near_table_share)) {
    spread = rules::kWideTables;
    const std::uint32_t moved = 1 + rng.below(7);  // a bit for each kind of value
    if ((moved & 1) == 0) spread.stalemates = 0;
    if ((moved & 2) == 0) spread.impasses = 0;
    if ((moved & 4) == 0) spread.material = 0;
  }
  return rules::drawn_around(own, spread, /*pawn_too=*/false, rng);
}

// What holds for one call of play().
struct SelfPlayWorker::Terms {
  PlayLimit limit;
  bool outcomes_known;  // the evaluator estimates outcomes: records keep what a search saw of them
};

// Plays one game after the other: the present one's record so far, random stream and search.
class SelfPlayWorker::Seat {
 public:
  Seat(const WorkerSetup& setup, base::Rng run, int seat) : setup_(setup), run_(run), seat_(seat) {}

  // Begins a call of play(): searches the present position anew, or starts a game.
  void enter(const Terms& terms) {
    plies_left_ = terms.limit.plies;
    playing_ ? think(terms) : start_game(terms);
  }

  // Adds the search's leaves, if it wants any, to the batch. Plays moves as searches end, and
  // starts new games; calls `on_ply()` and `on_end(number, record)`.
  template <class OnPly, class OnEnd>
  void collect(mcts::LeafBatch& batch, const Terms& terms, OnPly&& on_ply, OnEnd&& on_end) {
    first_ = batch.leaves.size();
    count_ = 0;
    while (playing_ && plies_left_ > 0) {
      count_ = static_cast<std::size_t>(search_->collect(1, batch));
      if (count_ > 0) return;
      play_move(terms);
      --plies_left_;
      on_ply();
      if (playing_) continue;
      on_end(number(), std::move(record_));
      ++round_;
      start_game(terms);
    }
  }
  void apply(const mcts::LeafBatch& batch) {
    if (count_ > 0) search_->apply(batch, first_, count_);
  }

  int seat() const { return seat_; }
  GameInFlight state() const {
    return {seat_, round_, playing_ ? record_ : GameRecord{}, rng_.state()};
  }
  void resume(const GameInFlight& state) {
    round_ = state.round;
    record_ = state.game;
    rng_.set_state(state.random);
    playing_ = !record_.start_fen.empty();
    if (!playing_) return;
    position_ = record_.start();
    past_ = {};
    for (const PlyRecord& ply : record_.plies) make(ply.played);
    take_tablebase();
  }

 private:
  std::int64_t number() const { return round_ * setup_.config.games + seat_; }

  // Starts the next game, unless it is beyond the limit or the seat is given up.
  void start_game(const Terms& terms) {
    if (seat_ >= setup_.config.games || number() >= terms.limit.games) return;
    playing_ = true;
    rng_ = run_.split(static_cast<std::uint64_t>(seat_)).split(static_cast<std::uint64_t>(round_));
    record_ = GameRecord{};
    record_.rules = setup_.repertoire.draw(rng_);
    record_.table = draw_table(setup_.config, setup_.table, rng_);
    record_.seed = rng_.next();
    take_tablebase();
    position_ = random_opening();
    past_ = {};
    record_.start_fen = position_.to_fen();
    think(terms);
  }

  // Searches the present position anew, without a tree.
  void think(const Terms& terms) {
    const base::Rng rng = rng_.split(record_.plies.size());
    if (search_) {
      search_->reset(position_, record_.table, rng, past_);
    } else {
      search_.emplace(setup_.search, position_, record_.table, rng, past_);
    }
    search_->set_tablebase(tablebase_);
    start_search(terms);
  }

  // Takes the tablebase where it holds for the game.
  void take_tablebase() {
    const tablebase::Tables* const all = setup_.tablebase.get();
    tablebase_ = all != nullptr && all->hold_for(record_.rules, record_.table) ? all : nullptr;
  }

  // Draws a given start, the rules' own, or one after up to random_opening_plies random plies.
  Position random_opening() {
    const SelfPlayConfig& config = setup_.config;
    if (const auto start =
            draw_given_start(config, setup_.book_starts, record_.rules, record_.table, rng_)) {
      return *start;
    }
    if (rng_.uniform() >= static_cast<double>(config.random_opening_share)) {
      return draw_start(record_.rules, rng_);
    }
    return selfplay::random_opening(record_.rules, record_.table, 0, config.random_opening_plies,
                                    rng_);
  }

  void make(Move move) {
    past_.add(position_);
    position_.play(move);
  }

  // Without a network all priors are equal, and only the noise of exploring lets each move be
  // tried.
  void start_search(const Terms& terms) {
    const SelfPlayConfig& config = setup_.config;
    full_ = rng_.uniform() < static_cast<double>(config.full_share);
    const int visits = full_ ? config.simulations : config.fast_simulations;
    search_->start(
        {.nodes = static_cast<std::uint64_t>(visits), .explore = full_ || !terms.outcomes_known});
  }

  // Ends the search with a move.
  void play_move(const Terms& terms) {
    PlyRecord ply;
    mcts::PolicyTarget target = search_->policy_target();
    ply.is_target = full_ && needs_search();
    const SelfPlayConfig& config = setup_.config;
    const bool early = std::ssize(record_.plies) < config.temperature_plies;
    ply.played = search_->choose(early ? config.temperature : config.temperature_late);
    ply.root_value_stm = std::clamp(target.value_stm, -1.0f, 1.0f);
    if (terms.outcomes_known) ply.root_outcomes_white = target.outcomes;
    if (ply.is_target) ply.policy = std::move(target.weights);
    if (!play(std::move(ply))) return;
    if (position_.is_chance()) {
      PlyRecord card;
      card.played = draw_card(position_, rng_);
      if (!play(std::move(card))) return;
    }
    start_search(terms);
  }

  // Plays and records it; false where it ends the game.
  bool play(PlyRecord ply) {
    make(ply.played);
    record_.plies.push_back(std::move(ply));
    playing_ = !ended();
    if (playing_) search_->advance(record_.plies.back().played);
    return playing_;
  }

  // Whether the game is over, or a tablebase knows what it is worth; the record then has its
  // outcome.
  bool ended() {
    auto outcome = position_.outcome(record_.table, past_.occurrences(position_));
    if (!outcome && tablebase_ != nullptr) {
      if (const auto known = tablebase_->probe_in_game(position_)) {
        outcome = known->outcome;
        record_.ended = rules::Adjudication::kTablebase;
      }
    }
    if (outcome) record_.outcome = *outcome;
    return outcome.has_value();
  }

  // False where the position's value is exact without a search: then no policy is to be learned.
  bool needs_search() const {
    rules::MoveList moves;
    return !mcts::exact_end(position_, past_.occurrences(position_), record_.table, moves);
  }

  const WorkerSetup& setup_;
  const base::Rng run_;
  const int seat_;
  std::int64_t round_ = 0;       // games played to their end
  bool playing_ = false;         // a game is in flight
  std::int64_t plies_left_ = 0;  // in this call of play()
  base::Rng rng_;
  GameRecord record_;
  const tablebase::Tables* tablebase_ = nullptr;  // of the game
  Position position_;
  rules::History past_;
  std::optional<mcts::Search> search_;
  bool full_ = false;
  std::size_t first_ = 0, count_ = 0;  // this round's leaves in the worker's batch
};

SelfPlayWorker::SelfPlayWorker(const WorkerSetup& setup, base::Rng run, Seats seats)
    : setup_(setup), run_(run), own_(seats), cache_(setup.search.cache_mib) {
  for (int seat = own_.first; seat < setup_.config.games; seat += own_.step) {
    seats_.push_back(std::make_unique<Seat>(setup_, run_, seat));
  }
}
SelfPlayWorker::~SelfPlayWorker() = default;

WorkerStats SelfPlayWorker::play(mcts::Evaluator& evaluator, const PlayLimit& limit, int generation,
                                 const std::atomic<bool>& stop, const Sink& sink) {
  const Terms terms{limit, evaluator.knows_outcomes()};
  for (auto& seat : seats_) seat->enter(terms);
  cache_.clear();
  mcts::make_groups(evaluator, seats_.size(), evaluator.knows_outcomes() ? &cache_ : nullptr,
                    batches_);
  WorkerStats stats;
  const auto on_ply = [&] { ++stats.plies; };
  const auto on_end = [&](std::int64_t number, GameRecord record) {
    ++stats.games;
    record.generation = generation;
    sink(number, std::move(record));
  };
  const auto seats_of = [&](std::size_t group) {
    return mcts::group_of(std::span(seats_), group, batches_.size());
  };
  const auto collect = [&](std::size_t group) {
    for (auto& seat : seats_of(group)) seat->collect(batches_[group], terms, on_ply, on_end);
    plies_played_.store(stats.plies, std::memory_order_relaxed);
    return !batches_[group].leaves.empty();  // else all its seats rest
  };
  const auto apply = [&](std::size_t group) {
    for (auto& seat : seats_of(group)) seat->apply(batches_[group]);
    stats.evaluations += static_cast<std::int64_t>(batches_[group].leaves.size());
  };
  mcts::take_turns(evaluator, batches_, collect, apply,
                   [&] { return stop.load(std::memory_order_relaxed); });
  return stats;
}

std::vector<GameInFlight> SelfPlayWorker::in_flight() const {
  std::vector<GameInFlight> games;
  for (const auto& seat : seats_) games.push_back(seat->state());
  return games;
}

void SelfPlayWorker::resume(std::span<const GameInFlight> games) {
  for (const GameInFlight& game : games) {
    if (game.seat % own_.step != own_.first) continue;
    auto found = std::ranges::find(seats_, game.seat, &Seat::seat);
    if (found == seats_.end()) {
      found = seats_.insert(found, std::make_unique<Seat>(setup_, run_, game.seat));
    }
    (*found)->resume(game);
  }
}

}  // namespace selfplay
