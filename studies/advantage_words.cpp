#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "rules/letters.h"
#include "studies/advantage.h"
#include "studies/words.h"

namespace studies {
namespace {

using nlohmann::ordered_json;
using Set = AdvantageFigures;
using rules::letter;

constexpr std::array<const char*, 2> kColourKeys{"white", "black"}, kColours{"White", "Black"};

int length_at(const Set& set, std::size_t percent) {
  return set.lengths[(set.lengths.size() - 1) * percent / 100];
}

ordered_json placing_json(const Placing& placing) {
  return {{"first", json_of(placing.first)},
          {"never", json_of(placing.never)},
          {"turn", json_of(placing.turn)},
          {"turns", placing.turns}};
}

ordered_json move_json(const std::optional<StartValues::FirstMove>& move) {
  if (!move) return nullptr;
  return {{"move", move->name}, {"searched", move->points}};
}

void add_reserve(const ReserveFigures& reserve, ordered_json& json) {
  ordered_json king_first{{"king", move_json(reserve.best_king)},
                          {"other", move_json(reserve.best_other)}};
  ordered_json placements;
  for (const std::size_t side : {0u, 1u}) {
    const char* colour = kColourKeys[side];
    const ReserveSide& own = reserve.sides[side];
    json["placing"][colour] = {{"king", placing_json(own.king)},
                               {"queen", placing_json(own.queen)},
                               {"all", placing_json(own.all)}};
    king_first[colour] = {{"points_first", json_of(own.points_first)},
                          {"points_later", json_of(own.points_later)}};
    for (std::size_t i = 0; i < kPlacedPieces.size(); ++i) {
      placements[colour][std::string(1, letter(kPlacedPieces[i]))] = own.placements[i];
    }
  }
  json["king_first"] = std::move(king_first);
  json["bishops"] = {{"share", json_of(reserve.bishops_share)},
                     {"sides", reserve.bishops_sides},
                     {"excess_points", json_of(reserve.bishops_excess)}};
  json["placed_sooner"] = {{"games", reserve.sooner_games},
                           {"excess_points", json_of(reserve.sooner_excess)}};
  json["placements"] = std::move(placements);
}

ordered_json first_move_json(const StartValues::FirstMove& move) {
  return {{"move", move.name},
          {"share", move.share},
          {"games", move.games},
          {"points_white", json_of(move.points_white)},
          {"searched", move.points}};
}

ordered_json viable_json(const StartValues::Viable& counts) {
  ordered_json near = ordered_json::array();
  for (std::size_t i = 0; i < kNearPoints.size(); ++i) {
    near.push_back({{"points", kNearPoints[i]}, {"moves", counts.near[i]}});
  }
  return {{"moves", counts.moves}, {"near_best", std::move(near)}};
}

ordered_json variety_json(const Variety& variety) {
  return {{"plies", variety.plies},
          {"different", variety.different},
          {"entropy_bits", variety.nats / std::log(2.0)},
          {"effective", std::exp(variety.nats)}};
}

// `values`: by kMaterialNames.
template <class Values>
ordered_json piece_values_json(const Values& values) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto json = [&](Estimate PieceValue::*part) {
      const std::optional<PieceValue> value = values[i];
      return value ? json_of((*value).*part) : ordered_json();
    };
    list.push_back({{"name", kMaterialNames[i]},
                    {"points", json(&PieceValue::points)},
                    {"elo", json(&PieceValue::elo)},
                    {"with_knight_3", json(&PieceValue::with_knight_3)}});
  }
  return list;
}

ordered_json set_json(const Set& set) {
  ordered_json json = json_of(set.config);
  json["games"] = set.games;
  json["distinct_games"] = set.distinct_games;
  json["openings"] = set.openings;
  json["points_white"] = json_of(set.points_white);
  json["by_seed"] = list_of(set.by_seed, [](const Set::OfSeed& own) -> ordered_json {
    return {{"seed", own.seed}, {"games", own.games}, {"points_white", json_of(own.points_white)}};
  });
  json["start"] = {{"network", set.start.network},
                   {"search", set.start.search},
                   {"deep_search", set.start.deep_search},
                   {"deep_simulations", set.start.deep_simulations},
                   {"starts", set.start.starts}};
  json["outcomes"] = json_of(set.outcomes);
  json["first_moves"] = list_of(set.start.first_moves, first_move_json);
  json["viable"] = list_of(set.start.viable, viable_json);
  json["variety"] = list_of(set.variety, variety_json);
  json["main_lines"] = list_of(set.book, [](const MainLine& one) -> ordered_json {
    return {{"moves", one.moves},
            {"fen", one.end.to_fen()},
            {"first_games", one.first_games},
            {"games", one.games},
            {"points_white", json_of(one.points_white)}};
  });
  json["plies"] = {{"mean", json_of(set.plies)},          {"least", set.lengths.front()},
                   {"percentile_5", length_at(set, 5)},   {"median", length_at(set, 50)},
                   {"percentile_95", length_at(set, 95)}, {"most", set.lengths.back()}};
  json["promotions"] = {{"a_game", json_of(set.promotions)},
                        {"count", set.all_promotions},
                        {"under", json_of(set.underpromotions)}};
  if (set.reserve) add_reserve(*set.reserve, json);
  json["piece_values"] = piece_values_json(set.piece_values);
  for (std::size_t phase = 0; phase < kPhaseNames.size(); ++phase) {
    json["piece_values_by_phase"][std::string(kPhaseNames[phase])] =
        piece_values_json(set.phase_values[phase]);
  }
  return json;
}

std::string line(std::string_view what, const std::string& value) {
  return fmt::format("{:<44}{}\n", what, value);
}
std::string number(double value) { return fmt::format("{:.2f}", value); }

std::string head_text(const Set& set) {
  const SelfGamesConfig& config = set.config;
  const std::string from = config.start ? " from " + config.start->to_fen() : "";
  return fmt::format(
      "{}, generation {}, {}{}, {} {} a move, table {}: {} games after {} different openings\n"
      "(the first {} plies drawn at temperature {:g}; seeds {} to {})\n",
      config.name, config.generation, config.rules.title(), from, config.simulations, config.unit,
      config.table.to_changes(config.rules.table()), set.games, set.openings, config.opening_plies,
      config.temperature, config.seed, config.seed + static_cast<std::uint64_t>(config.seeds) - 1);
}

// few_lines_warning(), to follow a semicolon.
std::string warning_of(const Set& set) {
  const std::string warning = few_lines_warning(set.variety.back(), set.config);
  return warning.empty() ? "" : "; " + warning;
}

std::string points_text(const Set& set) {
  std::string out = line("White's points of ten", text_of(set.points_white) + warning_of(set));
  for (const Set::OfSeed& own : set.by_seed) {
    out += line(fmt::format("  seed {}", own.seed), text_of(own.points_white));
  }
  const StartValues& start = set.start;
  const std::string of = start.starts == 1 ? "the start" : fmt::format("{} starts", start.starts);
  out += line("the network's value of " + of, number(start.network));
  const auto searched = [&](int simulations, double points) {
    return line(fmt::format("the search's, {} {}", simulations, set.config.unit), number(points));
  };
  out += searched(set.config.simulations, start.search);
  out += searched(start.deep_simulations, start.deep_search);
  for (std::size_t i = 0; i < set.outcomes.size(); ++i) {
    out += line(fmt::format("{}, %", rules::name(static_cast<rules::Outcome>(i))),
                percent_of(set.outcomes[i]));
  }
  out += line("promotions", text_of(set.promotions));
  if (set.underpromotions) {
    out += line("  to another piece than a queen, %", percent_of(set.underpromotions));
  }
  out += line("plies", text_of(set.plies, 1));
  return out + line("  shortest, 5 %, median, 95 %, longest",
                    fmt::format("{}, {}, {}, {}, {}", set.lengths.front(), length_at(set, 5),
                                length_at(set, 50), length_at(set, 95), set.lengths.back()));
}

std::string pieces_text(const ReserveFigures& reserve) {
  std::string out;
  for (const std::size_t side : {0u, 1u}) {
    const auto add = [&](const char* what, const std::string& value) {
      out += line(std::string(kColourKeys[side]) + what, value);
    };
    const ReserveSide& own = reserve.sides[side];
    add("'s king at its first turn, %", percent_of(own.king.first));
    add("'s king: own turn, mean", text_of(own.king.turn));
    add("'s queen never, %", percent_of(own.queen.never));
    add("'s queen: own turn, mean", text_of(own.queen.turn));
    add("'s last piece: own turn, mean", text_of(own.all.turn));
  }
  out += line("both bishops on one colour, % of sides", percent_of(reserve.bishops_share));
  out += line("  its points over its colour's mean", text_of(reserve.bishops_excess));
  return out + line("who places all pieces sooner, the same", text_of(reserve.sooner_excess));
}

std::string opening_text(const Set& set) {
  std::string out;
  for (const auto& [plies, different, nats] : set.variety) {
    out += line(fmt::format("effective openings after {} plies", plies),
                fmt::format("{:.1f} of {} seen", std::exp(nats), different));
  }
  if (set.start.first_moves.empty()) return out;
  out += "first move (mirror images together), share, White's points, its search's points\n";
  for (const StartValues::FirstMove& move : set.start.first_moves) {
    out += fmt::format("  {:<6} {:>5.1f} %  {:<22} {:.2f}\n", move.name, 100 * move.share,
                       text_of(move.points_white), move.points);
  }
  for (std::size_t i = 0; i < set.start.viable.size(); ++i) {
    const StartValues::Viable& counts = set.start.viable[i];
    out += line(fmt::format("{} first moves as good as the best", kColours[i] + std::string("'s")),
                fmt::format("{} of {} within {} points, {} within {}", counts.near[0], counts.moves,
                            kNearPoints[0], counts.near[1], kNearPoints[1]));
  }
  out +=
      "main lines (mirror images together), games of the first move, of the line, White's points\n";
  for (const MainLine& one : set.book) {
    out += fmt::format("  {:<60} {:>5} {:>5}  {}\n", fmt::join(one.moves, " "), one.first_games,
                       one.games, text_of(one.points_white));
  }
  return out;
}

std::string set_text(const Set& set) {
  std::string out = head_text(set) + points_text(set);
  if (set.reserve) out += pieces_text(*set.reserve);
  out += opening_text(set);
  out += fmt::format("{:<44}{:<20}  {:<20}", "points of ten that one more is worth", "knight at 3",
                     "in all");
  for (const std::string_view phase : kPhaseNames) out += fmt::format("  {:<20}", phase);
  out += "\n";
  for (std::size_t i = 0; i < set.piece_values.size(); ++i) {
    const PieceValue& value = set.piece_values[i];
    out += fmt::format("  {:<42}{:<20}  {:<20}", kMaterialNames[i], text_of(value.with_knight_3),
                       text_of(value.points));
    for (const auto& values : set.phase_values) {
      out +=
          fmt::format("  {:<20}", values.empty() || !values[i] ? "-" : text_of(values[i]->points));
    }
    out += "\n";
  }
  return out;
}

std::string first_move_answer(const std::vector<Set>& sets) {
  std::string text;
  for (const Set& set : sets) {
    text += fmt::format(
        "{}{} of ten at {} {} (generation {}, {} games after {} "
        "different openings)",
        text.empty() ? "White scores " : "; ", text_of(set.points_white), set.config.simulations,
        set.config.unit, set.config.generation, set.games, set.openings);
  }
  const StartValues& start = sets.back().start;
  return text + warning_of(sets.back()) +
         fmt::format(
             ". The newest network's own value of the start is {:.2f}, its search's {:.2f} "
             "({} {}).",
             start.network, start.deep_search, start.deep_simulations, sets.back().config.unit);
}

std::string king_first_answer(const ReserveFigures& reserve) {
  const auto move = [](const std::optional<StartValues::FirstMove>& best) {
    return best ? fmt::format("{} with {:.2f}", best->name, best->points) : "there is none";
  };
  std::string text = fmt::format(
      "White placed its king at its first turn in {} % of the games, Black in {} %. "
      "By searches of each first move White's best one with the king is {} points, "
      "the best other one {}.",
      percent_of(reserve.sides[0].king.first), percent_of(reserve.sides[1].king.first),
      move(reserve.best_king), move(reserve.best_other));
  for (const std::size_t side : {0u, 1u}) {
    const ReserveSide& own = reserve.sides[side];
    if (!own.points_first || !own.points_later) continue;
    text += fmt::format(" {} scored {} with the king first, {} with it later.", kColours[side],
                        text_of(own.points_first), text_of(own.points_later));
  }
  return text;
}

std::string placing_answer(const ReserveFigures& reserve) {
  std::string text;
  for (const std::size_t side : {0u, 1u}) {
    const ReserveSide& own = reserve.sides[side];
    const auto turn = [](const Placing& placing) {
      return placing.turn ? "at its turn " + text_of(placing.turn) + " on average" : "never";
    };
    text += fmt::format("{}{}'s king {}, its queen {} (not at all in {} % of the games)",
                        text.empty() ? "" : "; ", kColours[side], turn(own.king), turn(own.queen),
                        percent_of(own.queen.never));
  }
  return text + ".";
}

std::string variety_answer(const Set& set) {
  std::string text = fmt::format("In {} games, mirror images being the same: ", set.games);
  const char* between = "";
  for (const auto& [plies, different, nats] : set.variety) {
    text += fmt::format(
        "{}after {} {} different positions, as varied as {:.1f} equally likely ones", between,
        plies == 1 ? "1 ply" : fmt::format("{} plies", plies), different, std::exp(nats));
    between = "; ";
  }
  return text + fmt::format(" (the first {} plies are drawn at temperature {:g}).",
                            set.config.opening_plies, set.config.temperature);
}

std::string bishops_answer(const ReserveFigures& reserve) {
  std::string text = fmt::format("{} % of the sides that placed both ({}) had them on one colour",
                                 percent_of(reserve.bishops_share), reserve.bishops_sides);
  if (reserve.bishops_excess) {
    text += fmt::format("; such a side scored {} points over the mean of its colour",
                        text_of(reserve.bishops_excess));
  }
  return text + ".";
}

}  // namespace

Answer words(const std::vector<AdvantageFigures>& sets) {
  Answer answer;
  answer.json["sets"] = list_of(sets, set_json);
  for (const Set& set : sets) answer.text += set_text(set) + "\n";
  const Set& newest = sets.back();
  std::vector<InWords> in_words;
  in_words.emplace_back("How large is the first move's advantage?", first_move_answer(sets));
  if (newest.reserve) {
    if (newest.reserve->best_king) {
      in_words.emplace_back("Must the king be placed first?", king_first_answer(*newest.reserve));
    }
    in_words.emplace_back("When are king and queen placed?", placing_answer(*newest.reserve));
  }
  in_words.emplace_back("How varied are the openings?", variety_answer(newest));
  if (newest.reserve) {
    in_words.emplace_back("Both bishops on one colour?", bishops_answer(*newest.reserve));
  }
  add_words(in_words, answer);
  return answer;
}

}  // namespace studies
