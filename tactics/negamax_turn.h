#pragma once
// One position of Negamax: its moves in stages, so that those which are not needed are never
// listed.

#include "tactics/negamax.h"

namespace tactics {

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
    const bool stages = position_.men_may_move(mover) && !position_.in_check(mover) &&
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
  int bar() const { return std::max(alpha_, best_); }

  // On the last ply the enemy stands still at worst, unless he is in check.
  bool futile(rules::Move move, int won) {
    if (!Policy::kAdditive || depth_ > 1 || stand_ + won > bar()) return false;
    if (!checks_) checks_.emplace(position_);
    if (checks_->given_by(move)) return false;
    best_ = std::max(best_, stand_ + won);
    return true;
  }

  // The last ply of who must win something, after its captures. A position without moves is worth
  // no more than standing still, as its side to move is not in check.
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

  // Those that win something, or all of `noisy` ones; what loses material is kept for later.
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
    const int reached = search_.reply(next, state_, won, bar(), beta_, depth_ - 1, ply_ + 1);
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

}  // namespace tactics
