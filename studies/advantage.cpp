#include "studies/advantage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "rules/notation.h"
#include "studies/answers.h"

namespace studies {
namespace {

using nlohmann::ordered_json;
using rules::Color;
using rules::PieceType;
using Games = std::vector<GameFacts>;

constexpr int kBootstraps = 500;
constexpr std::array<const char*, 2> kColourNames{"white", "black"};
constexpr int kTurnsShown = 40;  // the last stands for all later ones

// The mean of `value` (empty: the game has none) over the games; bounded where a range is given.
template <class Value>
ordered_json mean_json(const Games& games, Value value, double low, double high) {
  std::vector<Sample> samples;
  for (const GameFacts& game : games) {
    const std::optional<double> one = value(game);
    if (one) samples.push_back(game.sample(*one));
  }
  if (samples.empty()) return nullptr;
  return to_json(std::isfinite(low) ? mean_within(samples, low, high) : mean_of(samples));
}
template <class Value>
ordered_json mean_json(const Games& games, Value value) {
  return mean_json(games, value, -INFINITY, INFINITY);
}
// The share of the games of which `is` holds.
template <class Is>
ordered_json share_json(const Games& games, Is is) {
  return mean_json(
      games, [&](const GameFacts& g) { return std::optional(is(g) ? 1.0 : 0.0); }, 0, 1);
}

std::optional<double> as_number(std::optional<bool> is) {
  if (!is) return std::nullopt;
  return *is ? 1.0 : 0.0;
}

double points_of(const GameFacts& game, const rules::ScoringTable& table, std::size_t side) {
  const double white = game.points_white(table);
  return side == 0 ? white : 10 - white;
}

ordered_json outcomes_json(const Games& games) {
  ordered_json shares = ordered_json::array();
  for (int i = 0; i < rules::kOutcomes; ++i) {
    const auto outcome = static_cast<rules::Outcome>(i);
    shares.push_back(
        {{"outcome", rules::name(outcome)},
         {"share", share_json(games, [&](const GameFacts& g) { return g.outcome == outcome; })}});
  }
  return shares;
}

ordered_json by_seed_json(const SelfGamesConfig& config, const Games& all) {
  ordered_json seeds = ordered_json::array();
  for (int k = 0; k < config.seeds; ++k) {
    Games own;
    for (std::size_t n = static_cast<std::size_t>(k); n < all.size();
         n += static_cast<std::size_t>(config.seeds)) {
      own.push_back(all[n]);
    }
    if (own.empty()) continue;
    seeds.push_back({{"seed", config.seed + static_cast<std::uint64_t>(k)},
                     {"games", own.size()},
                     {"points_white", to_json(points_white(own, config.table))}});
  }
  return seeds;
}

// Every legal first move with its share of all games, and how those games went.
ordered_json first_moves_json(const SelfGamesConfig& config, const Games& games,
                              const StartValues& start) {
  ordered_json moves = ordered_json::array();
  for (const StartValues::FirstMove& move : start.first_moves) {
    Games own;
    for (const GameFacts& game : games) {
      if (game.first_move == move.move) own.push_back(game);
    }
    moves.push_back(
        {{"move", move.name},
         {"share", static_cast<double>(own.size()) / static_cast<double>(games.size())},
         {"games", own.size()},
         {"points_white", own.empty() ? ordered_json() : to_json(points_white(own, config.table))},
         {"searched", move.points}});
  }
  return moves;
}

// When a side's king or queen came in: the share of the sides by own turn (the last: later), that
// of those who never placed it, and the mean turn of the others.
ordered_json placing_json(const Games& games, std::size_t side, int SideFacts::*turn) {
  std::array<double, kTurnsShown> counts{};
  for (const GameFacts& game : games) {
    const int at = game.sides[side].*turn;
    if (at > 0) ++counts[static_cast<std::size_t>(std::min(at, kTurnsShown) - 1)];
  }
  for (double& count : counts) count /= static_cast<double>(games.size());
  return {{"first", share_json(games, [&](const auto& g) { return g.sides[side].*turn == 1; })},
          {"never", share_json(games, [&](const auto& g) { return g.sides[side].*turn == 0; })},
          {"turn", mean_json(games,
                             [&](const GameFacts& g) -> std::optional<double> {
                               const int at = g.sides[side].*turn;
                               if (at == 0) return std::nullopt;
                               return at;
                             })},
          {"turns", counts}};
}

// White's best first move that places the king and the best that does not, by their own searches;
// and how a side fared that placed its king at its first turn, over what its colour scored.
ordered_json king_first_json(const SelfGamesConfig& config, const Games& games,
                             const StartValues& start) {
  ordered_json best{{"king", nullptr}, {"other", nullptr}};
  for (const auto& move : start.first_moves) {  // the best comes first
    ordered_json& own = best[move.king ? "king" : "other"];
    if (own.is_null()) own = {{"move", move.name}, {"searched", move.points}};
  }
  for (const std::size_t side : {0u, 1u}) {
    Games first, later;
    for (const GameFacts& game : games) {
      (game.sides[side].king_turn == 1 ? first : later).push_back(game);
    }
    const auto points = [&](const GameFacts& g) {
      return std::optional(points_of(g, config.table, side));
    };
    best[kColourNames[side]] = {{"points_first", mean_json(first, points, 0, 10)},
                                {"points_later", mean_json(later, points, 0, 10)}};
  }
  return best;
}

ordered_json variety_json(const Games& games) {
  ordered_json depths = ordered_json::array();
  for (std::size_t i = 0; i < kDepths.size(); ++i) {
    std::map<std::uint64_t, double> counts;
    for (const GameFacts& game : games) ++counts[game.at_depth[i]];
    std::vector<double> numbers;
    numbers.reserve(counts.size());
    for (const auto& [position, count] : counts) numbers.push_back(count);
    const double nats = entropy(numbers);
    depths.push_back({{"plies", kDepths[i]},
                      {"different", numbers.size()},
                      {"entropy_bits", nats / std::log(2.0)},
                      {"effective", std::exp(nats)}});
  }
  return depths;
}

// Both bishops of a side on one colour: how often, of the sides that placed both, and what such a
// side scored over the mean of its colour.
ordered_json bishops_json(const SelfGamesConfig& config, const Games& games) {
  std::array<double, 2> mean{};
  for (const GameFacts& game : games) {
    for (const std::size_t s : {0u, 1u}) mean[s] += points_of(game, config.table, s);
  }
  for (double& points : mean) points /= static_cast<double>(games.size());
  std::vector<Sample> shares, excess;
  for (const GameFacts& game : games) {
    for (const std::size_t side : {0u, 1u}) {
      const auto alike = as_number(game.sides[side].bishops_on_one_colour);
      if (!alike) continue;
      shares.push_back(game.sample(*alike));
      if (*alike == 0) continue;
      excess.push_back(game.sample(points_of(game, config.table, side) - mean[side]));
    }
  }
  return {{"share", to_json(mean_within(shares, 0, 1))},
          {"sides", shares.size()},
          {"excess_points", excess.empty() ? ordered_json() : to_json(mean_of(excess))}};
}

ordered_json plies_json(const Games& games) {
  std::vector<int> lengths;
  for (const GameFacts& game : games) lengths.push_back(game.plies);
  std::ranges::sort(lengths);
  const auto at = [&](std::size_t percent) {
    return lengths[(lengths.size() - 1) * percent / 100];
  };
  return {
      {"mean", mean_json(games, [](const GameFacts& g) { return std::optional<double>(g.plies); })},
      {"least", lengths.front()},
      {"percentile_5", at(5)},
      {"median", at(50)},
      {"percentile_95", at(95)},
      {"most", lengths.back()}};
}

// By colour and piece: the shares of the eight files of all its placements.
ordered_json placements_json(const Games& games) {
  ordered_json colours;
  for (const std::size_t side : {0u, 1u}) {
    ordered_json& own = colours[kColourNames[side]];
    for (const PieceType piece : {PieceType::kKing, PieceType::kQueen, PieceType::kRook,
                                  PieceType::kBishop, PieceType::kKnight}) {
      std::array<double, 8> files{};
      double sum = 0;
      for (const GameFacts& game : games) {
        const auto& placed = game.sides[side].placements[static_cast<std::size_t>(index(piece))];
        for (std::size_t f = 0; f < files.size(); ++f) files[f] += placed[f];
      }
      for (const double file : files) sum += file;
      for (double& file : files) file /= std::max(sum, 1e-9);
      own[std::string(1, rules::letter(piece))] = files;
    }
  }
  return colours;
}

ordered_json piece_values_json(const SelfGamesConfig& config, const Games& games) {
  std::vector<MaterialSample> samples;
  for (const GameFacts& game : games) {
    for (MaterialSample sample : game.material) {
      sample.points_white = game.points_white(config.table);
      samples.push_back(sample);
    }
  }
  const auto values = piece_values(samples, kBootstraps, base::Rng(config.seed));
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < values.size(); ++i) {
    list.push_back({{"name", kMaterialNames[i]}, {"points", to_json(values[i])}});
  }
  return list;
}

std::string line(const std::string& what, const std::string& value) {
  return fmt::format("{:<44}{}\n", what, value);
}
std::string number(const ordered_json& value, int digits = 2) {
  return fmt::format("{:.{}f}", value.get<double>(), digits);
}
std::string percent(const ordered_json& share) { return estimate_text(share, 1, 100); }

std::string head_text(const ordered_json& f) {
  return fmt::format(
      "{}, generation {}, {}, {} simulations a move, table {}: {} games, {} of them different, {} "
      "openings\n(the first {} plies drawn at temperature {:g}; seeds {} to {})\n",
      f["network"].get<std::string>(), f["generation"].dump(), f["rules"].get<std::string>(),
      f["simulations"].dump(), f["table"].get<std::string>(), f["games"].dump(),
      f["distinct_games"].dump(), f["openings"].dump(), f["opening_plies"].dump(),
      f["temperature"].get<double>(), f["seed"].dump(),
      f["seed"].get<std::uint64_t>() + f["seeds"].get<std::uint64_t>() - 1);
}

std::string points_text(const ordered_json& f) {
  std::string out = line("White's points of ten", estimate_text(f["points_white"]));
  for (const auto& seed : f["by_seed"]) {
    out += line("  seed " + seed["seed"].dump(), estimate_text(seed["points_white"]));
  }
  const auto& start = f["start"];
  const std::string of = start["starts"] == 1 ? "the start" : start["starts"].dump() + " starts";
  out += line("the network's value of " + of, number(start["network"]));
  out += line("the search's, " + f["simulations"].dump() + " simulations", number(start["search"]));
  out += line("the search's, " + start["deep_simulations"].dump() + " simulations",
              number(start["deep_search"]));
  for (const auto& outcome : f["outcomes"]) {
    out += line(outcome["outcome"].get<std::string>() + ", %", percent(outcome["share"]));
  }
  const auto& plies = f["plies"];
  out += line("plies", estimate_text(plies["mean"], 1));
  return out + line("  shortest, 5 %, median, 95 %, longest",
                    fmt::format("{}, {}, {}, {}, {}", plies["least"].dump(),
                                plies["percentile_5"].dump(), plies["median"].dump(),
                                plies["percentile_95"].dump(), plies["most"].dump()));
}

std::string pieces_text(const ordered_json& f) {
  std::string out;
  if (!f.contains("placing")) return out;
  for (const std::string colour : kColourNames) {
    const auto& placing = f["placing"][colour];
    out += line(colour + "'s king at its first turn, %", percent(placing["king"]["first"]));
    out += line(colour + "'s king: own turn, mean", estimate_text(placing["king"]["turn"]));
    out += line(colour + "'s queen never, %", percent(placing["queen"]["never"]));
    out += line(colour + "'s queen: own turn, mean", estimate_text(placing["queen"]["turn"]));
  }
  const auto& bishops = f["bishops"];
  out += line("both bishops on one colour, % of sides", percent(bishops["share"]));
  return out + line("  its points over its colour's mean", estimate_text(bishops["excess_points"]));
}

std::string opening_text(const ordered_json& f) {
  std::string out;
  for (const auto& depth : f["variety"]) {
    out += line("effective openings after " + depth["plies"].dump() + " plies",
                number(depth["effective"], 1) + " of " + depth["different"].dump() + " seen");
  }
  if (f["first_moves"].empty()) return out;
  out += "first move (mirror images together), share, White's points, its search's points\n";
  for (const auto& move : f["first_moves"]) {
    out += fmt::format("  {:<6} {:>5.1f} %  {:<22} {}\n", move["move"].get<std::string>(),
                       100 * move["share"].get<double>(), estimate_text(move["points_white"]),
                       number(move["searched"]));
  }
  return out;
}

std::string values_text(const ordered_json& f) {
  std::string out = "points of ten that one more is worth\n";
  for (const auto& value : f["piece_values"]) {
    out += line("  " + value["name"].get<std::string>(), estimate_text(value["points"]));
  }
  return out;
}

}  // namespace

ordered_json to_json(const SelfGamesConfig& config, const std::string& network) {
  return {{"network", network},
          {"generation", config.generation},
          {"simulations", config.simulations},
          {"table", config.table.to_changes(config.rules.table())},
          {"rules", config.rules.name()},
          {"opening_plies", config.opening_plies},
          {"temperature", config.temperature},
          {"seed", config.seed},
          {"seeds", config.seeds},
          {"precision", config.precision}};
}

StartValues start_values(const SelfGamesConfig& config, int deep_simulations,
                         mcts::Evaluator& evaluator) {
  const std::vector<rules::Position> starts = studied_starts(config);
  const auto searched = [&](const std::vector<rules::Position>& positions, int simulations) {
    return searched_points(positions, config.table, simulations, config.search, evaluator);
  };
  StartValues values;
  values.network = evaluated_points(starts, config.table, evaluator);
  values.search = searched(starts, config.simulations);
  values.deep_search = searched(starts, deep_simulations);
  values.deep_simulations = deep_simulations;
  values.starts = starts.size();
  if (config.rules.setup == rules::Setup::kShuffled) return values;
  const rules::Position& start = starts.front();
  std::vector<rules::Position> after;
  for (const rules::Move move : start.legal_moves()) {
    if (first_image(start, move) != move.raw()) continue;
    values.first_moves.push_back({move.raw(), rules::to_uci(move),
                                  move.is_placement() && move.placed() == PieceType::kKing, 0});
    after.push_back(start.after(move));
  }
  const auto searches =
      search_all(after, config.table, std::max(1, deep_simulations / 2), config.search, evaluator);
  for (std::size_t i = 0; i < searches.size(); ++i) {
    values.first_moves[i].points = points_white_of(searches[i]);
  }
  std::ranges::stable_sort(values.first_moves, std::ranges::greater(),
                           &StartValues::FirstMove::points);
  return values;
}

ordered_json advantage_figures(const SelfGamesConfig& config, const std::string& network,
                               const std::vector<selfplay::GameRecord>& records,
                               const StartValues& start) {
  Games games;
  games.reserve(records.size());
  for (const auto& record : records) games.push_back(facts_of(record, config.opening_plies));
  std::set<std::uint64_t> openings;
  for (const GameFacts& game : games) openings.insert(game.opening);

  ordered_json figures = to_json(config, network);
  figures["games"] = games.size();
  figures["distinct_games"] = distinct_games(games);
  figures["openings"] = openings.size();
  figures["points_white"] = to_json(points_white(games, config.table));
  figures["by_seed"] = by_seed_json(config, games);
  figures["start"] = {{"network", start.network},
                      {"search", start.search},
                      {"deep_search", start.deep_search},
                      {"deep_simulations", start.deep_simulations},
                      {"starts", start.starts}};
  figures["outcomes"] = outcomes_json(games);
  figures["first_moves"] = first_moves_json(config, games, start);
  figures["variety"] = variety_json(games);
  figures["plies"] = plies_json(games);
  if (config.rules.entry != rules::Entry::kNone) {
    for (const std::size_t side : {0u, 1u}) {
      figures["placing"][kColourNames[side]] = {
          {"king", placing_json(games, side, &SideFacts::king_turn)},
          {"queen", placing_json(games, side, &SideFacts::queen_turn)}};
    }
    figures["king_first"] = king_first_json(config, games, start);
    figures["bishops"] = bishops_json(config, games);
    figures["placements"] = placements_json(games);
  }
  figures["piece_values"] = piece_values_json(config, games);
  return figures;
}

std::string advantage_text(const ordered_json& f) {
  return head_text(f) + points_text(f) + pieces_text(f) + opening_text(f) + values_text(f);
}

}  // namespace studies
