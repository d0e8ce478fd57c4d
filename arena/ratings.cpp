#include "arena/ratings.h"

// The matrices are small, and GCC 12 warns of its own AVX-512 headers (GCC bug 105593).
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/errors.h"

namespace arena {
namespace {

constexpr double kEloPerUnit = 400 / std::numbers::ln10;  // the model's unit is the logit
constexpr double kDrawnPairs = 0.5;                       // drawn, for each two players that met
constexpr int kMostSteps = 100;
constexpr double kLongestStep = 2;  // logits
constexpr double kConverged = 1e-10;

// What two players' encounters amount to, by their numbers.
struct Meeting {
  int a = 0;
  int b = 0;
  double pairs = 0;
  double shares = 0;   // a's, summed over the pairs
  double scatter = 0;  // sum of squared deviations from each encounter's mean
  double degrees = 0;  // of freedom of that scatter
};

class Fit {
 public:
  Fit(const std::vector<Encounter>& encounters, const std::string& anchor) {
    number(anchor);
    std::map<std::pair<int, int>, Meeting> meetings;
    for (const Encounter& e : encounters) {
      if (e.pairs.pairs() == 0) continue;
      const int a = number(e.a);
      const int b = number(e.b);
      if (a == b) continue;
      const double pairs = e.pairs.pairs();
      Meeting& meeting = meetings[std::minmax(a, b)];
      meeting.a = std::min(a, b);
      meeting.b = std::max(a, b);
      meeting.pairs += pairs;
      meeting.shares += pairs * (a < b ? e.pairs.mean() : 1 - e.pairs.mean());
      meeting.scatter += e.pairs.scatter();
      meeting.degrees += pairs - 1;
      games_[static_cast<std::size_t>(a)] += 2 * e.pairs.pairs();
      games_[static_cast<std::size_t>(b)] += 2 * e.pairs.pairs();
    }
    for (const auto& entry : meetings) meetings_.push_back(entry.second);
    require_connected(anchor);
    logit_ = Eigen::VectorXd::Zero(std::ssize(players_));
  }

  void maximise() {
    for (int step = 0; step < kMostSteps; ++step) {
      Eigen::VectorXd change = curvature().ldlt().solve(gradient());
      const double longest = change.size() == 0 ? 0 : change.cwiseAbs().maxCoeff();
      if (longest > kLongestStep) change *= kLongestStep / longest;
      logit_.tail(change.size()) += change;
      if (longest < kConverged) return;
    }
  }

  std::vector<Rating> ratings() const {
    const Eigen::MatrixXd inverse =
        curvature().ldlt().solve(Eigen::MatrixXd::Identity(free(), free()));
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(free() + 1, free() + 1);
    covariance.bottomRightCorner(free(), free()) =
        kEloPerUnit * kEloPerUnit * inverse * scatter() * inverse;
    std::vector<Rating> ratings;
    for (std::size_t i = 0; i < players_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double mean = kEloPerUnit * logit_[row];
      const double error = kNormal95 * std::sqrt(covariance(row, row));
      ratings.push_back({players_[i], {mean, mean - error, mean + error}, games_[i], {}, {}, {}});
      for (const auto& [other, column] : numbers_) {
        ratings.back().covariance[other] = covariance(row, column);
      }
    }
    std::stable_sort(ratings.begin(), ratings.end(),
                     [](const Rating& x, const Rating& y) { return x.elo.mean > y.elo.mean; });
    return ratings;
  }

 private:
  // The number of unknowns: the ratings of all players but the anchor, which is number 0.
  Eigen::Index free() const { return std::ssize(players_) - 1; }

  int number(const std::string& player) {
    const auto [entry, is_new] = numbers_.try_emplace(player, static_cast<int>(players_.size()));
    if (is_new) {
      players_.push_back(player);
      games_.push_back(0);
    }
    return entry->second;
  }

  void require_connected(const std::string& anchor) const {
    std::vector<bool> reached(players_.size(), false);
    reached[0] = true;
    for (bool more = true; more;) {
      more = false;
      for (const Meeting& meeting : meetings_) {
        const auto a = static_cast<std::size_t>(meeting.a);
        const auto b = static_cast<std::size_t>(meeting.b);
        if (reached[a] == reached[b]) continue;
        reached[a] = reached[b] = more = true;
      }
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (reached[i]) continue;
      throw base::InputError("ratings: no games connect '" + players_[i] + "' with '" + anchor +
                             "'");
    }
  }

  // The share of the points that the model expects of a.
  double expected(const Meeting& m) const { return 1 / (1 + std::exp(logit_[m.b] - logit_[m.a])); }

  // Of the log-likelihood of all games, with respect to the unknowns.
  Eigen::VectorXd gradient() const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(free() + 1);
    for (const Meeting& m : meetings_) {
      const double excess =
          2 * (m.shares + kDrawnPairs / 2 - (m.pairs + kDrawnPairs) * expected(m));
      sum[m.a] += excess;
      sum[m.b] -= excess;
    }
    return sum.tail(free());
  }

  // The sum of weight * (e_a - e_b)(e_a - e_b)^T over the meetings, of the unknowns.
  template <class Weight>
  Eigen::MatrixXd outer_sum(Weight weight) const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(free() + 1, free() + 1);
    for (const Meeting& m : meetings_) {
      const double w = weight(m);
      sum(m.a, m.a) += w;
      sum(m.b, m.b) += w;
      sum(m.a, m.b) -= w;
      sum(m.b, m.a) -= w;
    }
    return sum.bottomRightCorner(free(), free());
  }

  // The log-likelihood's negative second derivative.
  Eigen::MatrixXd curvature() const {
    return outer_sum([&](const Meeting& m) {
      const double p = expected(m);
      return 2 * (m.pairs + kDrawnPairs) * p * (1 - p);
    });
  }

  // The gradient's covariance, by the scatter of the pairs.
  Eigen::MatrixXd scatter() const {
    return outer_sum([&](const Meeting& m) {
      const double p = expected(m);
      const double ratio = variance_ratio(m.scatter, m.degrees, m.shares / m.pairs,
                                          PairStatistics::kIndependentRatio);
      return 4 * (m.pairs + kDrawnPairs) * ratio * p * (1 - p);
    });
  }

  std::map<std::string, int> numbers_;
  std::vector<std::string> players_;
  std::vector<int> games_;
  std::vector<Meeting> meetings_;
  Eigen::VectorXd logit_;  // logits, by number; the anchor's stays 0
};

}  // namespace

std::vector<Rating> fit_ratings(const std::vector<Encounter>& encounters,
                                const std::string& anchor) {
  Fit fit(encounters, anchor);
  fit.maximise();
  return fit.ratings();
}

nlohmann::json to_json(const std::vector<Rating>& ratings) {
  nlohmann::json array = nlohmann::json::array();
  for (const Rating& rating : ratings) {
    array.push_back({{"player", rating.player},
                     {"elo", to_json(rating.elo)},
                     {"games", rating.games},
                     {"covariance", rating.covariance}});
    if (rating.simulations) array.back()["simulations"] = *rating.simulations;
    if (rating.time_ms) array.back()["movetime_ms"] = *rating.time_ms;
  }
  return array;
}

}  // namespace arena
