#include "studies/ending_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/threads.h"
#include "mcts/tree.h"
#include "rules/move_list.h"
#include "rules/notation.h"
#include "studies/words.h"
#include "tablebase/cells.h"

namespace studies {
namespace {

using rules::Position;
using tablebase::Material;
using tablebase::Tables;

constexpr std::size_t kGamesOfPlayer = 32;

std::vector<Material> known_endings(const Tables& tables) {
  std::vector<Material> endings;
  for (int pieces = 3; pieces <= tables.pieces(); ++pieces) {
    const auto more = Material::all(pieces, false);
    endings.insert(endings.end(), more.begin(), more.end());
  }
  return endings;
}

Position random_position(const Material& ending, const Tables& tables, base::Rng& rng) {
  const tablebase::Cells cells(ending);
  for (;;) {
    const auto placement = cells.placement(rng.next() % cells.size());
    if (!placement) continue;
    const Position position = cells.position(*placement, 0, tables.rules());
    if (!position.in_check(~position.side_to_move()) && !position.outcome(tables.table()))
      return position;
  }
}

// White's at best play, also where the game is over.
double exact_points(const Position& position, const Tables& tables) {
  const auto outcome = position.outcome(tables.table());
  return tables.table().white_points(outcome ? *outcome : tables.probe(position)->outcome);
}

std::vector<Sample> samples_of(const std::vector<double>& values) {
  std::vector<Sample> samples;
  for (const double value : values) samples.push_back({0, samples.size(), value});
  return samples;
}

// Takes points from 0 to 10.
Estimate mean_points(const std::vector<double>& values) {
  return mean_within(samples_of(values), 0, 10);
}

// The network's values, where a search would ask for them.
void compare_values(const std::vector<Position>& positions, const Tables& tables, Thinker& thinker,
                    EndingErrors::OfEnding& found) {
  mcts::LeafBatch batch;
  std::vector<double> errors, differences;
  for (const Position& position : positions) {
    rules::MoveList moves;
    if (mcts::exact_end(position, 1, tables.table(), moves)) continue;
    batch.add(position, tables.table(), moves);
  }
  if (batch.leaves.empty()) return;
  thinker.evaluator().evaluate(batch);
  for (const mcts::Leaf& leaf : batch.leaves) {
    const double expected = tables.table().white_points(leaf.evaluation.outcomes);
    differences.push_back(expected - exact_points(leaf.position, tables));
    errors.push_back(std::abs(differences.back()));
  }
  found.asked = errors.size();
  found.error = mean_points(errors);
  found.difference = mean_of(samples_of(differences));
}

EndingErrors::OfEnding of_ending(const Material& ending, const Tables& tables,
                                 const EndingErrorsConfig& config, base::Rng rng,
                                 Thinker& thinker) {
  std::vector<Position> positions;
  for (int i = 0; i < config.positions; ++i)
    positions.push_back(random_position(ending, tables, rng));
  EndingErrors::OfEnding found;
  found.ending = ending.name();
  compare_values(positions, tables, thinker, found);
  const auto reports = thinker.search(positions, tables.table(), config.budget);
  std::vector<double> lost;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double change = exact_points(positions[i].after(reports[i].best().move), tables) -
                          exact_points(positions[i], tables);
    lost.push_back(std::abs(change));
  }
  found.lost = mean_points(lost);
  found.wrong_moves =
      static_cast<double>(std::ranges::count_if(lost, [](double points) { return points > 0; })) /
      static_cast<double>(lost.size());
  return found;
}

// Games side by side of one player against exact play.
class ExactGames {
 public:
  ExactGames(const Tables& tables, arena::Player& player) : tables_(tables), player_(player) {}

  void begin(const Position& start, rules::Color side, base::Rng rng) {
    player_.new_game(static_cast<int>(games_.size()), rng);
    games_.push_back({rules::Line(start), side, exact_points(start, tables_), std::nullopt});
  }
  // Plays them to their ends; the points that each has lost.
  std::vector<double> play(const std::function<bool()>& stopped) {
    player_.prepare(static_cast<int>(games_.size()));
    while (!stopped() && ask()) {
    }
    std::vector<double> lost;
    for (const Game& game : games_) lost.push_back(game.lost.value_or(0));
    return lost;
  }

 private:
  struct Game {
    rules::Line line;
    rules::Color side;  // the player's
    double exact;       // White's points
    std::optional<double> lost;
  };

  // Lets the player move in all games that are not over; false where none is left.
  bool ask() {
    std::vector<arena::GameView> views;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      Game& game = games_[i];
      answer(game);
      if (game.lost) continue;
      views.push_back({.slot = static_cast<int>(i),
                       .start = &game.line.start,
                       .position = &game.line.position,
                       .moves = game.line.moves,
                       .table = &tables_.table()});
    }
    if (views.empty()) return false;
    std::vector<arena::Choice> choices(views.size());
    player_.choose(views, choices);
    for (std::size_t i = 0; i < views.size(); ++i)
      games_[static_cast<std::size_t>(views[i].slot)].line.play(choices[i].move);
    return true;
  }
  // The exact moves until it is the player's turn.
  void answer(Game& game) {
    while (!game.lost) {
      if (const auto outcome = game.line.outcome(tables_.table())) {
        const double points = tables_.table().white_points(*outcome);
        game.lost = game.side == rules::Color::kWhite ? game.exact - points : points - game.exact;
      } else if (game.line.position.side_to_move() != game.side) {
        game.line.play(tables_.moves(game.line.position).front().move);
      } else {
        return;
      }
    }
  }

  const Tables& tables_;
  arena::Player& player_;
  std::vector<Game> games_;
};

EndingErrors::OfGames of_games(const std::vector<Material>& endings, const Tables& tables,
                               const EndingErrorsConfig& config, const MakeThinker& make_thinker,
                               const Tables* told, const std::function<bool()>& stopped) {
  const auto count = static_cast<std::size_t>(config.games);
  std::vector<double> lost(count);
  const std::size_t groups = (count + kGamesOfPlayer - 1) / kGamesOfPlayer;
  base::for_each_index(groups, config.threads, [&](std::size_t group) {
    if (stopped()) return;
    const auto player = make_thinker()->player({.budget = config.budget, .tablebase = told});
    ExactGames games(tables, *player);
    const std::size_t first = group * kGamesOfPlayer,
                      last = std::min(first + kGamesOfPlayer, count);
    for (std::size_t i = first; i < last; ++i) {
      base::Rng rng = base::Rng(config.seed).split(1).split(i);
      const Position start = random_position(endings[i % endings.size()], tables, rng);
      games.begin(start, i % 2 == 0 ? start.side_to_move() : ~start.side_to_move(), rng);
    }
    std::ranges::copy(games.play(stopped), lost.begin() + static_cast<std::ptrdiff_t>(first));
  });
  const auto perfect = std::ranges::count_if(lost, [](double points) { return points <= 0; });
  return {mean_points(lost), static_cast<double>(perfect) / static_cast<double>(count)};
}

nlohmann::ordered_json games_json(const EndingErrors::OfGames& games) {
  return {{"lost", json_of(games.lost)}, {"perfect", games.perfect}};
}

}  // namespace

EndingErrors ending_errors(const Tables& tables, const EndingErrorsConfig& config,
                           const MakeThinker& make_thinker, const std::function<bool()>& stopped) {
  const auto endings = known_endings(tables);
  EndingErrors errors;
  errors.endings.resize(endings.size());
  base::for_each_index(endings.size(), config.threads, [&](std::size_t i) {
    if (stopped()) return;
    const auto thinker = make_thinker();
    const base::Rng rng = base::Rng(config.seed).split(0).split(i);
    errors.endings[i] = of_ending(endings[i], tables, config, rng, *thinker);
  });
  errors.alone = of_games(endings, tables, config, make_thinker, nullptr, stopped);
  errors.with_tablebase = of_games(endings, tables, config, make_thinker, &tables, stopped);
  return errors;
}

nlohmann::ordered_json json_of(const EndingErrors& errors, const EndingErrorsConfig& config) {
  return {{"positions", config.positions},
          {"budget", config.budget},
          {"endings",
           list_of(errors.endings,
                   [](const EndingErrors::OfEnding& one) {
                     return nlohmann::ordered_json{
                         {"ending", one.ending},        {"asked", one.asked},
                         {"error", json_of(one.error)}, {"difference", json_of(one.difference)},
                         {"lost", json_of(one.lost)},   {"wrong_moves", one.wrong_moves}};
                   })},
          {"games",
           {{"count", config.games},
            {"alone", games_json(errors.alone)},
            {"with_tablebase", games_json(errors.with_tablebase)}}}};
}

std::string text_of(const EndingErrors& errors, const EndingErrorsConfig& config) {
  std::string text = fmt::format(
      "against exact play in endings, {} positions of each: distance of the network's points, the "
      "same with its sign (White's), points that a move of the search gives away, and how many do\n",
      config.positions);
  for (const EndingErrors::OfEnding& one : errors.endings) {
    text += fmt::format("  {:<7} {:<18} {:<20} {:<20} {:>5.1f} %\n", one.ending, text_of(one.error),
                        text_of(one.difference), text_of(one.lost, 3), 100 * one.wrong_moves);
  }
  const auto line = [&](const EndingErrors::OfGames& games, const char* how) {
    return fmt::format("{} endings against exact play{}: {} points lost a game, none in {:.1f} %\n",
                       config.games, how, text_of(games.lost, 3), 100 * games.perfect);
  };
  return text + line(errors.alone, "") + line(errors.with_tablebase, ", told the tablebase");
}

}  // namespace studies
