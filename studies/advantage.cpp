#include "studies/advantage.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "rules/notation.h"

namespace studies {
namespace {

using rules::PieceType;
using Games = std::vector<GameFacts>;

constexpr int kFitBootstraps = 500;

// The mean of `value` over the games of which `which` holds, if there are any; bounded where a
// range is given.
template <class Which, class Value>
std::optional<Estimate> mean(const Games& games, Which which, Value value, double low = -INFINITY,
                             double high = INFINITY) {
  std::vector<Sample> samples;
  for (const GameFacts& game : games) {
    if (which(game)) samples.push_back(game.sample(value(game)));
  }
  if (samples.empty()) return std::nullopt;
  return std::isfinite(low) ? mean_within(samples, low, high) : mean_of(samples);
}
constexpr auto kAll = [](const GameFacts&) { return true; };

// The share of the games of which `is` holds.
template <class Is>
Estimate share(const Games& games, Is is) {
  return *mean(
      games, kAll, [&](const GameFacts& g) { return is(g) ? 1.0 : 0.0; }, 0, 1);
}

double points_of(const GameFacts& game, const rules::ScoringTable& table, std::size_t side) {
  const double white = game.points_white(table);
  return side == 0 ? white : 10 - white;
}

std::vector<AdvantageFigures::OfSeed> by_seed(const SelfGamesConfig& config, const Games& all) {
  std::vector<AdvantageFigures::OfSeed> seeds;
  const auto step = static_cast<std::size_t>(config.seeds);
  for (std::size_t k = 0; k < std::min(step, all.size()); ++k) {
    Games own;
    for (std::size_t n = k; n < all.size(); n += step) own.push_back(all[n]);
    seeds.push_back({config.seed + k, own.size(), points_white(own, config.table)});
  }
  return seeds;
}

void count_games(const SelfGamesConfig& config, const Games& games, StartValues::FirstMove& move) {
  Games own;
  std::ranges::copy_if(games, std::back_inserter(own),
                       [&](const GameFacts& game) { return game.first_move == move.move; });
  move.games = own.size();
  move.share = static_cast<double>(own.size()) / static_cast<double>(games.size());
  if (!own.empty()) move.points_white = points_white(own, config.table);
}

bool has_reserve(const rules::Position& position) {
  return std::ranges::any_of(kPlacedPieces, [&](PieceType piece) {
    return position.reserve(rules::Color::kWhite, piece) > 0 ||
           position.reserve(rules::Color::kBlack, piece) > 0;
  });
}

Placing placing(const Games& games, std::size_t side, int SideFacts::*turn) {
  Placing placing;
  const auto at = [&](const GameFacts& g) { return g.sides[side].*turn; };
  for (const GameFacts& game : games) {
    if (at(game) == 0) continue;
    ++placing.turns[static_cast<std::size_t>(std::min(at(game), kTurnsShown) - 1)];
  }
  for (double& count : placing.turns) count /= static_cast<double>(games.size());
  placing.first = share(games, [&](const GameFacts& g) { return at(g) == 1; });
  placing.never = share(games, [&](const GameFacts& g) { return at(g) == 0; });
  placing.turn = mean(
      games, [&](const GameFacts& g) { return at(g) > 0; }, at);
  return placing;
}

std::array<double, 8> files_of(const Games& games, std::size_t side, PieceType piece) {
  std::array<double, 8> files{};
  double sum = 0;
  for (const GameFacts& game : games) {
    const auto& placed = game.sides[side].placements[static_cast<std::size_t>(index(piece))];
    for (std::size_t f = 0; f < files.size(); ++f) files[f] += placed[f];
  }
  for (const double file : files) sum += file;
  for (double& file : files) file /= std::max(sum, 1e-9);
  return files;
}

ReserveSide reserve_side(const SelfGamesConfig& config, const Games& games, std::size_t side) {
  ReserveSide own;
  own.king = placing(games, side, &SideFacts::king_turn);
  own.queen = placing(games, side, &SideFacts::queen_turn);
  own.all = placing(games, side, &SideFacts::placed_turn);
  const auto first = [&](const GameFacts& g) { return g.sides[side].king_turn == 1; };
  const auto points = [&](const GameFacts& g) { return points_of(g, config.table, side); };
  own.points_first = mean(games, first, points, 0, 10);
  own.points_later = mean(games, std::not_fn(first), points, 0, 10);
  std::ranges::transform(kPlacedPieces, own.placements.begin(),
                         [&](PieceType piece) { return files_of(games, side, piece); });
  return own;
}

// Each game's points of a side over the mean of its colour.
class Excess {
 public:
  Excess(const Games& games, const rules::ScoringTable& table) : table_(table) {
    for (const GameFacts& game : games) mean_white_ += points_of(game, table, 0);
    mean_white_ /= static_cast<double>(games.size());
  }
  Sample of(const GameFacts& game, std::size_t side) const {
    const double mean = side == 0 ? mean_white_ : 10 - mean_white_;
    return game.sample(points_of(game, table_, side) - mean);
  }

 private:
  const rules::ScoringTable& table_;
  double mean_white_ = 0;
};

void note_bishops(const Excess& over_mean, const Games& games, ReserveFigures& figures) {
  std::vector<Sample> shares, excess;
  for (const GameFacts& game : games) {
    for (const std::size_t side : {0u, 1u}) {
      const auto alike = game.sides[side].bishops_on_one_colour;
      if (!alike) continue;
      shares.push_back(game.sample(*alike ? 1 : 0));
      if (*alike) excess.push_back(over_mean.of(game, side));
    }
  }
  figures.bishops_share = mean_within(shares, 0, 1);
  figures.bishops_sides = shares.size();
  if (!excess.empty()) figures.bishops_excess = mean_of(excess);
}

void note_sooner(const Excess& over_mean, const Games& games, ReserveFigures& figures) {
  std::vector<Sample> excess;
  for (const GameFacts& game : games) {
    const auto turn = [&](std::size_t side) {
      const int placed = game.sides[side].placed_turn;
      return placed > 0 ? placed : std::numeric_limits<int>::max();
    };
    if (turn(0) != turn(1)) excess.push_back(over_mean.of(game, turn(0) < turn(1) ? 0 : 1));
  }
  figures.sooner_games = excess.size();
  if (!excess.empty()) figures.sooner_excess = mean_of(excess);
}

void note_promotions(const Games& games, AdvantageFigures& figures) {
  std::vector<Sample> under;
  for (const GameFacts& game : games) {
    for (const SideFacts& side : game.sides) {
      for (int i = 0; i < side.promotions; ++i) {
        under.push_back(game.sample(i < side.underpromotions ? 1 : 0));
      }
    }
  }
  figures.promotions = *mean(games, kAll, [](const GameFacts& game) {
    return game.sides[0].promotions + game.sides[1].promotions;
  });
  figures.all_promotions = under.size();
  if (!under.empty()) figures.underpromotions = mean_within(under, 0, 1);
}

ReserveFigures reserve_figures(const SelfGamesConfig& config, const Games& games,
                               const StartValues& start) {
  ReserveFigures figures;
  for (const std::size_t side : {0u, 1u}) {
    figures.sides[side] = reserve_side(config, games, side);
  }
  for (const auto& move : start.first_moves) {  // the best comes first
    auto& best = move.king ? figures.best_king : figures.best_other;
    if (!best) best = move;
  }
  const Excess over_mean(games, config.table);
  note_bishops(over_mean, games, figures);
  note_sooner(over_mean, games, figures);
  return figures;
}

void note_piece_values(const Games& games, AdvantageFigures& figures) {
  std::vector<MaterialSample> all;
  for (const GameFacts& game : games) {
    for (MaterialSample sample : game.material) {
      sample.points_white = game.points_white(figures.config.table);
      all.push_back(sample);
    }
  }
  if (all.empty()) return;
  const base::Rng rng(figures.config.seed);
  figures.piece_values = piece_values(all, kFitBootstraps, rng);
  for (std::size_t phase = 0; phase < kPhaseNames.size(); ++phase) {
    std::vector<MaterialSample> own;
    std::ranges::copy_if(all, std::back_inserter(own), [&](const MaterialSample& sample) {
      return sample.phase == static_cast<Phase>(phase);
    });
    if (own.empty()) continue;
    const auto values = piece_values(own, kFitBootstraps, rng);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool seen = std::ranges::any_of(
          own, [&](const MaterialSample& sample) { return sample.material[i] != 0; });
      figures.phase_values[phase].push_back(seen ? std::optional(values[i]) : std::nullopt);
    }
  }
}

// The position's moves, mirror images once, with a search of its own after each; the best for the
// side to move first.
std::vector<StartValues::FirstMove> searched_moves(const rules::Position& position,
                                                   const SelfGamesConfig& config, int simulations,
                                                   Thinker& thinker) {
  std::vector<StartValues::FirstMove> moves;
  std::vector<rules::Position> asked;
  std::vector<std::size_t> of;  // the moves after which the game goes on
  for (const rules::Move move : position.legal_moves()) {
    if (first_image(position, move) != move.raw()) continue;
    moves.push_back({move.raw(), rules::to_uci(move),
                     move.is_placement() && move.placed() == PieceType::kKing, 0});
    const rules::Position after = position.after(move);
    if (const auto over = after.outcome(config.table)) {
      moves.back().points = config.table.white_points(*over);
    } else {
      of.push_back(moves.size() - 1);
      asked.push_back(after);
    }
  }
  const auto points = thinker.points_white(asked, config.table, std::max(1, simulations));
  for (std::size_t i = 0; i < points.size(); ++i) moves[of[i]].points = points[i];
  const double sign = position.side_to_move() == rules::Color::kWhite ? 1 : -1;
  std::ranges::stable_sort(moves, std::ranges::greater(),
                           [&](const auto& move) { return sign * move.points; });
  return moves;
}

StartValues::Viable viable(const std::vector<StartValues::FirstMove>& moves) {
  StartValues::Viable counts{.moves = moves.size()};
  for (std::size_t i = 0; i < kNearPoints.size(); ++i) {
    counts.near[i] = static_cast<std::size_t>(std::ranges::count_if(moves, [&](const auto& move) {
      return std::abs(move.points - moves.front().points) <= kNearPoints[i];
    }));
  }
  return counts;
}

}  // namespace

StartValues start_values(const SelfGamesConfig& config, int deep_simulations, Thinker& thinker) {
  const std::vector<rules::Position> starts = studied_starts(config);
  const auto searched = [&](const std::vector<rules::Position>& positions, int simulations) {
    return searched_points(positions, config.table, simulations, thinker);
  };
  StartValues values;
  values.network = evaluated_points(starts, config.table, thinker.evaluator());
  values.search = searched(starts, config.simulations);
  values.deep_search = searched(starts, deep_simulations);
  values.deep_simulations = deep_simulations;
  values.starts = starts.size();
  if (config.rules.setup == rules::Setup::kShuffled) return values;
  values.first_moves = searched_moves(starts.front(), config, deep_simulations / 2, thinker);
  values.viable.push_back(viable(values.first_moves));
  const auto best =
      rules::Move::from_raw(static_cast<std::uint16_t>(values.first_moves.front().move));
  const rules::Position after = starts.front().after(best);
  if (after.is_chance() || after.outcome(config.table)) return values;
  // There may be ten times as many answers.
  values.viable.push_back(viable(searched_moves(after, config, deep_simulations / 16, thinker)));
  return values;
}

AdvantageFigures advantage_figures(const SelfGamesConfig& config,
                                   const std::vector<selfplay::GameRecord>& records,
                                   const StartValues& start) {
  AdvantageFigures figures;
  figures.config = config;
  figures.start = start;
  Games games;
  std::set<std::uint64_t> openings;
  for (const auto& record : records) {
    games.push_back(facts_of(record, config.opening_plies));
    openings.insert(games.back().opening);
    figures.lengths.push_back(games.back().plies);
  }
  std::ranges::sort(figures.lengths);
  figures.games = games.size();
  figures.distinct_games = distinct_games(games);
  figures.openings = openings.size();
  figures.points_white = points_white(games, config.table);
  figures.by_seed = by_seed(config, games);
  for (std::size_t i = 0; i < figures.outcomes.size(); ++i) {
    figures.outcomes[i] =
        share(games, [&](const auto& g) { return g.outcome == static_cast<rules::Outcome>(i); });
  }
  for (auto& move : figures.start.first_moves) count_games(config, games, move);
  figures.variety = varieties(games);
  figures.book = main_lines(config, records);
  figures.plies = *mean(games, kAll, std::mem_fn(&GameFacts::plies));
  if (has_reserve(start_of(config, 0))) {
    figures.reserve = reserve_figures(config, games, start);
  }
  note_promotions(games, figures);
  note_piece_values(games, figures);
  return figures;
}

AdvantageStudy::AdvantageStudy()
    : Study("advantage",
            "first-move advantage and what else games against itself say of the opening",
            "With several rule sets (--rules A,B,...) or --player: a table of how evenly they "
            "start, each\nunder its own scoring table. The player plays itself, from "
            "--opening-plies random moves that are\nthe same for both games of a pair; the answer "
            "is balance.json in --out (default: as above, with\n--player studies/balance), and the "
            "games are not kept.") {}

std::vector<base::CommandOption> AdvantageStudy::options() {
  return {{"--sims", "N[,N...]", std::string(kSimsHelp) + "; a study for each", &simulations},
          base::CommandOption("--checkpoints", "N",
                              "of a run: at most so many, evenly spread, with the first of --sims",
                              &checkpoints)
              .range(1, 1000),
          {"--table", "T", kTableHelp, &table},
          {"--player", "P",
           "instead of a network any player, as `match` takes it: one, or one for each rule set of "
           "--rules A,B,...",
           &players}};
}

Answer AdvantageStudy::run(Subject& subject) const {
  const rules::ScoringTable priced = subject.table(table);
  const auto networks = subject.checkpoints(checkpoints);
  std::vector<AdvantageFigures> sets;
  const std::vector<int> budgets = simulations.empty() ? std::vector{0} : simulations;
  for (const auto& network : networks) {
    // All but the newest with the first number of simulations only.
    const std::size_t numbers = &network == &networks.back() ? budgets.size() : 1;
    for (std::size_t i = 0; i < numbers; ++i) {
      subject.take(network);
      const SelfGamesConfig config = subject.config(budgets[i], priced);
      const auto games = subject.games(config);
      const auto thinker = subject.thinker();
      const auto start = start_values(config, thinker->deep_budget(), *thinker);
      sets.push_back(advantage_figures(config, games, start));
    }
  }
  return words(sets);
}

}  // namespace studies
