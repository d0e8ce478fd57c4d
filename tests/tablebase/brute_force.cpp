#include "brute_force.h"

#include <algorithm>

namespace tablebase {

using rules::Color;
using rules::PieceType;
using rules::Position;
using rules::Square;

BruteForce::BruteForce(const Pieces& pieces, rules::RuleSet rules, const rules::ScoringTable& table,
                       const Solved& smaller, const Listener& told)
    : pieces_(pieces), rules_(rules), table_(table), smaller_(smaller) {
  std::size_t count = 2;
  for (std::size_t i = 0; i < pieces_.size(); ++i) count *= 64;
  at_zero_.resize(count);
  // A pawn's moves lead to positions whose pawn has gone further: those first, row by row.
  const auto pawn = std::ranges::find(pieces_, PieceType::kPawn, &Pieces::value_type::second);
  for (int row = 0; row < 8; ++row) {
    std::vector<Node> nodes;
    for (std::size_t number = 0; number < count; ++number) {
      const auto at = number / 2 >> 6 * (pawn - pieces_.begin()) & 63;
      const int rank = rules::rank_of(static_cast<Square>(at));
      const bool now = pawn == pieces_.end()          ? row == 0
                       : pawn->first == Color::kWhite ? rank == 7 - row
                                                      : rank == row;
      const bool outer = pawn != pieces_.end() && (row == 0 || row == 7);
      if (now && !outer && position(number, 0)) nodes.push_back(node(number));
    }
    std::vector<float> later(count), points(count);
    for (int clock = 100; clock >= 0; --clock) {
      for (const Node& each : nodes) {
        const double worth_now =
            clock == 100 ? table_.white_points(*position(each.number, clock)->outcome(table_))
                         : worth(each, later);
        points[each.number] = static_cast<float>(worth_now);
        told(*this, each.number, clock, worth_now);
      }
      std::swap(points, later);
    }
    for (const Node& each : nodes) at_zero_[each.number] = later[each.number];
  }
}

std::optional<Position> BruteForce::position(std::size_t number, int clock) const {
  std::vector<rules::PlacedPiece> placed;
  rules::Bitboard taken = 0;
  const auto side = static_cast<Color>(number % 2);
  number /= 2;
  for (const auto& [color, type] : pieces_) {
    const auto square = static_cast<Square>(number % 64);
    number /= 64;
    if (taken & bit(square)) return std::nullopt;
    taken |= bit(square);
    placed.push_back({color, type, square});
  }
  const Position position = Position::with_pieces(placed, side, clock, rules_);
  if (rules_.king_safe && position.in_check(~side)) return std::nullopt;
  return position;
}

std::size_t BruteForce::number_of(const Position& position) const {
  std::size_t number = 0;
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    const auto [color, type] = pieces_[i];
    number = number * 64 +
             static_cast<std::size_t>(index(rules::first_square(position.pieces(color, type))));
  }
  return number * 2 + static_cast<std::size_t>(index(position.side_to_move()));
}

double BruteForce::points_of(const Position& position) const {
  if (const auto outcome = position.outcome(table_)) return table_.white_points(*outcome);
  Pieces pieces;
  for (const PieceType type : {PieceType::kKing, PieceType::kQueen, PieceType::kRook,
                               PieceType::kBishop, PieceType::kKnight, PieceType::kPawn}) {
    for (const Color color : rules::kColors) {
      if (position.pieces(color, type)) pieces.emplace_back(color, type);
    }
  }
  const BruteForce& other = pieces == pieces_ ? *this : *smaller_.at(pieces);
  return static_cast<double>(other.at_zero_[other.number_of(position)]);
}

BruteForce::Node BruteForce::node(std::size_t number) const {
  Node node{number, {}, {}, {}};
  const Position here = *position(number, 0);
  if (const auto outcome = here.outcome(table_)) {
    node.over = table_.white_points(*outcome);
    return node;
  }
  const bool white = here.side_to_move() == Color::kWhite;
  for (const rules::Move move : here.legal_moves()) {
    const Position next = here.after(move);
    if (next.halfmove_clock() != 0) {
      node.quiet.push_back(static_cast<std::uint32_t>(number_of(next)));
      continue;
    }
    const double points = points_of(next);
    node.fixed = !node.fixed ? points
                 : white     ? std::max(*node.fixed, points)
                             : std::min(*node.fixed, points);
  }
  return node;
}

double BruteForce::worth(const Node& node, const std::vector<float>& later) const {
  if (node.over) return *node.over;
  const bool white = node.number % 2 == 0;
  std::optional<double> best = node.fixed;
  for (const std::uint32_t next : node.quiet) {
    const double points = static_cast<double>(later[next]);
    if (!best || (white ? points > *best : points < *best)) best = points;
  }
  return *best;
}

}  // namespace tablebase
