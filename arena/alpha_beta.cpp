#include "arena/alpha_beta.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arena/simple_players.h"
#include "tactics/negamax.h"

namespace arena {
namespace {

constexpr int kTableBits = 16;
constexpr double kUnit = 1e6;         // of the search's integers, for a value of 1
constexpr double kPlyCost = 1e-4;     // an end's value shrinks by this a ply
constexpr double kSurest = 0.95;      // the highest value of a game that is not over
constexpr double kMaterialScale = 6;  // material units at which a lead is worth tanh(1)
constexpr double kPawnStep = 0.08;    // of a pawn's value, for each row it has gone
constexpr double kInHand = 0.97;      // of a piece's value while it is in reserve or deck
constexpr int kCardCaptures = 6;      // plies of captures at the end of a search with cards

using rules::Color;
using rules::PieceType;

// Board and reserve in material units, pawns a little more the further they are.
double strength(const rules::Position& position, const rules::ScoringTable& table, Color color) {
  double sum = 0;
  for (const PieceType piece : {PieceType::kPawn, PieceType::kKnight, PieceType::kBishop,
                                PieceType::kRook, PieceType::kQueen}) {
    const int on_board = std::popcount(position.pieces(color, piece));
    const int in_hand = position.reserve(color, piece);
    sum += table.material[static_cast<std::size_t>(index(piece))] * (on_board + kInHand * in_hand);
  }
  for (rules::Bitboard pawns = position.pieces(color, PieceType::kPawn); pawns != 0;) {
    const int rank = rules::rank_of(rules::pop_first(pawns));
    sum += table.material[0] * kPawnStep * (color == Color::kWhite ? rank - 1 : 6 - rank);
  }
  return sum;
}

// What positions are worth under a scoring table; knows the game's past.
class ScoringPolicy {
 public:
  struct State {};
  static constexpr bool kAdditive = false;
  static constexpr int kWorst = static_cast<int>(-2 * kUnit);
  static constexpr int kClockMatters = 32;  // where value() begins to look at the impasse
  static constexpr int kQuiescencePlies = 12;
  static constexpr bool kSkipsLosing = false;

  void start(const rules::ScoringTable& table, rules::History past, bool repetition) {
    table_ = table;
    past_ = std::move(past);
    repetition_ = repetition;
    values_ = tactics::piece_values(table);
    ++searches_;
  }

  State after(State, int, const rules::Position&) const { return {}; }
  int value(const rules::Position& position, State) const {
    const Color mover = position.side_to_move();
    const double lead = strength(position, table_, mover) - strength(position, table_, ~mover);
    const double value = kSurest * std::tanh(lead / kMaterialScale);
    const int clock = position.halfmove_clock();
    if (clock < kClockMatters) return rounded(value);
    const double nearness = std::pow(clock / 100.0, 4);
    const double impasse = rules::value_stm(table_.white_points(position.impasse(table_)), mover);
    return rounded((1 - nearness) * value + nearness * impasse);
  }
  std::optional<int> end(const rules::Position& position, State, int ply) const {
    const auto outcome = position.outcome(table_, past_.occurrences(position));
    if (!outcome) return std::nullopt;
    return end_value(position, *outcome, ply);
  }
  // Every move loses the king, two plies from here.
  int without_moves(const rules::Position& position, State, bool, int ply) const {
    return end_value(position, rules::win_of(~position.side_to_move()), ply + 2);
  }
  int end_value(const rules::Position& position, rules::Outcome outcome, int ply) const {
    const double value = rules::value_stm(table_.white_points(outcome), position.side_to_move());
    return rounded(value * (1 - kPlyCost * ply));
  }
  void enter(const rules::Position& position) { past_.add(position); }
  void leave() {
    if (repetition_) past_.cut(past_.size() - 1);
  }
  const tactics::PieceValues& values() const { return values_; }
  std::uint64_t salt() const { return searches_; }

 private:
  static int rounded(double value) { return static_cast<int>(std::lround(value * kUnit)); }

  rules::ScoringTable table_;
  rules::History past_;  // of the position that is looked at
  bool repetition_ = false;
  tactics::PieceValues values_{};
  std::uint64_t searches_ = 0;
};

// Expectiminimax for games with cards: a draw is worth what the cards let expect, by their numbers
// in the deck. A depth counts turns, and on the last a draw is worth what stands: it wins nothing
// by itself. Alpha-beta bounds hold within what chance has decided.
class CardSearch {
 public:
  explicit CardSearch(ScoringPolicy& policy) : policy_(policy) {}

  AlphaBeta::Result find(const rules::Position& position, std::span<const rules::Move> moves,
                         int depth) {
    AlphaBeta::Result best{moves.front(), -2};
    policy_.enter(position);
    for (const rules::Move move : moves) {
      const auto alpha = static_cast<double>(best.value_stm);
      const double value = after(position, move, depth, alpha, 2, 1);
      if (value > alpha) best = {move, static_cast<float>(value)};
    }
    policy_.leave();
    return best;
  }

 private:
  // All values are for the side to move at `position`, in units of ScoringTable's value_stm.

  // The score of a move of the position, with `depth` turns left, this one counted in.
  double after(const rules::Position& position, rules::Move move, int depth, double alpha,
               double beta, int ply) {
    if (move == rules::Move::draw() && depth <= 1 && !position.in_check(position.side_to_move())) {
      return stands(position);
    }
    const rules::Position next = position.after(move);
    if (next.side_to_move() == position.side_to_move()) return turn(next, depth, alpha, beta, ply);
    return -turn(next, depth - 1, -beta, -alpha, ply);
  }

  double turn(const rules::Position& position, int depth, double alpha, double beta, int ply) {
    if (const auto over = policy_.end(position, {}, ply)) return *over / kUnit;
    if (position.is_chance()) return expectation(position, depth, ply);
    if (depth == 0) return captures(position, alpha, beta, ply, kCardCaptures);
    policy_.enter(position);
    double best = -2;
    for (const rules::Move move : position.legal_moves()) {
      best = std::max(best, after(position, move, depth, std::max(alpha, best), beta, ply + 1));
      if (best >= beta) break;
    }
    policy_.leave();
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
    double best = stands(position);
    if (left == 0 || position.is_mid_turn()) return best;
    rules::MoveList moves;
    position.noisy_moves(moves);
    for (const rules::Move move : moves) {
      if (best >= beta) break;
      const rules::Position next = position.after(move);
      const auto over = policy_.end(next, {}, ply + 1);
      const double value =
          over ? *over / kUnit : captures(next, -beta, -std::max(alpha, best), ply + 1, left - 1);
      best = std::max(best, -value);
    }
    return best;
  }

  double stands(const rules::Position& position) const {
    return policy_.value(position, {}) / kUnit;
  }

  ScoringPolicy& policy_;
};

}  // namespace

struct AlphaBeta::Search : tactics::Negamax<ScoringPolicy> {
  using Negamax::Negamax;
};

AlphaBeta::AlphaBeta() : search_(std::make_unique<Search>(ScoringPolicy(), kTableBits)) {}
AlphaBeta::~AlphaBeta() = default;

AlphaBeta::Result AlphaBeta::search(const rules::Position& position,
                                    const rules::ScoringTable& table, int depth, base::Rng& rng,
                                    rules::History past) {
  rules::MoveList sensible;
  sensible_moves(position, sensible);
  std::vector<rules::Move> moves(sensible.begin(), sensible.end());
  for (std::size_t i = moves.size(); i > 1; --i) {
    std::swap(moves[i - 1], moves[rng.below(static_cast<std::uint32_t>(i))]);
  }
  ScoringPolicy& policy = search_->policy();
  policy.start(table, std::move(past), position.rule_set().repetition);
  search_->forget_order();
  const auto value_stm = [](int value) { return static_cast<float>(value / kUnit); };
  if (position.has_cards()) return CardSearch(policy).find(position, moves, depth);
  const Color mover = position.side_to_move();
  if (position.can_capture_king()) {
    return {moves[0], value_stm(policy.end_value(position, rules::win_of(mover), 1))};
  }
  rules::MoveList survivors;
  position.surviving_moves(survivors);
  if (survivors.empty()) return {moves[0], value_stm(policy.without_moves(position, {}, true, 0))};
  const auto found = search_->find(position, {}, moves, depth);
  return {found.best, value_stm(found.value)};
}

Choice AlphaBetaPlayer::choose_move(const GameView& game, base::Rng& rng) {
  const rules::History past(*game.start, game.moves);
  return {engine_.search(*game.position, *game.table, depth_, rng, past).move};
}

}  // namespace arena
