#include "studies/game_facts.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "book/book.h"
#include "tactics/see.h"

namespace studies {
namespace {

using rules::Color;
using rules::Move;
using rules::PieceType;
using rules::Position;

constexpr std::size_t kMaterialEvery =
    5;  // plies between the positions that are kept; odd: both turns

std::uint64_t hash_of(const Position& start, const std::vector<Move>& moves) {
  std::uint64_t hash = start.key();
  for (const Move move : moves) {
    const char bytes[] = {static_cast<char>(move.raw() & 0xff), static_cast<char>(move.raw() >> 8)};
    hash = base::fnv1a({bytes, 2}, hash);
  }
  return hash;
}

// The game, or the image that is a game like it.
std::uint64_t hash_of_like(const Position& start, const std::vector<Move>& moves) {
  const std::uint64_t hash = hash_of(start, moves);
  if (!start.is_mirror_symmetric()) return hash;
  std::vector<Move> image = moves;
  for (Move& move : image) move = rules::mirrored(move);
  return std::min(hash, hash_of(start.mirrored(), image));
}

void note_placement(Move move, int turn, SideFacts& side, std::vector<rules::Square>& bishops) {
  const PieceType piece = move.placed();
  if (piece == PieceType::kKing) side.king_turn = turn;
  if (piece == PieceType::kQueen) side.queen_turn = turn;
  ++side.placements[static_cast<std::size_t>(piece)]
                   [static_cast<std::size_t>(rules::file_of(move.to()))];
  if (piece != PieceType::kBishop) return;
  bishops.push_back(move.to());
  if (bishops.size() < 2) return;
  const auto shade = [](rules::Square s) { return (rules::file_of(s) + rules::rank_of(s)) % 2; };
  side.bishops_on_one_colour = shade(bishops[0]) == shade(bishops[1]);
}

// Whether the position is quiet, no capture would win material and none was just made, which may be
// taken back.
bool is_settled(const std::vector<Position>& positions, const std::vector<Move>& moves,
                std::size_t at, const tactics::PieceValues& values) {
  const Position& position = positions[at];
  if (!selfplay::is_quiet(position, moves[at])) return false;
  if (at > 0 && positions[at - 1].captured_by(moves[at - 1])) return false;
  return tactics::winning_captures(position, position.side_to_move(), values).best <= 0;
}

// In the midst of an exchange a side has a piece less that it is about to win back, and a piece
// that hangs is as good as lost: such positions would make pieces seem worth less.
void note_material(const std::vector<Position>& positions, const std::vector<Move>& moves,
                   const tactics::PieceValues& values, GameFacts& facts) {
  for (std::size_t i = 0; i < moves.size(); i += kMaterialEvery) {
    if (!is_settled(positions, moves, i, values)) continue;
    facts.material.push_back({facts.seed, phase_of(positions[i]), material_of(positions[i]), 0, 0});
  }
  for (MaterialSample& sample : facts.material) {
    sample.weight = 1.0 / static_cast<double>(facts.material.size());
  }
}

}  // namespace

std::uint64_t first_image(const Position& start, Move move) {
  const auto raw = move.raw();
  const bool alike = start.is_mirror_symmetric() && start.mirrored().key() == start.key();
  return alike ? std::min(raw, rules::mirrored(move).raw()) : raw;
}

rules::Outcome GameFacts::outcome_under(const rules::ScoringTable& table) const {
  return is_impasse(outcome) ? end.impasse(table) : outcome;
}

GameFacts facts_of(const selfplay::GameRecord& game, int opening_plies) {
  GameFacts facts;
  const std::vector<Position> positions = selfplay::replay(game);
  std::vector<Move> moves;
  moves.reserve(game.plies.size());
  for (const auto& ply : game.plies) moves.push_back(ply.played);
  const auto key_after = [&](int plies) {
    const auto at = std::min(static_cast<std::size_t>(plies), positions.size() - 1);
    return book::image_of(positions[at]).key();
  };
  facts.seed = game.seed;
  facts.game = hash_of_like(positions.front(), moves);
  if (!moves.empty() && game.rules.setup != rules::Setup::kShuffled) {
    facts.first_move = first_image(positions.front(), moves.front());
  }
  facts.opening = key_after(opening_plies);
  for (std::size_t i = 0; i < kDepths.size(); ++i) facts.at_depth[i] = key_after(kDepths[i]);
  facts.outcome = game.outcome;
  facts.end = positions.back();
  facts.plies = static_cast<int>(moves.size());
  std::array<int, 2> turns{};
  std::array<std::vector<rules::Square>, 2> bishops;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto side = static_cast<std::size_t>(index(positions[i].side_to_move()));
    if (!positions[i].is_mid_turn()) ++turns[side];
    if (moves[i].is_placement() && !moves[i].is_off_board()) {
      note_placement(moves[i], turns[side], facts.sides[side], bishops[side]);
      if (positions[i + 1].reserve_empty(positions[i].side_to_move())) {
        facts.sides[side].placed_turn = turns[side];
      }
    }
    if (moves[i].is_promotion()) {
      ++facts.sides[side].promotions;
      facts.sides[side].underpromotions += moves[i].promoted_to() != PieceType::kQueen ? 1 : 0;
    }
  }
  note_material(positions, moves, tactics::piece_values(game.table), facts);
  return facts;
}

std::size_t distinct_games(std::span<const GameFacts> games) {
  std::set<std::uint64_t> seen;
  for (const GameFacts& game : games) seen.insert(game.game);
  return seen.size();
}

std::array<Variety, kDepths.size()> varieties(std::span<const GameFacts> games) {
  std::array<Variety, kDepths.size()> all;
  for (std::size_t depth = 0; depth < all.size(); ++depth) {
    std::map<std::uint64_t, double> counts;
    for (const GameFacts& game : games) ++counts[game.at_depth[depth]];
    std::vector<double> numbers;
    numbers.reserve(counts.size());
    for (const auto& [position, count] : counts) numbers.push_back(count);
    all[depth] = {kDepths[depth], numbers.size(), entropy(numbers)};
  }
  return all;
}

arena::Estimate points_white(std::span<const GameFacts> games, const rules::ScoringTable& table) {
  std::vector<Sample> samples;
  samples.reserve(games.size());
  for (const GameFacts& game : games) samples.push_back(game.sample(game.points_white(table)));
  const auto [least, most] = std::ranges::minmax(table.points_white);
  return mean_within(samples, least, most);
}

}  // namespace studies
