#pragma once
// First-move advantage and what else self-play games say of the opening.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "studies/balance.h"
#include "studies/game_facts.h"
#include "studies/opening_book.h"
#include "studies/self_games.h"
#include "studies/study.h"

namespace studies {

// Moves within so many points of ten of the best one are counted.
inline constexpr std::array kNearPoints{0.05, 0.1};

// One network's values of the start, White's points of ten; of a shuffled setup the means over
// studied_starts().
struct StartValues {
  double network = 0;  // by itself
  double search = 0;   // by the budget of the games
  double deep_search = 0;
  int deep_simulations = 0;
  std::size_t starts = 1;
  struct FirstMove {
    std::uint64_t move = 0;  // as GameFacts::first_move
    std::string name;        // "K@d1", its mirror image included
    bool king = false;
    double points = 0;  // after it, by a search of its own with deep_simulations / 2
    // Counted from the games.
    std::size_t games = 0;
    double share = 0;
    std::optional<Estimate> points_white{};
  };
  // All legal ones, mirror images once, the best first; none where games begin differently.
  std::vector<FirstMove> first_moves;
  // How many of a side's first moves are about as good as its best; Black's are those after White's
  // best. Empty likewise.
  struct Viable {
    std::size_t moves = 0;  // legal ones, mirror images once
    std::array<std::size_t, kNearPoints.size()> near{};
  };
  std::vector<Viable> viable;  // White's, Black's
};
StartValues start_values(const SelfGamesConfig& config, int deep_simulations, Thinker& thinker);

inline constexpr int kTurnsShown = 40;  // the last stands for all later ones
inline constexpr std::array kPlacedPieces{rules::PieceType::kKing, rules::PieceType::kQueen,
                                          rules::PieceType::kRook, rules::PieceType::kBishop,
                                          rules::PieceType::kKnight};

// When a side's king or queen came in, by its own turns.
struct Placing {
  Estimate first;                // shares of the sides that placed it at their first turn
  Estimate never;                // … and never
  std::optional<Estimate> turn;  // the mean of the others
  std::array<double, kTurnsShown> turns{};
};

// How one colour brought its pieces in.
struct ReserveSide {
  Placing king, queen, all;  // `all`: the last piece of the reserve
  // Its points with the king placed at the first turn, and later.
  std::optional<Estimate> points_first, points_later;
  // The shares of the eight files of all placements of each of kPlacedPieces.
  std::array<std::array<double, 8>, kPlacedPieces.size()> placements{};
};

struct ReserveFigures {
  std::array<ReserveSide, 2> sides;  // by colour
  // White's best first move that places the king, and the best that does not, by their searches.
  std::optional<StartValues::FirstMove> best_king, best_other;
  // Both bishops on one colour: the share of the sides that placed both, how many did, and the
  // points of such a side over the mean of its colour.
  Estimate bishops_share;
  std::size_t bishops_sides = 0;
  std::optional<Estimate> bishops_excess;
  // Games in which one side had placed all its pieces at an earlier turn of its own, or the other
  // never did, and that side's points over the mean of its colour.
  std::size_t sooner_games = 0;
  std::optional<Estimate> sooner_excess;
};

// All that one set of games says.
struct AdvantageFigures {
  SelfGamesConfig config;
  StartValues start;
  std::size_t games = 0, distinct_games = 0, openings = 0;
  Estimate points_white;
  struct OfSeed {
    std::uint64_t seed = 0;
    std::size_t games = 0;
    Estimate points_white;
  };
  std::vector<OfSeed> by_seed;
  std::array<Estimate, rules::kOutcomes> outcomes;  // shares
  std::array<Variety, kDepths.size()> variety;
  std::vector<MainLine> book;
  Estimate plies;       // a game's
  Estimate promotions;  // a game's, of both sides
  std::size_t all_promotions = 0;
  std::optional<Estimate> underpromotions;  // fraction of them to another piece than a queen
  std::vector<int> lengths;                 // the same, rising
  std::optional<ReserveFigures> reserve;    // where games begin with one
  std::vector<PieceValue> piece_values;     // none where no position was quiet
  // The same within each phase: empty where no game came to it, and none for what no position of
  // it had more of than the other side.
  std::array<std::vector<std::optional<PieceValue>>, kPhaseNames.size()> phase_values;
};
// REQUIRES: all games of the config in order; not none.
AdvantageFigures advantage_figures(const SelfGamesConfig& config,
                                   const std::vector<selfplay::GameRecord>& games,
                                   const StartValues& start);
// One set of games or several, the newest last.
Answer words(const std::vector<AdvantageFigures>& sets);

struct AdvantageStudy final : Study {
  AdvantageStudy();
  std::vector<base::CommandOption> options() override;
  Answer run(Subject& subject) const override;
  // BalanceStudy where several rule sets are named, or players.
  const PlayersStudy* of_players(std::size_t rule_sets) const override {
    return rule_sets > 1 || !players.empty() ? &balance_ : nullptr;
  }

  std::vector<int> simulations;  // none: the network's usual number
  int checkpoints = 1;
  std::string table = "default";
  std::vector<std::string> players;  // instead of the network; one, or one for each rule set

 private:
  BalanceStudy balance_{*this};
};

}  // namespace studies
