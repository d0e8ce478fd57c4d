// Chess# with other reserves, and chess with Chess#'s points.
#include <gmock/gmock.h>

#include <map>

#include "base/rng.h"
#include "mailbox.h"
#include "rules/history.h"
#include "rules/notation.h"
#include "rules/perft.h"

namespace rules {
namespace {

using testing::HasSubstr;

const std::map<std::string_view, std::string> kStarts{
    {"chess_double_sharp", "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQQRRBBNNkqqrrbbnn] w - - 0 1"},
    {"chess_flat", "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBkqrrbb] w - - 0 1"},
    {"chess_double_flat", "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQkq] w - - 0 1"},
    {"chess_triple_flat", "8/pppppppp/8/8/8/8/PPPPPPPP/8[Kk] w - - 0 1"},
    {"classical_chess_sharp", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}};

TEST(Family, BeginsWithTheReservesOfItsNames) {
  for (const auto& [name, fen] : kStarts) {
    const RuleSet rules = RuleSet::parse(name);
    EXPECT_EQ(Position::start(rules).to_fen(), fen);
    EXPECT_EQ(rules.table(), ScoringTable{});
  }
}

// The counts of another engine, which knows these games.
TEST(Family, LeavesOfTheStarts) {
  const auto leaves = [](RuleSet rules, int depth) {
    const std::uint64_t counted = perft(Position::start(rules), depth);
    EXPECT_EQ(perft(Position::start(rules), depth, {.bulk = false}), counted);
    return counted;
  };
  EXPECT_EQ(leaves(kChessDoubleSharp, 4), 842724U);
  EXPECT_EQ(leaves(kChessFlat, 4), 276676U);
  EXPECT_EQ(leaves(kChessDoubleFlat, 5), 279524U);
  EXPECT_EQ(leaves(kChessTripleFlat, 5), 61152U);
  EXPECT_EQ(leaves(kClassicalChessSharp, 4), 197281U);
}

std::uint64_t leaves_by_mailbox(const mailbox::Board& board, int depth) {
  if (board.king_captured()) return 0;
  const std::vector<std::string> moves = board.moves();
  if (depth == 1) return moves.size();
  std::uint64_t leaves = 0;
  for (const std::string& move : moves) leaves += leaves_by_mailbox(board.after(move), depth - 1);
  return leaves;
}

// After some plies by chance, in which the king is not lost where it can be helped.
Position played_at_random(RuleSet rules, int plies, base::Rng& rng) {
  Position position = Position::start(rules);
  for (int ply = 0; ply < plies; ++ply) {
    MoveList moves;
    position.surviving_moves(moves);
    if (moves.empty() || position.outcome(rules.table())) break;
    position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return position;
}

TEST(Family, LeavesAreTheMailboxs) {
  base::Rng rng(61);
  for (const auto& [name, fen] : kStarts) {
    const RuleSet rules = RuleSet::parse(name);
    EXPECT_EQ(perft(Position::start(rules), 4), leaves_by_mailbox({fen, rules}, 4)) << name;
    for (const int plies : {6, 14, 24, 60}) {
      const Position position = played_at_random(rules, plies, rng);
      const mailbox::Board board(position.to_fen(), rules);
      EXPECT_EQ(perft(position, 2), leaves_by_mailbox(board, 2)) << position.to_fen();
    }
  }
}

std::string placements(const Position& position) {
  std::string pieces;
  for (const Move move : position.legal_moves()) {
    const char letter = to_uci(move)[0];
    if (move.is_placement() && pieces.find(letter) == pieces.npos) pieces += letter;
  }
  return pieces;
}

TEST(Family, TwoQueensComeLastOneAfterTheOther) {
  auto p = Position::from_fen("4k3/8/8/8/8/8/8/8[KQQNq] w - - 0 9", kChessDoubleSharp);
  EXPECT_EQ(placements(p), "NK");
  for (const char* move : {"N@b1", "Q@d8", "K@e1", "e8f8"}) p.play(parse_uci(p, move));
  EXPECT_EQ(placements(p), "Q");
  EXPECT_EQ(p.reserve(Color::kWhite, PieceType::kQueen), 2);
  p.play(parse_uci(p, "Q@a1"));
  EXPECT_EQ(p.to_fen(), "3q1k2/8/8/8/8/8/8/QN2K3[Q] b - - 5 11");
  EXPECT_EQ(p, Position::from_fen(p.to_fen(), kChessDoubleSharp));
  EXPECT_EQ(p.reserve(Color::kWhite, PieceType::kQueen), 1);
  EXPECT_FALSE(p.reserve_empty(Color::kWhite));
  p.play(parse_uci(p, "f8g8"));
  p.play(parse_uci(p, "Q@h1"));
  EXPECT_TRUE(p.reserve_empty(Color::kWhite));
  EXPECT_EQ(p.key(), Position::from_fen(p.to_fen(), kChessDoubleSharp).key());
}

std::string refusal(const std::string& fen, RuleSet rules) {
  try {
    Position::from_fen(fen, rules);
    return "accepted";
  } catch (const RulesError& error) {
    return error.what();
  }
}

TEST(Family, AFenHoldsNoMoreThanTheSetHas) {
  const std::string start = "8/pppppppp/8/8/8/8/PPPPPPPP/8";
  const auto of_reserve = [&](const std::string& reserves, RuleSet rules) {
    return refusal(start + "[" + reserves + "] w - - 0 1", rules);
  };
  EXPECT_EQ(of_reserve("KQQkqq", kChessDoubleSharp), "accepted");
  EXPECT_THAT(of_reserve("KQQQkq", kChessDoubleSharp), HasSubstr("expected at most 2 of Q"));
  EXPECT_THAT(of_reserve("KQQkq", {}), HasSubstr("expected at most 1 of Q"));
  EXPECT_THAT(of_reserve("KQkqn", kChessFlat), HasSubstr("expected at most 0 of n"));
  EXPECT_THAT(of_reserve("KQRkq", kChessDoubleFlat), HasSubstr("expected at most 0 of R"));
  EXPECT_THAT(of_reserve("KQkq", kChessTripleFlat), HasSubstr("expected at most 0 of Q"));
  const auto of_board = [](const std::string& row, RuleSet rules) {
    return refusal("4k3/8/8/8/8/8/PPPPPPP1/" + row + "[] w - - 0 1", rules);  // one pawn is gone
  };
  EXPECT_EQ(of_board("QQQ1K3", kChessDoubleSharp), "accepted");
  EXPECT_THAT(of_board("QQQQK3", kChessDoubleSharp), HasSubstr("4 queens"));
  EXPECT_EQ(of_board("Q3K3", kChessTripleFlat), "accepted");
  EXPECT_THAT(of_board("QQ2K3", kChessTripleFlat), HasSubstr("at most 0 and one more for each"));
  EXPECT_THAT(of_board("N3K3", kChessFlat), HasSubstr("1 knights"));
  EXPECT_EQ(of_board("N3K3", RuleSet::parse("chess_flat+underpromotion")), "accepted");
}

TEST(Family, TakesTheOptionsOfChessSharp) {
  const RuleSet late = RuleSet::parse("chess_flat+before=5");
  const auto at = [&](const std::string& reserves) {
    return Position::from_fen("4k3/8/8/8/8/8/P7/4K3[" + reserves + "] w - - 0 9", late);
  };
  EXPECT_FALSE(at("Q").is_legal(Move::board(Square{8}, Square{16})));
  EXPECT_TRUE(at("").is_legal(Move::board(Square{8}, Square{16})));
  // Two of eight are in hand, so that six are placed.
  const auto p = Position::from_fen("4k3/8/8/8/8/8/P7/4K3[QQ] w - - 0 9",
                                    RuleSet::parse("chess_double_sharp+before=6+queen_any"));
  EXPECT_TRUE(p.is_legal(Move::board(Square{8}, Square{16})));
  const auto few = Position::from_fen("4k3/8/8/8/8/8/P7/4K3[QQN] w - - 0 9", p.rule_set());
  EXPECT_FALSE(few.is_legal(Move::board(Square{8}, Square{16})));
}

std::string ending(const std::string& fen, int occurrences = 1) {
  const ScoringTable table = kClassicalChessSharp.table();
  const auto outcome = Position::from_fen(fen, kClassicalChessSharp).outcome(table, occurrences);
  if (!outcome) return "ongoing";
  const double white = table.white_points(*outcome);
  return std::string(name(*outcome)) + " " + std::to_string(static_cast<int>(white));
}

TEST(ClassicalChessSharp, EndsByMateStalemateOrTheClock) {
  EXPECT_EQ(ending("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 30"), "white_wins 10");
  EXPECT_EQ(ending("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80"), "white_wins 10");  // mate comes first
  EXPECT_EQ(ending("k7/2Q5/8/8/8/8/8/K7 b - - 0 60"), "stalemate_black_stalemated 8");
  EXPECT_EQ(ending("k7/8/8/8/8/8/2q5/K7 w - - 0 60"), "stalemate_white_stalemated 2");
  EXPECT_EQ(ending("k7/8/8/8/8/8/8/KR6 w - - 99 80"), "ongoing");
  EXPECT_EQ(ending("k7/8/8/8/8/8/8/KR6 w - - 100 80"), "impasse_white_more 7");
  EXPECT_EQ(ending("k7/8/8/8/8/8/8/KR4rb w - - 100 80"), "impasse_black_more 3");
  EXPECT_EQ(ending("k7/8/8/8/8/8/8/KN5b w - - 100 80"), "impasse_equal 4");
}

TEST(ClassicalChessSharp, KnowsNeitherDeadMaterialNorRepetition) {
  EXPECT_EQ(ending("k7/8/8/8/8/8/8/K7 w - - 0 80"), "ongoing");
  EXPECT_EQ(ending("k7/8/8/8/8/8/8/KN6 w - - 0 80"), "ongoing");
  EXPECT_EQ(ending("4k3/8/8/8/8/8/8/R3K3 w Q - 8 80", 3), "ongoing");
  History history;
  auto p = Position::start(kClassicalChessSharp);
  for (int round = 0; round < 4; ++round) {
    for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"}) {
      history.add(p);
      p.play(parse_uci(p, move));
      EXPECT_EQ(history.occurrences(p), 1);
      EXPECT_FALSE(p.outcome(kClassicalChessSharp.table(), history.occurrences(p)));
    }
  }
}

TEST(ClassicalChessSharp, IsOtherwiseChess) {
  const auto p = Position::from_fen(
      "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", kClassicalChessSharp);
  EXPECT_EQ(perft(p, 3), 97862U);
  EXPECT_EQ(to_san(p, parse_uci(p, "e1g1")), "O-O");
}

}  // namespace
}  // namespace rules
