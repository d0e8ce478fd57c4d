#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "arena/expectiminimax.h"
#include "arena/network_player.h"
#include "arena/player.h"
#include "arena/search_player.h"
#include "arena/simple_players.h"
#include "base/errors.h"
#include "mcts/evaluator.h"
#include "mcts/take_turns.h"
#include "rules/history.h"
#include "rules/notation.h"
#include "tactics/alphabeta.h"

namespace arena {
namespace {

using rules::Position;

// What the player chooses in a game that begins at the FEN.
std::string chosen(Player& player, const std::string& fen, std::uint64_t seed = 1,
                   rules::RuleSet rules = {}) {
  const Position position = Position::from_fen(fen, rules);
  const rules::ScoringTable table = rules.table();
  player.new_game(0, base::Rng(seed));
  const GameView view{
      .slot = 0, .start = &position, .position = &position, .moves = {}, .table = &table};
  Choice choice;
  player.choose({&view, 1}, {&choice, 1});
  EXPECT_EQ(choice.forfeit, "");
  EXPECT_TRUE(position.is_legal(choice.move)) << fen;
  return rules::to_uci(choice.move);
}

std::vector<std::unique_ptr<Player>> all_players() {
  std::vector<std::unique_ptr<Player>> players;
  for (const char* spec : {"random", "greedy", "alphabeta:1", "alphabeta:3", "uniform:200"}) {
    players.push_back((*baseline_player(spec))());
  }
  return players;
}

// The player against itself, to the end of the game. Returns the outcome.
rules::Outcome play_a_game(Player& player, rules::RuleSet rules) {
  const rules::ScoringTable table = rules.table();
  const Position start = Position::start(rules);
  Position position = start;
  rules::History past;
  std::vector<rules::Move> moves;
  player.new_game(0, base::Rng(5));
  player.new_game(1, base::Rng(6));
  base::Rng cards(7);
  for (;;) {
    const auto outcome = position.outcome(table, past.occurrences(position));
    if (outcome) return *outcome;
    // One slot for each colour.
    const GameView view{.slot = index(position.side_to_move()),
                        .start = &start,
                        .position = &position,
                        .moves = moves,
                        .table = &table};
    Choice choice;
    player.choose({&view, 1}, {&choice, 1});
    EXPECT_TRUE(position.is_legal(choice.move)) << player.name() << " " << position.to_fen();
    const auto make = [&](rules::Move move) {
      moves.push_back(move);
      past.add(position);
      position.play(move);
    };
    make(choice.move);
    if (position.is_chance()) make(rules::draw_card(position, cards));
  }
}

TEST(Players, PlayALegalGameToItsEnd) {
  for (auto& player : all_players()) play_a_game(*player, {});
}

TEST(Players, PlayALegalGameOfEveryRuleSetToItsEnd) {
  for (const char* spec : {"random", "greedy", "alphabeta:2", "uniform:20"}) {
    const auto player = (*baseline_player(spec))();
    for (const rules::NamedRuleSet& set : rules::kRuleSets) play_a_game(*player, set.rules);
  }
}

TEST(Expectiminimax, MatesWithACardAndExpectsWhatTheDeckGives) {
  const auto table = rules::kRaindrop.table();
  const auto find = [&](const std::string& fen, int depth) {
    const Position position = Position::from_fen(fen, rules::kRaindrop);
    base::Rng rng(1);
    return expectiminimax(position, shuffled_sensible_moves(position, rng), table, depth);
  };
  const auto mate = find("k7/8/1K6/8/8/8/8/8[PP][QRBN] w?R - - 3 40", 1);
  EXPECT_TRUE(mate.move.is_placement());
  EXPECT_EQ(rules::rank_of(mate.move.to()), 7) << rules::to_uci(mate.move);
  EXPECT_GT(mate.value_stm, 0.99f);
  // In check on the diagonal, where only the bishop for dark squares helps; a2, b1, b2 are
  // attacked.
  const std::string board = "1r5k/6b1/8/8/8/8/8/K1n5";
  const auto drawn = find(board + "[LD][QRBNqrbn] w - - 3 40", 2);
  EXPECT_EQ(drawn.move, rules::Move::draw());
  const auto placed = find(board + "[L][QRBNqrbn] w?D - - 3 40", 2);
  EXPECT_NEAR(drawn.value_stm, (placed.value_stm - 1) / 2, 1e-3f);
}

// A game for one move of a SearchPlayer, in which it says how long it took.
double milliseconds_for_a_move(SearchPlayer& player, const std::string& fen) {
  const auto begin = std::chrono::steady_clock::now();
  chosen(player, fen);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

TEST(SearchPlayer, ThinksAsLongAsItIsTold) {
  SearchPlayerOptions options{.name = "timed", .search = {}, .limits = {.move_time_ms = 50}};
  options.leaves_per_game = 8;
  SearchPlayer player(std::make_unique<mcts::HashEvaluator>(), options);
  EXPECT_TRUE(player.timed());
  const double start = milliseconds_for_a_move(player, Position::start().to_fen());
  EXPECT_GE(start, 50);
  EXPECT_LT(start, 1000);
  EXPECT_GT(player.evaluations(), 100);
  // Here nearly every walk ends exactly, without an evaluator that would look up.
  EXPECT_LT(milliseconds_for_a_move(player, "7k/8/6KP/8/8/8/8/8[] w - - 98 90"), 1000);
}

TEST(SearchPlayer, TakesOutcomesToPayWhatItsOwnTableSays) {
  const std::string stalemate_or_impasse = "7k/8/6KP/8/8/8/8/8[] w - - 99 90";
  SearchPlayerOptions options{.name = "", .search = {}, .limits = {.nodes = 100}};
  const auto move = [&] {
    SearchPlayer player(std::make_unique<mcts::UniformEvaluator>(), options);
    return chosen(player, stalemate_or_impasse);
  };
  EXPECT_EQ(move(), "h6h7");  // a stalemate, 8 points
  options.table = rules::ScoringTable::from_changes("impasse_unequal=0.5");
  EXPECT_NE(move(), "h6h7");
}

TEST(Players, TakeTheKingWhereTheyCan) {
  for (auto& player : all_players()) {
    if (player->name() == "random") continue;
    EXPECT_EQ(chosen(*player, "4k3/8/8/4q3/8/8/4R3/K7[] w - - 0 1").substr(0, 2), "e2")
        << player->name();
    EXPECT_EQ(chosen(*player, "4k3/3P4/8/8/8/8/8/K7[] w - - 0 1"), "d7e8q") << player->name();
  }
}

TEST(Players, DoNotLeaveTheirKingToBeTakenForMaterial) {
  for (auto& player : all_players()) {
    if (player->name() == "random") continue;
    // Black's rook attacks the king on a1; White's knight could take the queen.
    const std::string move = chosen(*player, "r6k/8/8/1p6/4q3/2N5/8/K6R[] w - - 0 1");
    EXPECT_NE(move, "c3e4") << player->name();
  }
}

TEST(RandomPlayer, PlaysEveryMove) {
  RandomPlayer player;
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    seen.insert(chosen(player, Position::start().to_fen(), seed));
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(Position::start().count_legal_moves()));
}

TEST(GreedyPlayer, WinsTheMostMaterial) {
  GreedyPlayer player;
  EXPECT_EQ(chosen(player, "k7/8/8/3r1q2/4P3/8/8/K7[] w - - 0 1"), "e4f5");
  EXPECT_EQ(chosen(player, "k7/7P/8/8/2n5/1P6/8/K7[] w - - 0 1"), "h7h8q");
}

TEST(GreedyPlayer, MatesAndKnowsWhatAStalematePays) {
  GreedyPlayer player;
  EXPECT_EQ(chosen(player, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1, rules::kChess), "e1e8");
  // The pawn that the queen can take is Black's last move but the king's, who has none.
  const char* const last_pawn = "k7/2p5/8/8/8/8/8/2Q4K w - - 0 1";
  std::set<std::string> in_chess;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    in_chess.insert(chosen(player, last_pawn, seed, rules::kChess));
    EXPECT_EQ(chosen(player, last_pawn, seed, rules::kStalemateWin), "c1c7");
  }
  EXPECT_GT(in_chess.size(), 1u);
}

TEST(GreedyPlayer, TakesEnPassantAndDoesNotTakeItsOwnRookForGain) {
  GreedyPlayer player;
  EXPECT_EQ(chosen(player, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 1, rules::kChess), "e5d6");
  std::set<std::string> played;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    played.insert(chosen(player, "4k3/8/8/8/8/8/8/4K2R w H - 0 1", seed, rules::kChess960));
  }
  EXPECT_GT(played.size(), 1u) << "castling is e1h1 here";
}

// What the player `alphabeta` finds: the search by material in full width.
tactics::SearchReport found(const Position& position, int depth, const rules::ScoringTable& table,
                            const rules::History& past = {}) {
  tactics::AlphaBetaSearch search(tactics::Evaluator(), 1, 1);
  return search.search(position, table, past, {.depth = depth, .full_width = true});
}

TEST(AlphaBetaByMaterial, KnowsMateStalemateAndDeadMaterialOfChess) {
  const auto value = [&](const char* fen, rules::RuleSet rules, int depth) {
    return found(Position::from_fen(fen, rules), depth, rules.table()).best().value_stm;
  };
  EXPECT_EQ(value("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", rules::kChess, 1), 1);
  // King takes bishop, and a knight alone wins nothing.
  EXPECT_EQ(value("7k/8/8/8/8/8/1b6/K1N5 w - - 0 1", rules::kChess, 1), 0);
  // The queen takes the last pawn and stalemates.
  const char* const last_pawn = "k7/2p5/8/8/8/8/8/2Q4K w - - 0 1";
  EXPECT_EQ(value(last_pawn, rules::kStalemateWin, 1), 1);
  const float in_chess = value(last_pawn, rules::kChess, 1);
  EXPECT_GT(in_chess, 0.3f);
  EXPECT_LT(in_chess, 0.99f);
}

TEST(AlphaBetaByMaterial, KnowsARepetitionOfTheGame) {
  // White's rook and Black's king go to and fro; Kd8-e8 brings the start for the third time.
  const Position start = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", rules::kChess);
  Position position = start;
  std::vector<rules::Move> moves;
  for (const char* move : {"a1a2", "e8d8", "a2a1", "d8e8", "a1a2", "e8d8", "a2a1"}) {
    moves.push_back(rules::parse_uci(position, move));
    position.play(moves.back());
  }
  for (int depth = 1; depth <= 3; ++depth) {
    const auto with = found(position, depth, rules::kChess.table(), rules::History(start, moves));
    EXPECT_EQ(rules::to_uci(with.best().move), "d8e8");
    EXPECT_EQ(with.best().value_stm, 0);
    EXPECT_LT(found(position, depth, rules::kChess.table()).best().value_stm, -0.3f);
  }
}

TEST(AlphaBetaByMaterial, SeesThatAPawnIsTakenInPassing) {
  const Position position = Position::from_fen("7k/3p4/8/4P3/8/8/8/4K3 b - - 0 1", rules::kChess);
  const auto best = found(position, 1, rules::kChess.table()).best();
  EXPECT_EQ(rules::to_uci(best.move).front(), 'h');  // the king's: two steps would gain ground
}

TEST(AlphaBetaByMaterial, FindsAForcedCaptureOfTheKing) {
  // Two rooks ladder: 1. Rb8 mates, the king falls a move later.
  const Position position = Position::from_fen("7k/R7/8/8/8/8/1R6/K7[] w - - 0 1");
  const auto result = found(position, 3, {});
  EXPECT_EQ(rules::to_uci(result.best().move), "b2b8");
  EXPECT_EQ(result.best().value_stm, 1);
}

TEST(AlphaBetaByMaterial, KnowsWhatAStalemateAndAnImpassePay) {
  // Only Kc7 keeps the win of ten; stalemate would pay eight.
  const Position win = Position::from_fen("k7/8/2K5/8/8/8/8/1Q6[] w - - 0 1");
  EXPECT_EQ(found(win, 3, {}).best().value_stm, 1);
  // A ply before the impasse White can still take the pawn and lead.
  const Position last = Position::from_fen("k7/8/8/8/8/3p4/8/K2R4[] w - - 99 80");
  EXPECT_NEAR(found(last, 2, {}).best().value_stm, 1.0, 0.7);
}

TEST(AlphaBetaByMaterial, SeesTheSameFromEitherSide) {
  base::Rng rng(9);
  rules::ScoringTable swapped;
  for (std::size_t i = 0; i < 7; ++i) {
    swapped.points_white[i] = 10 - rules::ScoringTable{}.points_white[6 - i];
  }
  for (int game = 0; game < 10; ++game) {
    Position position = Position::start();
    for (int ply = 0; ply < 25 && !position.outcome({}); ++ply) {
      // Values of the two searches may differ in the order of moves, not in their result.
      EXPECT_NEAR(found(position.color_flipped(), 2, swapped).best().value_stm,
                  found(position, 2, {}).best().value_stm, 1e-5)
          << position.to_fen();
      rules::MoveList moves;
      sensible_moves(position, moves);
      position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
}

// An evaluator that notes how many leaves it was given at once.
class CountingEvaluator final : public mcts::Evaluator {
 public:
  explicit CountingEvaluator(std::vector<std::size_t>& sizes) : sizes_(sizes) {}
  void evaluate(mcts::LeafBatch& batch) override {
    sizes_.push_back(batch.leaves.size());
    inner_.evaluate(batch);
  }

 private:
  std::vector<std::size_t>& sizes_;
  mcts::HashEvaluator inner_;
};

TEST(SearchPlayer, PutsAllItsGamesIntoOneBatchAndPlaysThemAsIfAlone) {
  std::vector<std::size_t> sizes;
  SearchPlayerOptions options;
  options.limits.nodes = 50;
  SearchPlayer together(std::make_unique<CountingEvaluator>(sizes), options);
  const rules::ScoringTable table;
  std::vector<Position> positions;
  Position position = Position::start();
  for (int i = 0; i < 8; ++i) {
    positions.push_back(position);
    position.play(position.legal_moves()[0]);
  }
  std::vector<GameView> views;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    together.new_game(static_cast<int>(i), base::Rng(i));
    views.push_back({.slot = static_cast<int>(i),
                     .start = &positions[i],
                     .position = &positions[i],
                     .moves = {},
                     .table = &table});
  }
  std::vector<Choice> choices(views.size());
  together.choose(views, choices);
  EXPECT_EQ(sizes.front(), views.size());

  for (std::size_t i = 0; i < views.size(); ++i) {
    SearchPlayer alone(std::make_unique<mcts::HashEvaluator>(), options);
    alone.new_game(views[i].slot, base::Rng(i));
    Choice choice;
    alone.choose({&views[i], 1}, {&choice, 1});
    EXPECT_EQ(choice.move, choices[i].move);
  }
}

// Takes two batches at once, as a device does, and notes how large they were.
class TwoBatches final : public mcts::EvaluatorInTwoParts {
 public:
  TwoBatches(std::vector<std::size_t>& sizes, int& most) : sizes_(sizes), most_(most) {}
  void start(mcts::LeafBatch& batch) override {
    sizes_.push_back(batch.leaves.size());
    most_ = std::max(most_, ++in_flight_);
  }
  void finish(mcts::LeafBatch& batch) override {
    --in_flight_;
    inner_.evaluate(batch);
  }
  int most_in_flight() const override { return 2; }

 private:
  std::vector<std::size_t>& sizes_;
  int& most_;
  int in_flight_ = 0;
  mcts::HashEvaluator inner_;
};

TEST(SearchPlayer, KeepsTwoBatchesOnADeviceAndPlaysTheSame) {
  std::vector<std::size_t> sizes;
  int most = 0;
  SearchPlayerOptions options;
  options.limits.nodes = 50;
  SearchPlayer on_device(std::make_unique<TwoBatches>(sizes, most), options);
  SearchPlayer alone(std::make_unique<mcts::HashEvaluator>(), options);
  const rules::ScoringTable table;
  Position start = Position::start();
  std::vector<GameView> views;
  for (int slot = 0; slot < 5; ++slot) {
    on_device.new_game(slot, base::Rng(4));
    alone.new_game(slot, base::Rng(4));
    views.push_back(
        {.slot = slot, .start = &start, .position = &start, .moves = {}, .table = &table});
  }
  for (std::size_t games : {5u, 1u}) {
    std::vector<Choice> found(games), expected(games);
    on_device.choose(std::span(views).first(games), found);
    alone.choose(std::span(views).first(games), expected);
    for (std::size_t i = 0; i < games; ++i) EXPECT_EQ(found[i].move, expected[i].move);
  }
  EXPECT_EQ(most, 2);
  EXPECT_EQ(sizes[0], 2u);
  EXPECT_EQ(on_device.evaluations(), std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
}

TEST(NetworkPlayer, ADeviceGetsFullBatches) {
  const auto divided = [](int games, int threads, const char* device) {
    const Division division = divide_games(games, threads, device);
    return std::pair(division.threads, division.games_at_once);
  };
  EXPECT_EQ(divided(400, 16, "cpu"), std::pair(16, 64));
  EXPECT_EQ(divided(400, 16, "cuda"), std::pair(6, 67));
  EXPECT_EQ(divided(64, 16, "simulated"), std::pair(1, 64));
  EXPECT_EQ(divided(10, 16, "cuda"), std::pair(1, 10));
  EXPECT_EQ(divided(400, 2, "cuda"), std::pair(2, 128));
}

TEST(SearchPlayer, RefusesARuleSetThatItsEvaluatorDoesNotKnow) {
  SearchPlayerOptions options;
  options.limits.nodes = 5;
  options.repertoire = rules::kChess;
  SearchPlayer player(std::make_unique<mcts::HashEvaluator>(), options);
  const std::string chess = Position::start(rules::kChess).to_fen();
  EXPECT_NO_THROW(chosen(player, chess, 1, rules::kChess));
  EXPECT_THROW(chosen(player, chess, 1, rules::kStalemateWin), base::InputError);
}

TEST(BaselinePlayer, KnowsItsSpecs) {
  EXPECT_EQ((*baseline_player("alphabeta:4"))()->name(), "alphabeta:4");
  EXPECT_FALSE(baseline_player("runs/first").has_value());
  EXPECT_FALSE(baseline_player("randomly").has_value());
  for (const char* bad : {"alphabeta:", "alphabeta:0", "alphabeta:two", "uniform:-1",
                          "uci:", "uci:nodes=10", "uci-fairy:nodes=x:engine", "uci:\"open"}) {
    EXPECT_THROW(baseline_player(bad), base::InputError) << bad;
  }
}

}  // namespace
}  // namespace arena
