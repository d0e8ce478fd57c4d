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
  policy_.enter(position);
  result = root(position, state, ordered, alpha, beta, plies);
  if (result.value <= alpha && alpha > kWorst) {
    result = root(position, state, ordered, kWorst, result.value + 1, plies);
  } else if (result.value >= beta && beta < -kWorst) {
    result = root(position, state, ordered, result.value - 1, -kWorst, plies);
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
  // On the last ply the enemy stands pat at worst, unless in check.
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

// One position of the search: its moves in stages, so that those which are not needed are never
// listed.
template <class Policy>
class Negamax<Policy>::Turn {
 public:
  Turn(Negamax& search, const rules::Position& position, const State& state, int alpha, int beta,
       int depth, int ply)
      : search_(search),
        position_(position),
        state_(state),
        alpha_(alpha),
        beta_(beta),
        depth_(depth),
        ply_(ply),
        stand_(search.policy_.value(position, state)),
        gain_(position, search.policy_.values()),
        killers_(search.killers_[static_cast<std::size_t>(depth) % kMaxDepth]) {}

  // `first`: a move that was good here before, or none.
  int search(rules::Move first) {
    const rules::Color mover = position_.side_to_move();
    const bool stages = position_.pieces_may_move(mover) && !position_.in_check(mover) &&
                        position_.halfmove_clock() + 1 < rules::Position::kImpasseClock;
    if (stages) {
      if (depth_ > 1) try_unlisted(first);
      rules::MoveList noisy;
      if (open()) {
        position_.noisy_moves(noisy);
        try_captures(noisy, true);
      }
      if (Policy::kAdditive && depth_ == 1 && stand_ <= alpha_) {
        search_checks();
        return best_;
      }
      for (const rules::Move killer : {first, killers_.moves[0], killers_.moves[1]}) {
        try_unlisted(killer);
      }
    }
    if (open()) search_all(first, stages);
    return best_;
  }
  rules::Move best_move() const { return best_move_; }

 private:
  bool open() const { return best_ < beta_; }
  int lower() const { return std::max(alpha_, best_); }

  // On the last ply the enemy stands pat at worst, unless in check.
  bool futile(rules::Move move, int won) {
    if (!Policy::kAdditive || depth_ > 1 || stand_ + won > lower()) return false;
    if (!checks_) checks_.emplace(position_);
    if (checks_->given_by(move)) return false;
    best_ = std::max(best_, stand_ + won);
    return true;
  }

  // The last ply of who must win something, after its captures. A position without moves is worth
  // no more than standing pat, as its side to move is not in check.
  void search_checks() {
    best_ = std::max(best_, stand_);
    if (!open()) return;
    rules::MoveList moves;
    if (!checks_) checks_.emplace(position_);
    checks_->quiet_moves(moves);
    for (std::size_t i = 0; i < moves.size() && open(); ++i) {
      attempt(moves[i], gain_(moves[i]));
    }
    try_losing();
  }

  void try_unlisted(rules::Move move) {
    if (!open() || was_tried(move) || !is_quickly_playable(position_, move)) return;
    tried_[tried_count_++] = move;
    attempt_quiet(move);
  }
  bool was_tried(rules::Move move) const {
    const auto end = tried_.begin() + static_cast<std::ptrdiff_t>(tried_count_);
    return std::find(tried_.begin(), end, move) != end;
  }

  // `after_captures`: those of pieces on the board have been tried.
  void search_all(rules::Move first, bool after_captures) {
    rules::MoveList moves;
    position_.surviving_moves(moves);
    if (moves.empty()) {
      best_ = search_.policy_.without_moves(position_, state_, king_falls_without_moves(position_),
                                            ply_);
      return;
    }
    if (!after_captures) try_captures(moves, false);
    ScoredMoves quiet;
    if (open()) {
      for (const rules::Move move : moves) {
        if ((gain_(move) != 0 && (!after_captures || !move.is_placement())) || was_tried(move) ||
            futile(move, gain_(move)))
          continue;
        quiet.add(move,
                  move == first ? ScoredMoves::kMaxScore : search_.history_.score(position_, move));
      }
      if (saved_) quiet.prefer(saved_, 0);
    }
    for (std::size_t i = 0; i < quiet.size() && open(); ++i) {
      if (const rules::Bitboard hanging = attempt_quiet(quiet.take(i))) {
        quiet.prefer(hanging, i + 1);
      }
    }
    try_losing();
  }

  void try_losing() {
    for (std::size_t i = 0; i < losing_.size() && open(); ++i) {
      const rules::Move move = losing_.take(i);
      attempt(move, gain_(move));
    }
  }

  // Tries the moves that win something, or all where they are `noisy`; keeps those that lose
  // material by SEE for later.
  void try_captures(const rules::MoveList& moves, bool noisy) {
    ScoredMoves winning;
    for (const rules::Move move : moves) {
      const int won = gain_(move);
      if ((won != 0 || noisy) && !futile(move, won)) {
        winning.add(move, capture_score(won, piece_of(position_, move)));
      }
    }
    for (std::size_t i = 0; i < winning.size() && open(); ++i) {
      const rules::Move move = winning.take(i);
      const int won = gain_(move);
      if (loses_material(position_, move, won, search_.policy_.values())) {
        losing_.add(move, capture_score(won, piece_of(position_, move)));
      } else {
        attempt(move, won);
      }
    }
  }

  // The squares of a piece that the answer takes, where it has not been given the chance to leave.
  rules::Bitboard attempt_quiet(rules::Move move) {
    attempt(move, gain_(move));  // an entry may take something
    const rules::Move answer = search_.quiescence_.answer();
    if (depth_ > 1 || !answer || (bit(answer.to()) & (saved_ | bit(move.to())))) return 0;
    saved_ |= bit(answer.to());
    return bit(answer.to());
  }

  void attempt(rules::Move move, int won) {
    if (futile(move, won)) return;
    const rules::Position next = position_.after(move);
    if (depth_ > 1) search_.table_.prefetch(search_.key_of(next, depth_ - 1));
    if (next.can_capture_king()) return;  // some are listed without a look at that
    const int reached = search_.reply(next, state_, won, lower(), beta_, depth_ - 1, ply_ + 1);
    if (reached > best_) {
      best_ = reached;
      best_move_ = move;
    }
    if (!open() && won == 0) {
      killers_.add(move);
      search_.history_.reward(position_, move, depth_);
    }
  }

  Negamax& search_;
  const rules::Position& position_;
  const State& state_;
  const int alpha_, beta_, depth_, ply_, stand_;
  const Gains gain_;
  Killers& killers_;
  std::optional<Checks> checks_;
  int best_ = Policy::kWorst;
  rules::Move best_move_;
  std::array<rules::Move, 3> tried_{};
  std::size_t tried_count_ = 0;
  ScoredMoves losing_;
  rules::Bitboard saved_ = 0;  // squares whose pieces have been given the chance to leave
};

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
