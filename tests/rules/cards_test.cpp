// Raindrop's cards, where the reference data says too little.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rules/history.h"
#include "rules/notation.h"
#include "rules/perft.h"
#include "rules/pgn.h"

namespace rules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Position from(const std::string& fen) { return Position::from_fen(fen, kRaindrop); }

std::vector<std::string> moves_of(const Position& position) {
  std::vector<std::string> out;
  for (const Move move : position.legal_moves()) out.push_back(to_uci(move));
  std::sort(out.begin(), out.end());
  return out;
}

Position after(Position position, const std::vector<std::string>& moves) {
  for (const std::string& move : moves) position.play(parse_uci(position, move));
  return position;
}

TEST(Cards, ATurnIsADrawACardAndAPlacement) {
  Position p = Position::start(kRaindrop);
  EXPECT_THAT(moves_of(p), ElementsAre("draw"));
  EXPECT_FALSE(p.is_chance());
  p = after(p, {"draw"});
  EXPECT_TRUE(p.is_chance());
  EXPECT_EQ(p.side_to_move(), Color::kWhite);
  double sum = 0;
  for (const Move move : p.legal_moves()) sum += p.card_chance(move);
  EXPECT_DOUBLE_EQ(sum, 1);
  EXPECT_DOUBLE_EQ(p.card_chance(Move::card(Card::kPawn)), 0.5);
  p = after(p, {"?L"});
  EXPECT_FALSE(p.is_chance());
  EXPECT_EQ(p.card(), Card::kLight);
  EXPECT_EQ(p.count_legal_moves(), 32);
  EXPECT_EQ(p.in_deck(Color::kWhite, Card::kLight), 0);
  EXPECT_EQ(p.halfmove_clock(), 0);
  p = after(p, {"B@f1"});
  EXPECT_EQ(p.side_to_move(), Color::kBlack);
  EXPECT_EQ(p.halfmove_clock(), 1);
  EXPECT_EQ(p.reserve(Color::kWhite, PieceType::kBishop), 1);
  EXPECT_EQ(p.reserve(Color::kBlack, PieceType::kPawn), 8);
}

TEST(Cards, AKingWithoutASquareGoesBackIntoTheDeck) {
  const std::string board = "1b1r4/4r3/2q3n1/1q6/6n1/r7/5k1n/8";
  const Position p = from(board + "[RPP][QRBN] w?K - - 7 30");
  EXPECT_THAT(moves_of(p), ElementsAre("pass"));
  EXPECT_FALSE(p.outcome({}));
  const Position next = after(p, {"pass"});
  EXPECT_EQ(next.to_fen(), board + "[KRPP][QRBN] b - - 8 30");
  EXPECT_EQ(parse_san(p, to_san(p, Move::pass())), Move::pass());
}

TEST(Cards, InCheckACardMustBeAbleToLiftIt) {
  // Between a8 and a1 a pawn goes on rows 2 to 6, a rook on 2 to 7; the king is not drawn.
  const Position drawn = from("r6k/8/8/8/8/8/1P6/K7[RP][QRBN] w - - 0 9");
  EXPECT_THAT(moves_of(drawn), testing::Contains("draw"));
  EXPECT_EQ(after(drawn, {"draw", "?P"}).count_legal_moves(), 5);
  EXPECT_EQ(after(drawn, {"draw", "?R"}).count_legal_moves(), 6);
  // A knight's check cannot be lifted by a card.
  EXPECT_THAT(moves_of(from("7k/8/8/8/8/1n6/8/K7[RP][QRBN] w - - 0 9")),
              testing::Not(testing::Contains("draw")));
  // Only dark squares lie between: a light bishop loses.
  const Position dark = from("7k/6b1/8/8/8/8/8/K7[LD][QRBN] w - - 0 9");
  EXPECT_EQ(after(dark, {"draw", "?L"}).outcome({}), Outcome::kBlackWins);
  EXPECT_FALSE(after(dark, {"draw", "?D"}).outcome({}));
}

TEST(Cards, PromotionTakesFromTheKitAndThenThePawnStays) {
  const Position p = from("8/P6k/8/8/8/8/8/K7[][RN] w - - 3 60");
  EXPECT_THAT(moves_of(p), testing::IsSupersetOf({"a7a8n", "a7a8r"}));
  EXPECT_THAT(moves_of(p), testing::Not(testing::Contains("a7a8q")));
  EXPECT_EQ(after(p, {"a7a8r"}).to_fen(), "R7/7k/8/8/8/8/8/K7[][N] b - - 0 60");
  const Position none = from("8/P6k/8/8/8/8/8/K7[][] w - - 3 60");
  const Position stays = after(none, {"a7a8"});
  EXPECT_EQ(stays.to_fen(), "P7/7k/8/8/8/8/8/K7[][] b - - 0 60");
  EXPECT_FALSE(stays.outcome({}));  // no dead material
  EXPECT_EQ(stays.material_balance_white({}), 1);
  EXPECT_EQ(to_san(none, parse_uci(none, "a7a8")), "a8");
  EXPECT_EQ(parse_san(none, "a8"), parse_uci(none, "a7a8"));
}

TEST(Cards, SprintIsTwoSquaresFromTheSecondRowAndEnPassant) {
  const auto sprint = RuleSet::parse("raindrop+sprint");
  const auto p = Position::from_fen("7k/8/8/8/1p6/8/P7/K7[N][n] w - - 3 60", sprint);
  EXPECT_EQ(Position::from_fen(p.to_fen(), sprint), p);
  const Position passed = p.after(parse_uci(p, "a2a4"));
  EXPECT_EQ(passed.to_fen(), "7k/8/8/8/Pp6/8/8/K7[N][n] b - a3 0 60");
  EXPECT_EQ(passed.after(parse_uci(passed, "b4a3")).to_fen(),
            "7k/8/8/8/8/p7/8/K7[N][n] w - - 0 61");
  EXPECT_THAT(moves_of(from(p.to_fen())), testing::Not(testing::Contains("a2a4")));
}

TEST(Cards, RepetitionLooksBackOverTurnsWithCards) {
  Position p = from("7k/8/8/8/8/8/8/K7[P][] w - - 0 1");
  History past;
  std::vector<int> counts{past.occurrences(p)};
  for (int round = 0; round < 2; ++round) {
    for (const char* move : {"a1a2", "h8h7", "a2a1", "h7h8"}) {
      past.add(p);
      p.play(parse_uci(p, move));
      counts.push_back(past.occurrences(p));
    }
  }
  EXPECT_THAT(counts, ElementsAre(1, 1, 1, 1, 2, 2, 2, 2, 3));
  EXPECT_EQ(p.outcome({}, counts.back()), Outcome::kImpasseEqual);
}

TEST(Cards, MirrorsExchangeLightAndDark) {
  const Position p = from("8/8/8/8/8/8/8/8[LPkdp][QRBNqrbn] w?K - - 0 1");
  EXPECT_EQ(p.mirrored().to_fen(), "8/8/8/8/8/8/8/8[DPklp][QRBNqrbn] w?K - - 0 1");
  EXPECT_EQ(p.color_flipped().to_fen(), "8/8/8/8/8/8/8/8[KLPdp][QRBNqrbn] b?K - - 0 1");
  EXPECT_EQ(mirrored(Move::card(Card::kLight)), Move::card(Card::kDark));
  EXPECT_EQ(flipped(Move::draw()), Move::draw());
}

TEST(Cards, PgnHasTheCardsAndLeavesTheDrawsOut) {
  PgnGame game;
  game.rules = kRaindrop;
  game.table = kRaindrop.table();
  game.start = Position::start(kRaindrop);
  Line line(game.start);
  for (const char* move : {"draw", "?P", "P@g5", "draw", "?N", "N@c1", "draw", "?K", "K@e1"}) {
    line.play(std::string_view(move));
  }
  const auto read = [](const PgnGame& written) {
    std::istringstream in(to_pgn(written));
    return PgnReader(in).next().value().moves;
  };
  game.moves = line.moves;
  const std::string text = to_pgn(game);
  EXPECT_THAT(text, HasSubstr("[Variant \"Raindrop\"]"));
  EXPECT_THAT(text, HasSubstr("\n1. ?P P@g5 ?N N@c1 2. ?K K@e1 *\n"));
  EXPECT_EQ(read(game), game.moves);
  game.moves.resize(4);  // stopped at a draw
  EXPECT_EQ(read(game), game.moves);
}

TEST(Cards, ImpossibleDecksAndKitsAreRefused) {
  for (const char* fen :
       {"8/8/8/8/8/8/8/8[KQRRLDNNPPPPPPPPk][QRBN] w?P - - 0 1",  // a ninth pawn
        "7k/8/8/8/8/8/8/K7[][QQ] w - - 0 1",                     // a kit's queen twice
        "7k/8/8/8/8/8/8/K7[][P] w - - 0 1",                      // a pawn in a kit
        "7k/8/8/8/8/8/8/K7[K][] w - - 0 1",                      // two kings
        "7k/8/8/8/8/8/8/8[][] w - - 0 1",                        // none
        "7k/8/8/8/8/8/8/KQQ5[][QRBN] w - - 0 1",                 // no kit gave the second queen
        "7k/8/8/8/8/8/8/K1B1B3[][QRBNqrbn] w - - 0 1",           // both dark
        "P6k/8/8/8/8/8/8/K7[][Q] w - - 0 1",                     // it would have become one
        "7k/8/8/8/8/8/8/K7[PPPPPPPP][QRB] w - - 0 1",            // eight pawns and a knight's
        "7k/8/8/8/8/8/8/K6R[][QRBN] w - - 0 1",                  // the other side in check
        "7k/8/8/8/8/8/8/K7[P][] w? - - 100 80",                  // the game was over
        "7k/8/8/8/8/8/8/K7[P][] w?K - - 0 1", "7k/8/8/8/8/8/8/K7[P][] w?B - - 0 1",
        "7k/8/8/8/8/8/8/K7[P][] w- - - 0 1", "7k/8/8/8/8/8/8/K7[P] w - - 0 1",
        "7k/8/8/8/8/8/8/K7][P[ w - - 0 1", "7k/8/8/8/8/8/8/K7[P][] w KQ - 0 1"}) {
    EXPECT_THROW(from(fen), RulesError) << fen;
  }
  EXPECT_NO_THROW(from("7k/8/8/8/8/8/8/KQQ5[][RBNqrbn] w - - 0 1"));
}

}  // namespace
}  // namespace rules
