#include "studies/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mcts/tree.h"
#include "rules/move_list.h"
#include "studies/answers.h"
#include "studies/estimates.h"

namespace studies {
namespace {

using nlohmann::ordered_json;
using rules::Outcome;

constexpr int kBootstraps = 200;
constexpr std::size_t kBatch = 256;

struct Prediction {
  std::uint32_t game;
  std::array<float, rules::kOutcomes> outcomes;
};

void evaluate(mcts::LeafBatch& batch, mcts::Evaluator& evaluator, std::vector<Prediction>& out) {
  evaluator.evaluate(batch);
  for (const mcts::Leaf& leaf : batch.leaves) {
    out.push_back({leaf.ticket, leaf.evaluation.outcomes});
  }
  batch.clear();
}

// Every position that needs an evaluation, in order.
std::vector<Prediction> predict(std::span<const selfplay::GameRecord> games,
                                mcts::Evaluator& evaluator) {
  std::vector<Prediction> predictions;
  mcts::LeafBatch batch;
  for (std::size_t i = 0; i < games.size(); ++i) {
    rules::Position position = games[i].start();
    rules::History past;
    for (const selfplay::PlyRecord& ply : games[i].plies) {
      rules::MoveList moves;
      const int occurrences = past.occurrences(position);
      if (!mcts::exact_end(position, occurrences, games[i].table, moves)) {
        mcts::Leaf& leaf = batch.add(position, games[i].table, moves);
        leaf.ticket = static_cast<std::uint32_t>(i);
        leaf.occurrences = occurrences;
      }
      if (batch.leaves.size() == kBatch) evaluate(batch, evaluator, predictions);
      past.add(position);
      position.play(ply.played);
    }
  }
  if (!batch.leaves.empty()) evaluate(batch, evaluator, predictions);
  return predictions;
}

// What is measured of the predictions; the games under their own set's table are the first of two.
struct Measures {
  Calibration outcomes;
  std::array<ReliabilityBins, 2> points;  // White's shares of the ten

  void add(const Prediction& prediction, const selfplay::GameRecord& game, double weight) {
    outcomes.add(prediction.outcomes, game.outcome, weight);
    points[is_changed(game)].add(game.table.white_points(prediction.outcomes) / 10,
                                 game.table.white_points(game.outcome) / 10, weight);
  }
  static std::size_t is_changed(const selfplay::GameRecord& game) {
    return game.table == game.rules.table() ? 0 : 1;
  }
  // Those that have intervals: the outcomes' errors, then difference and error of each points.
  std::vector<double> figures() const {
    std::vector<double> all;
    for (int i = 0; i < rules::kOutcomes; ++i) {
      all.push_back(outcomes.error(static_cast<Outcome>(i)));
    }
    for (const ReliabilityBins& group : points) {
      all.push_back(10 * (group.all().predicted - group.all().observed));
      all.push_back(10 * group.error());
    }
    return all;
  }
};

ordered_json outcome_json(const Calibration& calibration, Outcome outcome,
                          const arena::Estimate& error) {
  ordered_json bins = ordered_json::array();
  double weight = 0, observed = 0;
  for (int i = 0; i < Calibration::kBins; ++i) {
    const Calibration::Bin bin = calibration.bin(outcome, i);
    weight += bin.weight;
    observed += bin.weight * bin.observed;
    if (bin.weight == 0) continue;
    bins.push_back(
        {{"weight", bin.weight}, {"predicted", bin.predicted}, {"observed", bin.observed}});
  }
  return {{"name", rules::name(outcome)},
          {"error", to_json(error)},
          {"share", weight > 0 ? observed / weight : 0},
          {"bins", std::move(bins)}};
}

}  // namespace

void ReliabilityBins::add(double predicted, double observed, double weight) {
  const int bin = std::clamp(static_cast<int>(predicted * kBins), 0, kBins - 1);
  for (Bin* sums : {&sums_[static_cast<std::size_t>(bin)], &total_}) {
    sums->weight += weight;
    sums->predicted += weight * predicted;
    sums->observed += weight * observed;
  }
}

ReliabilityBins::Bin ReliabilityBins::mean(const Bin& sums) {
  if (sums.weight == 0) return {};
  return {sums.weight, sums.predicted / sums.weight, sums.observed / sums.weight};
}

double ReliabilityBins::error() const {
  double sum = 0;
  for (const Bin& sums : sums_) sum += std::abs(sums.predicted - sums.observed);
  return total_.weight > 0 ? sum / total_.weight : 0;
}

void Calibration::add(const std::array<float, rules::kOutcomes>& predicted, Outcome actual,
                      double weight) {
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double came = rules::index(actual) == static_cast<int>(i) ? 1 : 0;
    bins_[i].add(static_cast<double>(predicted[i]), came, weight);
  }
}

ordered_json calibration_figures(std::span<const selfplay::GameRecord> games,
                                 mcts::Evaluator& evaluator) {
  const std::vector<Prediction> predictions = predict(games, evaluator);
  std::vector<std::uint64_t> clusters;
  for (const Prediction& prediction : predictions) clusters.push_back(prediction.game);
  const auto weighed = [&](std::span<const double> times) {
    Measures measures;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      if (times[i] > 0) measures.add(predictions[i], games[predictions[i].game], times[i]);
    }
    return measures;
  };
  const auto intervals =
      bootstrap(clusters, kBootstraps, base::Rng(1),
                [&](std::span<const double> times) { return weighed(times).figures(); });
  const Measures measures = weighed(std::vector<double>(predictions.size(), 1.0));
  ordered_json out{{"positions", predictions.size()},
                   {"games", games.size()},
                   {"outcomes", ordered_json::array()},
                   {"points", ordered_json::array()}};
  auto interval = intervals.begin();
  for (int i = 0; i < rules::kOutcomes; ++i) {
    out["outcomes"].push_back(
        outcome_json(measures.outcomes, static_cast<Outcome>(i), *interval++));
  }
  for (std::size_t group = 0; group < measures.points.size(); ++group, interval += 2) {
    const auto in_group = [&](const selfplay::GameRecord& game) {
      return Measures::is_changed(game) == group;
    };
    const auto count = std::ranges::count_if(games, in_group);
    if (count == 0) continue;
    out["points"].push_back(
        {{"tables", group == 0 ? "standard" : "changed"},
         {"positions", std::ranges::count_if(
                           predictions, [&](const auto& p) { return in_group(games[p.game]); })},
         {"games", count},
         {"predicted", 10 * measures.points[group].all().predicted},
         {"scored", 10 * measures.points[group].all().observed},
         {"difference", to_json(interval[0])},
         {"error", to_json(interval[1])}});
  }
  return out;
}

std::string calibration_text(const ordered_json& figures) {
  std::string text =
      fmt::format("{} positions of {} games; expected calibration error:\n",
                  figures["positions"].get<std::int64_t>(), figures["games"].get<std::int64_t>());
  for (const auto& outcome : figures["outcomes"]) {
    text +=
        fmt::format("  {:<28} {:>5.1f} % of positions  {}\n", outcome["name"].get<std::string>(),
                    100 * outcome["share"].get<double>(), estimate_text(outcome["error"], 3));
  }
  for (const auto& points : figures["points"]) {
    text += fmt::format(
        "White's points in {} games under {} tables: {:.2f} predicted, {:.2f} scored, difference "
        "{}, expected calibration error {}\n",
        points["games"].get<std::int64_t>(), points["tables"].get<std::string>(),
        points["predicted"].get<double>(), points["scored"].get<double>(),
        estimate_text(points["difference"], 3), estimate_text(points["error"], 3));
  }
  return text;
}

}  // namespace studies
