#include "selfplay/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "mcts/take_turns.h"
#include "rules/history.h"
#include "tests/tablebase_folder.h"

namespace selfplay {
namespace {

WorkerSetup setup() {
  WorkerSetup setup;
  setup.config.games = 6;
  setup.config.simulations = 12;
  setup.config.fast_simulations = 3;
  setup.config.full_share = 0.5f;
  return setup;
}

struct Played {
  std::vector<GameRecord> games;
  WorkerStats stats;
};

// Plays so many plies of each game in flight.
Played play(SelfPlayWorker& worker, std::int64_t plies, int generation = 1) {
  mcts::HashEvaluator evaluator(3);
  const std::atomic<bool> stop = false;
  Played played;
  played.stats =
      worker.play(evaluator, {.plies = plies}, generation, stop,
                  [&](std::int64_t, GameRecord game) { played.games.push_back(std::move(game)); });
  return played;
}

std::vector<std::vector<std::byte>> encoded(const std::vector<GameRecord>& games) {
  std::vector<std::vector<std::byte>> blocks;
  for (const GameRecord& game : games) blocks.push_back(encode(game));
  return blocks;
}

TEST(SelfPlayWorker, RecordsGamesThatReplayToTheirOutcome) {
  SelfPlayWorker worker(setup(), base::Rng(5));
  const Played played = play(worker, 1000, 7);
  ASSERT_GT(played.games.size(), 10u);
  EXPECT_EQ(static_cast<std::int64_t>(played.games.size()), played.stats.games);
  for (const GameRecord& game : played.games) {
    const std::vector<rules::Position> positions = replay(game);
    ASSERT_EQ(positions.back().outcome(game.table), game.outcome);
    EXPECT_EQ(game.generation, 7);
    for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
      EXPECT_FALSE(positions[ply].outcome(game.table));
    }
  }
}

TEST(SelfPlayWorker, EndsGamesWhereATablebaseKnowsWhatTheyAreWorth) {
  static const TablebaseFolder kFolder;
  WorkerSetup with = setup();
  with.config.ending_share = 1;
  with.config.official_table_share = 0.5f;
  with.tablebase = kFolder.tables;
  SelfPlayWorker worker(with, base::Rng(5));
  const Played played = play(worker, 1000);
  int known = 0;
  for (const GameRecord& game : played.games) {
    const std::vector<rules::Position> positions = replay(game);
    const bool holds = kFolder.tables->hold_for(game.rules, game.table);
    if (game.ended == rules::Adjudication::kTablebase) {
      ++known;
      EXPECT_TRUE(holds);
      EXPECT_EQ(kFolder.tables->probe(positions.back())->outcome, game.outcome);
    } else {
      EXPECT_EQ(positions.back().outcome(game.table), game.outcome);
    }
    for (std::size_t ply = 1; holds && ply + 1 < positions.size(); ++ply)
      EXPECT_FALSE(kFolder.tables->probe(positions[ply]));
  }
  EXPECT_GT(known, 10);
  EXPECT_LT(known, std::ssize(played.games));
}

TEST(SelfPlayWorker, BeginsItsShareOfGamesInTheBook) {
  WorkerSetup of_book = setup();
  const rules::Position start =
      rules::Position::from_fen("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[QRRBBNNqrrbbnn] w - - 2 2");
  of_book.book_starts = std::make_shared<const std::vector<rules::Position>>(1, start);
  of_book.config.book_share = 0.5f;
  SelfPlayWorker worker(of_book, base::Rng(5));
  const Played played = play(worker, 2000);
  const auto in_book = std::ranges::count(played.games, start.to_fen(), &GameRecord::start_fen);
  ASSERT_GT(played.games.size(), 30u);
  EXPECT_NEAR(static_cast<double>(in_book) / static_cast<double>(played.games.size()), 0.5, 0.2);
}

TEST(SelfPlayWorker, PlaysEveryRuleSetWithItsHistory) {
  int repetitions = 0;
  for (const rules::NamedRuleSet& set : rules::kRuleSets) {
    WorkerSetup of_set = setup();
    of_set.repertoire = set.rules;
    of_set.table = set.rules.table();
    of_set.config.games = 2;
    SelfPlayWorker worker(of_set, base::Rng(5));
    const Played played = play(worker, 1250);
    ASSERT_GT(played.games.size(), 2u) << set.name;
    for (const GameRecord& game : played.games) {
      const GameRecord read = decode(encode(game));
      EXPECT_EQ(read.rules, set.rules);
      const std::vector<rules::Position> positions = replay(read);
      rules::History past;
      for (std::size_t ply = 0; ply < read.plies.size(); ++ply) {
        ASSERT_FALSE(positions[ply].outcome(read.table, past.occurrences(positions[ply])));
        past.add(positions[ply]);
      }
      const rules::Position& last = positions.back();
      EXPECT_EQ(last.outcome(read.table, past.occurrences(last)), read.outcome);
      repetitions += last.outcome(read.table) ? 0 : 1;
    }
  }
  EXPECT_GT(repetitions, 0);
}

TEST(SelfPlayWorker, TargetsAreDistributionsOverSurvivingMoves) {
  SelfPlayWorker worker(setup(), base::Rng(6));
  const Played played = play(worker, 700);
  std::int64_t plies = 0, targets = 0;
  for (const GameRecord& game : played.games) {
    const std::vector<rules::Position> positions = replay(game);
    for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
      const PlyRecord& record = game.plies[ply];
      ++plies;
      EXPECT_EQ(record.is_target, !record.policy.empty());
      if (!record.is_target) continue;
      ++targets;
      rules::MoveList surviving;
      positions[ply].surviving_moves(surviving);
      float sum = 0;
      for (const mcts::MoveWeight& target : record.policy) {
        sum += target.weight;
        EXPECT_NE(std::find(surviving.begin(), surviving.end(), target.move), surviving.end());
      }
      EXPECT_NEAR(sum, 1.0f, 1e-4f);
      const float shares = std::accumulate(record.root_outcomes_white.begin(),
                                           record.root_outcomes_white.end(), 0.0f);
      EXPECT_NEAR(shares, 1.0f, 1e-3f);
    }
  }
  // Half of the searches are full; moves without a choice teach nothing.
  EXPECT_GT(targets, plies / 4);
  EXPECT_LT(targets, plies * 6 / 10);
}

TEST(SelfPlayWorker, KeepsNoOutcomesOfAnEvaluatorThatKnowsNone) {
  SelfPlayWorker worker(setup(), base::Rng(12));
  mcts::UniformEvaluator evaluator;
  const std::atomic<bool> stop = false;
  std::int64_t plies = 0;
  worker.play(evaluator, {.plies = 250}, 1, stop, [&](std::int64_t, const GameRecord& game) {
    for (const PlyRecord& ply : game.plies) {
      ++plies;
      EXPECT_EQ(ply.root_outcomes_white, (std::array<float, rules::kOutcomes>{}));
    }
  });
  EXPECT_GT(plies, 100);
}

TEST(SelfPlayWorker, OneStreamPlaysOneSetOfGames) {
  SelfPlayWorker a(setup(), base::Rng(8)), b(setup(), base::Rng(8)), c(setup(), base::Rng(9));
  const auto games = encoded(play(a, 500).games);
  EXPECT_EQ(games, encoded(play(b, 500).games));
  EXPECT_NE(games, encoded(play(c, 500).games));
}

TEST(SelfPlayWorker, EachGameInFlightPlaysAsManyPlies) {
  SelfPlayWorker worker(setup(), base::Rng(8));
  EXPECT_EQ(play(worker, 37).stats.plies, 6 * 37);
  EXPECT_EQ(play(worker, 300).stats.plies, 6 * 300);
}

// The same games whoever plays them, and on whichever call each move falls.
TEST(SelfPlayWorker, WhatIsPlayedDoesNotDependOnHowSeatsAreDivided) {
  const auto games_of = [](int workers) {
    std::map<std::int64_t, std::vector<std::byte>> games;
    for (int first = 0; first < workers; ++first) {
      SelfPlayWorker worker(setup(), base::Rng(8), {first, workers});
      mcts::HashEvaluator evaluator(3);
      const std::atomic<bool> stop = false;
      for (int generation = 1; generation <= 2; ++generation) {
        worker.play(evaluator, {.plies = 500}, generation, stop,
                    [&](std::int64_t number, const GameRecord& game) {
                      EXPECT_TRUE(games.emplace(number, encode(game)).second) << number;
                    });
      }
    }
    return games;
  };
  const auto whole = games_of(1);
  EXPECT_GT(whole.size(), 10u);
  EXPECT_EQ(games_of(2), whole);
  EXPECT_EQ(games_of(4), whole);
}

// A hash evaluator that works as a device does: what it finishes was started first, and has not
// changed since.
class DeviceEvaluator final : public mcts::EvaluatorInTwoParts {
 public:
  explicit DeviceEvaluator(int most) : most_(most) {}
  void start(mcts::LeafBatch& batch) override {
    in_flight_.push_back({&batch, batch.leaves.size(), batch.leaves.front().position});
    largest_ = std::max(largest_, batch.leaves.size());
    seen_ = std::max(seen_, in_flight_.size());
  }
  void finish(mcts::LeafBatch& batch) override {
    ASSERT_FALSE(in_flight_.empty());
    const auto [started, leaves, first] = in_flight_.front();
    in_flight_.pop_front();
    ASSERT_EQ(started, &batch);
    ASSERT_EQ(leaves, batch.leaves.size());
    ASSERT_EQ(first, batch.leaves.front().position);
    hashed_.evaluate(batch);
  }
  int most_in_flight() const override { return most_; }

  std::size_t in_flight() const { return in_flight_.size(); }
  std::size_t most_seen() const { return seen_; }
  std::size_t largest_batch() const { return largest_; }

 private:
  struct Flight {
    const mcts::LeafBatch* batch;
    std::size_t leaves;
    rules::Position first;
  };
  int most_;
  std::size_t seen_ = 0, largest_ = 0;
  std::deque<Flight> in_flight_;
  mcts::HashEvaluator hashed_{3};
};

TEST(SelfPlayWorker, KeepsADeviceBusyWithTheSameGames) {
  const auto games_with = [](mcts::Evaluator& evaluator, std::int64_t plies) {
    SelfPlayWorker worker(setup(), base::Rng(8));
    const std::atomic<bool> stop = false;
    std::map<std::int64_t, std::vector<std::byte>> games;
    for (int generation = 1; generation <= 2; ++generation) {
      const auto stats = worker.play(
          evaluator, {.plies = plies}, generation, stop,
          [&](std::int64_t number, const GameRecord& game) { games[number] = encode(game); });
      EXPECT_EQ(stats.plies, 6 * plies);
      EXPECT_GT(stats.evaluations, stats.plies);
    }
    return games;
  };
  mcts::HashEvaluator alone(3);
  const auto expected = games_with(alone, 400);
  EXPECT_GT(expected.size(), 10u);
  for (const int most : {1, 2, 3}) {
    DeviceEvaluator device(most);
    EXPECT_EQ(games_with(device, 400), expected) << most;
    EXPECT_EQ(device.most_seen(), static_cast<std::size_t>(most));
    EXPECT_EQ(device.largest_batch(), 6u / static_cast<std::size_t>(most));
    EXPECT_EQ(device.in_flight(), 0u);
  }
}

TEST(SelfPlayWorker, LeavesNoBatchInFlightWhenItIsStopped) {
  SelfPlayWorker worker(setup(), base::Rng(8));
  DeviceEvaluator device(2);
  std::atomic<bool> stop = false;
  const auto stats =
      worker.play(device, {}, 1, stop, [&](std::int64_t, const GameRecord&) { stop = true; });
  EXPECT_GE(stats.games, 1);
  EXPECT_EQ(device.most_seen(), 2u);
  EXPECT_EQ(device.in_flight(), 0u);
}

TEST(SelfPlayWorker, GoesOnFromItsGamesInFlight) {
  SelfPlayWorker whole(setup(), base::Rng(10));
  play(whole, 170);
  const std::vector<GameInFlight> in_flight = whole.in_flight();
  EXPECT_EQ(in_flight.size(), 6u);
  const auto expected = encoded(play(whole, 350).games);

  SelfPlayWorker resumed(setup(), base::Rng(10));
  resumed.resume(in_flight);
  EXPECT_EQ(encoded(play(resumed, 350).games), expected);
}

TEST(SelfPlayWorker, ResumedWithFewerSeatsGivesUpTheOthersAsTheirGamesEnd) {
  SelfPlayWorker six(setup(), base::Rng(10));
  play(six, 170);
  WorkerSetup fewer = setup();
  fewer.config.games = 2;
  SelfPlayWorker two(fewer, base::Rng(10));
  two.resume(six.in_flight());
  EXPECT_GE(play(two, 500).games.size(), 6u);
  EXPECT_EQ(
      std::ranges::count_if(two.in_flight(),
                            [](const GameInFlight& seat) { return !seat.game.start_fen.empty(); }),
      2);
}

// A stream that was used once would give the same game again.
TEST(SelfPlayWorker, ResumedWithFewerAndThenMoreSeatsStartsNoGameTwice) {
  std::multiset<std::uint64_t> seeds;
  std::vector<GameInFlight> in_flight;
  for (const int seats : {6, 2, 6}) {
    WorkerSetup of_seats = setup();
    of_seats.config.games = seats;
    SelfPlayWorker worker(of_seats, base::Rng(10));
    worker.resume(in_flight);
    for (const GameRecord& game : play(worker, 500).games) seeds.insert(game.seed);
    in_flight = worker.in_flight();
  }
  EXPECT_GT(seeds.size(), 15u);
  EXPECT_EQ(std::set(seeds.begin(), seeds.end()).size(), seeds.size());
}

TEST(ScoringTables, DrawnTablesKeepTheirOrderAndTheShares) {
  SelfPlayConfig config;
  config.official_table_share = 0.5f;
  config.near_table_share = 0.35f;
  const rules::ScoringTable own;
  base::Rng rng(1);
  int official = 0;
  double moved_near = 0, moved_far = 0;
  for (int i = 0; i < 4000; ++i) {
    const rules::ScoringTable table = draw_table(config, own, rng);
    official += table == own ? 1 : 0;
    EXPECT_TRUE(std::is_sorted(table.points_white.begin(), table.points_white.end()));
    EXPECT_EQ(table.points_white.front(), 0.0);
    EXPECT_EQ(table.points_white.back(), 10.0);
    const double moved = std::abs(table.points_white[3] - 4);
    (moved < 1.5 ? moved_near : moved_far) += 1;
  }
  EXPECT_NEAR(official, 2000, 150);
  EXPECT_GT(moved_far, 100);
}

TEST(ScoringTables, WideOnesMoveEachOfTheKindsOfValueAloneToo) {
  SelfPlayConfig config;
  config.official_table_share = 0;
  config.near_table_share = 0;
  const rules::ScoringTable own;
  base::Rng rng(1);
  std::map<std::array<bool, 3>, int> moved;
  for (int i = 0; i < 7000; ++i) {
    const rules::ScoringTable table = draw_table(config, own, rng);
    const auto differs = [&](std::size_t k) {
      return table.points_white[k] != own.points_white[k];
    };
    ++moved[{differs(1) && differs(5), differs(2) && differs(3) && differs(4),
             table.material != own.material}];
  }
  EXPECT_EQ(moved.size(), 7u);
  for (const auto& [kinds, count] : moved) EXPECT_NEAR(count, 1000, 350);
}

}  // namespace
}  // namespace selfplay
