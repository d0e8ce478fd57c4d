#include "studies/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "mcts/tree.h"
#include "rules/move_list.h"
#include "rules/notation.h"
#include "studies/ending_errors.h"
#include "studies/words.h"

namespace studies {
namespace {

constexpr int kBinBootstraps = 200;
constexpr std::size_t kBatch = 256;

// Where the ranges of plies begin.
constexpr std::array kPlies{0, 20, 40, 60, 80, 120};

struct Prediction {
  std::uint32_t game = 0;
  std::size_t group = 0;  // of kPlies, first those with White to move
  std::array<float, rules::kOutcomes> outcomes{};
};

std::size_t ply_group(std::size_t ply, rules::Color turn) {
  const auto above = std::ranges::upper_bound(kPlies, static_cast<int>(ply));
  const auto range = static_cast<std::size_t>(above - kPlies.begin()) - 1;
  return range + (turn == rules::Color::kWhite ? 0 : kPlies.size());
}

// Notes what is predicted of the batch's positions, to which the leaves' tickets lead.
void evaluate(mcts::LeafBatch& batch, mcts::Evaluator& evaluator, std::vector<Prediction>& out) {
  evaluator.evaluate(batch);
  for (const mcts::Leaf& leaf : batch.leaves) out[leaf.ticket].outcomes = leaf.evaluation.outcomes;
  batch.clear();
}

// Every position that needs an evaluation, in order, or the quiet ones alone.
std::vector<Prediction> predict(std::span<const selfplay::GameRecord> games,
                                mcts::Evaluator& evaluator, bool quiet_alone) {
  std::vector<Prediction> predictions;
  mcts::LeafBatch batch;
  for (std::size_t i = 0; i < games.size(); ++i) {
    rules::Line line(games[i].start());
    for (std::size_t ply = 0; ply < games[i].plies.size(); ++ply) {
      rules::MoveList moves;
      const int occurrences = line.past.occurrences(line.position);
      const rules::Move played = games[i].plies[ply].played;
      const bool counts =
          !line.position.is_chance() && (!quiet_alone || selfplay::is_quiet(line.position, played));
      if (counts && !mcts::exact_end(line.position, occurrences, games[i].table, moves)) {
        mcts::Leaf& leaf = batch.add(line.position, games[i].table, moves);
        leaf.ticket = static_cast<std::uint32_t>(predictions.size());
        leaf.occurrences = occurrences;
        predictions.push_back(
            {static_cast<std::uint32_t>(i), ply_group(ply, line.position.side_to_move()), {}});
      }
      if (batch.leaves.size() == kBatch) evaluate(batch, evaluator, predictions);
      line.play(played);
    }
  }
  if (!batch.leaves.empty()) evaluate(batch, evaluator, predictions);
  return predictions;
}

// What is measured of the predictions; the games under their own set's table are the first of two.
struct Measures {
  OutcomeBins outcomes;
  std::array<ReliabilityBins, 2> points;                 // White's shares of the ten
  std::array<ReliabilityBins, 2 * kPlies.size()> plies;  // the same by ply_group()

  void add(const Prediction& prediction, const selfplay::GameRecord& game, rules::Outcome outcome,
           double weight) {
    add_outcome(prediction.outcomes, outcome, weight, outcomes);
    for (ReliabilityBins* bins : {&points[is_changed(game)], &plies[prediction.group]}) {
      bins->add(game.table.white_points(prediction.outcomes) / 10,
                game.table.white_points(outcome) / 10, weight);
    }
  }
  static std::size_t is_changed(const selfplay::GameRecord& game) {
    return game.table == game.rules.table() ? 0 : 1;
  }
  // The expected calibration errors of the outcomes, then those of points.
  std::vector<double> errors() const {
    std::vector<double> all;
    for (const ReliabilityBins& bins : outcomes) all.push_back(bins.error());
    for (const ReliabilityBins& group : points) all.push_back(10 * group.error());
    return all;
  }
  // Points predicted less scored: of each points, then of each group of plies.
  std::vector<double> differences() const {
    std::vector<double> all;
    for (const ReliabilityBins& group : points) all.push_back(10 * group.all().difference());
    for (const ReliabilityBins& group : plies) all.push_back(10 * group.all().difference());
    return all;
  }
  std::vector<double> figures() const {
    std::vector<double> all = errors();
    const std::vector<double> more = differences();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

// Returns the outcome at which the probabilities, summed in their order, pass `level`.
rules::Outcome quantile(const std::array<float, rules::kOutcomes>& probabilities, double level) {
  std::size_t i = 0;
  for (; i + 1 < probabilities.size(); ++i) {
    level -= static_cast<double>(probabilities[i]);
    if (level < 0) break;
  }
  return static_cast<rules::Outcome>(i);
}

// CalibrationError::by_chance of each of Measures::errors().
std::vector<double> errors_by_chance(std::span<const Prediction> predictions,
                                     std::span<const selfplay::GameRecord> games,
                                     std::span<const GameFacts> facts) {
  // The first game like each.
  std::unordered_map<std::uint64_t, std::size_t> firsts;
  std::vector<std::size_t> first(games.size());
  for (std::size_t i = 0; i < games.size(); ++i) {
    first[i] = firsts.emplace(facts[i].game, i).first->second;
  }
  std::vector<double> means(Measures().errors().size());
  std::vector<double> levels(games.size());
  base::Rng rng(1);
  for (int round = 0; round < kBinBootstraps; ++round) {
    Measures measures;
    for (double& level : levels) level = rng.uniform();
    for (const Prediction& one : predictions) {
      measures.add(one, games[one.game], quantile(one.outcomes, levels[first[one.game]]), 1);
    }
    const std::vector<double> errors = measures.errors();
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += errors[i] / kBinBootstraps;
  }
  return means;
}

CalibrationError error_of(const Resampled& error, double by_chance) {
  const double excess = error.value - by_chance;
  const double center = std::accumulate(error.draws.begin(), error.draws.end(), 0.0) /
                        static_cast<double>(error.draws.size());
  return {
      error.value,
      by_chance,
      {excess, excess + error.quantile(0.025) - center, excess + error.quantile(0.975) - center}};
}

CalibrationFigures::OfOutcome of_outcome(const ReliabilityBins& bins,
                                         const CalibrationError& error) {
  CalibrationFigures::OfOutcome figures{error, 0, {}};
  double weight = 0, observed = 0;
  for (int i = 0; i < ReliabilityBins::kBins; ++i) {
    const ReliabilityBins::Bin bin = bins.bin(i);
    weight += bin.weight;
    observed += bin.weight * bin.observed;
    if (bin.weight > 0) figures.bins.push_back(bin);
  }
  if (weight > 0) figures.share = observed / weight;
  return figures;
}

// `differences`: of the groups of plies, in their order.
std::vector<CalibrationFigures::OfPlies> of_plies(std::span<const Prediction> predictions,
                                                  std::span<const Resampled> differences) {
  std::vector<std::ptrdiff_t> positions(differences.size());
  for (const Prediction& prediction : predictions) ++positions[prediction.group];
  std::vector<CalibrationFigures::OfPlies> all;
  for (std::size_t range = 0; range < kPlies.size(); ++range) {
    for (const rules::Color turn : {rules::Color::kWhite, rules::Color::kBlack}) {
      const int from = kPlies[range];
      const std::size_t group = ply_group(static_cast<std::size_t>(from), turn);
      if (positions[group] == 0) continue;
      const bool last = range + 1 == kPlies.size();
      all.push_back({from, last ? std::nullopt : std::optional(kPlies[range + 1] - 1), turn,
                     positions[group], differences[group].interval()});
    }
  }
  return all;
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

void add_outcome(const std::array<float, rules::kOutcomes>& predicted, rules::Outcome actual,
                 double weight, OutcomeBins& bins) {
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double observed = rules::index(actual) == static_cast<int>(i) ? 1 : 0;
    bins[i].add(static_cast<double>(predicted[i]), observed, weight);
  }
}

CalibrationFigures calibration_figures(std::span<const selfplay::GameRecord> games,
                                       mcts::Evaluator& evaluator, bool quiet_alone) {
  const std::vector<Prediction> predictions = predict(games, evaluator, quiet_alone);
  std::vector<std::uint64_t> clusters;
  for (const Prediction& prediction : predictions) clusters.push_back(prediction.game);
  const auto weighed = [&](std::span<const double> times) {
    Measures measures;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      const selfplay::GameRecord& game = games[predictions[i].game];
      if (times[i] > 0) measures.add(predictions[i], game, game.outcome, times[i]);
    }
    return measures;
  };
  const auto resampled =
      resample(clusters, kBinBootstraps, base::Rng(1),
               [&](std::span<const double> times) { return weighed(times).figures(); });
  const Measures measures = weighed(std::vector<double>(predictions.size(), 1.0));
  std::vector<GameFacts> facts;
  for (const selfplay::GameRecord& game : games) facts.push_back(facts_of(game, 0));
  CalibrationFigures figures{
      quiet_alone, predictions.size(), games.size(), varieties(facts).back(), {}, {}, {}};
  const auto by_chance = errors_by_chance(predictions, games, facts);
  const auto error = [&](std::size_t i) { return error_of(resampled[i], by_chance[i]); };
  for (std::size_t i = 0; i < figures.outcomes.size(); ++i) {
    figures.outcomes[i] = of_outcome(measures.outcomes[i], error(i));
  }
  for (std::size_t group = 0; group < measures.points.size(); ++group) {
    const auto in_group = [&](const selfplay::GameRecord& game) {
      return Measures::is_changed(game) == group;
    };
    const auto count = std::ranges::count_if(games, in_group);
    if (count == 0) continue;
    const auto positions = std::ranges::count_if(
        predictions, [&](const Prediction& p) { return in_group(games[p.game]); });
    const ReliabilityBins::Bin all = measures.points[group].all();
    figures.points.push_back({group == 0 ? "standard" : "changed", positions, count,
                              10 * all.predicted, 10 * all.observed,
                              resampled[by_chance.size() + group].interval(),
                              error(figures.outcomes.size() + group)});
  }
  figures.plies = of_plies(predictions,
                           std::span(resampled).subspan(by_chance.size() + measures.points.size()));
  return figures;
}

CalibrationStudy::CalibrationStudy()
    : Study("calibration",
            "whether outcomes come as often as a network says, in games that it never saw") {}

std::vector<base::CommandOption> CalibrationStudy::options() {
  return {{"--sims", "N", kSimsHelp, &simulations},
          {"--table", "T", kTableHelp, &table},
          base::CommandOption(
              "--played", "DIR",
              "instead of new games the newest --games in the games.db of DIR: all that "
              "`selfplay` left there, or those that the run in DIR has not learned from",
              &played)
              .without({"--sims", "--table", "--opening-plies", "--seeds", "--fen"}),
          {"--tablebase", "DIR",
           "also compare network and search with exact play, in --games positions of each ending "
           "of DIR (of `tablebase`) and in --games endings played out",
           &tablebase}};
}

Answer CalibrationStudy::run(Subject& subject) const {
  std::optional<SelfGamesConfig> config;
  if (played.empty()) config = subject.config(simulations, subject.table(table));
  const auto games = config ? subject.games(*config) : subject.unseen(played);
  const auto thinker = subject.thinker();
  const auto figures =
      calibration_figures(games, thinker->evaluator(), thinker->asks_of_quiet_alone());
  Answer answer = words(*this, subject.name(), figures, config ? &*config : nullptr);
  if (!tablebase.empty()) add_ending_errors(subject, answer);
  return answer;
}

void CalibrationStudy::add_ending_errors(Subject& subject, Answer& answer) const {
  const SelfGamesConfig games = subject.config(simulations, subject.table(table));
  const tablebase::Tables tables(tablebase, games.rules, games.table);
  const EndingErrorsConfig config{.positions = games.games,
                                  .games = games.games,
                                  .budget = games.simulations,
                                  .seed = games.seed,
                                  .threads = games.threads};
  const EndingErrors errors = ending_errors(
      tables, config, [&] { return subject.thinker(); }, [&] { return subject.stopped(); });
  if (subject.stopped()) throw Stopped{};
  answer.json["exact"] = json_of(errors, config);
  answer.text += text_of(errors, config);
}

namespace {

using nlohmann::ordered_json;
using Figures = CalibrationFigures;

ordered_json bin_json(const ReliabilityBins::Bin& bin) {
  return {{"weight", bin.weight}, {"predicted", bin.predicted}, {"observed", bin.observed}};
}

// Adds an error's three figures.
void add_error(const CalibrationError& error, ordered_json& json) {
  json["error"] = error.error;
  json["error_by_chance"] = error.by_chance;
  json["error_excess"] = json_of(error.excess);
}

ordered_json points_json(const Figures::OfPoints& points) {
  ordered_json json{{"tables", points.tables}, {"positions", points.positions},
                    {"games", points.games},   {"predicted", points.predicted},
                    {"scored", points.scored}, {"difference", json_of(points.difference)}};
  add_error(points.error, json);
  return json;
}

ordered_json plies_json(const Figures::OfPlies& plies) {
  return {{"from_ply", plies.from},
          {"to_ply", plies.to ? ordered_json(*plies.to) : ordered_json()},
          {"turn", plies.turn == rules::Color::kWhite ? "white" : "black"},
          {"positions", plies.positions},
          {"difference", json_of(plies.difference)}};
}

std::string plies_text(const std::vector<Figures::OfPlies>& all) {
  std::string text = "White's points predicted less scored, by ply and side to move\n";
  for (const Figures::OfPlies& plies : all) {
    const std::string range = plies.to ? fmt::format("{} to {}", plies.from, *plies.to)
                                       : fmt::format("from {}", plies.from);
    text += fmt::format("  {:<12}{}  {:<22}  {} positions\n", range,
                        plies.turn == rules::Color::kWhite ? "White" : "Black",
                        text_of(plies.difference), plies.positions);
  }
  return text;
}

ordered_json outcome_json(std::size_t index, const Figures::OfOutcome& outcome) {
  ordered_json json{{"name", rules::name(static_cast<rules::Outcome>(index))}};
  add_error(outcome.error, json);
  json["share"] = outcome.share;
  json["bins"] = list_of(outcome.bins, bin_json);
  return json;
}

}  // namespace

Answer words(const CalibrationStudy& study, const std::string& network, const Figures& figures,
             const SelfGamesConfig* config) {
  ordered_json json{{"net", network}};
  if (config != nullptr) {
    json["simulations"] = config->simulations;
  } else {
    json["played"] = study.played;
  }
  json["quiet_positions_alone"] = figures.quiet_alone;
  json["positions"] = figures.positions;
  json["games"] = figures.games;
  json["outcomes"] = ordered_json::array();
  std::string text = fmt::format(
      "{} {}positions of {} games; expected calibration error, the same where all probabilities are "
      "right, and how much it is more:\n",
      figures.positions, figures.quiet_alone ? "quiet " : "", figures.games);
  for (std::size_t i = 0; i < figures.outcomes.size(); ++i) {
    const Figures::OfOutcome& outcome = figures.outcomes[i];
    json["outcomes"].push_back(outcome_json(i, outcome));
    text +=
        fmt::format("  {:<28} {:>5.1f} % of positions  {:.3f}  {:.3f}  {}\n",
                    rules::name(static_cast<rules::Outcome>(i)), 100 * outcome.share,
                    outcome.error.error, outcome.error.by_chance, text_of(outcome.error.excess, 3));
  }
  json["points"] = list_of(figures.points, points_json);
  for (const Figures::OfPoints& points : figures.points) {
    text += fmt::format(
        "White's points in {} games under {} tables: {:.2f} predicted, {:.2f} scored, difference "
        "{}, expected calibration error {:.3f}, {} more than by chance\n",
        points.games, points.tables, points.predicted, points.scored, text_of(points.difference, 3),
        points.error.error, text_of(points.error.excess, 3));
  }
  json["plies"] = list_of(figures.plies, plies_json);
  text += plies_text(figures.plies);
  Answer answer{std::move(json), std::move(text)};
  if (config == nullptr) return answer;
  if (const auto warning = few_lines_warning(figures.variety, *config); !warning.empty()) {
    add_words({{kFewLinesQuestion, "No: " + warning + "."}}, answer);
  }
  return answer;
}

}  // namespace studies
