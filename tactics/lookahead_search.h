#pragma once
// Negamax with alpha-beta bounds over material, quiescence search at the leaves, and all that makes
// it fast without changing what it finds: transposition table, aspiration window, killer moves,
// history.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/move_list.h"
#include "rules/position.h"
#include "tactics/lookahead.h"
#include "tactics/move_order.h"
#include "tactics/piece_values.h"
#include "tactics/transposition_table.h"

namespace tactics {

// One thread's search. What it finds is a function of the position, the moves, the plies and the
// piece values alone. Values are balances of material of the side to move, as of a Finding; the
// `balance` that methods take is that of the position as it stands.
struct Lookahead::Search {
 public:
  static constexpr int kQuiescencePlies = 8;
  struct Result {
    int value = 0;
    rules::Move best;  // none where all lose the king
  };

  // Remembers up to 2^table_bits positions.
  explicit Search(int table_bits) : table_(std::size_t{1} << table_bits), shift_(64 - table_bits) {}

  void set_values(const PieceValues& values);
  int balance(const rules::Position& position) const;
  // The value after the best play of `plies` >= 1 plies from one of `moves`, and the first of those
  // that bring it, after the one that is best two plies less deep. REQUIRES: the moves survive and
  // there is one.
  Result find(const rules::Position& position, int balance, std::span<const rules::Move> moves,
              int plies);
  // Quiescence search: captures and promotions, in which either side may stand pat instead, until
  // it is quiet or `left` plies have gone; in check all moves that leave it, without standing pat.
  // Fail-soft: what is returned is exact between the bounds, else it bounds the value from the side
  // on which it lies. `likely`: a capture worth trying first, if it can be played.
  // `standing_loses`: what standing pat costs the side to move here. REQUIRES: no king can be
  // captured.
  int quiesce(const rules::Position& position, int balance, int alpha, int beta, int left,
              rules::Move likely = {}, int standing_loses = 0);
  // The value where no move survives.
  static int without_moves(const rules::Position& position, int balance);

 private:
  class Node;
  static constexpr int kMaxDepth = 64;

  // A value is used only by a search of the same depth, as though it were searched again.
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t value = 0;
    rules::Move best;
    std::uint8_t depth = 0;  // remaining plies
    Bound bound = Bound::kExact;
    bool settles(int alpha, int beta) const {
      return bound == Bound::kExact || (bound == Bound::kLower ? value >= beta : value <= alpha);
    }
  };
  static_assert(sizeof(Entry) == 16);

  struct Killers {
    std::array<rules::Move, 2> moves{};
    void add(rules::Move move) {
      if (move != moves[0]) moves = {move, moves[0]};
    }
  };

  // How often quiet moves were too good for the opponent, by side, piece and square arrived at.
  class History {
   public:
    int score(const rules::Position& position, rules::Move move) const {
      return counts_[piece_to(position, move)];
    }
    void reward(const rules::Position& position, rules::Move move, int depth) {
      std::uint16_t& count = counts_[piece_to(position, move)];
      count = static_cast<std::uint16_t>(count + 4 * depth);
      if (count < kMost) return;
      for (std::uint16_t& each : counts_) each /= 2;
    }

   private:
    static constexpr int kMost = 0x7fff;
    std::array<std::uint16_t, kPieceTos> counts_{};
  };

  Result root(const rules::Position& position, int balance, std::span<const rules::Move> moves,
              int alpha, int beta, int plies);
  int search(const rules::Position& position, int balance, int alpha, int beta, int depth);
  // The child's value for the parent, behind a move that won so much: exact between the bounds.
  int reply(const rules::Position& next, int balance, int won, int alpha, int beta, int depth);
  int evade(const rules::Position& position, int balance, int alpha, int beta, int left);
  std::uint64_t key_of(const rules::Position& position, int depth) const;
  Entry& entry(std::uint64_t key) { return table_[key >> shift_]; }

  PieceValues values_ = kPieceValues;
  std::uint64_t salt_ = 0;  // in keys, of values_
  std::vector<Entry> table_;
  int shift_;
  History history_;
  std::array<Killers, kMaxDepth> killers_{};  // by remaining depth
  // The capture that was best in the position that quiesce() was last called for, or none.
  rules::Move answer_;
};

}  // namespace tactics
