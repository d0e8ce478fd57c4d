#include "arena/match.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "arena/openings.h"
#include "base/errors.h"
#include "base/threads.h"
#include "selfplay/game_pgn.h"

namespace arena {
namespace {

// Where the pairs of a match begin. For one thread.
class PairOpenings {
 public:
  // Throws InputError where there are too few for the games. A match that is stopped meanwhile has
  // only those that were drawn.
  PairOpenings(const MatchConfig& config, const std::atomic<bool>* stop)
      : openings_(config.openings),
        is_book_(!config.openings.empty()),
        source_({config.rules, config.table, config.opening_plies},
                base::Rng(config.seed).split(0)) {
    if (!is_book_ && config.games > 0) openings_ = source_.sample(config.games / 2, stop);
  }

  // Empty where no other one is found.
  std::optional<selfplay::Opening> of(int pair) {
    const auto at = static_cast<std::size_t>(pair);
    if (is_book_) return openings_[at % openings_.size()];
    while (openings_.size() <= at) {
      auto next = source_.next();
      if (!next) return std::nullopt;
      openings_.push_back(std::move(*next));
    }
    return openings_[at];
  }

 private:
  std::vector<selfplay::Opening> openings_;
  const bool is_book_;
  OpeningSource source_;
};

constexpr std::uint64_t kCards = 2;  // a stream beside the two players'

// The match's book-keeping, shared by its threads: hands out games, takes finished ones.
class Referee final : public GameList {
 public:
  Referee(const MatchConfig& config, MatchResult& result,
          const std::function<void(const MatchResult&)>& progress, const std::atomic<bool>* stop)
      : config_(config),
        openings_(config, stop),
        result_(result),
        progress_(progress),
        stop_(stop) {
    for (const MatchGame& game : config.played) {
      if (is_asked_for(game.number)) played_.emplace(game.number, &game);
    }
  }

  bool stopped() const override { return ended_ || (stop_ != nullptr && *stop_); }
  std::optional<Task> next() override {
    const std::lock_guard lock(mutex_);
    while (played_.contains(next_)) ++next_;
    if (!is_asked_for(next_)) return std::nullopt;
    auto opening = openings_.of(next_ / 2);
    result_.no_opening = !opening;
    if (!opening) return std::nullopt;
    const base::Rng rng = base::Rng(config_.seed).split(static_cast<std::uint64_t>(next_) + 1);
    const auto pair = static_cast<std::uint64_t>(next_ / 2);
    return Task{next_++,
                std::move(*opening),
                {rng.split(0), rng.split(1)},
                base::Rng(config_.seed).split(pair + 1).split(kCards)};
  }

  // Before a thread's first game. The first one counts the games that were played before.
  void seat(const Player& a, const Player& b) {
    const std::lock_guard lock(mutex_);
    if (!result_.a.empty()) return;
    result_.a = a.name();
    result_.b = b.name();
    for (const auto& [number, game] : played_) count(*game);
  }

  void finish(MatchGame game) override {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (config_.on_game) config_.on_game(game);
    count(std::move(game));
  }

  void add_effort(const Player& a, const Player& b, const std::array<std::int64_t, 2>& moves) {
    const std::lock_guard lock(mutex_);
    result_.evaluations_a += a.evaluations();
    result_.evaluations_b += b.evaluations();
    result_.moves_a += moves[0];
    result_.moves_b += moves[1];
  }

 private:
  bool is_asked_for(int number) const { return config_.games == 0 || number < config_.games; }

  // Enters the pairs that are finished with this game.
  void count(MatchGame game) {
    finished_.emplace(game.number, std::move(game));
    while (!ended_ && finished_.contains(2 * result_.pairs.pairs()) &&
           finished_.contains(2 * result_.pairs.pairs() + 1)) {
      count_next_pair();
    }
  }

  void count_next_pair() {
    double share = 0;
    const int first = 2 * result_.pairs.pairs();
    for (const int number : {first, first + 1}) share += counted(number) / 2;
    result_.pairs.add(share);
    if (config_.sprt) {
      result_.verdict = config_.sprt->verdict(result_.pairs);
      ended_ = result_.verdict != SprtVerdict::kUndecided;
    }
    if (progress_) progress_(result_);
  }

  // Enters a finished game into the result; A's share of its points.
  double counted(int number) {
    MatchGame game = std::move(finished_.extract(number).mapped());
    const auto outcome = static_cast<std::size_t>(index(game.outcome));
    ++(game.a_is_white ? result_.a_white : result_.a_black)[outcome];
    const double white = config_.table.white_points(game.outcome) / 10;
    const double share = game.a_is_white ? white : 1 - white;
    if (!game.forfeit.empty()) {
      const bool a_lost = (game.outcome == rules::Outcome::kBlackWins) == game.a_is_white;
      ++(a_lost ? result_.forfeits_a : result_.forfeits_b);
    }
    for (const std::size_t player : {0u, 1u}) {
      result_.stand_ins[player].no_move += game.stand_ins[player].no_move;
      result_.stand_ins[player].illegal += game.stand_ins[player].illegal;
    }
    if (config_.keep_games) result_.kept.push_back(std::move(game));
    return share;
  }

  const MatchConfig& config_;
  PairOpenings openings_;
  MatchResult& result_;
  const std::function<void(const MatchResult&)>& progress_;
  const std::atomic<bool>* const stop_;
  std::atomic<bool> ended_{false};
  std::mutex mutex_;                        // guards result_, openings_ and what follows
  int next_ = 0;                            // the number of the next game
  std::map<int, const MatchGame*> played_;  // of config_.played, by number
  std::map<int, MatchGame> finished_;       // those that wait for an earlier one
};

void check(const MatchConfig& config) {
  const auto require = [](bool holds, const std::string& message) {
    if (!holds) throw base::InputError("match: " + message);
  };
  require((config.games >= 2 && config.games % 2 == 0) || (config.games == 0 && config.sprt),
          std::to_string(config.games) + " games, expected an even number from 2 on");
  require(config.threads >= 1, "threads: expected at least 1");
  require(config.games_at_once >= 1, "games at once: expected at least 1");
  require(config.opening_plies >= 0, "opening plies: expected 0 or more");
  require(!config.sprt || !config.begins_alike(),
          "sprt: all games begin alike; expected opening plies, a book or a shuffled setup");
  require(!config.sprt || config.sprt->elo0 < config.sprt->elo1, "sprt: expected elo0 below elo1");
}

}  // namespace

Estimate MatchResult::points() const { return 10 * pairs.score(); }

Estimate MatchResult::elo() const { return elo_from_score(pairs.score()); }

rules::PgnGame pgn_game(const MatchGame& game, const MatchResult& match) {
  rules::PgnGame pgn;
  pgn.event = "Match";
  pgn.round = std::to_string(game.number + 1);
  pgn.white = game.a_is_white ? match.a : match.b;
  pgn.black = game.a_is_white ? match.b : match.a;
  pgn.rules = game.start.rule_set();
  pgn.table = match.table;
  pgn.start = game.start;
  pgn.moves = game.moves;
  pgn.outcome = game.outcome;
  if (game.opening_plies > 0) {
    pgn.more_tags.emplace_back(selfplay::kOpeningPlies, std::to_string(game.opening_plies));
  }
  if (game.by_tablebase) pgn.adjudication = rules::Adjudication::kTablebase;
  if (!game.forfeit.empty()) {
    pgn.adjudication = rules::Adjudication::kResignation;
    pgn.more_tags.emplace_back(selfplay::kForfeit, game.forfeit);
  }
  return pgn;
}

nlohmann::json to_json(const MatchResult& result) {
  const auto counts = [](const OutcomeCounts& of) {
    nlohmann::json object;
    for (std::size_t i = 0; i < of.size(); ++i) {
      object[std::string(rules::name(static_cast<rules::Outcome>(i)))] = of[i];
    }
    return object;
  };
  const auto per_move = [](std::int64_t evaluations, std::int64_t moves) {
    return moves > 0 ? static_cast<double>(evaluations) / static_cast<double>(moves) : 0.0;
  };
  const auto stand_ins = [](const StandIns& of) {
    return nlohmann::json{{"no_move", of.no_move}, {"illegal", of.illegal}};
  };
  nlohmann::json json{{"a", result.a},
                      {"b", result.b},
                      {"rules", result.rules.name()},
                      {"games", result.games()},
                      {"points", to_json(result.points())},
                      {"elo", to_json(result.elo())},
                      {"a_white", counts(result.a_white)},
                      {"a_black", counts(result.a_black)},
                      {"forfeits_a", result.forfeits_a},
                      {"forfeits_b", result.forfeits_b},
                      {"evaluations_per_move_a", per_move(result.evaluations_a, result.moves_a)},
                      {"evaluations_per_move_b", per_move(result.evaluations_b, result.moves_b)},
                      {"stand_ins_a", stand_ins(result.stand_ins[0])},
                      {"stand_ins_b", stand_ins(result.stand_ins[1])},
                      {"table", result.table.to_changes(result.rules.table())},
                      {"stopped", result.stopped}};
  if (result.sprt) {
    constexpr std::array<const char*, 3> kVerdicts{"undecided", "h0", "h1"};
    json["sprt"] = {{"elo0", result.sprt->elo0},
                    {"elo1", result.sprt->elo1},
                    {"llr", result.sprt->log_likelihood_ratio(result.pairs)},
                    {"lower", result.sprt->lower_bound()},
                    {"upper", result.sprt->upper_bound()},
                    {"verdict", kVerdicts[static_cast<std::size_t>(result.verdict)]}};
  }
  return json;
}

MatchResult play_match(const MatchConfig& config, const PlayerFactory& a, const PlayerFactory& b,
                       const std::function<void(const MatchResult&)>& progress,
                       const std::atomic<bool>* stop) {
  check(config);
  MatchResult result;
  result.rules = config.rules;
  result.table = config.table;
  result.sprt = config.sprt;
  Referee referee(config, result, progress, stop);
  base::Threads threads;
  const int most = config.games > 0 ? config.games : config.threads * config.games_at_once;
  const int at_once = std::min(config.games_at_once, (most + config.threads - 1) / config.threads);
  for (int i = 0; i < std::min(config.threads, most); ++i) {
    threads.start([&] {
      const auto player_a = a(), player_b = b();
      referee.seat(*player_a, *player_b);
      const std::array players{player_a.get(), player_b.get()};
      const auto moves = play_side_by_side(referee, players, at_once, config.table, threads,
                                           config.tablebase.get());
      referee.add_effort(*player_a, *player_b, moves);
    });
  }
  threads.wait();
  result.stopped = result.verdict == SprtVerdict::kUndecided &&
                   (config.games == 0 || result.games() < config.games);
  try {
    threads.rethrow();
  } catch (const base::EnvironmentError& error) {
    if (result.games() == 0) throw;
    throw MatchFailed(error.what(), std::move(result));
  }
  return result;
}

}  // namespace arena
