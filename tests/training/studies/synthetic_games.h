#pragma once
// A player whose first-move advantage is known: what becomes of its games is drawn, not played.

#include <array>
#include <cmath>
#include <vector>

#include "rules/rng.h"
#include "training/studies/game_facts.h"

namespace training {

// Sixteen first moves of unequal popularity and worth, each with many openings of their own worth.
// A game comes from an opening; now and then it is played twice, move by move.
class SyntheticPlayer {
 public:
  explicit SyntheticPlayer(rules::Rng rng) {
    double sum = 0;
    for (std::size_t i = 0; i < kFirst; ++i) sum += shares_[i] = 1.0 / static_cast<double>(i + 1);
    for (std::size_t i = 0; i < kFirst; ++i) {
      shares_[i] /= sum;
      for (double& win : wins_[i]) {
        win = 0.3 + 0.03 * static_cast<double>(i) + 0.3 * rng.uniform();
        advantage_ += shares_[i] * points(win) / kOpenings;
      }
    }
  }

  // White's points of ten, the truth.
  double advantage() const { return advantage_; }

  // The first moves in their due shares, as a study has them.
  std::vector<GameFacts> games(int count, rules::Rng& rng) const {
    std::vector<GameFacts> games;
    const double shift = rng.uniform();
    double below = 0;
    for (std::size_t first = 0; first < kFirst; ++first) {
      const double above = below + shares_[first] * count;
      const int here = static_cast<int>(std::floor(above + shift) - std::floor(below + shift));
      add_games(first, here, rng, games);
      below = above;
    }
    return games;
  }

 private:
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kOpenings = 1000;
  static constexpr double kEqual = 0.15;  // share of equal impasses, 4 points each

  static double points(double win) { return 4 * kEqual + 10 * win * (1 - kEqual); }

  void add_games(std::size_t first, int count, rules::Rng& rng,
                 std::vector<GameFacts>& games) const {
    GameFacts game;
    int again = 0;
    double win = 0;
    bool twice = false;
    for (int i = 0; i < count; ++i) {
      if (again == 0) {  // a new opening, for one, two or three games
        game.first_move = first + 1;
        const auto opening = rng.below(kOpenings);
        game.opening = (first + 1) * kOpenings + opening;
        win = wins_[first][opening];
        again = 1 + static_cast<int>(rng.below(3));
        twice = false;
      }
      --again;
      if (!twice) {
        game.game = rng.next();
        const double draw = rng.uniform();
        game.outcome = draw < kEqual                          ? rules::Outcome::kImpasseEqual
                       : (draw - kEqual) / (1 - kEqual) < win ? rules::Outcome::kWhiteWins
                                                              : rules::Outcome::kBlackWins;
      }
      games.push_back(game);
      twice = rng.below(4) == 0;
    }
  }

  std::array<double, kFirst> shares_{};
  std::array<std::array<double, kOpenings>, kFirst> wins_{};
  double advantage_ = 0;
};

}  // namespace training
