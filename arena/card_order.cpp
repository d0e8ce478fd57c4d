#include "arena/card_order.h"

#include <utility>

namespace arena {

using rules::Card;

CardOrder::CardOrder(const rules::Position& position, base::Rng rng) : rng_(rng) {
  if (!position.has_cards()) return;
  for (const rules::Color color : rules::kColors) {
    std::vector<Card>& deck = decks_[static_cast<std::size_t>(index(color))];
    for (const Card card : rules::kAllCards) {
      deck.insert(deck.end(), static_cast<std::size_t>(position.in_deck(color, card)), card);
    }
    for (std::size_t i = deck.size(); i > 1; --i) {
      std::swap(deck[i - 1], deck[rng_.below(static_cast<std::uint32_t>(i))]);
    }
  }
}

rules::Move CardOrder::next(const rules::Position& position) {
  std::vector<Card>& cards = deck(position);
  const Card card = cards.back();
  cards.pop_back();
  return rules::Move::card(card);
}

void CardOrder::put_back(const rules::Position& position) {
  std::vector<Card>& cards = deck(position);
  const auto at = rng_.below(static_cast<std::uint32_t>(cards.size() + 1));
  cards.insert(cards.begin() + at, *position.card());
}

}  // namespace arena
