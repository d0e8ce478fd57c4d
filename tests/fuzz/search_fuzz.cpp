// A rule set, a scoring table and any bytes as a position, searched by alpha-beta, with material
// and with an NNUE of random weights.
#include <array>

#include "rules/notation.h"
#include "tactics/alphabeta.h"
#include "tests/fuzz/check.h"
#include "tests/tactics/random_nnue.h"

namespace {

void search(tactics::AlphaBetaSearch& engine, const rules::Position& root,
            const rules::ScoringTable& table, std::uint64_t nodes) {
  tactics::SearchLimits limits;
  limits.nodes = nodes;
  limits.multi_pv = 1 + static_cast<int>(nodes % 3);
  limits.full_width = nodes % 2 == 0;
  const auto found = engine.search(root, table, {}, limits);
  for (const auto& line : found.moves) {
    rules::Position position = root;
    for (const rules::Move move : line.line) {
      fuzz::check(position.is_legal(move), "lines are legal");
      fuzz::check(!position.outcome(table), "no move follows the game's end");
      position.play(move);
    }
  }
  fuzz::check(found.best().value_stm >= -1 && found.best().value_stm <= 1, "values lie in [-1, 1]");
  for (const auto& line : found.moves) {
    float sum = 0;
    for (const float probability : line.outcomes) {
      fuzz::check(probability >= 0, "no outcome has less than nothing");
      sum += probability;
    }
    fuzz::check(sum > 0.999f && sum < 1.001f, "the outcomes' probabilities sum to 1");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHead = 12;  // rule set, seven outcomes' points, three values, nodes
  if (size < kHead) return 0;
  const auto rules = fuzz::rule_set(data[0]);
  rules::ScoringTable table;
  for (std::size_t i = 0; i < table.points_white.size(); ++i) {
    table.points_white[i] = data[1 + i] % 101 / 10.0;
  }
  for (std::size_t i = 0; i < 3; ++i) table.material[1 + i] = 0.1 + data[8 + i] / 10.0;
  try {
    table.check();
    const auto root = rules::Position::from_fen(
        std::string_view(reinterpret_cast<const char*>(data + kHead), size - kHead), rules);
    if (root.has_cards() || root.outcome(table)) return 0;  // it knows no chance
    const std::uint64_t nodes = 1 + data[11];
    static tactics::AlphaBetaSearch by_material(tactics::Evaluator(), 1, 1);
    static tactics::AlphaBetaSearch by_nnue(tactics::Evaluator(tactics::random_nnue(1)), 1, 1);
    search(by_material, root, table, nodes);
    search(by_nnue, root, table, nodes);
  } catch (const rules::RulesError&) {  // no position, or a table that pays more than a win
  }
  return 0;
}
