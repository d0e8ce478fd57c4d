#pragma once

#include <string>

namespace selfplay {

// How training games are played; how a move is searched is in mcts::SearchConfig.
struct SelfPlayConfig {
  int games = 256;
  int simulations = 64;
  int fast_simulations = 16;
  float full_share = 0.33f;
  float temperature = 1.0f;
  int temperature_plies = 8;
  float temperature_late = 0.0f;
  float random_opening_share = 0.5f;
  int random_opening_plies = 8;
  float ending_share = 0.15f;
  float middlegame_share = 0;
  std::string book;
  float book_share = 0.5f;
  float official_table_share = 0.5f;
  float near_table_share = 0.2f;
  std::string precision = "auto";
  std::string tablebase;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("games", games, 1, 65536,
      "games in flight of a run, and of each of its actors, divided evenly among the threads: a thread's are the "
      "network's batch");
    v("simulations", simulations, 2, 100000, "simulations of a full search: its policy is learned");
    v("fast_simulations", fast_simulations, 1, 100000,
      "simulations of a fast search, which only moves the game on (playout cap randomisation)");
    v("full_share", full_share, 0.01f, 1.0f, "fraction of moves with a full search");
    v("temperature", temperature, 0.0f, 10.0f, "visits to the power 1/temperature draw the move");
    v("temperature_plies", temperature_plies, 0, 1000, "plies played at that temperature");
    v("temperature_late", temperature_late, 0.0f, 10.0f,
      "temperature afterwards; 0 plays the best");
    v("random_opening_share", random_opening_share, 0.0f, 1.0f,
      "fraction of games that begin with random plies");
    v("random_opening_plies", random_opening_plies, 0, 200, "the most random plies");
    v("ending_share", ending_share, 0.0f, 1.0f,
      "fraction of games that begin with a random ending instead: few pieces, so that impasses and "
      "stalemates come often enough to be learned");
    v("middlegame_share", middlegame_share, 0.0f, 1.0f,
      "fraction of the other games that begin with a random middlegame: even armies, nothing in reserve");
    v("book", book,
      "folder of an opening book (`sharpzero book`), from whose ends games begin; empty: none");
    v("book_share", book_share, 0.0f, 1.0f,
      "fraction of games that begin so, the others as without a book");
    v("official_table_share", official_table_share, 0.0f, 1.0f,
      "fraction of games under the run's own scoring table");
    v("near_table_share", near_table_share, 0.0f, 1.0f,
      "fraction of games under a slightly changed table; "
      "the rest is played under widely changed ones, in which one, two or all three of stalemates, "
      "impasses and piece values differ");
    v("tablebase", tablebase,
      "folder that `tablebase` has filled: a game ends with what its position is worth as soon as it "
      "is known there, and searches take such positions as exact; empty: none");
    v("precision", precision, {"auto", "fp32", "bf16", "fp16", "int8"},
      "the network's precision in games and matches; auto: on a GPU bf16, on a CPU the fastest by "
      "a measurement at the run's start that is accurate, which then holds for the run");
  }
};

}  // namespace selfplay
