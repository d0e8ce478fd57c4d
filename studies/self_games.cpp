#include "studies/self_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

#include "arena/side_by_side.h"
#include "base/errors.h"
#include "base/hash.h"
#include "base/threads.h"
#include "rules/repertoire.h"

namespace studies {
namespace {

using rules::Move;
using rules::Position;
using selfplay::GameRecord;

constexpr int kStartsStudied = 16;   // of a shuffled setup
constexpr double kUsualPlies = 170;  // of a game that goes on: short ones end first

// Of everything but the seeds that makes the games others.
std::uint64_t hash_of(const SelfGamesConfig& config) {
  nlohmann::ordered_json all = {
      {"rules", config.rules.name()},      {"table", config.table.to_changes(config.rules.table())},
      {"simulations", config.simulations}, {"opening_plies", config.opening_plies},
      {"temperature", config.temperature}, {"player", config.player},
      {"precision", config.precision}};
  if (config.start) all["start"] = config.start->to_fen();
  if (config.search != 0) {
    all["alphabeta"] = config.search;
  } else {
    mcts::SearchConfig search;  // as in self-play, so that the network is calibrated for it
    search.visit([&](const char* key, const auto& value, const auto&...) { all[key] = value; });
  }
  return base::fnv1a(all.dump());
}

// The n-th number of van der Corput's sequence (1935) in base 2: evenly spread for every n.
double van_der_corput(std::uint64_t n) {
  double value = 0;
  for (double digit = 0.5; n > 0; n >>= 1, digit /= 2) value += digit * static_cast<double>(n & 1);
  return value;
}

// The cumulative shares of the first moves, by a search of the start; empty where not all games
// begin alike.
std::vector<std::pair<double, Move>> first_moves(const SelfGamesConfig& config, Thinker& thinker) {
  std::vector<std::pair<double, Move>> reach;
  if (config.rules.setup == rules::Setup::kShuffled) return reach;
  const auto searched = thinker.search({start_of(config, 0)}, config.table, config.simulations);
  double sum = 0;
  for (const tactics::RootMove& move : searched.front().moves) {
    if (!(move.weight > 0)) continue;
    sum += std::pow(move.weight, 1 / static_cast<double>(config.temperature));
    reach.emplace_back(sum, move.move);
  }
  for (auto& [share, move] : reach) share /= sum;
  return reach;
}

// The study's list of games: hands out those that are missing, takes finished ones.
class StudyGames final : public arena::GameList {
 public:
  StudyGames(const SelfGamesConfig& config, Thinker& thinker, selfplay::GameStore& store,
             const std::function<void(const SelfGamesProgress&)>& progress,
             const std::atomic<bool>& stop)
      : config_(config),
        root_(hash_of(config)),
        first_moves_(first_moves(config, thinker)),
        store_(store),
        progress_(progress),
        stop_(stop) {
    std::unordered_map<std::uint64_t, int> numbers;
    for (int n = 0; n < config.games; ++n) numbers.emplace(seed(n), n);
    games_.resize(static_cast<std::size_t>(config.games));
    store.visit({}, [&](const GameRecord& game) {
      const auto found = numbers.find(game.seed);
      if (found != numbers.end() && game.generation == config.generation) {
        enter(found->second, game);
      }
      return true;
    });
    for (int n = 0; n < config.games; ++n) {
      if (!games_[static_cast<std::size_t>(n)]) missing_.push_back(n);
    }
  }

  int missing() const { return static_cast<int>(missing_.size()); }
  bool stopped() const override { return stop_; }
  std::optional<Task> next() override {
    const std::lock_guard lock(mutex_);
    if (given_ == missing_.size()) return std::nullopt;
    const int number = missing_[given_++];
    const base::Rng rng(seed(number));
    return Task{number, {start_of(config_, number), opening(number)}, {rng, rng}, rng.split(1)};
  }
  void finish(arena::MatchGame played) override {
    GameRecord game;
    game.generation = config_.generation;
    game.rules = config_.rules;
    game.start_fen = played.start.to_fen();
    game.table = config_.table;
    for (const Move move : played.moves) game.plies.emplace_back().played = move;
    game.outcome = played.outcome;
    game.seed = seed(played.number);
    const std::lock_guard lock(mutex_);
    store_.append({&game, 1});
    new_lengths_ += static_cast<double>(game.plies.size());
    enter(played.number, std::move(game));
  }
  void moved(std::size_t moves) override {
    const std::lock_guard lock(mutex_);
    plies_ += static_cast<std::int64_t>(moves);
    if (progress_) progress_(so_far());
  }
  std::vector<GameRecord> result() {
    std::vector<GameRecord> games;
    if (done_ < config_.games) return games;
    for (auto& game : games_) games.push_back(std::move(*game));
    return games;
  }

 private:
  base::Rng own(int number) const {
    return root_.split(config_.seed + static_cast<std::uint64_t>(number % config_.seeds));
  }
  std::uint64_t seed(int number) const {
    base::Rng rng = own(number).split(static_cast<std::uint64_t>(number / config_.seeds));
    if (!config_.openings.empty()) {
      for (const Move move : opening(number)) rng = rng.split(move.raw());
    }
    return rng.next() | 1;
  }
  std::vector<Move> opening(int number) const {
    if (!config_.openings.empty()) return config_.openings[static_cast<std::size_t>(number)];
    if (config_.opening_plies == 0 || first_moves_.empty()) return {};
    const auto rank = static_cast<std::uint64_t>(number / config_.seeds);
    const double shifted = van_der_corput(rank) + own(number).uniform();
    const double quantile = shifted - std::floor(shifted);
    const auto found = std::ranges::find_if(
        first_moves_, [&](const auto& entry) { return quantile < entry.first; });
    return {found == first_moves_.end() ? first_moves_.back().second : found->second};
  }

  void enter(int number, GameRecord game) {
    games_[static_cast<std::size_t>(number)] = std::move(game);
    ++done_;
  }
  SelfGamesProgress so_far() const {
    const double all = new_lengths_ + kUsualPlies * (config_.games - done_);
    return {done_, config_.games, plies_, std::max(all - static_cast<double>(plies_), 0.0)};
  }

  const SelfGamesConfig& config_;
  const base::Rng root_;
  const std::vector<std::pair<double, Move>> first_moves_;
  selfplay::GameStore& store_;
  const std::function<void(const SelfGamesProgress&)>& progress_;
  const std::atomic<bool>& stop_;
  std::mutex mutex_;  // guards all below
  std::vector<std::optional<GameRecord>> games_;
  std::vector<int> missing_;
  std::size_t given_ = 0;
  int done_ = 0;
  double new_lengths_ = 0;  // plies of those played now
  std::int64_t plies_ = 0;
};

void check(const SelfGamesConfig& config) {
  const auto require = [](bool holds, const char* message) {
    if (!holds) throw base::InputError(std::string("study: ") + message);
  };
  require(config.games >= 1, "games: expected at least 1");
  require(config.simulations >= 1, "simulations: expected at least 1");
  require(config.seeds >= 1, "seeds: expected at least 1");
  require(config.opening_plies >= 0, "opening plies: expected 0 or more");
  require(config.temperature > 0, "temperature: expected more than 0");
  require(config.openings.empty() || std::ssize(config.openings) >= config.games,
          "openings: expected one for each game");
}

}  // namespace

Position start_of(const SelfGamesConfig& config, int number) {
  if (config.start) return *config.start;
  base::Rng rng = base::Rng(config.seed + static_cast<std::uint64_t>(number % config.seeds))
                      .split(static_cast<std::uint64_t>(number / config.seeds));
  return rules::draw_start(config.rules, rng);
}

std::vector<Position> studied_starts(const SelfGamesConfig& config) {
  const bool alike = config.start || config.rules.setup != rules::Setup::kShuffled;
  std::vector<Position> starts;
  for (int n = 0; n < (alike ? 1 : std::min(config.games, kStartsStudied)); ++n) {
    starts.push_back(start_of(config, n));
  }
  return starts;
}

std::vector<GameRecord> self_games(const SelfGamesConfig& config, const MakeThinker& make_thinker,
                                   selfplay::GameStore& store,
                                   const std::function<void(const SelfGamesProgress&)>& progress,
                                   const std::atomic<bool>& stop) {
  check(config);
  const auto first = make_thinker();
  StudyGames list(config, *first, store, progress, stop);
  if (config.only_kept && list.missing() > 0) {
    throw base::InputError(fmt::format(
        "study: {} of {} games of this network, precision and search are not kept: expected all of them",
        list.missing(), config.games));
  }
  base::Threads threads;
  const int share = (list.missing() + config.threads - 1) / config.threads;
  for (int i = 0; i < std::min(config.threads, list.missing()); ++i) {
    threads.start([&] {
      const auto player = make_thinker()->player(
          {config.simulations, config.opening_plies, static_cast<double>(config.temperature)});
      arena::Player* const both[] = {player.get()};
      arena::play_side_by_side(list, both, std::min(config.games_at_once, share), config.table,
                               threads);
    });
  }
  threads.join();
  return list.result();
}

double searched_points(const std::vector<Position>& positions, const rules::ScoringTable& table,
                       int budget, Thinker& thinker) {
  double sum = 0;
  for (const double points : thinker.points_white(positions, table, budget)) sum += points;
  return sum / static_cast<double>(positions.size());
}

double evaluated_points(const std::vector<Position>& positions, const rules::ScoringTable& table,
                        mcts::Evaluator& evaluator) {
  mcts::LeafBatch batch;
  for (const Position& position : positions) {
    rules::MoveList moves;
    position.surviving_moves(moves);
    if (moves.empty()) position.legal_moves(moves);
    batch.add(position, table, moves);
  }
  evaluator.evaluate(batch);
  double sum = 0;
  for (const mcts::Leaf& leaf : batch.leaves) {
    sum += rules::points_white(static_cast<double>(leaf.evaluation.value_stm),
                               leaf.position.side_to_move());
  }
  return sum / static_cast<double>(positions.size());
}

}  // namespace studies
