#include <gtest/gtest.h>

#include <set>

#include "mcts/evaluator.h"
#include "rules/notation.h"
#include "selfplay/errors.h"
#include "selfplay/player.h"
#include "selfplay/players/alpha_beta.h"
#include "selfplay/players/search_player.h"
#include "selfplay/players/simple_players.h"

namespace selfplay {
namespace {

using rules::Position;

// What the player chooses in a game that begins at the FEN.
std::string chosen(Player& player, const std::string& fen, std::uint64_t seed = 1) {
  const Position position = Position::from_fen(fen);
  const rules::ScoringTable table;
  player.new_game(0, rules::Rng(seed));
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

TEST(Players, PlayALegalGameToItsEnd) {
  const rules::ScoringTable table;
  for (auto& player : all_players()) {
    const Position start = Position::start();
    Position position = start;
    std::vector<rules::Move> moves;
    player->new_game(0, rules::Rng(5));
    player->new_game(1, rules::Rng(6));
    while (!position.outcome(table)) {
      // One slot for each colour.
      const GameView view{.slot = index(position.side_to_move()),
                          .start = &start,
                          .position = &position,
                          .moves = moves,
                          .table = &table};
      Choice choice;
      player->choose({&view, 1}, {&choice, 1});
      ASSERT_TRUE(position.is_legal(choice.move)) << player->name() << " " << position.to_fen();
      moves.push_back(choice.move);
      position.play(choice.move);
    }
    EXPECT_GT(moves.size(), 3u);
  }
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

TEST(AlphaBeta, FindsAForcedCaptureOfTheKing) {
  AlphaBeta engine;
  rules::Rng rng(1);
  // Two rooks ladder: 1. Rb8 mates, the king falls a move later.
  const Position position = Position::from_fen("7k/R7/8/8/8/8/1R6/K7[] w - - 0 1");
  const auto result = engine.search(position, {}, 3, rng);
  EXPECT_EQ(rules::to_uci(result.move), "b2b8");
  EXPECT_GT(result.value_stm, 0.99f);
}

TEST(AlphaBeta, KnowsWhatAStalemateAndAnImpassePay) {
  AlphaBeta engine;
  rules::Rng rng(1);
  // Only Kc7 keeps the win of ten; stalemate would pay eight.
  const Position win = Position::from_fen("k7/8/2K5/8/8/8/8/1Q6[] w - - 0 1");
  EXPECT_GT(engine.search(win, {}, 3, rng).value_stm, 0.99f);
  // A ply before the impasse White can still take the pawn and lead.
  const Position last = Position::from_fen("k7/8/8/8/8/3p4/8/K2R4[] w - - 99 80");
  EXPECT_NEAR(engine.search(last, {}, 2, rng).value_stm, 1.0, 0.7);
}

TEST(AlphaBeta, DependsOnNothingSearchedBefore) {
  AlphaBeta used;
  rules::Rng rng(3);
  Position position = Position::start();
  for (int ply = 0; ply < 30 && !position.outcome({}); ++ply) {
    AlphaBeta fresh;
    rules::Rng one(static_cast<std::uint64_t>(ply));
    rules::Rng two = one;
    const auto a = used.search(position, {}, 2, one);
    const auto b = fresh.search(position, {}, 2, two);
    ASSERT_EQ(a.move, b.move);
    ASSERT_EQ(a.value_stm, b.value_stm);
    rules::MoveList moves;
    sensible_moves(position, moves);
    position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
  }
}

TEST(AlphaBeta, SeesTheSameFromEitherSide) {
  rules::Rng rng(9);
  for (int game = 0; game < 10; ++game) {
    Position position = Position::start();
    for (int ply = 0; ply < 25 && !position.outcome({}); ++ply) {
      AlphaBeta engine;
      rules::Rng one(1);
      rules::Rng two(1);
      // Values of the two searches may differ in the order of moves, not in their result.
      const float value = engine.search(position, {}, 2, one).value_stm;
      rules::ScoringTable swapped;
      for (std::size_t i = 0; i < 7; ++i) {
        swapped.points_white[i] = 10 - rules::ScoringTable{}.points_white[6 - i];
      }
      EXPECT_NEAR(engine.search(position.color_flipped(), swapped, 2, two).value_stm, value, 1e-5)
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
  options.simulations = 50;
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
    together.new_game(static_cast<int>(i), rules::Rng(i));
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
    alone.new_game(views[i].slot, rules::Rng(i));
    Choice choice;
    alone.choose({&views[i], 1}, {&choice, 1});
    EXPECT_EQ(choice.move, choices[i].move);
  }
}

TEST(BaselinePlayer, KnowsItsSpecs) {
  EXPECT_EQ((*baseline_player("alphabeta:4"))()->name(), "alphabeta:4");
  EXPECT_FALSE(baseline_player("runs/first").has_value());
  EXPECT_FALSE(baseline_player("randomly").has_value());
  for (const char* bad : {"alphabeta:", "alphabeta:0", "alphabeta:two", "uniform:-1",
                          "uci:", "uci:nodes=10", "uci-fairy:nodes=x:engine", "uci:\"open"}) {
    EXPECT_THROW(baseline_player(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace selfplay
