#pragma once
// A small classical engine: negamax with alpha-beta bounds, a transposition table and a search of
// captures at the leaves. A rung of the ladder, and the judge of openings.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/history.h"
#include "selfplay/players/simple_players.h"

namespace selfplay {

// One engine's memory and its search of one position at a time. Values are expected points of the
// side to move scaled to [-1, 1] under the table given; ends of the game are exact but for a trifle
// that prefers the nearer win.
class AlphaBeta {
 public:
  struct Result {
    rules::Move move;
    float value_stm = 0;
  };

  AlphaBeta();
  // Looks `depth` >= 1 plies ahead, and further along captures. Equal moves are chosen between by
  // `rng` (which orders the root's moves). Depends on nothing searched before. Repetitions of
  // `past` and on the way are ends of the game as the rules say; what lies behind a position that
  // two lines come to equally often is taken to be worth the same. REQUIRES: the game is not over.
  Result search(const rules::Position& position, const rules::ScoringTable& table, int depth,
                rules::Rng& rng, rules::History past = {});

 private:
  enum class Bound : std::uint8_t { kExact, kLower, kUpper };
  struct Entry {
    std::uint64_t key = 0;
    float value = 0;
    rules::Move best;
    std::uint16_t search = 0;  // entries of earlier searches do not count
    std::int8_t depth = 0;
    Bound bound = Bound::kExact;
  };
  struct Window {
    float alpha;
    float beta;
  };

  float value_of(const rules::Position& position, int depth, Window window, int ply);
  float value_of_captures(const rules::Position& position, Window window, int ply, int left);
  float evaluate(const rules::Position& position) const;
  float end_value(const rules::Position& position, rules::Outcome outcome, int ply) const;
  // The value of a position whose mover (wins) or whose opponent takes a king `plies` after the
  // root.
  float king_taken(const rules::Position& position, bool mover_wins, int plies) const;
  float best_of(const rules::Position& position, int depth, Window window, int ply,
                std::span<const rules::Move> moves, rules::Move& best);
  void sort(const rules::Position& position, rules::MoveList& moves, rules::Move first,
            int ply) const;
  Entry& entry(std::uint64_t hash);
  void note_cutoff(const rules::Position& position, rules::Move move, int depth, int ply);

  rules::ScoringTable table_;
  rules::History past_;  // of the position that is looked at
  std::vector<Entry> entries_;
  std::uint16_t search_ = 0;
  static constexpr int kMaxPly = 128;
  std::array<rules::Move, kMaxPly> killers_{};
  std::vector<int> history_;  // by the move's 16 bits
};

class AlphaBetaPlayer final : public OneGamePlayer {
 public:
  explicit AlphaBetaPlayer(int depth) : depth_(depth) {}
  std::string name() const override { return "alphabeta:" + std::to_string(depth_); }

 private:
  rules::Move choose_move(const GameView& game, rules::Rng& rng) override;

  int depth_;
  AlphaBeta engine_;
};

}  // namespace selfplay
