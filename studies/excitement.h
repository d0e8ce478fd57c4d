#pragma once
// How exciting the games of a network against itself are, by the measures with which Ludii
// describes games (its package `metrics`).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules/position.h"
#include "studies/estimates.h"
#include "studies/self_games.h"
#include "studies/study.h"

namespace studies {

// How one game went. The leader is who expects more than half of the points; an even position
// leaves the lead where it was. The winner is who got more points.
struct GameCourse {
  double branching = 0;  // legal moves, the mean over the plies
  int lead_changes = 0;
  // The rest where somebody got more. Points of ten by which the winner was behind the leader: the
  // mean over the plies, and the most.
  std::optional<double> drama{}, worst{};
  // Fractions of the game's plies that came after the winner first expected more than the other
  // ever did, and after the winner took the lead for good.
  std::optional<double> decided{}, settled{};
  // The most that the winner expected, of ten.
  std::optional<double> best{};
};
// `expected`: White's points before each ply; none where a card is drawn. REQUIRES: one for each
// position but the last, at least one; `points_white` what White got.
GameCourse course_of(const std::vector<rules::Position>& positions,
                     const std::vector<std::optional<double>>& expected, double points_white);

struct ExcitementFigures {
  SelfGamesConfig config;
  std::size_t games = 0;
  Estimate decisive;  // fraction that ended with a king's capture or mate
  Estimate plies, branching, lead_changes;
  std::optional<Estimate> drama, worst, decided, settled;  // of the games that somebody won
  // Games that paid one side more without a win, and the fraction of them in which that side had
  // once expected kNearWin points of ten or more.
  std::size_t lesser_ends = 0;
  std::optional<Estimate> won_before;
};
inline constexpr double kNearWin = 9.5;
// What each position is worth tells a search by the budget of the games' moves. `stopped` is asked
// by several threads. Throws Stopped. REQUIRES: all games of the config, not none.
ExcitementFigures excitement_figures(const SelfGamesConfig& config,
                                     const std::vector<selfplay::GameRecord>& games,
                                     const MakeThinker& make_thinker,
                                     const std::function<bool()>& stopped);
Answer words(const ExcitementFigures& figures);

struct ExcitementStudy final : Study {
  ExcitementStudy();
  std::vector<base::CommandOption> options() override;
  Answer run(Subject& subject) const override;

  int simulations = 0;  // 0: the network's usual number
  std::string table = "default";
};

}  // namespace studies
