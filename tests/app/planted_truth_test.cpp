// The studies' commands with the evaluator that comes along, where the truth is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "rules/position.h"
#include "tests/app/process.h"

namespace app {
namespace {

using nlohmann::json;
using rules::Position;
using rules::ScoringTable;

const std::string kNet = SHARPZERO_SOURCE "/networks/nnue/chess_sharp.safetensors";

// White's points by best play, over all lines of so many plies; a line that is not over by then
// pays `open`. No pruning but at a result that cannot be better.
double enumerated(const Position& position, int plies, double open) {
  const ScoringTable table;
  if (const auto over = position.outcome(table)) return table.white_points(*over);
  if (plies == 0) return open;
  const bool white = position.side_to_move() == rules::Color::kWhite;
  double best = white ? 0 : 10;
  for (const rules::Move move : position.legal_moves()) {
    const double points = enumerated(position.after(move), plies - 1, open);
    best = white ? std::max(best, points) : std::min(best, points);
    if (best == (white ? 10 : 0)) break;
  }
  return best;
}

TEST(PlantedTruth, TheAdvantageOfAnEndingIsWhatItsLinesEnumerated) {
  struct Ending {
    const char* fen;
    int plies;  // that decide it
    double points;
  };
  for (const Ending& ending : {
           Ending{"8/8/8/8/3k4/8/8/K6R[] w - - 96 120", 4, 7},   // the rook stays, the clock ends
           Ending{"8/8/8/8/3K4/8/8/k6r[] w - - 96 120", 4, 3},   // the same for Black
           Ending{"k7/8/1K6/8/8/8/8/7R[] w - - 20 120", 3, 10},  // mate, and the king falls
           Ending{"7r/8/8/8/8/1k6/8/K7[] b - - 20 120", 3, 0},
       }) {
    const Position position = Position::from_fen(ending.fen);
    ASSERT_EQ(enumerated(position, ending.plies, 0), ending.points) << ending.fen;
    ASSERT_EQ(enumerated(position, ending.plies, 10), ending.points) << ending.fen;
    const TemporaryFolder folder;
    const Finished finished =
        run({"advantage", "--net", kNet, "--fen", ending.fen, "--games", "4", "--sims", "3000",
             "--opening-plies", "0", "--out", folder / "study", "--json"});
    ASSERT_EQ(finished.code, 0) << finished.error;
    const json set = json::parse(finished.out)["sets"][0];
    EXPECT_EQ(set["points_white"]["mean"], ending.points) << ending.fen;
    EXPECT_NEAR(set["start"]["search"], ending.points, 0.001) << ending.fen;  // scores are whole
  }
}

TEST(PlantedTruth, GamesRepricedByHandAgreeToTheLastDigit) {
  const TemporaryFolder folder;
  const std::string out = folder / "study";
  const Finished finished =
      run({"scoring", "--net", kNet, "--games", "60", "--sims", "60", "--out", out, "--table",
           "impasse_equal=4.9,impasse_white_more=7.5", "--table", "stalemate=2.2", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  std::map<std::string, int> ends;
  std::istringstream lines(run({"games", "--run", out, "--json"}).out);
  for (std::string line; std::getline(lines, line);) ++ends[json::parse(line)["outcome"]];
  const auto by_hand = [&](const std::map<std::string, double>& pays) {
    double sum = 0;
    int games = 0;
    for (const auto& [end, count] : ends) {
      sum += pays.at(end) * count;
      games += count;
    }
    EXPECT_EQ(games, 60);
    return sum / games;
  };
  std::map<std::string, double> pays{{"black_wins", 0},         {"stalemate_white_stalemated", 2},
                                     {"impasse_black_more", 3}, {"impasse_equal", 4},
                                     {"impasse_white_more", 7}, {"stalemate_black_stalemated", 8},
                                     {"white_wins", 10}};
  const json tables = json::parse(finished.out)["tables"];
  EXPECT_NEAR(tables[0]["repriced"]["mean"], by_hand(pays), 1e-12);
  auto impasses = pays, stalemates = pays;
  impasses["impasse_equal"] = 4.9;
  impasses["impasse_white_more"] = 7.5;
  stalemates["stalemate_white_stalemated"] = 2.2;
  stalemates["stalemate_black_stalemated"] = 7.8;
  EXPECT_NEAR(tables[1]["repriced"]["mean"], by_hand(impasses), 1e-12);
  EXPECT_NEAR(tables[2]["repriced"]["mean"], by_hand(stalemates), 1e-12);
  EXPECT_NEAR(tables[1]["difference"]["mean"], by_hand(impasses) - by_hand(pays), 1e-12);
}

TEST(PlantedTruth, AStartThatIsNoneIsRefused) {
  const auto refused = [](const std::string& fen, const std::string& why) {
    const Finished finished = run({"advantage", "--net", kNet, "--fen", fen, "--games", "2"});
    EXPECT_EQ(finished.code, 2);
    EXPECT_NE(finished.error.find(why), std::string::npos) << finished.error;
    EXPECT_EQ(std::count(finished.error.begin(), finished.error.end(), '\n'), 1);
  };
  refused("8/8/8/8/8/8/8/8 w", "FEN");
  refused("8/8/8/8/3k4/8/8/K6R[] w - - 100 120", "the game is over there");
}

}  // namespace
}  // namespace app
