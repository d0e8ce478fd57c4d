// The ends of games as alpha-beta sees them, against a search of every move on the mailbox board,
// which shares no code with the rules.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "rules/notation.h"
#include "rules/table_spread.h"
#include "tactics/alphabeta.h"
#include "tactics/score.h"
#include "tests/rules/mailbox.h"
#include "tests/rules/random_position.h"

namespace tactics {
namespace {

using namespace rules;

// What is known of a value after so many plies, for the side to move.
struct Bounds {
  double low = -1, high = 1;
};

Bounds bounds(const mailbox::Board& board, const ScoringTable& table, int plies) {
  const std::string outcome = board.outcome();
  for (int i = 0; i < kOutcomes; ++i) {
    if (outcome != name(static_cast<Outcome>(i))) continue;
    const double value = value_stm(table.points_white[static_cast<std::size_t>(i)],
                                   board.white ? Color::kWhite : Color::kBlack);
    return {value, value};
  }
  if (plies == 0) return {};
  Bounds best{-1, -1};
  for (const std::string& move : board.moves()) {
    const Bounds next = bounds(board.after(move), table, plies - 1);
    best = {std::max(best.low, -next.high), std::max(best.high, -next.low)};
  }
  return best;
}

struct Checked {
  int positions = 0, narrowed = 0, exact = 0;
};

// What alpha-beta finds lies between the bounds, with one thread and with two.
void check(const Position& position, const ScoringTable& table, int plies, Checked& checked) {
  if (position.outcome(table)) return;
  const Bounds known = bounds({position.to_fen(), position.rule_set()}, table, plies);
  ++checked.positions;
  checked.narrowed += known.low > -1 || known.high < 1;
  checked.exact += known.low == known.high;
  for (const int threads : {1, 2}) {
    AlphaBetaSearch search(Evaluator(), threads, 1);
    const double found =
        value_of(search.search(position, table, {}, {.depth = plies + 3}).best().score);
    constexpr double kRounded = 0.002;  // scores are whole numbers
    EXPECT_GE(found, known.low - kRounded) << position.to_fen() << " " << table.to_changes();
    EXPECT_LE(found, known.high + kRounded) << position.to_fen() << " " << table.to_changes();
  }
}

// The position with another clock.
Position with_clock(const Position& position, int clock) {
  const std::string fen = position.to_fen();
  const std::size_t number = fen.rfind(' '), before = fen.rfind(' ', number - 1);
  return Position::from_fen(fen.substr(0, before + 1) + std::to_string(clock) + " 120",
                            position.rule_set());
}

TEST(AlphaBetaEnds, LieBetweenWhatEveryMoveOnAMailboxBoardLeadsTo) {
  Checked checked;
  base::Rng rng(5);
  for (std::uint64_t seed = 0; checked.positions < 1000; ++seed) {
    const Position random = random_position(seed, 60 + static_cast<int>(seed % 120));
    if (random.can_capture_king()) continue;
    const Position edge = with_clock(random, 98 + static_cast<int>(seed % 2));
    if (edge.count_legal_moves() > 40) continue;
    ScoringTable table;
    if (seed % 3 != 0) table = drawn_around({}, kWideTables, false, rng);
    table.material = ScoringTable{}.material;  // the mailbox's
    check(edge, table, 2, checked);
  }
  EXPECT_GT(checked.narrowed, 300);
  EXPECT_GT(checked.exact, 40);
}

TEST(AlphaBetaEnds, OfTheReferenceGamesAreSeenTwoPliesBefore) {
  std::ifstream plain(SHARPZERO_TEST_DATA "/public_rules.json"),
      sets(SHARPZERO_TEST_DATA "/public_rulesets.json");
  nlohmann::json games = nlohmann::json::parse(plain)["games"];
  const nlohmann::json others = nlohmann::json::parse(sets);
  for (const auto& [set, kinds] : others["sets"].items()) {
    if (set == "raindrop" || !kinds.contains("games")) continue;  // it knows no chance
    for (const auto& game : kinds["games"]) games.push_back(game);
  }
  Checked checked;
  for (const auto& game : games) {
    const RuleSet rules = RuleSet::parse(game.value("set", "chess_sharp"));
    auto position = Position::from_fen(game["start_fen"].get<std::string>(), rules);
    const std::size_t plies = game["uci"].size();
    for (std::size_t ply = 0; ply < plies; ++ply) {
      if (ply + 2 >= plies) check(position, rules.table(), 2, checked);
      position.play(parse_uci(position, game["uci"][ply].get<std::string>()));
    }
  }
  EXPECT_GT(checked.positions, 60);
  EXPECT_GT(checked.narrowed, 20);
}

}  // namespace
}  // namespace tactics
