#include "selfplay/players/alpha_beta.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace selfplay {
namespace {

constexpr int kTableBits = 16;
constexpr int kCapturePlies = 12;     // how far captures are followed
constexpr float kPlyCost = 1e-4f;     // an end's value shrinks by this a ply
constexpr double kSurest = 0.95;      // the highest value of a game that is not over
constexpr double kMaterialScale = 6;  // material units at which a lead is worth tanh(1)
constexpr double kPawnStep = 0.08;    // of a pawn's value, for each row it has gone
constexpr int kClockMatters = 80;
constexpr double kInHand = 0.97;  // of a piece's value while it is in reserve

using rules::Color;
using rules::PieceType;

// Board and reserve in material units, pawns a little more the further they are.
double strength(const rules::Position& position, const rules::ScoringTable& table, Color color) {
  double sum = 0;
  for (const PieceType piece : {PieceType::kPawn, PieceType::kKnight, PieceType::kBishop,
                                PieceType::kRook, PieceType::kQueen}) {
    const int on_board = std::popcount(position.pieces(color, piece));
    const int in_hand = piece == PieceType::kPawn ? 0 : position.reserve(color, piece);
    sum += table.material[static_cast<std::size_t>(index(piece))] * (on_board + kInHand * in_hand);
  }
  for (rules::Bitboard pawns = position.pieces(color, PieceType::kPawn); pawns != 0;) {
    const int rank = rules::rank_of(rules::pop_first(pawns));
    sum += table.material[0] * kPawnStep * (color == Color::kWhite ? rank - 1 : 6 - rank);
  }
  return sum;
}

// The position as the transposition table knows it: near the impasse the clock is part of it.
std::uint64_t hash(const rules::Position& position, int occurrences) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  const int clock = position.halfmove_clock() < kClockMatters ? 0 : position.halfmove_clock();
  return position.key() ^ static_cast<std::uint64_t>(clock) * kFactor ^
         static_cast<std::uint64_t>(occurrences - 1) * 512 * kFactor;
}

bool is_noisy(const rules::Position& position, rules::Move move) {
  return move.is_promotion() || position.captured_by(move);
}

}  // namespace

AlphaBeta::AlphaBeta() : entries_(std::size_t{1} << kTableBits), history_(1 << 16) {}

AlphaBeta::Result AlphaBeta::search(const rules::Position& position,
                                    const rules::ScoringTable& table, int depth, rules::Rng& rng,
                                    rules::History past) {
  table_ = table;
  past_ = std::move(past);
  killers_.fill({});
  std::fill(history_.begin(), history_.end(), 0);
  if (++search_ == 0) {  // the stamps have gone round
    std::fill(entries_.begin(), entries_.end(), Entry{});
    search_ = 1;
  }
  rules::MoveList sensible;
  sensible_moves(position, sensible);
  std::vector<rules::Move> moves(sensible.begin(), sensible.end());
  for (std::size_t i = moves.size(); i > 1; --i) {
    std::swap(moves[i - 1], moves[rng.below(static_cast<std::uint32_t>(i))]);
  }
  Result result{moves[0], 0};
  if (position.can_capture_king()) return {moves[0], king_taken(position, true, 1)};
  for (int i = 1; i <= depth; ++i) {
    const auto best_so_far = std::find(moves.begin(), moves.end(), result.move);
    std::rotate(moves.begin(), best_so_far, best_so_far + 1);
    result.value_stm = best_of(position, i, {-2, 2}, 0, moves, result.move);
  }
  return result;
}

float AlphaBeta::value_of(const rules::Position& position, int depth, Window window, int ply) {
  if (position.can_capture_king()) return king_taken(position, true, ply + 1);
  const int occurrences = past_.occurrences(position);
  if (const auto outcome = position.outcome(table_, occurrences)) {
    return end_value(position, *outcome, ply);
  }
  if (depth == 0 || ply >= kMaxPly) return value_of_captures(position, window, ply, kCapturePlies);

  const std::uint64_t key = hash(position, occurrences);
  const Entry& stored = entry(key);
  rules::Move best;
  if (stored.key == key && stored.search == search_) {
    best = stored.best;
    const bool settles = stored.bound == Bound::kExact ||
                         (stored.bound == Bound::kLower && stored.value >= window.beta) ||
                         (stored.bound == Bound::kUpper && stored.value <= window.alpha);
    if (stored.depth >= depth && settles) return stored.value;
  }
  rules::MoveList moves;
  position.surviving_moves(moves);
  if (moves.size() == 0) return king_taken(position, false, ply + 2);
  sort(position, moves, best, ply);
  const float value = best_of(position, depth, window, ply, {moves.data(), moves.size()}, best);
  const Bound bound = value >= window.beta    ? Bound::kLower
                      : value <= window.alpha ? Bound::kUpper
                                              : Bound::kExact;
  entry(key) = {key, value, best, search_, static_cast<std::int8_t>(depth), bound};
  return value;
}

// Tries the moves in order; `best` becomes the one found best.
float AlphaBeta::best_of(const rules::Position& position, int depth, Window window, int ply,
                         std::span<const rules::Move> moves, rules::Move& best) {
  const std::size_t plies = past_.size();
  past_.add(position);
  float value = -2;
  for (const rules::Move move : moves) {
    const float alpha = std::max(window.alpha, value);
    const float reply = -value_of(position.after(move), depth - 1, {-window.beta, -alpha}, ply + 1);
    if (reply <= value) continue;
    value = reply;
    best = move;
    if (value >= window.beta) {
      note_cutoff(position, move, depth, ply);
      break;
    }
  }
  past_.cut(plies);
  return value;
}

// Captures and promotions only, or standing still; in check every move that saves the king.
float AlphaBeta::value_of_captures(const rules::Position& position, Window window, int ply,
                                   int left) {
  if (position.can_capture_king()) return king_taken(position, true, ply + 1);
  if (position.halfmove_clock() >= 100) return end_value(position, *position.outcome(table_), ply);
  const bool in_check = position.in_check(position.side_to_move());
  float value = in_check ? king_taken(position, false, ply + 2) : evaluate(position);
  if (left == 0) return evaluate(position);
  if (value >= window.beta) return value;
  rules::MoveList moves;
  if (in_check) {
    position.surviving_moves(moves);
  } else {
    position.legal_moves(moves);
  }
  sort(position, moves, {}, ply);
  for (const rules::Move move : moves) {
    if (!in_check && !is_noisy(position, move)) continue;
    const float alpha = std::max(window.alpha, value);
    const float reply =
        -value_of_captures(position.after(move), {-window.beta, -alpha}, ply + 1, left - 1);
    value = std::max(value, reply);
    if (value >= window.beta) break;
  }
  return value;
}

float AlphaBeta::evaluate(const rules::Position& position) const {
  const Color mover = position.side_to_move();
  const double lead = strength(position, table_, mover) - strength(position, table_, ~mover);
  const double value = kSurest * std::tanh(lead / kMaterialScale);
  const double nearness = std::pow(position.halfmove_clock() / 100.0, 4);
  if (nearness < 0.01) return static_cast<float>(value);
  const double balance = position.material_balance_white(table_);
  const rules::Outcome impasse = balance > 0   ? rules::Outcome::kImpasseWhiteMore
                                 : balance < 0 ? rules::Outcome::kImpasseBlackMore
                                               : rules::Outcome::kImpasseEqual;
  const double impasse_value = rules::value_stm(table_.white_points(impasse), mover);
  return static_cast<float>((1 - nearness) * value + nearness * impasse_value);
}

float AlphaBeta::end_value(const rules::Position& position, rules::Outcome outcome, int ply) const {
  const double value = rules::value_stm(table_.white_points(outcome), position.side_to_move());
  return static_cast<float>(value) * (1 - kPlyCost * static_cast<float>(ply));
}

float AlphaBeta::king_taken(const rules::Position& position, bool mover_wins, int plies) const {
  const bool white_wins = (position.side_to_move() == Color::kWhite) == mover_wins;
  return end_value(position, white_wins ? rules::Outcome::kWhiteWins : rules::Outcome::kBlackWins,
                   plies);
}

// The first move given, then captures and promotions (most gained by the cheapest first), then the
// ply's killer, then by history.
void AlphaBeta::sort(const rules::Position& position, rules::MoveList& moves, rules::Move first,
                     int ply) const {
  const auto score = [&](rules::Move move) {
    if (move == first) return 1 << 30;
    if (is_noisy(position, move)) {
      const int moving = move.is_placement() ? 0 : index(*position.piece_at(move.from()));
      const double gain = material_gain(position, move, table_);
      return (1 << 28) + static_cast<int>(gain * 1000) - moving;
    }
    if (ply < kMaxPly && move == killers_[static_cast<std::size_t>(ply)]) return 1 << 27;
    return history_[move.raw()];
  };
  std::array<std::pair<int, rules::Move>, rules::MoveList::kCapacity> scored;
  std::size_t count = 0;
  for (const rules::Move move : moves) scored[count++] = {score(move), move};
  std::stable_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(count),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  moves.clear();
  for (std::size_t i = 0; i < count; ++i) moves.push_back(scored[i].second);
}

AlphaBeta::Entry& AlphaBeta::entry(std::uint64_t hash) {
  return entries_[hash >> (64 - kTableBits)];
}

void AlphaBeta::note_cutoff(const rules::Position& position, rules::Move move, int depth, int ply) {
  if (is_noisy(position, move)) return;
  if (ply < kMaxPly) killers_[static_cast<std::size_t>(ply)] = move;
  int& history = history_[move.raw()];
  history = std::min(history + depth * depth, 1 << 26);
}

rules::Move AlphaBetaPlayer::choose_move(const GameView& game, rules::Rng& rng) {
  const rules::History past(*game.start, game.moves);
  return engine_.search(*game.position, *game.table, depth_, rng, past).move;
}

}  // namespace selfplay
