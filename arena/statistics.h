#pragma once
// Statistics of paired games. A pair is one opening played twice with colours swapped; its score is
// player A's share of the 20 points, in [0, 1]. Pairs are independent, the two games of one pair
// are not, so every error bar comes from the scatter of pair scores.

#include <nlohmann/json_fwd.hpp>

namespace arena {

inline constexpr double kNormal95 = 1.959964;  // half a 95 % interval, in standard deviations

// An estimate with its 95 % interval.
struct Estimate {
  double mean = 0;
  double low = 0;
  double high = 0;
};

// REQUIRES: factor >= 0.
inline Estimate operator*(double factor, const Estimate& e) {
  return {factor * e.mean, factor * e.low, factor * e.high};
}
// {mean, low, high}; ends that are not finite are null.
nlohmann::ordered_json to_json(const Estimate& estimate);

// The mean of independent draws in [0, 1].
struct ScoreSample {
  double mean = 0;
  double variance = 0;  // of one draw, as it was seen
  double count = 0;     // draws, > 0
  double degrees = 0;   // of freedom of that variance
  // What the variance is shrunk to, by the weight of one draw: over that of a won-or-lost game.
  double independent_ratio = 1;
};
// Wilson's score interval (1927) for as many independent trials as have the variance that was seen,
// with Student's t for the few; the variance is shrunk, so that an even run of equal scores still
// has an error.
Estimate score_interval(const ScoreSample& sample);

// Scatter of scores (squared deviations from their mean, summed) over that of won-or-lost games of
// this mean, with so many degrees of freedom, shrunk towards `independent_ratio`.
double variance_ratio(double scatter, double degrees, double mean, double independent_ratio);

// Running mean and scatter of pair scores.
class PairStatistics {
 public:
  // Variance of a pair's mean over that of one won-or-lost game, for independent games.
  static constexpr double kIndependentRatio = 0.5;

  void add(double score);
  int pairs() const { return pairs_; }
  double mean() const { return mean_; }
  // Sum of squared deviations from the mean.
  double scatter() const { return scatter_; }

  // The mean score with its score_interval(), the variance shrunk towards that of two won-or-lost
  // games. Without pairs: 0.5 in [0, 1].
  Estimate score() const;

 private:
  int pairs_ = 0;
  double mean_ = 0;
  double scatter_ = 0;
};

// The logistic scale: elo = -400 log10(1 / score - 1), cut to +-kEloLimit; and back.
inline constexpr double kEloLimit = 2000;
double elo_from_score(double score);
double score_from_elo(double elo);
// Mean and interval carried over by the (rising) map above.
Estimate elo_from_score(const Estimate& score);

enum class SprtVerdict { kUndecided, kAcceptH0, kAcceptH1 };

// A sequential probability ratio test, which stops as soon as it is decided: H0 "A is elo0
// stronger" against H1 "A is elo1 stronger".
struct Sprt {
  double elo0 = 0;
  double elo1 = 10;
  double alpha = 0.05;  // chance of H1 where H0 holds
  double beta = 0.05;   // chance of H0 where H1 holds

  // Logarithm of the likelihood ratio H1 : H0, with the variance fitted under either (generalised
  // SPRT: Van den Bergh, "A practical introduction to the GSPRT").
  double log_likelihood_ratio(const PairStatistics& statistics) const;
  double lower_bound() const;  // log(beta / (1 - alpha)): H0 below
  double upper_bound() const;  // log((1 - beta) / alpha): H1 above
  SprtVerdict verdict(const PairStatistics& statistics) const;
};

// Student's t: the value that |t| exceeds in 5 % of the cases. REQUIRES: degrees >= 1.
double student_t_95(int degrees);

}  // namespace arena
