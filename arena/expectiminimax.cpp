#include "arena/expectiminimax.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tactics/evaluator.h"

namespace arena {
namespace {

constexpr double kPlyCost = 1e-4;  // an end's value shrinks by this a ply
constexpr int kCapturePlies = 6;   // of captures at the end of a search

// Alpha-beta bounds hold within what chance has decided. All values are for the side to move, in
// [-1, 1].
class CardSearch {
 public:
  CardSearch(const rules::ScoringTable& table, rules::History past)
      : table_(table), past_(std::move(past)) {
    material_.set_table(table);
  }

  Expected find(const rules::Position& position, std::span<const rules::Move> moves, int depth) {
    Expected best{moves.front(), -2};
    past_.add(position);
    for (const rules::Move move : moves) {
      const auto alpha = static_cast<double>(best.value_stm);
      const double value = after(position, move, depth, alpha, 2, 1);
      if (value > alpha) best = {move, static_cast<float>(value)};
    }
    return best;
  }

 private:
  // The value of a move for who makes it, with `depth` turns left, this one counted in.
  double after(const rules::Position& position, rules::Move move, int depth, double alpha,
               double beta, int ply) {
    if (move == rules::Move::draw() && depth <= 1 && !position.in_check(position.side_to_move())) {
      return material_.value_stm(position);
    }
    const rules::Position next = position.after(move);
    if (next.side_to_move() == position.side_to_move()) return turn(next, depth, alpha, beta, ply);
    return -turn(next, depth - 1, -beta, -alpha, ply);
  }

  double turn(const rules::Position& position, int depth, double alpha, double beta, int ply) {
    if (const auto end = end_value(position, ply)) return *end;
    if (position.is_chance()) return expectation(position, depth, ply);
    if (depth == 0) return captures(position, alpha, beta, ply, kCapturePlies);
    const std::size_t before = past_.size();
    past_.add(position);
    double best = -2;
    for (const rules::Move move : position.legal_moves()) {
      best = std::max(best, after(position, move, depth, std::max(alpha, best), beta, ply + 1));
      if (best >= beta) break;
    }
    past_.cut(before);
    return best;
  }

  double expectation(const rules::Position& position, int depth, int ply) {
    double sum = 0;
    for (const rules::Move card : position.legal_moves()) {
      sum += position.card_chance(card) * turn(position.after(card), depth, -2, 2, ply);
    }
    return sum;
  }

  // Captures and promotions, or nothing.
  double captures(const rules::Position& position, double alpha, double beta, int ply, int left) {
    double best = material_.value_stm(position);
    if (left == 0 || position.is_mid_turn()) return best;
    rules::MoveList moves;
    position.noisy_moves(moves);
    for (const rules::Move move : moves) {
      if (best >= beta) break;
      const rules::Position next = position.after(move);
      const auto end = end_value(next, ply + 1);
      const double value =
          end ? *end : captures(next, -beta, -std::max(alpha, best), ply + 1, left - 1);
      best = std::max(best, -value);
    }
    return best;
  }

  std::optional<double> end_value(const rules::Position& position, int ply) const {
    const auto outcome = position.outcome(table_, past_.occurrences(position));
    if (!outcome) return std::nullopt;
    const double white = table_.white_points(*outcome);
    return rules::value_stm(white, position.side_to_move()) * (1 - kPlyCost * ply);
  }

  const rules::ScoringTable& table_;
  tactics::Material material_;
  rules::History past_;  // of the position that is looked at
};

}  // namespace

Expected expectiminimax(const rules::Position& position, std::span<const rules::Move> moves,
                        const rules::ScoringTable& table, int depth, rules::History past) {
  return CardSearch(table, std::move(past)).find(position, moves, depth);
}

}  // namespace arena
