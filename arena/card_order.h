#pragma once

#include <array>
#include <vector>

#include "base/rng.h"
#include "rules/position.h"

namespace arena {

// The order in which a game's cards come: both decks, shuffled when the game begins. Nobody sees
// it.
class CardOrder {
 public:
  CardOrder() = default;
  // The decks of the position; none where it has no cards.
  CardOrder(const rules::Position& position, base::Rng rng);

  // Takes the next card off the deck of the side to move. REQUIRES: position.is_chance(), of the
  // game.
  rules::Move next(const rules::Position& position);
  // The side to move passes: the card that it holds goes back among the others.
  void put_back(const rules::Position& position);

 private:
  std::vector<rules::Card>& deck(const rules::Position& position) {
    return decks_[static_cast<std::size_t>(index(position.side_to_move()))];
  }

  base::Rng rng_;
  std::array<std::vector<rules::Card>, 2> decks_;  // by Color; the next card is the last
};

}  // namespace arena
