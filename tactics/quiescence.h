#pragma once

#include <algorithm>
#include <optional>

#include "rules/attacks.h"
#include "rules/move_list.h"
#include "rules/position.h"
#include "tactics/checks.h"
#include "tactics/move_order.h"
#include "tactics/see.h"

namespace tactics {

// Quiescence search: captures and promotions, in which either side may stand pat instead, until
// it is quiet or Policy::kQuiescencePlies have gone; in check all moves that leave it, without
// standing pat. Fail-soft alpha-beta: what is returned is exact between the bounds, else it
// bounds the value from the side on which it lies. negamax.h says what a policy is.
template <class Policy>
class Quiescence {
 public:
  using State = typename Policy::State;

  explicit Quiescence(const Policy& policy) : policy_(policy) {}

  // `likely`: a capture worth trying first, if it can be played. `standing_loses`: what
  // standing pat costs the side to move here. REQUIRES: no king can be captured.
  int search(const rules::Position& position, const State& state, int alpha, int beta, int ply,
             int left = Policy::kQuiescencePlies, rules::Move likely = {}, int standing_loses = 0);
  // The capture that was best in the position that search() was last called for, or none.
  rules::Move answer() const { return answer_; }

 private:
  int evade(const rules::Position& position, const State& state, int alpha, int beta, int ply,
            int left);

  const Policy& policy_;
  rules::Move answer_;
};

template <class Policy>
int Quiescence<Policy>::search(const rules::Position& position, const State& state, int alpha,
                               int beta, int ply, int left, rules::Move likely,
                               int standing_loses) {
  using rules::Move;
  answer_ = {};
  if (position.halfmove_clock() >= rules::Position::kImpasseClock) {
    return *policy_.end(position, state, ply);
  }
  const rules::Color mover = position.side_to_move();
  if (left > 0 && position.in_check(mover) && position.pieces_may_move(~mover)) {
    return evade(position, state, alpha, beta, ply, left);
  }
  const int stand = policy_.value(position, state);
  int best = stand - standing_loses;
  if (left == 0 || best >= beta) return best;

  Move answer;
  const Gains gain(position, policy_.values());
  std::optional<Checks> checks;
  // The enemy stands pat at worst, unless in check.
  const auto futile = [&](Move move, int won) {
    if constexpr (!Policy::kAdditive) return false;
    if (stand + won > std::max(alpha, best)) return false;
    if (!checks) checks.emplace(position);
    if (checks->given_by(move)) return false;
    best = std::max(best, stand + won);
    return true;
  };
  const auto attempt = [&](Move move, int won) {
    if (Policy::kSkipsLosing && loses_material(position, move, won, policy_.values())) return;
    const rules::Position next = position.after(move);
    if (next.can_capture_king()) return;
    const int reached = -search(next, policy_.after(state, won, next), -beta,
                                -std::max(alpha, best), ply + 1, left - 1);
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
    rules::MoveList noisy;
    position.noisy_moves(noisy);
    ScoredMoves scored;
    for (const Move move : noisy) {
      const int won = gain(move);
      if (move != likely && !futile(move, won)) {
        scored.add(move, capture_score(won, *position.piece_at(move.from())));
      }
    }
    for (std::size_t i = 0; i < scored.size() && best < beta; ++i) {
      const Move move = scored.take(i);
      if (const int won = gain(move); !futile(move, won)) attempt(move, won);
    }
  }
  answer_ = answer;
  return best;
}

template <class Policy>
int Quiescence<Policy>::evade(const rules::Position& position, const State& state, int alpha,
                              int beta, int ply, int left) {
  rules::MoveList moves;
  position.surviving_moves(moves);
  if (moves.empty()) {
    return policy_.without_moves(position, state, king_falls_without_moves(position), ply);
  }
  const Gains gain(position, policy_.values());
  ScoredMoves scored;
  for (const rules::Move move : moves) {
    scored.add(move, capture_score(gain(move), piece_of(position, move)));
  }
  int best = Policy::kWorst;
  rules::Move answer;
  for (std::size_t i = 0; i < scored.size() && best < beta; ++i) {
    const rules::Move move = scored.take(i);
    const rules::Position next = position.after(move);
    const int reached = -search(next, policy_.after(state, gain(move), next), -beta,
                                -std::max(alpha, best), ply + 1, left - 1);
    if (reached <= best) continue;
    best = reached;
    answer = move;
  }
  answer_ = answer;
  return best;
}

}  // namespace tactics
