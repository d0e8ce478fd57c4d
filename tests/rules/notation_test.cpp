#include "rules/notation.h"

#include <gmock/gmock.h>

namespace rules {
namespace {

using namespace std::string_view_literals;
using testing::HasSubstr;

std::string refused_fen(std::string_view fen, RuleSet rules = {}) {
  try {
    Position::from_fen(fen, rules);
  } catch (const RulesError& error) {
    return error.what();
  }
  return "accepted";
}

template <class Parse>
std::string refused_move(const Position& position, std::string_view text, Parse parse) {
  try {
    parse(position, text);
  } catch (const RulesError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Fen, UnreachableButPlausiblePositionsAreAccepted) {
  for (const char* fen : {
           "4k3/8/8/8/8/8/PPPPPPP1/QQ2K3[] w - - 0 40",     // a promoted queen
           "4k3/8/8/8/8/QQQQQQQQ/8/Q3K3[] b - - 0 90",      // nine
           "8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - - 0 90",  // pawns gone, all in hand
           "8/8/8/8/8/8/8/4k3[] w - - 0 60",                // White's king was taken
           "8/8/8/8/8/8/8/4K3[] b - - 0 60",                // Black's
           "4k3/8/8/8/8/8/8/4K3[] w - - 345 900",           // clock far above 100
           "4k3/4R3/8/8/8/8/4r3/4K3[] w - - 3 40",          // both kings attacked
           "8/8/8/3kK3/8/8/8/8[] w - - 3 40",               // side by side
           "4k3/8/8/8/8/8/8/4K3[RRBBNN] w - - 3 40",        // a reserve without its queen
           "4k3/8/8/8/8/8/8/Q3K3[RRBBNN] w - - 3 40",       // queen placed, others not
           "B3k3/8/8/8/8/8/8/B3K3[] w - - 3 40",            // bishops of one colour
       }) {
    EXPECT_EQ(refused_fen(fen), "accepted") << fen;
    EXPECT_EQ(Position::from_fen(fen).to_fen(), fen);
  }
}

TEST(Fen, ReservesAreReadInAnyOrderAndWrittenInOne) {
  EXPECT_EQ(Position::from_fen("8/pppppppp/8/8/8/8/PPPPPPPP/8[nbrqkNbBnRrKQRNB] w - - 0 1"),
            Position::start());
}

TEST(Fen, FieldsMayBeApartByMoreThanOneSpace) {
  EXPECT_EQ(Position::from_fen(" 8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn]  w - - 0 1 "),
            Position::start());
}

TEST(Fen, RefusalsNameFieldValueAndExpectation) {
  EXPECT_THAT(refused_fen(""), HasSubstr("FEN '': expected 6 fields"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[] w - - 0"), HasSubstr("got 5"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[] w - - 0 1 2"), HasSubstr("got 7"));
  EXPECT_THAT(refused_fen("4k3/8/8/3\x1b"
                          "4/8/8/8/4K3[] w - - 0 1"),
              HasSubstr("FEN row 5 '\\x1b': expected one of"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[] x - - 0 1"),
              HasSubstr("FEN side to move 'x': expected w or b"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[] w - - 10000 1"),
              HasSubstr("FEN halfmove clock '10000': expected 0 to 9999"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[] w - - +1 1"), HasSubstr("'+1'"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[] w - - 0 0"),
              HasSubstr("FEN fullmove number '0': expected 1 to 999999"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/8[] b - - 0 1"), HasSubstr("White's pieces 'no king'"));
  EXPECT_THAT(refused_fen("8/8/8/8/8/8/8/8[] w - - 0 1"), HasSubstr("Black's pieces 'no king'"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/QQQQQQQQ/8/Q3K3[Q] b - - 0 90"),
              HasSubstr("FEN White's pieces '10 queens'"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[]] w - - 0 1"), HasSubstr("FEN reserve ']'"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[[] w - - 0 1"), HasSubstr("FEN reserve '['"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[kK] w - - 0 1"), HasSubstr("'2 kings'"));
  EXPECT_THAT(refused_fen("4k3/9/8/8/8/8/8/4K3[] w - - 0 1"), HasSubstr("row 7 '9'"));
  EXPECT_THAT(refused_fen("4k3/8/8/8/8/8/8/4K3[\0] w - - 0 1"sv), HasSubstr("'\\x00'"));
}

TEST(Fen, WhatIsWrittenCanBeRead) {
  Line line(Position::from_fen("k7/8/8/8/8/8/8/K7[] b - - 5 999999"));
  line.play("a8a7");
  EXPECT_EQ(line.position.to_fen(), "8/k7/8/8/8/8/8/K7[] w - - 6 999999");
}

TEST(Fen, EnPassantSquaresOfSprint) {
  const RuleSet sprint{.sprint = true};
  const auto read = [&](const char* fen) { return Position::from_fen(fen, sprint).to_fen(); };
  EXPECT_EQ(read("4k3/8/8/8/3pP3/8/8/4K3[] b - e3 0 1"), "4k3/8/8/8/3pP3/8/8/4K3[] b - e3 0 1");
  // Plausible but of no use: dropped.
  EXPECT_EQ(read("4k3/8/8/8/4P3/8/8/4K3[] b - e3 0 1"), "4k3/8/8/8/4P3/8/8/4K3[] b - - 0 1");
  EXPECT_EQ(read("8/8/8/8/3pP3/8/8/4K3[k] b - e3 0 1"), "8/8/8/8/3pP3/8/8/4K3[k] b - - 0 1");
  for (const char* impossible :
       {"4k3/8/8/8/3pP3/8/8/4K3[] w - e3 0 1", "4k3/8/8/8/3p4/8/8/4K3[] b - e3 0 1",
        "4k3/8/8/8/3pP3/8/4P3/4K3[] b - e3 0 1", "4k3/8/8/8/3pP3/4n3/8/4K3[] b - e3 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3[] b - e4 0 1", "4k3/8/8/8/3pP3/8/8/4K3[] b - e 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3[] b - e33 0 1", "4k3/8/8/8/3pP3/8/8/4K3[] b - e3 5 1"}) {
    EXPECT_THAT(refused_fen(impossible, sprint), HasSubstr("FEN en passant square 'e"))
        << impossible;
  }
}

TEST(Uci, RefusesWhatIsNotALegalMove) {
  const auto start = Position::start();
  for (const char* text : {"", "e2e3", "Q@a1", "n@a1", "P@a1", "N@a2", "N@a9", "N@", "K@e1 ",
                           "0000", "N@a1q", "X@a1"}) {
    EXPECT_THAT(refused_move(start, text, parse_uci),
                HasSubstr("move '" + std::string(text) + "': expected a legal move in 8/pppp"));
  }
  const auto promoting = Position::from_fen("8/4P2k/8/8/8/8/8/4K3[] w - - 0 60");
  for (const char* text : {"e7e8", "e7e8r", "e7e8Q", "e7e8k", "e7e8qq", "e7d8q", "e1e2q"}) {
    EXPECT_NE(refused_move(promoting, text, parse_uci), "accepted") << text;
  }
  EXPECT_EQ(to_uci(parse_uci(promoting, "e7e8q")), "e7e8q");
}

TEST(San, TheRuleSheetsExample) {
  auto p = Position::start();
  for (const char* san : {"B@a1", "K@a8", "R@b1", "e6", "B@c1", "e5", "N@d1", "R@e8", "N@e1", "Re7",
                          "R@f1", "R@e8"}) {
    const Move move = parse_san(p, san);
    EXPECT_EQ(to_san(p, move), san);
    p.play(move);
  }
}

TEST(San, ReadsSignsAndSuperfluousButTrueDisambiguation) {
  const auto p = Position::from_fen("4r2k/8/8/8/8/8/4N3/1N2K3[Q] w - - 3 40");
  const Move move = parse_uci(p, "b1c3");
  EXPECT_EQ(to_san(p, move), "Nbc3");
  for (const char* text : {"Nbc3", "Nb1c3", "N1c3", "Nbc3+", "Nbc3#"}) {
    EXPECT_EQ(parse_san(p, text), move) << text;
  }
  EXPECT_EQ(parse_san(p, "Nb1a3"), parse_uci(p, "b1a3"));
}

TEST(San, RefusesTheAmbiguousTheIllegalAndTheMisspelt) {
  const auto p = Position::from_fen("2nqr2k/1P1P3P/8/8/8/8/6p1/R4K1R[] w - - 9 60");
  EXPECT_EQ(to_uci(parse_san(p, "bxc8=Q")), "b7c8q");
  for (const char* text :
       {"",     "+",    "Z",   "bxc8",  "b8",   "b8=R", "b8=K", "b8=",  "Rd1x", "Rd8",
        "Rxd1", "Kxg3", "Kg3", "xc8=Q", "N@a1", "Ra",   "a1d1", "Rhd1", "Rid1", "R9d1"}) {
    EXPECT_THAT(refused_move(p, text, parse_san), HasSubstr("move '")) << text;
  }
  const auto knights = Position::from_fen("4r2k/8/8/8/8/8/4N3/1N2K3[Q] w - - 3 40");
  EXPECT_THAT(refused_move(knights, "Nc3", parse_san), HasSubstr("not several"));
}

TEST(Fen, CastlingRightsAreReadInBothSpellings) {
  // Rooks on b and g beside the king on d, and one more on h: K is the outermost.
  const std::string board = "1r1k2r1/8/8/8/8/8/8/1R1K2RR w ";
  const auto fen = [&](const std::string& rights) {
    return Position::from_fen(board + rights + " - 0 1", kChess960).to_fen();
  };
  EXPECT_EQ(fen("GBgb"), board + "GBgb - 0 1");
  EXPECT_EQ(fen("KQkq"), board + "HBgb - 0 1");
  EXPECT_EQ(fen("bB"), board + "Bb - 0 1");
  for (const char* bad : {"HG", "HK", "A", "X", "k-", "KQkqq"}) EXPECT_THROW(fen(bad), RulesError);
  const std::string classical = "r3k2r/8/8/8/8/8/8/R3K2R w ";
  EXPECT_EQ(Position::from_fen(classical + "qK - 0 1", kChess).to_fen(), classical + "Kq - 0 1");
  EXPECT_THROW(Position::from_fen(classical + "HA - 0 1", kChess), RulesError);
}

TEST(Fen, EnPassantIsKeptOnlyWhereItIsLegal) {
  // The rook pins both pawns of the fifth row on their king's row.
  const auto pinned = Position::from_fen("8/8/8/r2Pp2K/8/8/8/k7 w - e6 0 9", kChess);
  EXPECT_FALSE(pinned.en_passant());
  const auto free = Position::from_fen("8/8/7K/r2Pp3/8/8/8/k7 w - e6 0 9", kChess);
  EXPECT_EQ(to_string(free.en_passant().value()), "e6");
}

TEST(San, CastlingChecksAndMates) {
  const auto castles = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", kChess);
  EXPECT_EQ(to_san(castles, parse_uci(castles, "e1g1")), "O-O");
  EXPECT_EQ(parse_san(castles, "O-O-O"), parse_uci(castles, "e1c1"));
  EXPECT_EQ(to_san(castles, parse_uci(castles, "a1a8")), "Ra8+");
  const auto mates = Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", kChess);
  EXPECT_EQ(to_san(mates, parse_uci(mates, "a1a8")), "Ra8#");
  const auto shuffled = Position::from_fen("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", kChess960);
  EXPECT_EQ(to_san(shuffled, parse_uci(shuffled, "c1b1")), "O-O-O");
  EXPECT_EQ(shuffled.after(parse_san(shuffled, "O-O")).to_fen(),
            "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1");
}

TEST(San, OnlyMenThatMayLegallyGoAreToldApart) {
  // The knight on e2 is pinned.
  const auto p = Position::from_fen("4r1k1/8/8/8/8/8/4N3/N3K3 w - - 0 1", kChess);
  EXPECT_EQ(to_san(p, parse_uci(p, "a1c2")), "Nc2");
  EXPECT_THROW(parse_uci(p, "e2c3"), RulesError);
}

TEST(Notation, AnEntryWithItsPawnIsOneMove) {
  const auto start = Position::start(kChessPlus);
  const Move move = parse_uci(start, "R@e1,e2e4");
  EXPECT_EQ(to_uci(move), "R@e1,e2e4");
  EXPECT_EQ(to_san(start, move), "R@e1,e4");
  EXPECT_EQ(parse_san(start, "R@e1,e4"), move);
  EXPECT_EQ(start.after(move).to_fen(),
            "8/pppppppp/8/8/4P3/8/PPPP1PPP/4R3[KQRBBNNkqrrbbnn] b - - 0 1");
  const auto takes = Position::from_fen("4k3/8/8/8/8/3p4/4P3/7K[N] w - - 0 1", kChessPlus);
  EXPECT_EQ(to_san(takes, parse_uci(takes, "N@e1,e2d3")), "N@e1,exd3");
  for (const char* bad : {"R@e1,e2e5", "R@e1,d2d4", "R@e2,e2e4", "R@e1,e2d3", "R@e1,"}) {
    EXPECT_THROW(parse_uci(start, bad), RulesError) << bad;
  }
}

TEST(Line, IsAFenAndTheMovesFromIt) {
  const std::string fen = Position::start(kChess).to_fen();
  const Line line = parse_line(fen + " moves  e2e4 e7e5 ", kChess);
  EXPECT_EQ(line.start, Position::start(kChess));
  EXPECT_EQ(line.moves,
            (std::vector{parse_uci(line.start, "e2e4"), Move::board(Square(52), Square(36))}));
  EXPECT_EQ(line.position, line.start.after(line.moves[0]).after(line.moves[1]));
  EXPECT_EQ(line.past, History(line.start, line.moves));
  EXPECT_TRUE(parse_line(fen + " moves", kChess).moves.empty());
  EXPECT_EQ(parse_line(fen, kChess).position, line.start);
}

TEST(Line, GoesOnPastWhatPlayersMayClaim) {
  const Line repeated = parse_line(
      Position::start(kChess).to_fen() + " moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4",
      kChess);
  EXPECT_EQ(repeated.outcome({}), std::nullopt);
  EXPECT_EQ(parse_line("k7/8/8/8/8/8/8/K6R w - - 99 90 moves h1g1 a8b8", kChess).moves.size(), 2U);
}

TEST(Line, EndsWithTheGame) {
  const auto start = Position::from_fen("k7/7p/8/8/8/8/8/K6R[] w - - 99 90");
  Line line(start);
  line.play("h1g1");
  EXPECT_EQ(line.outcome({}), Outcome::kImpasseWhiteMore);
  EXPECT_THROW(line.play("h7h6"), RulesError);
  EXPECT_EQ(line.moves.size(), 1U);
}

}  // namespace
}  // namespace rules
