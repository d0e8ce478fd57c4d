#pragma once
// Negamax with alpha-beta bounds, quiescence search at the leaves, and all that makes it fast
// without changing what it finds: transposition table, aspiration window, killer moves, history.
//
// The policy says what positions are worth, as integers for the side to move:
//   State                          what it carries along, such as a material balance or accumulator
//   State after(state, won, next)  that of the position `next`, by a move that won so much
//   int value(position, state)     as the position stands
//   optional<int> end(position, state, ply)   where the game is over, by ply from the root; at the
//                                  latest where the clock has come to the impasse
//   int without_moves(position, state, king_falls, ply)   where no move survives
//   void enter(position), leave()  around what lies behind a position
//   const PieceValues& values()    for SEE and the order of moves
//   uint64_t salt()                two searches with the same salt agree on all values
//   kAdditive                      value() rises by exactly what a move wins
//   kWorst                         no value is less, none greater than -kWorst
//   kClockMatters                  the first clock on which a value depends
//   kQuiescencePlies               the most plies of a quiescence search
//   kSkipsLosing                   captures that lose material by SEE are left out there

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "tactics/quiescence.h"
#include "tactics/transposition_table.h"

namespace tactics {

// One thread's search. What it finds is a function of the position, the moves, the plies and the
// policy alone.
template <class Policy>
class Negamax {
 public:
  using State = typename Policy::State;
  struct Result {
    int value = 0;
    rules::Move best;  // none where all are worth kWorst
  };

  Negamax(Policy policy, int table_bits)
      : policy_(std::move(policy)), quiescence_(policy_), table_(table_bits) {}
  Negamax(const Negamax&) = delete;
  Negamax& operator=(const Negamax&) = delete;

  Policy& policy() { return policy_; }
  Quiescence<Policy>& quiescence() { return quiescence_; }

  // Takes nothing over from earlier searches, for a policy whose values depend on the way to a
  // position; together with a new salt.
  void forget_order() {
    history_.clear();
    killers_.fill({});
  }

  // The value after the best play of `plies` >= 1 plies from one of `moves`, and the first of those
  // that bring it, after the one that is best two plies less deep. REQUIRES: the moves survive and
  // there is one.
  Result find(const rules::Position& position, const State& state,
              std::span<const rules::Move> moves, int plies);

 private:
  class Turn;
  struct Killers {
    std::array<rules::Move, 2> moves{};
    void add(rules::Move move) {
      if (move == moves[0]) return;
      moves[1] = moves[0];
      moves[0] = move;
    }
  };

  Result root(const rules::Position& position, const State& state,
              std::span<const rules::Move> moves, int alpha, int beta, int plies);
  int search(const rules::Position& position, const State& state, int alpha, int beta, int depth,
             int ply);
  // The child's value for the parent, behind a move that won so much: exact between the bounds.
  int reply(const rules::Position& next, const State& state, int won, int alpha, int beta,
            int depth, int ply);
  std::uint64_t key_of(const rules::Position& position, int depth) const;

  static constexpr int kMaxDepth = 64;
  Policy policy_;
  Quiescence<Policy> quiescence_;
  TranspositionTable table_;
  MoveHistory history_;
  std::array<Killers, kMaxDepth> killers_{};  // by remaining depth
};

template <class Policy>
typename Negamax<Policy>::Result Negamax<Policy>::find(const rules::Position& position,
                                                       const State& state,
                                                       std::span<const rules::Move> moves,
                                                       int plies) {
  constexpr int kWorst = Policy::kWorst;
  Result result{policy_.value(position, state), {}};
  if (plies > 2) result = find(position, state, moves, plies - 2);
  rules::MoveList ordered;
  if (result.best) ordered.push_back(result.best);
  for (const rules::Move move : moves) {
    if (move != result.best) ordered.push_back(move);
  }
  const int guess = result.value;
  int alpha = plies == 1 ? kWorst : std::max(guess - 1, kWorst);
  int beta = plies == 1 ? -kWorst : std::min(guess + 1, -kWorst);
  const std::span<const rules::Move> in_order(ordered.data(), ordered.size());
  policy_.enter(position);
  result = root(position, state, in_order, alpha, beta, plies);
  if (result.value <= alpha && alpha > kWorst) {
    result = root(position, state, in_order, kWorst, result.value + 1, plies);
  } else if (result.value >= beta && beta < -kWorst) {
    result = root(position, state, in_order, result.value - 1, -kWorst, plies);
  }
  policy_.leave();
  return result;
}

template <class Policy>
typename Negamax<Policy>::Result Negamax<Policy>::root(const rules::Position& position,
                                                       const State& state,
                                                       std::span<const rules::Move> moves,
                                                       int alpha, int beta, int plies) {
  Result result{Policy::kWorst, {}};
  const Gains gain(position, policy_.values());
  std::optional<Checks> checks;
  const int stand = policy_.value(position, state);
  // On the last ply the enemy stands still at worst, unless he is in check.
  const auto futile = [&](rules::Move move) {
    if (!Policy::kAdditive || plies > 1) return false;
    if (stand + gain(move) > std::max(alpha, result.value)) return false;
    if (!checks) checks.emplace(position);
    return !checks->given_by(move);
  };
  for (const rules::Move move : moves) {
    if (futile(move)) continue;
    const int value = reply(position.after(move), state, gain(move), std::max(alpha, result.value),
                            beta, plies - 1, 1);
    if (value <= result.value) continue;
    result = {value, move};
    if (value >= beta) break;
  }
  return result;
}

template <class Policy>
int Negamax<Policy>::reply(const rules::Position& next, const State& state, int won, int alpha,
                           int beta, int depth, int ply) {
  const State its = policy_.after(state, won, next);
  if (alpha + 1 < beta && alpha > Policy::kWorst) {  // is it better at all?
    const int value = -search(next, its, -alpha - 1, -alpha, depth, ply);
    if (value <= alpha) return value;
  }
  return -search(next, its, -beta, -alpha, depth, ply);
}

template <class Policy>
std::uint64_t Negamax<Policy>::key_of(const rules::Position& position, int depth) const {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  const int clock = position.halfmove_clock();
  const bool near = clock + depth + Policy::kQuiescencePlies >= Policy::kClockMatters;
  const auto extra = static_cast<std::uint64_t>(near ? clock + 1 : 0);
  return position.key() ^ (policy_.salt() << 16 | extra) * kFactor;
}

template <class Policy>
int Negamax<Policy>::search(const rules::Position& position, const State& state, int alpha,
                            int beta, int depth, int ply) {
  if (const auto over = policy_.end(position, state, ply)) return *over;
  if (depth == 0) {
    return quiescence_.search(position, state, alpha, beta, ply, Policy::kQuiescencePlies,
                              quiescence_.answer());
  }
  const std::uint64_t key = key_of(position, depth);
  TranspositionTable::Entry& entry = table_.at(key);
  rules::Move first;
  if (entry.key == key) {
    first = entry.best;
    if (entry.depth == depth && entry.ply == ply && entry.settles(alpha, beta)) return entry.value;
  }
  policy_.enter(position);
  Turn turn(*this, position, state, alpha, beta, depth, ply);
  const int value = turn.search(first);
  policy_.leave();
  const Bound bound = value >= beta    ? Bound::kLower
                      : value <= alpha ? Bound::kUpper
                                       : Bound::kExact;
  entry.store(key, value, turn.best_move(), depth, ply, bound);
  return value;
}

}  // namespace tactics

#include "tactics/negamax_turn.h"
