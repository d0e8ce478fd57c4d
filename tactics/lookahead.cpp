#include "tactics/lookahead.h"

#include <algorithm>
#include <optional>

#include "tactics/checks.h"
#include "tactics/lookahead_search.h"
#include "tactics/material.h"
#include "tactics/move_order.h"
#include "tactics/ordered_moves.h"
#include "tactics/see.h"

namespace tactics {
namespace {

using namespace rules;

// Captures that win something (equal ones by their bits), quiet moves, losing captures.
void order_root(const Position& position, std::span<const Move> moves, const PieceValues& values,
                MoveList& out) {
  const Gains gain(position, values);
  OrderedMoves winning;
  MoveList quiet, losing;
  for (const Move move : moves) {
    const int won = gain(move);
    if (won == 0) {
      quiet.push_back(move);
    } else if (loses_material(position, move, won, values)) {
      losing.push_back(move);
    } else {
      winning.add(move, capture_score(won, piece_of(position, move)) << 16 | move.raw());
    }
  }
  out.clear();
  for (std::size_t i = 0; i < winning.size(); ++i) out.push_back(winning.take_early(i));
  for (const Move move : quiet) out.push_back(move);
  for (const Move move : losing) out.push_back(move);
}

}  // namespace

void Lookahead::Search::set_values(const PieceValues& values) {
  values_ = values;
  salt_ = 0;
  for (const int value : values) salt_ = salt_ * 10007 + static_cast<std::uint64_t>(value);
  salt_ &= 0xffffffffffff;  // its upper bits do not count
}

int Lookahead::Search::balance(const Position& position) const {
  const Color mover = position.side_to_move();
  return material(position, mover, values_, 1) - material(position, ~mover, values_, 1);
}

int Lookahead::Search::without_moves(const Position& position, int balance) {
  return king_falls_without_moves(position) ? -kKingFalls : balance;
}

int Lookahead::Search::quiesce(const Position& position, int balance, int alpha, int beta, int left,
                               Move likely, int standing_loses) {
  answer_ = {};
  if (position.halfmove_clock() >= Position::kImpasseClock) {
    return balance;
  }
  const Color mover = position.side_to_move();
  if (left > 0 && position.in_check(mover) && position.pieces_may_move(~mover)) {
    return evade(position, balance, alpha, beta, left);
  }
  int best = balance - standing_loses;
  if (left == 0 || best >= beta) return best;

  Move answer;
  const Gains gain(position, values_);
  std::optional<Checks> checks;
  // The enemy stands pat at worst, unless in check.
  const auto futile = [&](Move move, int won) {
    if (balance + won > std::max(alpha, best)) return false;
    if (!checks) checks.emplace(position);
    if (checks->given_by(move)) return false;
    best = std::max(best, balance + won);
    return true;
  };
  const auto attempt = [&](Move move, int won) {
    if (loses_material(position, move, won, values_)) return;
    const Position next = position.after(move);
    if (next.can_capture_king()) return;
    const int reached = -quiesce(next, -(balance + won), -beta, -std::max(alpha, best), left - 1);
    if (reached <= best) return;
    best = reached;
    answer = move;
  };
  if (likely && can_still_take(position, likely)) {
    if (const int won = gain(likely); !futile(likely, won)) attempt(likely, won);
  } else {
    likely = {};
  }
  if (best < beta) {
    MoveList noisy;
    position.noisy_moves(noisy);
    OrderedMoves scored;
    for (const Move move : noisy) {
      const int won = gain(move);
      if (move != likely && !futile(move, won)) {
        scored.add(move, capture_score(won, *position.piece_at(move.from())));
      }
    }
    for (std::size_t i = 0; i < scored.size() && best < beta; ++i) {
      const Move move = scored.take_early(i);
      if (const int won = gain(move); !futile(move, won)) attempt(move, won);
    }
  }
  answer_ = answer;
  return best;
}

int Lookahead::Search::evade(const Position& position, int balance, int alpha, int beta, int left) {
  MoveList moves;
  position.surviving_moves(moves);
  if (moves.empty()) {
    return without_moves(position, balance);
  }
  const Gains gain(position, values_);
  OrderedMoves scored;
  for (const Move move : moves) {
    scored.add(move, capture_score(gain(move), piece_of(position, move)));
  }
  int best = -kKingFalls;
  Move answer;
  for (std::size_t i = 0; i < scored.size() && best < beta; ++i) {
    const Move move = scored.take_early(i);
    const Position next = position.after(move);
    const int reached =
        -quiesce(next, -(balance + gain(move)), -beta, -std::max(alpha, best), left - 1);
    if (reached <= best) continue;
    best = reached;
    answer = move;
  }
  answer_ = answer;
  return best;
}

Lookahead::Lookahead(int table_bits) : search_(std::make_unique<Search>(table_bits)) {}
Lookahead::~Lookahead() = default;
Lookahead::Lookahead(Lookahead&&) noexcept = default;
Lookahead& Lookahead::operator=(Lookahead&&) noexcept = default;

Finding Lookahead::find(const Position& position, const ScoringTable& table,
                        std::span<const Move> survivors, int plies) {
  const PieceValues values = piece_values(table);
  search_->set_values(values);
  const int balance = search_->balance(position);
  Finding found;
  found.value = found.balance = balance;
  found.plies = plies;
  if (position.has_cards()) {
    found.plies = 0;  // as it stands: a turn is up to three plies, and chance has its say
  } else if (position.can_capture_king()) {
    found.value = kKingFalls;
  } else if (plies == 0) {
    const int hangs = winning_captures(position, ~position.side_to_move(), values).second;
    found.value = search_->quiesce(position, balance, -kKingFalls, kKingFalls,
                                   Search::kQuiescencePlies, {}, hangs);
  } else if (position.halfmove_clock() >= Position::kImpasseClock) {
    // as it stands
  } else if (survivors.empty()) {
    found.value = Search::without_moves(position, balance);
  } else {
    MoveList ordered;
    order_root(position, survivors, values, ordered);
    const auto [value, best] = search_->find(position, balance, ordered, plies);
    found.value = value;
    found.best = best;
  }
  return found;
}

}  // namespace tactics
