#include "selfplay/game_check.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/errors.h"
#include "rules/history.h"

namespace selfplay {
namespace {

constexpr double kMostMaterial = 100;

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw base::InputError(otherwise);
}

void check_table(const rules::ScoringTable& table) {
  const auto within = [](double most) {
    return [most](double value) { return value >= 0 && value <= most; };
  };
  require(std::ranges::all_of(table.points_white, within(10)), "points beyond 0 to 10");
  require(std::ranges::all_of(table.material, within(kMostMaterial)),
          "a piece's value beyond 0 to 100");
}

void check_policy(const PlyRecord& ply, const rules::Position& position, std::size_t number) {
  for (const mcts::MoveWeight& entry : ply.policy) {
    require(position.is_legal(entry.move),
            "a move of the policy at ply " + std::to_string(number) + " is not legal");
  }
}

// The game is over after its last move, and not before.
void check_end(const GameRecord& game, const std::vector<rules::Position>& positions) {
  rules::History past;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto outcome = positions[i].outcome(game.table, past.occurrences(positions[i]));
    if (i + 1 < positions.size()) {
      require(!outcome, "goes on after its end at ply " + std::to_string(i));
    } else {
      require(outcome.has_value(), "is not over");
      require(*outcome == game.outcome, "ends with another outcome than it says");
    }
    past.add(positions[i]);
  }
}

}  // namespace

GameRecord checked_game(std::span<const std::byte> block, const GameTerms& terms) {
  GameRecord game = decode(block);
  require(terms.repertoire.contains(game.rules),
          "played under " + game.rules.name() + ", the run plays " + terms.repertoire.name());
  require(game.generation >= 1 && game.generation <= terms.generation,
          "of generation " + std::to_string(game.generation) + ", expected 1 to " +
              std::to_string(terms.generation));
  require(game.seed != 0, "without a seed");
  require(game.ended == rules::Adjudication::kNone, "ended by agreement, not by the rules");
  require(!game.plies.empty(), "without moves");
  check_table(game.table);
  const std::vector<rules::Position> positions = replay(game);
  for (std::size_t i = 0; i < game.plies.size(); ++i) {
    check_policy(game.plies[i], positions[i], i + 1);
  }
  check_end(game, positions);
  return game;
}

}  // namespace selfplay
