// PGN as others write it.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>

#include "rules/notation.h"
#include "rules/pgn.h"

namespace rules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

PgnGame read_one(const std::string& text, RuleSet untagged = {}) {
  std::istringstream in(text);
  return PgnReader(in, untagged).next().value();
}

std::string refused(const std::string& text, RuleSet untagged = {}) {
  try {
    read_one(text, untagged);
  } catch (const RulesError& error) {
    return error.what();
  }
  return "accepted";
}

std::string ending(const PgnGame& game) {
  constexpr std::array kHow{"", " resigned", " agreed", " by tablebase"};
  return (game.outcome ? std::string(name(*game.outcome)) : "unfinished") +
         kHow[static_cast<std::size_t>(game.adjudication)];
}

std::string ending(const std::string& text, RuleSet untagged = {}) {
  try {
    return ending(read_one(text, untagged));
  } catch (const RulesError& error) {
    return error.what();
  }
}

// Games that people played in the app.
TEST(PgnForms, TheAppsGamesReplayWithTheirResults) {
  std::ifstream in(std::string(SHARPZERO_TEST_DATA) + "/app_games.pgn");
  PgnReader reader(in);
  std::map<std::string, int> endings;
  while (const auto game = reader.next()) {
    EXPECT_EQ(game->rules, RuleSet{});
    EXPECT_EQ(game->event, "Friendly game");
    EXPECT_EQ(game->round, "");
    ++endings[ending(*game)];
  }
  EXPECT_EQ(endings, (std::map<std::string, int>{{"black_wins", 5},
                                                 {"black_wins resigned", 7},
                                                 {"impasse_black_more agreed", 2},
                                                 {"stalemate_black_stalemated", 1},
                                                 {"white_wins resigned", 7}}));
}

const std::string kWhiteKing = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 9\"]\n\n9. Ra2 Kd8 ";
const std::string kBareKings = "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 9\"]\n\n9. Ke2 Kd8 ";

TEST(PgnForms, PointsTellHowAGameEnded) {
  for (const char* result : {"10\u20130", "10-0", "10\u22120", "10\u20140", "1-0", "1\u20130"}) {
    EXPECT_EQ(ending(kWhiteKing + result), "white_wins resigned") << result;
  }
  EXPECT_EQ(ending(kWhiteKing + "0\u201310"), "black_wins resigned");
  EXPECT_EQ(ending(kWhiteKing + "7\u20133"), "impasse_white_more agreed");
  EXPECT_EQ(ending(kBareKings + "4-6"), "impasse_equal agreed");
  EXPECT_EQ(ending("[ScoringTable \"impasse_equal=4.9\"]\n" + kBareKings + "4.9\u20135.1"),
            "impasse_equal agreed");
  EXPECT_EQ(ending("[Variant \"Standard\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 9\"]\n\n5\u20135"),
            "impasse_white_more agreed");
  EXPECT_THAT(
      ending(kWhiteKing + "3\u20137"),
      HasSubstr("column 12: result '3-7': expected 7-3 for impasse_white_more by fast_fifty"));
  EXPECT_THAT(ending(kBareKings + "8-2"), HasSubstr("result '8-2': expected 4-6"));
  EXPECT_THAT(ending(kBareKings + "6-3"), HasSubstr("move '6-3'"));
  EXPECT_THAT(ending("[Result \"0-10\"]\n" + kWhiteKing + "7-3"),
              HasSubstr("line 1, column 10: tag Result '0-10': expected 7-3"));
  EXPECT_THAT(ending("[Result \"2:1\"]\n" + kWhiteKing + "7-3"), HasSubstr("tag Result '2:1'"));
  EXPECT_EQ(ending("[Result \"10 \u2013 0\"]\n" + kWhiteKing + "1-0"), "white_wins resigned");
  EXPECT_EQ(ending("[Result \"7\u20133\"]\n" + kWhiteKing + "1-0"), "impasse_white_more agreed");
  EXPECT_EQ(ending("[Result \"?\"]\n" + kWhiteKing + "1-0"), "white_wins resigned");
}

TEST(PgnForms, AnEndOnTheBoardMustBeTheOneThatIsTold) {
  const std::string takes = "[FEN \"8/8/8/3kK3/8/8/8/8 w - - 3 80\"]\n\n80. Kxd5 ";
  EXPECT_EQ(ending(takes + "10\u20130"), "white_wins");
  EXPECT_THAT(ending(takes + "7\u20133"), HasSubstr("result '7-3': expected 10-0 for white_wins"));
  EXPECT_THAT(ending(takes + "0-1"), HasSubstr("result '0-1': expected 1-0 for white_wins"));
}

TEST(PgnForms, AFastFiftyIsToldInTheLastComment) {
  EXPECT_EQ(ending(kWhiteKing + "{ Fast-fifty accepted } 1-0"), "impasse_white_more agreed");
  EXPECT_EQ(ending(kWhiteKing + "; fast fifty\n 1-0"), "impasse_white_more agreed");
  EXPECT_EQ(ending(kWhiteKing + "{fast-fifty} 7\u20133"), "impasse_white_more agreed");
  // What the players agreed on counts where they say it twice; told once, the board has its say.
  EXPECT_EQ(ending(kWhiteKing + "{ Fast-fifty accepted } 3\u20137"), "impasse_black_more agreed");
  const PgnGame agreed =
      read_one("[Variant \"Chess♯\"]\n\n1. N@d1 N@d8 { Fast-fifty accepted } 3\u20137");
  for (const PgnDialect dialect : {PgnDialect::kOwn, PgnDialect::kApp}) {
    EXPECT_EQ(ending(to_pgn(agreed, dialect)), "impasse_black_more agreed");
  }
  // The result decides where it says more: one side proposed, and then it came otherwise.
  EXPECT_EQ(ending(kWhiteKing + "{ fast-fifty } 10\u20130"), "white_wins resigned");
  EXPECT_EQ(ending(kWhiteKing + "{ fast-fifty } 0-1"), "black_wins resigned");
  EXPECT_EQ(ending(kWhiteKing + "{ fast-fifty declined } 1-0"), "white_wins resigned");
  EXPECT_EQ(ending(kWhiteKing + "{ fast-fifty } 10. Rb2 1-0"), "white_wins resigned");
  EXPECT_EQ(ending(kWhiteKing + "( 9... Kf8 { fast-fifty } ) 1-0"), "white_wins resigned");
}

TEST(PgnForms, AResultMayStandInItsTagAlone) {
  EXPECT_EQ(ending("[Result \"0\u201310\"]\n" + kWhiteKing), "black_wins resigned");
  std::istringstream two(
      "[Result \"1-0\"]\n\n1. K@a1\n\n[White \"b\"]\n[Result \"*\"]\n\n1. K@b1\n");
  PgnReader reader(two);
  EXPECT_EQ(ending(reader.next().value()), "white_wins resigned");
  EXPECT_EQ(reader.next().value().white, "b");
  EXPECT_THAT(ending(kWhiteKing), HasSubstr("expected a result"));
}

TEST(PgnForms, HalvesAreReadInEverySpelling) {
  for (const char* half : {"1/2-1/2", "\u00bd-\u00bd", "\u00bd\u2013\u00bd", "1/2", "0.5-0.5"}) {
    EXPECT_EQ(ending("1. e4 e5 " + std::string(half), kChess), "impasse_equal agreed") << half;
    EXPECT_EQ(ending("[Result \"" + std::string(half) + "\"]\n\n1. e4 e5 1/2-1/2", kChess),
              "impasse_equal agreed");
  }
}

TEST(PgnForms, TheMarkOfUtf8AndCarriageReturnsAreReadOver) {
  const std::string text =
      "\xef\xbb\xbf[Event \"ChessBase export\"]\r\n[Result \"1-0\"]\r\n\r\n"
      "1. e4 e5 2. Bc4 {a\r\nb} Nc6 3. Qh5 Nf6 ; mate\r\n4. Qxf7# 1-0\r\n";
  std::istringstream in(text + "\r\n" + text);  // as two files put together
  PgnReader reader(in, kChess);
  for (int i = 0; i < 2; ++i) {
    const PgnGame game = reader.next().value();
    EXPECT_EQ(game.event, "ChessBase export");
    EXPECT_EQ(game.moves.size(), 7U);
    EXPECT_EQ(ending(game), "white_wins");
  }
  EXPECT_FALSE(reader.next());
}

TEST(PgnForms, MovesAsOldProgramsWriteThem) {
  const auto plies = [](const std::string& moves) {
    const PgnGame game = read_one(moves, kChess);
    return game.moves.size();
  };
  EXPECT_EQ(plies("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 5. d3 0\u20130 1-0"), 10U);
  EXPECT_EQ(plies("1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Nbd7 5. bxa8Q g6 6. Qxa7 1-0"), 11U);
  EXPECT_EQ(plies("1.e2-e4 d7-d5 2.e4xd5 c6 3.dc6 Nf6 4.cb7 Nbd7 5.bxa8(Q) (5.b8) g6 *"), 10U);
  EXPECT_EQ(plies("1 e2e4 e7e5 2 g1f3 b8c6 3 f1b5 +- a7a6 !? 4 e1g1 $1 *"), 7U);
  EXPECT_EQ(plies("1. e4 h6 2. e5 d5 3. exd6 e.p. 1-0"), 5U);
  EXPECT_EQ(plies("1\u2026 e4 h6 2.\u2658f3 *"), 3U);
  EXPECT_EQ(plies("1. f3 e5 2. g4 Qh4 mate 0-1"), 4U);
  EXPECT_THAT(refused("1. e4 -- 2. d4 *", kChess),
              HasSubstr("column 7: move '--': expected a move"));
  EXPECT_THAT(refused("1. e4 Z0 2. d4 *", kChess), HasSubstr("null move"));
}

TEST(PgnForms, VariantsGoByTheNamesOfOtherPrograms) {
  const std::string shuffled =
      "[FEN \"nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n1. d4 *";
  for (const char* name : {"fischerandom", "Fischerandom", "Chess960", "Chess 960"}) {
    const PgnGame game = read_one("[Variant \"" + std::string(name) + "\"]\n" + shuffled);
    EXPECT_EQ(game.rules, kChess960);
    EXPECT_EQ(game.start.to_fen(), "nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w HChc - 0 1");
  }
  const PgnGame position = read_one(
      "[Variant \"From Position\"]\n[SetUp \"1\"]\n"
      "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. O-O *");
  EXPECT_EQ(position.rules, kChess);
  EXPECT_EQ(read_one("[Variant \"Standard\"]\n[SetUp \"0\"]\n\n1. e4 *").rules, kChess);
  EXPECT_EQ(read_one("[Variant \"?\"]\n\n1. e4 *", kChess).rules, kChess);
}

TEST(PgnForms, ChessGoesOnPastWhatPlayersMayClaim) {
  const std::string thrice = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 ";
  EXPECT_EQ(ending(thrice + "1/2-1/2", kChess), "impasse_equal");
  EXPECT_EQ(ending(thrice + "5. e4 1/2-1/2", kChess), "impasse_equal agreed");
  EXPECT_EQ(ending(thrice + "5. e4 1-0", kChess), "white_wins resigned");
  EXPECT_EQ(ending(thrice + "*", kChess), "unfinished");
  EXPECT_EQ(ending(thrice + "0-1", kChess), "black_wins resigned");
  const std::string late =
      "[Variant \"Standard\"]\n[FEN \"4k3/8/8/8/8/8/7P/R3K3 w - - 99 90\"]\n\n";
  EXPECT_EQ(ending(late + "90. Ra2 Kd8 91. h4 1-0"), "white_wins resigned");
  EXPECT_EQ(ending(late + "90. Ra2 1/2-1/2"), "impasse_white_more");
  const std::string sharp = "[FEN \"4k3/8/8/8/8/8/7P/R3K3 w - - 99 90\"]\n\n";
  EXPECT_THAT(ending(sharp + "90. Ra2 Kd8 10-0"), HasSubstr("the game is over"));
  // What we write of such games reads back.
  PgnGame game = read_one(thrice + "0-1", kChess);
  game.table = ScoringTable::from_changes("impasse_equal=4", game.table);
  const PgnGame again = read_one(to_pgn(game), kChess);
  EXPECT_EQ(ending(again), "black_wins resigned");
}

TEST(PgnForms, ABadGameIsPassedOverWithItsComments) {
  std::istringstream in(
      "[White \"a\"]\n\n1. K@a1 K@a1 {\n[%timestamp 17]\n[%clk 0:01]} 2. B@b1 *\n\n"
      "[White \"b\"]\n\n1. K@a1 { [%timestamp\n17] } K@a8 {a remark} *\n");
  PgnReader reader(in);
  try {
    reader.next();
    ADD_FAILURE();
  } catch (const RulesError& error) {
    EXPECT_THAT(error.what(), StartsWith("game 1, line 3, column 9: move 'K@a1'"));
  }
  EXPECT_EQ(reader.next().value().white, "b");
  EXPECT_FALSE(reader.next());
}

TEST(PgnForms, ColumnsCountCharacters) {
  EXPECT_THAT(refused("[White \"\u00e9\u00e9\"] [Variant \"x\"]\n\n*"),
              StartsWith("game 1, line 1, column 24: tag Variant 'x'"));
  EXPECT_THAT(refused("[FEN \"4k3/8/8/8/8/8/8/4K3 x - - 0 1\"]\n\n*"),
              StartsWith("game 1, line 1, column 27: FEN side to move 'x'"));
  EXPECT_THAT(refused("1. K@a1 K@a8\n2. {\u00e9} e9 *"), StartsWith("game 1, line 2, column 8: "));
}

}  // namespace
}  // namespace rules
