#include "rules/perft.h"

namespace rules {
namespace {

bool is_over(const Position& position, bool ends) {
  if (ends) return position.outcome(ScoringTable{}).has_value();
  return position.king_is_gone(position.side_to_move());
}

template <bool kEnds, bool kBulk>
std::uint64_t count(const Position& position, int depth) {
  if (!kBulk && depth == 0) return 1;
  if (is_over(position, kEnds)) return 0;
  if (kBulk && depth == 1) return static_cast<std::uint64_t>(position.count_legal_moves());
  MoveList moves;
  position.legal_moves(moves);
  std::uint64_t leaves = 0;
  for (const Move move : moves) leaves += count<kEnds, kBulk>(position.after(move), depth - 1);
  return leaves;
}

}  // namespace

std::uint64_t perft(const Position& position, int depth, PerftOptions options) {
  if (depth == 0) return 1;
  if (options.bulk) {
    return options.ends ? count<true, true>(position, depth) : count<false, true>(position, depth);
  }
  return options.ends ? count<true, false>(position, depth) : count<false, false>(position, depth);
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth,
                                                         PerftOptions options) {
  std::vector<std::pair<Move, std::uint64_t>> out;
  if (is_over(position, options.ends)) return out;
  for (const Move move : position.legal_moves()) {
    out.emplace_back(move, perft(position.after(move), depth - 1, options));
  }
  return out;
}

}  // namespace rules
