#pragma once
// A player whose first-move advantage is known: what becomes of its games is drawn, not played.

#include <array>
#include <cmath>
#include <vector>

#include "base/rng.h"
#include "studies/game_facts.h"

namespace studies {

// Sixteen first moves of unequal popularity, each with lines of which some are played again and
// again. The player repeats what is good for White: the more popular a line, the likelier White
// wins it. A line always ends in the same way.
class SyntheticPlayer {
 public:
  explicit SyntheticPlayer(base::Rng rng) {
    double all_first = 0, all_lines = 0;
    for (std::size_t i = 0; i < kFirst; ++i) all_first += 1 / rank(i);
    for (std::size_t k = 0; k < kLines; ++k) all_lines += 1 / rank(k);
    for (std::size_t k = 0; k < kLines; ++k) below_[k] = 1 / rank(k) / all_lines;
    for (std::size_t i = 0; i < kFirst; ++i) {
      shares_[i] = 1 / rank(i) / all_first;
      for (std::size_t k = 0; k < kLines; ++k) {
        const double draw = rng.uniform();
        const double win = k < kPopular ? 0.75 : 0.25;
        outcomes_[i][k] = draw < 0.15         ? rules::Outcome::kImpasseEqual
                          : draw < 0.15 + win ? rules::Outcome::kWhiteWins
                                              : rules::Outcome::kBlackWins;
        advantage_ += shares_[i] * below_[k] * rules::ScoringTable().white_points(outcomes_[i][k]);
        if (outcomes_[i][k] == rules::Outcome::kImpasseEqual) equal_ += shares_[i] * below_[k];
      }
    }
    for (std::size_t k = 1; k < kLines; ++k) below_[k] += below_[k - 1];
  }

  // The truth: White's points of ten, and the fraction of equal impasses.
  double advantage() const { return advantage_; }
  double equal() const { return equal_; }

  // The first moves in their due shares, as a study has them.
  std::vector<GameFacts> games(int count, base::Rng& rng) const {
    std::vector<GameFacts> games;
    const double shift = rng.uniform();
    double below = 0;
    for (std::size_t first = 0; first < kFirst; ++first) {
      const double above = below + shares_[first] * count;
      const int here = static_cast<int>(std::floor(above + shift) - std::floor(below + shift));
      for (int i = 0; i < here; ++i) games.push_back(game(first, rng));
      below = above;
    }
    return games;
  }

 private:
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kLines = 500;
  static constexpr std::size_t kPopular = 10;

  static double rank(std::size_t i) { return static_cast<double>(i + 1); }

  GameFacts game(std::size_t first, base::Rng& rng) const {
    const double draw = rng.uniform();
    std::size_t line = 0;
    while (line + 1 < kLines && draw >= below_[line]) ++line;
    GameFacts game;
    game.seed = rng.next();
    game.first_move = first + 1;
    game.game = game.opening = (first + 1) * kLines + line;
    game.outcome = outcomes_[first][line];
    return game;
  }

  std::array<double, kFirst> shares_{};
  std::array<double, kLines> below_{};  // fraction of the games with this line or one before it
  std::array<std::array<rules::Outcome, kLines>, kFirst> outcomes_{};
  double advantage_ = 0, equal_ = 0;
};

}  // namespace studies
