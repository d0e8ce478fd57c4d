#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../temporary_folder.h"
#include "base/rng.h"
#include "brute_force.h"
#include "tablebase/build.h"
#include "tablebase/survey.h"
#include "tablebase/tables.h"

namespace tablebase {
namespace {

using rules::Color;
using rules::PieceType;
using rules::Position;

// All endings with up to three pieces, built once for each rule set and table.
struct Built {
  Built(const std::string& set, const std::string& changes)
      : rules(rules::RuleSet::parse(set)),
        table(rules::ScoringTable::from_changes(changes, rules.table())),
        build(folder.path(), 3, rules, table) {
    EXPECT_TRUE(build.run(
        2, [](const SolvedMaterial&) {}, [] { return false; }));
  }
  const Tables& tables() const { return build.tables(); }
  Position position(const std::string& fen) const { return Position::from_fen(fen, rules); }

  TemporaryFolder folder;
  rules::RuleSet rules;
  rules::ScoringTable table;
  Build build;
};
const Built& built(const std::string& set = "chess_sharp", const std::string& changes = "") {
  static std::map<std::pair<std::string, std::string>, std::unique_ptr<Built>> known;
  auto& one = known[{set, changes}];
  if (!one) one = std::make_unique<Built>(set, changes);
  return *one;
}

// The impasse better than a stalemate that one gives; the outcomes' order not the colours'; ties.
const std::array<std::pair<std::string, std::string>, 6> kCases{
    {{"chess_sharp", ""},
     {"chess_sharp", "stalemate=3.5"},
     {"chess_sharp", "impasse_equal=7,white_stalemated=5,black_stalemated=5.5"},
     {"chess_sharp+sprint+underpromotion", "impasse_unequal=0.5"},
     {"classical_chess_sharp", ""},
     {"chess", ""}}};

TEST(ThreePieces, AreWorthTheBestOfTheirSuccessors) {
  for (const auto& [set, changes] : kCases) {
    const Tables& tables = built(set, changes).tables();
    EXPECT_EQ(tables.pieces(), 3);
    for (int pieces = 2; pieces <= 3; ++pieces) {
      for (const Material& material : Material::all(pieces, !tables.grades().symmetric())) {
        const Contradictions found = contradictions(material, tables);
        EXPECT_GT(found.positions, 400u);
        EXPECT_EQ(found.found, 0u)
            << set << " " << changes << " " << material.name() << ": " << found.first;
      }
    }
  }
}

// Takes a minute instead of a third of one.
bool all_of_it() { return std::getenv("SHARPZERO_TABLEBASE_ALL") != nullptr; }

// A sixteenth of all positions with all clocks, chosen at random, of one side's or both sides'
// third piece.
class AgainstBruteForce {
 public:
  explicit AgainstBruteForce(const Built& built) : built_(built) { solve({}); }

  void solve(const BruteForce::Pieces& beside_kings) {
    BruteForce::Pieces pieces{{Color::kWhite, PieceType::kKing}, {Color::kBlack, PieceType::kKing}};
    pieces.insert(pieces.end(), beside_kings.begin(), beside_kings.end());
    solved_.push_back(std::make_unique<BruteForce>(
        pieces, built_.rules, built_.table, smaller_,
        [this](const BruteForce& of, std::size_t number, int clock, double points) {
          if (random_.below(16) == 0) compare(*of.position(number, clock), points);
        }));
    smaller_[pieces] = solved_.back().get();
  }
  std::uint64_t compared() const { return compared_; }

 private:
  void compare(const Position& position, double points) {
    ++compared_;
    const auto verdict = built_.tables().probe(position);
    ASSERT_TRUE(verdict) << position.to_fen();
    if (built_.table.white_points(verdict->outcome) == static_cast<double>(points)) return;
    ASSERT_LT(++wrong_, 5) << "and so on";
    ADD_FAILURE() << position.to_fen() << ": " << name(verdict->outcome) << ", expected " << points;
  }

  const Built& built_;
  base::Rng random_{1};
  std::vector<std::unique_ptr<BruteForce>> solved_;
  BruteForce::Solved smaller_;
  std::uint64_t compared_ = 0;
  int wrong_ = 0;
};

TEST(ThreePieces, AreWorthWhatAPlainSolverFindsWithEveryClock) {
  for (const Color color : rules::kColors) {
    if (color == Color::kBlack && !all_of_it()) continue;
    AgainstBruteForce plain(built());
    for (const PieceType type : {PieceType::kQueen, PieceType::kRook, PieceType::kBishop,
                                 PieceType::kKnight, PieceType::kPawn}) {
      if (color == Color::kBlack && type != PieceType::kQueen && type != PieceType::kPawn) continue;
      plain.solve({{color, type}});
    }
    EXPECT_GT(plain.compared(), 5'000'000u);
  }
}

TEST(ThreePieces, AreWorthWhatAPlainSolverFindsUnderOtherTablesAndRules) {
  for (const auto& [set, changes] : kCases) {
    const Built& one = built(set, changes);
    AgainstBruteForce plain(one);
    plain.solve({{Color::kWhite, PieceType::kQueen}});
    if (one.rules.underpromotion || !all_of_it()) continue;
    plain.solve({{Color::kWhite, PieceType::kPawn}});
  }
}

TEST(ThreePieces, AreTheSameMirroredAndWithColorsSwapped) {
  const Tables& tables = built().tables();
  const auto last = static_cast<std::size_t>(rules::kOutcomes - 1);
  base::Rng random(1);
  for (int i = 0; i < 10000; ++i) {
    const auto all = Material::all(3, true);
    const Cells cells(all[random.below(static_cast<std::uint32_t>(all.size()))]);
    Placement placement{{}, static_cast<Color>(random.below(2))};
    rules::Bitboard taken = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      placement.squares[j] = static_cast<rules::Square>(8 + random.below(48));
      taken |= bit(placement.squares[j]);
    }
    if (std::popcount(taken) != 3) continue;
    const Position position =
        cells.position(placement, static_cast<int>(random.below(100)), built().rules);
    const auto verdict = tables.probe(position);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(tables.probe(position.mirrored())->outcome, verdict->outcome) << position.to_fen();
    const auto flipped = tables.probe(position.color_flipped());
    EXPECT_EQ(static_cast<std::size_t>(flipped->outcome),
              last - static_cast<std::size_t>(verdict->outcome))
        << position.to_fen();
    EXPECT_EQ(flipped->plies, verdict->plies) << position.to_fen();
  }
}

// The counts of Steven J. Edwards (1996), as Marcel van Kervinck's pfkpk checks them
// (github.com/kervinck/pfkpk): positions of king and pawn against king that are legal, and won.
TEST(ThreePieces, OfChessHaveTheKnownNumbersOfWins) {
  Material material;
  material.add(Color::kWhite, PieceType::kPawn);
  const OutcomeCounts counts = count_outcomes(material, built("chess").tables());
  const auto won = static_cast<std::size_t>(rules::Outcome::kWhiteWins);
  const auto sum = [](const auto& all) {
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  };
  EXPECT_EQ(sum(counts[0]), 163328u);
  EXPECT_EQ(counts[0][won], 124960u);
  EXPECT_EQ(sum(counts[1]), 168024u);
  EXPECT_EQ(counts[1][won], 97604u);
}

// Each position of the 64 squares counts once, whatever is the same by symmetry.
TEST(ThreePieces, AreCountedOnAllSquares) {
  Material queen;
  queen.add(Color::kWhite, PieceType::kQueen);
  const OutcomeCounts counts = count_outcomes(queen, built().tables());
  OutcomeCounts expected{};
  for (int number = 0; number < 64 * 64 * 64 * 2; ++number) {
    const std::array<int, 3> squares{number & 63, number >> 6 & 63, number >> 12 & 63};
    if (squares[0] == squares[1] || squares[0] == squares[2] || squares[1] == squares[2]) continue;
    const auto side = static_cast<Color>(number >> 18);
    const std::array placed{
        rules::PlacedPiece{Color::kWhite, PieceType::kKing, static_cast<rules::Square>(squares[0])},
        rules::PlacedPiece{Color::kBlack, PieceType::kKing, static_cast<rules::Square>(squares[1])},
        rules::PlacedPiece{Color::kWhite, PieceType::kQueen,
                           static_cast<rules::Square>(squares[2])}};
    const Position position = Position::with_pieces(placed, side, 0, built().rules);
    if (position.in_check(~side)) continue;
    const auto outcome = static_cast<std::size_t>(built().tables().probe(position)->outcome);
    ++expected[static_cast<std::size_t>(index(side))][outcome];
  }
  EXPECT_EQ(counts, expected);
}

// Everything that is known of the clock's end: the same position, ply by ply.
TEST(ThreePieces, DependOnTheClockWhereTheRulesSay) {
  const Tables& tables = built().tables();
  const auto outcome = [&](const std::string& board, int clock) {
    const auto fen = board + " - - " + std::to_string(clock) + " 1";
    return std::string(name(tables.probe(built().position(fen))->outcome));
  };
  // White takes the king at once, as long as the game goes on.
  EXPECT_EQ(outcome("8/8/8/8/8/8/1k6/K6Q[] w", 99), "white_wins");
  // Stalemated: 2 points, but with the hundredth ply it is an impasse, which is claimed first.
  EXPECT_EQ(outcome("7k/5Q2/6K1/8/8/8/8/8[] b", 99), "stalemate_black_stalemated");
  EXPECT_EQ(outcome("7k/5Q2/6K1/8/8/8/8/8[] b", 100), "impasse_white_more");
  // Mated: the king falls with the second ply; with one left the impasse saves it.
  EXPECT_EQ(outcome("7k/6Q1/6K1/8/8/8/8/8[] b", 98), "white_wins");
  EXPECT_EQ(outcome("7k/6Q1/6K1/8/8/8/8/8[] b", 99), "impasse_white_more");
}

TEST(ThreePieces, AreNotAskedWhereTheyDoNotHold) {
  const Tables& tables = built().tables();
  EXPECT_FALSE(tables.probe(Position::start()));
  EXPECT_FALSE(tables.probe(built().position("7k/8/6K1/8/8/8/8/8[Q] w - - 0 1")));
  EXPECT_FALSE(tables.probe(built().position("7k/8/6K1/8/8/8/8/Q1q5[] w - - 0 1")));
  EXPECT_FALSE(
      built("chess").tables().probe(built("chess").position("6k1/8/8/8/8/8/8/4K2R w K - 0 1")));
}

}  // namespace
}  // namespace tablebase
