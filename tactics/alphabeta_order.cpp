// In which order AlphaBetaWorker tries moves, and what it learns for that.
#include <algorithm>

#include "rules/attacks.h"
#include "tactics/alphabeta_worker.h"

namespace tactics {
namespace {

// By type of piece: the squares on which the enemy attacks it by something cheaper.
using Threats = std::array<rules::Bitboard, rules::kPieceTypes>;

Threats threats_to(const rules::Position& position) {
  using namespace rules;
  const Color enemy = ~position.side_to_move();
  if (!position.pieces_may_move(enemy)) return {};
  const Bitboard occupied = position.occupied();
  const auto attacks = [&](PieceType type) {
    Bitboard reached = 0;
    for (Bitboard from = position.pieces(enemy, type); from;)
      reached |= attacks_from(type, pop_first(from), occupied);
    return reached;
  };
  const Bitboard pawns = pawn_attacks(enemy, position.pieces(enemy, PieceType::kPawn));
  const Bitboard minors = pawns | attacks(PieceType::kKnight) | attacks(PieceType::kBishop);
  return {0, pawns, pawns, minors, minors | attacks(PieceType::kRook), 0};
}

}  // namespace

HistoryEntry& AlphaBetaWorker::capture_history(const rules::Position& position, rules::Move move) {
  const auto taken = position.captured_by(move).value_or(rules::PieceType::kKing);
  return shared_.histories.of_capture(piece_to(position, move), taken);
}

void AlphaBetaWorker::order_moves(const Node& node, const rules::MoveList& moves,
                                  OrderedMoves& out) {
  const Gains gain(node.position, values_);
  const auto& killers = at(node.ply).killers;
  const Histories::Followers& answers = shared_.histories.after(at(node.ply - 1).moved);
  const Histories::Followers& plans = shared_.histories.after(at(node.ply - 2).moved);
  const Histories::Followers& follows = shared_.histories.after(at(node.ply - 4).moved);
  const rules::Color mover = node.position.side_to_move();
  const bool with_quiet = node.depth > 0 || node.in_check;
  const Threats threats = with_quiet ? threats_to(node.position) : Threats{};
  for (const rules::Move move : moves) {
    int score = 0;
    if (move == node.tt_move) {
      score = order::kFirst;
    } else if (const int won = gain(move); won > 0) {
      int capture = capture_score(won, piece_of(node.position, move));
      capture += capture_history(node.position, move).value() * kCaptureHistory / 1024;
      score = capture + (loses_material(node.position, move, won, values_) ? order::kLosing
                                                                           : order::kWinning);
    } else if (move == killers[0] || move == killers[1]) {
      score = order::kKiller + (move == killers[0]);
    } else {
      const std::size_t to = piece_to(node.position, move);
      score = shared_.histories.of(mover, move).value() + answers[to].value() + plans[to].value() +
              follows[to].value() * kFollowFour / 100;
      const rules::Bitboard attacked = threats[to / 64 % rules::kPieceTypes];
      if (!move.is_placement() && (attacked & bit(move.from()))) score += kEscapeBonus;
      if (attacked & bit(move.to())) score -= kEscapeBonus;
    }
    out.add(move, score);
  }
}

// The refuting move is tried earlier from now on, those before it later.
void AlphaBetaWorker::reward(const Node& node, const Best& best, const Tried& tried) {
  const int bonus = std::min(kHistoryBonusPerDepth * node.depth, kHistoryMostBonus);
  const bool quiet = Gains(node.position, values_)(best.move) == 0;
  if (!quiet) capture_history(node.position, best.move).add(bonus);
  for (const rules::Move move : tried.captures) capture_history(node.position, move).add(-bonus);
  if (!quiet) return;
  auto& killers = at(node.ply).killers;
  if (killers[0] != best.move) killers = {best.move, killers[0]};
  const auto learn = [&](rules::Move move, int by) {
    const std::size_t to = piece_to(node.position, move);
    shared_.histories.of(node.position.side_to_move(), move).add(by);
    for (const int back : {1, 2, 4}) {
      const std::size_t before = at(node.ply - back).moved;
      if (before != kPieceTos) shared_.histories.after(before)[to].add(by);
    }
  };
  learn(best.move, bonus);
  for (const rules::Move move : tried.quiets) {
    if (move != best.move) learn(move, -bonus);
  }
}

}  // namespace tactics
