#include "rules/pgn.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/rng.h"
#include "rules/history.h"
#include "rules/notation.h"

namespace rules {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

PgnGame read_one(const std::string& text, RuleSet untagged = {}) {
  std::istringstream in(text);
  return PgnReader(in, untagged).next().value();
}

std::string refused(const std::string& text) {
  std::istringstream in(text);
  PgnReader reader(in);
  try {
    while (reader.next()) {
    }
  } catch (const RulesError& error) {
    return error.what();
  }
  return "accepted";
}

PgnGame played(const std::string& fen, const std::vector<std::string>& uci, RuleSet rules = {}) {
  PgnGame game;
  game.rules = rules;
  game.start = Position::from_fen(fen, rules);
  Position position = game.start;
  for (const auto& text : uci) {
    game.moves.push_back(parse_uci(position, text));
    position.play(game.moves.back());
  }
  game.outcome = position.outcome(game.table);
  return game;
}

void expect_same(const PgnGame& read, const PgnGame& written) {
  EXPECT_EQ(read.rules, written.rules);
  EXPECT_EQ(read.table, written.table);
  EXPECT_EQ(read.start, written.start);
  EXPECT_EQ(read.moves, written.moves);
  EXPECT_EQ(read.outcome, written.outcome);
  EXPECT_EQ(read.adjudication, written.adjudication);
  EXPECT_EQ(read.white, written.white);
  EXPECT_EQ(read.more_tags, written.more_tags);
}

constexpr const char* kAdjacentKings = "8/8/8/3kK3/8/8/8/8[] w - - 3 80";

TEST(Pgn, AGameAsText) {
  PgnGame game = played(kAdjacentKings, {"e5e4", "d5c5"});
  game.event = "A \"test\" \\ match";
  game.white = "generation 7";
  game.more_tags = {{"Seed", "17"}};
  game.table = ScoringTable::from_changes("impasse_equal=4.9");
  game.outcome = game.start.impasse(game.table);
  game.adjudication = Adjudication::kFastFifty;
  EXPECT_EQ(to_pgn(game),
            "[Event \"A \\\"test\\\" \\\\ match\"]\n"
            "[Site \"?\"]\n"
            "[Date \"????.??.??\"]\n"
            "[Round \"?\"]\n"
            "[White \"generation 7\"]\n"
            "[Black \"?\"]\n"
            "[Result \"0-1\"]\n"
            "[Variant \"Chess#\"]\n"
            "[WhiteScore \"4.9\"]\n"
            "[BlackScore \"5.1\"]\n"
            "[Termination \"impasse_equal by fast_fifty\"]\n"
            "[SetUp \"1\"]\n"
            "[FEN \"8/8/8/3kK3/8/8/8/8[] w - - 3 80\"]\n"
            "[ScoringTable \"impasse_equal=4.9\"]\n"
            "[Seed \"17\"]\n"
            "\n"
            "80. Ke4 Kc5 0-1\n"
            "\n");
  expect_same(read_one(to_pgn(game)), game);
}

TEST(Pgn, ReferenceGamesThereAndBackInOneFile) {
  std::ifstream data(std::string(SHARPZERO_TEST_DATA) + "/public_rules.json");
  const auto games = nlohmann::json::parse(data)["games"];
  std::string file;
  std::vector<PgnGame> written;
  for (const auto& row : games) {
    written.push_back(played(row["start_fen"], row["uci"]));
    EXPECT_EQ(name(written.back().outcome.value()), row["outcome"]);
    file += to_pgn(written.back());
  }
  for (std::istringstream lines(file); !lines.eof();) {
    std::string line;
    std::getline(lines, line);
    EXPECT_LE(line.size(), 80U);
  }
  std::istringstream in(file);
  PgnReader reader(in);
  for (const PgnGame& game : written) expect_same(reader.next().value(), game);
  EXPECT_FALSE(reader.next());
}

TEST(Pgn, RandomGamesOfEveryRuleSetThereAndBack) {
  base::Rng rng(5);
  for (std::uint8_t i = 0; i < 120; ++i) {
    PgnGame game;
    game.rules = i % 2 == 0 ? RuleSet::from_id(i) : kRuleSets[i / 2 % kRuleSets.size()].rules;
    game.table = game.rules.table();
    game.start = Position::start(game.rules, 8 * i);
    Position position = game.start;
    History history;
    while (true) {
      game.outcome = position.outcome(game.table, history.occurrences(position));
      if (game.outcome || game.moves.size() == 150) break;  // some stay unfinished
      const MoveList moves = position.legal_moves();
      game.moves.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
      history.add(position);
      position.play(game.moves.back());
    }
    const std::string text = to_pgn(game);
    expect_same(read_one(text, kChess), game);
    EXPECT_EQ(to_pgn(read_one(text, kChess)), text);
  }
}

TEST(Pgn, ClassicalChessSharpHasNoDraws) {
  const std::string head = "[Variant \"Classical Chess♯\"]\n\n1. e4 e5 ";
  EXPECT_EQ(read_one(head + "*").rules, kClassicalChessSharp);
  try {
    read_one(head + "1/2-1/2");
    ADD_FAILURE() << "a draw is read";
  } catch (const RulesError& error) {
    EXPECT_THAT(error.what(), HasSubstr("result '1/2-1/2': expected 0-1 for impasse_equal"));
  }
}

TEST(Pgn, ChessIsWrittenAsTheStandardHasIt) {
  PgnGame game;
  game.rules = kChess;
  game.table = kChess.table();
  game.start = Position::start(kChess);
  Position position = game.start;
  History history;
  const std::vector<std::string> back_and_forth{"g1f3", "g8f6", "f3g1", "f6g8"};
  for (std::size_t ply = 0; !game.outcome; ++ply) {
    game.moves.push_back(parse_uci(position, back_and_forth[ply % 4]));
    history.add(position);
    position.play(game.moves.back());
    game.outcome = position.outcome(game.table, history.occurrences(position));
  }
  EXPECT_EQ(game.moves.size(), 8U);  // the start for the third time
  EXPECT_EQ(to_pgn(game),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
            "[Black \"?\"]\n[Result \"1/2-1/2\"]\n[WhiteScore \"5\"]\n[BlackScore \"5\"]\n"
            "[Termination \"impasse_equal\"]\n\n"
            "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n\n");
  expect_same(read_one(to_pgn(game), kChess), game);
}

TEST(Pgn, ADrawByAgreementIsAFastFifty) {
  const PgnGame game = read_one("[Variant \"Standard\"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2");
  EXPECT_EQ(game.rules, kChess);
  EXPECT_EQ(game.outcome, Outcome::kImpasseEqual);
  EXPECT_EQ(game.adjudication, Adjudication::kFastFifty);
}

TEST(Pgn, BlackBegins) {
  const auto game = played("8/8/8/3kK3/8/8/8/8[] b - - 3 80", {"d5c5", "e5e4", "c5c6"});
  EXPECT_THAT(to_pgn(game), HasSubstr("\n80... Kc5 81. Ke4 Kc6 *\n"));
  expect_same(read_one(to_pgn(game)), game);
}

TEST(Pgn, ReadsOverCommentsVariationsNagsAndEscapes) {
  const std::string text =
      "% made by hand\n"
      "[Variant \"Chess#\"]\n"
      "[FEN \"8/8/8/3kK3/8/8/8/8[] w - - 3 80\"]\n"
      "\n"
      "80.Ke4 {a } comment} $3 (80. Kxd5 (nested {)} ; to the end )\n ) 1-0)\n"
      "%escaped Ke8\n"
      "80...Kc5!? 81. Kf4+ ; the rest\n"
      "Kc6?? *\n";
  EXPECT_THAT(refused(text), HasSubstr("move 'comment'"));  // braces do not nest
  std::string good = text;
  good.erase(good.find("} comment"), 1);
  const PgnGame game = read_one(good);
  std::vector<std::string> uci;
  for (const Move move : game.moves) uci.push_back(to_uci(move));
  EXPECT_EQ(uci, (std::vector<std::string>{"e5e4", "d5c5", "e4f4", "c5c6"}));
  EXPECT_EQ(game.outcome, std::nullopt);
}

TEST(Pgn, AWinWithoutAnEndOnTheBoardIsAResignation) {
  const PgnGame game = read_one("1. K@a1 K@a8 1-0");
  EXPECT_EQ(game.outcome, Outcome::kWhiteWins);
  EXPECT_EQ(game.adjudication, Adjudication::kResignation);
  EXPECT_THAT(to_pgn(game), HasSubstr("[Termination \"white_wins by resignation\"]"));
}

TEST(Pgn, RefusalsNameGameLineFieldAndExpectation) {
  const std::string fine = "[White \"a\"]\n\n1. K@a1 *\n\n";
  EXPECT_THAT(refused(fine + "[White \"b\"]\n\n1. K@a1\nK@a1 *\n"),
              StartsWith("game 2, line 8, column 1: move 'K@a1': expected a legal move in 8/"));
  EXPECT_THAT(refused("[FEN \"8/8\"]\n[White \"b\"]\n\n*\n"),
              StartsWith("game 1, line 1, column 7: FEN"));
  EXPECT_THAT(refused("[White \"b\"]\n[Variant \"Crazyhouse\"]\n\n*\n"),
              HasSubstr("line 2, column 11: tag Variant 'Crazyhouse': expected Chess#"));
  EXPECT_THAT(refused("[Variant \"Chess#+wings\"]\n\n*\n"),
              HasSubstr("tag Variant 'Chess#+wings'"));
  EXPECT_THAT(refused("[ScoringTable \"king=1\"]\n\n*\n"), HasSubstr("'king=1'"));
  EXPECT_THAT(refused("[Result \"1-0\"]\n\n1. K@a1 *\n"), HasSubstr("tag Result '1-0'"));
  EXPECT_THAT(refused("1. K@a1 1/2-1/2"), HasSubstr("result '1/2-1/2'"));
  EXPECT_THAT(refused("1. K@a1"), HasSubstr("expected a result"));
  EXPECT_THAT(refused("1. K@a1 {open *"), HasSubstr("comment 'line 1': expected its closing"));
  EXPECT_THAT(refused("1. K@a1 (open *"), HasSubstr("variation 'line 1'"));
  EXPECT_THAT(refused("1. K@a1 ) *"), HasSubstr("movetext ')'"));
  EXPECT_THAT(refused("[White b]\n\n*\n"), HasSubstr("tag 'White'"));
  EXPECT_THAT(refused("[White \"b\n*\n"), HasSubstr("tag White 'b': expected a closing quote"));
  EXPECT_THAT(refused("[White \"b\" x]\n*\n"), HasSubstr("closing bracket"));
}

TEST(Pgn, TheOutcomeIsRecomputedAndCompared) {
  const auto game = played(kAdjacentKings, {"e5d5"});
  const std::string text = to_pgn(game);
  EXPECT_EQ(read_one(text).outcome, Outcome::kWhiteWins);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    return changed.replace(changed.find(from), from.size(), to);
  };
  EXPECT_THAT(refused(with("Kxd5 1-0", "Kxd5 0-1")), HasSubstr("result '0-1': expected 1-0"));
  EXPECT_THAT(refused(with("WhiteScore \"10\"", "WhiteScore \"7\"")),
              HasSubstr("tag WhiteScore '7': expected 10"));
  EXPECT_THAT(refused(with("BlackScore \"0\"", "BlackScore \"nan\"")), HasSubstr("'nan'"));
  EXPECT_THAT(refused(with("\"white_wins\"", "\"stalemate_black_stalemated\"")),
              HasSubstr("tag Termination"));
  EXPECT_THAT(refused(with("Kxd5 1-0", "Kxd5 Kd4 1-0")), HasSubstr("the game is over"));
  EXPECT_THAT(refused("[Termination \"impasse_white_more by fast_fifty\"]\n\n1. K@a1 1-0\n"),
              HasSubstr("result '1-0': expected 0-1 for impasse_equal by fast_fifty"));
  EXPECT_THAT(refused(with("\"white_wins\"", "\"normal\"")), Not(HasSubstr("game")));
}

TEST(Pgn, GoesOnWithTheGameAfterAFaultyOne) {
  std::istringstream in(
      "[White \"a\"]\n[Black broken]\n[Round \"1\"]\n\n1. K@a1 *\n\n"
      "[White \"b\"]\n\n1. K@a1 K@a1 [x] *\n\n"
      "[White \"c\"]\n\n1. K@a1\n"
      "[White \"d\"]\n\n1. K@a1 *\n");
  PgnReader reader(in);
  EXPECT_THROW(reader.next(), RulesError);
  EXPECT_THROW(reader.next(), RulesError);
  EXPECT_THROW(reader.next(), RulesError);
  EXPECT_EQ(reader.next().value().white, "d");
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace rules
