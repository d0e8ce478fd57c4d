#include "arena/side_by_side.h"

#include <algorithm>
#include <utility>

#include "rules/notation.h"

namespace arena {
namespace {

// The order in which a game's cards come: both decks, shuffled when the game begins. Nobody sees
// it.
class CardOrder {
 public:
  CardOrder() = default;
  // The decks of the position; none where it has no cards.
  CardOrder(const rules::Position& position, base::Rng rng) : rng_(rng) {
    if (!position.has_cards()) return;
    for (const rules::Color color : rules::kColors) {
      std::vector<rules::Card>& deck = decks_[static_cast<std::size_t>(index(color))];
      for (const rules::Card card : rules::kAllCards) {
        deck.insert(deck.end(), static_cast<std::size_t>(position.in_deck(color, card)), card);
      }
      rng_.shuffle(std::span(deck));
    }
  }

  // Takes the next card off the deck of the side to move. REQUIRES: position.is_chance(), of the
  // game.
  rules::Move next(const rules::Position& position) {
    std::vector<rules::Card>& cards = deck(position);
    const rules::Card card = cards.back();
    cards.pop_back();
    return rules::Move::card(card);
  }
  // The side to move passes: the card that it holds goes back among the others.
  void put_back(const rules::Position& position) {
    std::vector<rules::Card>& cards = deck(position);
    const auto at = rng_.below(static_cast<std::uint32_t>(cards.size() + 1));
    cards.insert(cards.begin() + at, *position.card());
  }

 private:
  std::vector<rules::Card>& deck(const rules::Position& position) {
    return decks_[static_cast<std::size_t>(index(position.side_to_move()))];
  }

  base::Rng rng_;
  std::array<std::vector<rules::Card>, 2> decks_;  // by Color; the next card is the last
};

class Seats {
 public:
  Seats(GameList& list, std::span<Player* const> players, int at_once,
        const rules::ScoringTable& table, const tablebase::Tables* tablebase)
      : list_(list), players_(players), table_(table), tablebase_(tablebase) {
    const bool together = std::ranges::none_of(players, &Player::timed) &&
                          std::ranges::any_of(players, &Player::batches);
    seats_.resize(static_cast<std::size_t>(together ? at_once : 1));
    for (Player* const player : players) player->prepare(static_cast<int>(seats_.size()));
  }

  // Seats new games where seats are free; false where no game is left.
  bool fill() {
    bool any = false;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      if (!seats_[i].taken) {
        if (const auto task = list_.next()) begin(i, *task);
      }
      any = any || seats_[i].taken;
    }
    return any;
  }

  // Lets the player move in all games in which it is its turn. Returns their number.
  std::size_t ask(std::size_t player) {
    views_.clear();
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const Seat& seat = seats_[i];
      if (!seat.taken || to_move(seat) != player) continue;
      views_.push_back({.slot = static_cast<int>(i),
                        .start = &seat.line.start,
                        .position = &seat.line.position,
                        .moves = seat.line.moves,
                        .table = &table_});
    }
    if (views_.empty()) return 0;
    choices_.assign(views_.size(), {});
    players_[player]->choose(views_, choices_);
    for (std::size_t i = 0; i < views_.size(); ++i) {
      play(seats_[static_cast<std::size_t>(views_[i].slot)], player, std::move(choices_[i]));
    }
    list_.moved(views_.size());
    return views_.size();
  }

 private:
  struct Seat {
    bool taken = false;
    MatchGame game;  // but for its moves
    rules::Line line{rules::Position()};
    CardOrder cards;
  };

  std::size_t to_move(const Seat& seat) const {
    const bool whites_turn = seat.line.position.side_to_move() == rules::Color::kWhite;
    return players_.size() == 1 || whites_turn == seat.game.a_is_white ? 0 : 1;
  }

  void begin(std::size_t seat, const GameList::Task& task) {
    const auto& [start, moves] = task.opening;
    seats_[seat] = {true,
                    {.number = task.number,
                     .a_is_white = task.number % 2 == 0,
                     .start = start,
                     .moves = {},
                     .opening_plies = static_cast<int>(moves.size())},
                    rules::Line(start, moves),
                    CardOrder(task.opening.position(), task.cards)};
    for (std::size_t player = 0; player < players_.size(); ++player) {
      players_[player]->new_game(static_cast<int>(seat), task.rngs[player]);
    }
  }

  void play(Seat& seat, std::size_t player, Choice choice) {
    if (choice.forfeit.empty() && !seat.line.position.is_legal(choice.move)) {
      choice.forfeit = "not a legal move";
    }
    if (!choice.forfeit.empty()) {
      seat.game.forfeit = std::move(choice.forfeit);
      return end(seat, rules::win_of(~seat.line.position.side_to_move()));
    }
    StandIns& stand_ins = seat.game.stand_ins[player];
    stand_ins.no_move += choice.stand_in == StandIn::kForNoMove ? 1 : 0;
    stand_ins.illegal += choice.stand_in == StandIn::kForIllegalMove ? 1 : 0;
    make(seat, choice.move);
    if (seat.line.position.is_chance()) make(seat, seat.cards.next(seat.line.position));
    if (const auto outcome = seat.line.outcome(table_)) return end(seat, *outcome);
    if (tablebase_ == nullptr) return;
    if (const auto known = tablebase_->probe_in_game(seat.line.position)) {
      seat.game.by_tablebase = true;
      end(seat, known->outcome);
    }
  }

  static void make(Seat& seat, rules::Move move) {
    if (move == rules::Move::pass()) seat.cards.put_back(seat.line.position);
    seat.line.play(move);
  }

  void end(Seat& seat, rules::Outcome outcome) {
    seat.taken = false;
    seat.game.moves = std::move(seat.line.moves);
    seat.game.outcome = outcome;
    list_.finish(std::move(seat.game));
  }

  GameList& list_;
  const std::span<Player* const> players_;
  const rules::ScoringTable& table_;
  const tablebase::Tables* const tablebase_;
  std::vector<Seat> seats_;
  std::vector<GameView> views_;
  std::vector<Choice> choices_;
};

}  // namespace

std::array<std::int64_t, 2> play_side_by_side(GameList& list, std::span<Player* const> players,
                                              int at_once, const rules::ScoringTable& table,
                                              const base::Threads& threads,
                                              const tablebase::Tables* tablebase) {
  Seats seats(list, players, at_once, table, tablebase);
  std::array<std::int64_t, 2> moves{};
  while (!list.stopped() && !threads.failed() && seats.fill()) {
    for (std::size_t player = 0; player < players.size(); ++player) {
      moves[player] += static_cast<std::int64_t>(seats.ask(player));
    }
  }
  return moves;
}

}  // namespace arena
