#include "training/studies/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mcts/tree.h"
#include "rules/move_list.h"
#include "training/studies/answers.h"
#include "training/studies/estimates.h"

namespace training {
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

std::vector<double> errors(const Calibration& calibration) {
  std::vector<double> all;
  for (int i = 0; i < rules::kOutcomes; ++i) {
    all.push_back(calibration.error(static_cast<Outcome>(i)));
  }
  return all;
}

ordered_json outcome_json(const Calibration& calibration, Outcome outcome, const Estimate& error) {
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

void Calibration::add(const std::array<float, rules::kOutcomes>& predicted, Outcome actual,
                      double weight) {
  total_ += weight;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const auto p = static_cast<double>(predicted[i]);
    const int bin = std::clamp(static_cast<int>(p * kBins), 0, kBins - 1);
    Sums& sums = sums_[i][static_cast<std::size_t>(bin)];
    sums.weight += weight;
    sums.predicted += weight * p;
    if (rules::index(actual) == static_cast<int>(i)) sums.observed += weight;
  }
}

Calibration::Bin Calibration::bin(Outcome outcome, int i) const {
  const Sums& sums =
      sums_[static_cast<std::size_t>(rules::index(outcome))][static_cast<std::size_t>(i)];
  if (sums.weight == 0) return {};
  return {sums.weight, sums.predicted / sums.weight, sums.observed / sums.weight};
}

double Calibration::error(Outcome outcome) const {
  double sum = 0;
  for (const Sums& sums : sums_[static_cast<std::size_t>(rules::index(outcome))]) {
    sum += std::abs(sums.predicted - sums.observed);
  }
  return total_ > 0 ? sum / total_ : 0;
}

ordered_json calibration_figures(std::span<const selfplay::GameRecord> games,
                                 mcts::Evaluator& evaluator) {
  const std::vector<Prediction> predictions = predict(games, evaluator);
  std::vector<std::uint64_t> clusters;
  for (const Prediction& prediction : predictions) clusters.push_back(prediction.game);
  const auto weighed = [&](std::span<const double> times) {
    Calibration calibration;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      if (times[i] > 0) {
        calibration.add(predictions[i].outcomes, games[predictions[i].game].outcome, times[i]);
      }
    }
    return calibration;
  };
  const auto intervals =
      bootstrap(clusters, kBootstraps, rules::Rng(1),
                [&](std::span<const double> times) { return errors(weighed(times)); });
  const Calibration calibration = weighed(std::vector<double>(predictions.size(), 1.0));
  ordered_json out{{"positions", predictions.size()},
                   {"games", games.size()},
                   {"outcomes", ordered_json::array()}};
  for (int i = 0; i < rules::kOutcomes; ++i) {
    out["outcomes"].push_back(
        outcome_json(calibration, static_cast<Outcome>(i), intervals[static_cast<std::size_t>(i)]));
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
  return text;
}

}  // namespace training
