// Games from files: what they say, what is refused, and counts by another program.
#include "rules/rule_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/text.h"
#include "rules/perft.h"
#include "rules/position.h"
#include "rules/repertoire.h"
#include "rules/rule_details.h"
#include "rules/rule_report.h"

namespace rules {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal_of(const std::string& text) {
  try {
    read_game_text(text, "own.toml");
  } catch (const RulesError& error) {
    return error.what();
  }
  return "taken";
}

TEST(RuleFile, EachSetThatComesAlongIsAFile) {
  const std::string folder = SHARPZERO_TEST_DATA "/../../configs/rules/";
  for (const NamedRuleSet& set : kRuleSets) {
    SCOPED_TRACE(set.name);
    const std::string path = folder + std::string(set.name) + ".toml";
    ASSERT_TRUE(std::filesystem::exists(path));
    EXPECT_EQ(read_game_file(path), set.rules);
    EXPECT_EQ(RuleSet::parse_or_read(path), set.rules);
    EXPECT_THROW(RuleSet::parse(path), RulesError);
    EXPECT_EQ(read_game_text(game_file_text(set.rules, true), ""), set.rules);
    EXPECT_EQ(read_game_text(game_file_text(set.rules, false), ""), set.rules);
  }
}

TEST(RuleFile, AFileMayBeBasedOnAnother) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "based";
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "one.toml") << "title='One'\nbased_on='chess'\n[pawns]\ndouble_step=[3]\n";
  std::ofstream(folder / "two.toml") << "based_on='one.toml'\n[ends]\nbare_king_loses=true\n";
  std::ofstream(folder / "self.toml") << "based_on='self.toml'\n";
  const RuleSet two = read_game_file(folder / "two.toml");
  EXPECT_EQ(two.title(), "two");
  EXPECT_EQ(details_of(two).double_step, rank_bb(2));
  EXPECT_TRUE(details_of(two).bare_king_loses);
  EXPECT_TRUE(two.king_safe);
  EXPECT_THROW(read_game_file(folder / "self.toml"), RulesError);
  EXPECT_THAT(refusal_of("based_on='" + (folder / "one.toml").string() + "'"),
              HasSubstr("no further file is read"));  // a text may be a stranger's
  EXPECT_THROW(read_game_file(folder / "none.toml"), RulesError);
}

TEST(RuleFile, ItsNameIsTheGameItself) {
  const RuleSet rules =
      read_game_text("title='Own Game'\npawns.double_step=[3]\nends.impasse_turns=20", "own.toml");
  EXPECT_EQ(rules.name(), "Own Game{pawns={double_step=[3]},ends={impasse_turns=20}}");
  EXPECT_EQ(rules.title(), "Own Game");
  EXPECT_EQ(RuleSet::parse(rules.name()), rules);
  EXPECT_EQ(Repertoire::parse(rules.name()).first(), rules);
  EXPECT_EQ(RuleSet::from_variant(rules.variant()), rules);
  EXPECT_EQ(read_game_text("title='Other'\npawns.double_step=[3]\nends.impasse_turns=20", ""),
            rules);
  EXPECT_NE(rules, RuleSet{});
  EXPECT_NE(Position::start(rules).key(), Position::start().key());
  EXPECT_EQ(refusal_of("title='Own'\nbased_on='Own Game{pawns={double_step=[3]}}'"), "taken");
  const Repertoire both = Repertoire::parse(rules.name() + ",chess");
  EXPECT_EQ(both.sets(), (std::vector{rules, kChess}));
  EXPECT_EQ(both.title(), "Own Game,chess");
  EXPECT_THROW(Repertoire::parse_or_read("chess,nowhere.toml"), RulesError);
}

TEST(RuleFile, ThePositionsClockBeginsLater) {
  const RuleSet rules = read_game_text("ends.impasse_turns=2", "own.toml");
  Position p = Position::from_fen("4k3/8/8/8/8/8/8/4K2R[] w - - 2 9", rules);
  EXPECT_EQ(p.to_fen(), "4k3/8/8/8/8/8/8/4K2R[] w - - 2 9");
  EXPECT_EQ(p.outcome(rules.table()), std::nullopt);
  p.play(Move::board(make_square(7, 0), make_square(7, 1)));
  p.play(Move::board(make_square(4, 7), make_square(3, 7)));
  EXPECT_EQ(p.to_fen(), "3k4/8/8/8/8/8/7R/4K3[] w - - 4 10");
  EXPECT_EQ(p.outcome(rules.table()), Outcome::kImpasseWhiteMore);
}

TEST(RuleFile, StartsAreAsManyAsItsRowsAllow) {
  const auto starts = [](const std::string& text) {
    return starts_of(read_game_text(text, "own.toml"));
  };
  EXPECT_EQ(starts("based_on='chess960'\nsetup.black='apart'"), 960 * 960);
  EXPECT_EQ(starts("based_on='chess960'\nsetup.black='turned'"), 960);
  EXPECT_EQ(starts("based_on='chess'\nsetup.pawns='second_or_third_row'"), 256);
  EXPECT_EQ(starts("based_on='chess'\nsetup.shuffle=['first_row']\nkings.castling='none'"), 5040);
  EXPECT_EQ(starts("based_on='chess960'\nsetup.pawns='second_or_third_row'"), 960 * 256);
  EXPECT_THAT(refusal_of("based_on='chess960'\nsetup.pawns='second_or_third_row'\n"
                         "setup.black='apart'"),
              HasSubstr("setup: 60397977600 first positions, expected at most 100000000"));
  EXPECT_EQ(starts("pawns.double_step=[3]"), 1);
  const RuleSet turned = read_game_text("based_on='chess'\nsetup.black='turned'", "own.toml");
  EXPECT_EQ(Position::start(turned).to_fen(),
            "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1");
}

// As tests/rules/perft_fairy.py has them from Fairy-Stockfish 11.1.
TEST(RuleFile, CountsMovesAsFairyStockfishDoes) {
  std::ifstream in(SHARPZERO_TEST_DATA "/games_from_files_perft.tsv");
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    SCOPED_TRACE(line);
    const auto fields = base::split(line, '\t');
    ASSERT_EQ(fields.size(), 4U);
    std::string text(fields[3]);
    for (auto at = text.find("\\n"); at != text.npos; at = text.find("\\n"))
      text.replace(at, 2, "\n");
    const RuleSet rules = read_game_text(text, "own.toml");
    EXPECT_NE(rules.game, 0);
    const Position position = Position::from_fen(fields[2], rules);
    EXPECT_EQ(std::to_string(perft(position, std::stoi(std::string(fields[0])), {.ends = true})),
              fields[1]);
  }
  EXPECT_EQ(lines, 18);
}

TEST(RuleFile, IsToldInSentencesAndSuspected) {
  const RuleSet rules = read_game_text(
      "setup.reserve='KQ'\npawns={promotion=[], double_step=[2]}\nends.goal_king=['8']",
      "own.toml");
  std::string told;
  for (const auto& sentence : sentences(rules)) told += sentence + "\n";
  EXPECT_THAT(told, HasSubstr("Who brings a king to row 8, as he sees it, wins."));
  EXPECT_THAT(told, HasSubstr("Pawns move one square, or two from row 2"));
  EXPECT_THAT(suspicions(rules, try_out(rules, 1)), ::testing::Contains("Pawns become nothing."));
  const RuleSet blocked = read_game_text("placing.squares=['8']\nplacing.king=[]", "own.toml");
  EXPECT_THAT(suspicions(blocked, try_out(blocked, 1)),
              ::testing::Contains("A king is in hand and may be placed nowhere."));
  for (const NamedRuleSet& set : kRuleSets) {
    EXPECT_GT(sentences(set.rules).size(), 5U);
    if (set.rules.king_safe) continue;
    EXPECT_TRUE(suspicions(set.rules, try_out(set.rules, 1)).empty()) << set.name;
  }
}

struct Broken {
  const char* text;
  const char* expected;  // a part of the message
};
const std::vector<Broken> kBroken{
    {"title", "own.toml:1: "},
    {"title='a'\ntitle='b'", "own.toml:2: "},
    {"[pawns]\n[pawns]", "own.toml:2: "},
    {"pawns=", "own.toml:1: "},
    {"title=3", "own.toml:1: title '3': expected a text"},
    {"title=''\npawns.double_step=[3]", "title '': expected at most 40"},
    {"title='1st'\npawns.double_step=[3]", "title '1st': expected"},
    {"title='a{b}'\npawns.double_step=[3]", "title 'a{b}'"},
    {"title='a,b'\npawns.double_step=[3]", "title 'a,b'"},
    {"title='chess'\npawns.double_step=[3]", "title 'chess': expected a name of its own"},
    {"title='Pre-Chess'\npawns.double_step=[3]", "a name of its own"},
    {"based_on=3", "own.toml:1: based_on '3'"},
    {"based_on='shogi'", "based_on 'shogi': expected a file .toml or chess_sharp"},
    {"based_on='nowhere.toml'", "nowhere.toml"},
    {"colour='red'", "own.toml:1: colour 'red': expected title, based_on or a section of [setup]"},
    {"[board]\nrows=[]", "own.toml:1: board"},
    {"pawns=3", "own.toml:1: pawns '3': expected a section of keys"},
    {"[pawns]\nstep=[2]", "own.toml:2: pawns.step"},
    {"[setup]\nrow=['8']", "own.toml:2: setup.row"},
    {"[kings]\nends='mated'", "own.toml:2: kings.ends 'mated': expected a key of end, castling"},
    {"[setup]\nrows='8'", "own.toml:2: setup.rows"},
    {"[setup]\nrows=[]", "setup.rows"},
    {"[setup]\nrows=['8',\n'7']", "own.toml:3: setup.rows '7'"},
    {"[setup]\nrows=['8','PPPPPPPPP']", "setup.rows 'PPPPPPPPP'"},
    {"[setup]\nrows=['8','pppppppp']", "setup.rows 'pppppppp'"},
    {"[setup]\nrows=['8','XXXXXXXX']", "setup.rows 'XXXXXXXX'"},
    {"[setup]\nrows=['PPPPPPPP']", "expected no pawn on the own first row"},
    {"[setup]\nrows=['8','8','8','8','8']", "one to four rows"},
    {"[setup]\nrows=['8','8','8','PPPPPPPP']", "8 rows of both sides, expected at most 6"},
    {"[setup]\nrows=[8]", "setup.rows '8'"},
    {"[setup]\nblack='upside_down'",
     "own.toml:2: setup.black 'upside_down': expected one of 'mirrored'"},
    {"[setup]\nblack=true", "setup.black 'true'"},
    {"[setup]\nshuffle=['all']", "setup.shuffle"},
    {"[setup]\nshuffle='first_row'", "setup.shuffle"},
    {"based_on='chess960'\n[setup]\nblack=['RNBQKBNR','PPPPPPPP']", "setup.shuffle: expected none"},
    {"based_on='chess'\n[setup]\nrows=['KNNNNNNR','PPPPPPPP']\nshuffle=['bishops_opposite']",
     "setup.shuffle: no order"},
    {"[setup]\npawns='anywhere'", "setup.pawns 'anywhere'"},
    {"[setup]\nreserve='KQX'", "own.toml:2: setup.reserve 'KQX'"},
    {"[setup]\nreserve='KP'", "setup.reserve 'KP'"},
    {"[setup]\nreserve=['K']", "setup.reserve"},
    {"[setup]\nreserve='Q'", "White's 0 kings on the board and in reserve, expected one"},
    {"[setup]\nreserve='KK'", "White's 2 of king, expected at most 1"},
    {"[setup]\nreserve='KNNN'", "White's 3 of knight, expected at most 2"},
    {"[setup]\nblack_reserve='QQQK'", "Black's 3 of queen, expected at most 2"},
    {"[setup]\nreserve='KQQRRBBNN'\nrows=['7Q','PPPPPPPP']", "18 pieces, expected at most 17"},
    {"[setup]\nrows=['K7','PPPPPPPP']", "White's 2 kings"},
    {"based_on='chess'\n[setup]\nreserve='Q'", "expected '' where placing.entry is 'none'"},
    {"based_on='chess'\n[setup]\nrows=['RNBQQBNR','PPPPPPPP']", "0 kings"},
    {"[placing]\nentry='drop'", "own.toml:2: placing.entry 'drop'"},
    {"[placing]\nsquares=['i9']", "own.toml:2: placing.squares"},
    {"[placing]\nsquares=[1]", "placing.squares '1'"},
    {"[placing]\nqueen='1'", "placing.queen '1'"},
    {"[placing]\npawn=['2']", "placing.pawn"},
    {"[placing]\nbefore_moving=8",
     "placing.before_moving '8': expected a whole number from 0 to 7"},
    {"[placing]\nbefore_moving=1.5", "placing.before_moving"},
    {"[placing]\nbefore_moving=5\n[setup]\nreserve='KQRB'",
     "placing.before_moving: 5, expected at most the 3 pieces of the smaller reserve"},
    {"based_on='pre_chess'\n[placing]\nbefore_moving=3", "kings.castling: expected 'none', or"},
    {"based_on='pre_chess'\n[kings]\ncastling='chess960'", "kings.castling: expected 'none', or"},
    {"[placing]\nqueen_last='yes'", "placing.queen_last 'yes': expected true or false"},
    {"[placing]\nbishops_opposite=true\nking=['2']", "expected the same squares for all pieces"},
    {"[placing]\nentry='behind_pawn'\nsquares=['2']", "placing: squares, expected only where"},
    {"[placing]\nentry='behind_pawn'", "pawns.double_step: expected [2]"},
    {"based_on='raindrop'\n[pawns]\npromotion=['queen']", "'card', expected only changes of"},
    {"based_on='raindrop'\n[setup]\nrows=['8','PPPPPPPP']", "'card', expected only changes of"},
    {"[pawns]\ndouble_step=2", "own.toml:2: pawns.double_step '2'"},
    {"[pawns]\ndouble_step=[6]", "pawns.double_step '6'"},
    {"[pawns]\nen_passant=0", "pawns.en_passant '0'"},
    {"[pawns]\npromotion=['king']", "pawns.promotion"},
    {"[pawns]\npromotion='queen'", "pawns.promotion 'queen'"},
    {"[kings]\nend='checkmated'",
     "own.toml:2: kings.end 'checkmated': expected one of 'captured', 'mated'"},
    {"[kings]\ncastling='both'", "kings.castling 'both'"},
    {"based_on='chess_double_sharp'\n[kings]\ncastling='classical'",
     "kings.castling: expected 'none'"},
    {"[ends]\nimpasse_turns=0", "ends.impasse_turns '0': expected a whole number from 1 to 50"},
    {"[ends]\nimpasse_turns=51", "ends.impasse_turns '51'"},
    {"[ends]\nrepetition=true", "ends.repetition: expected only where kings.end is 'mated'"},
    {"[ends]\ndead_material='chess'", "ends.dead_material: expected only where"},
    {"[ends]\nstuck_in_hand_loses=true", "ends.stuck_in_hand_loses: expected only where"},
    {"[ends]\nextinct=['dragon']", "ends.extinct"},
    {"[ends]\ngoal_king=['z1']", "ends.goal_king"},
    {"based_on='chess'\n[ends]\ngoal_king=['1']", "setup: the first position "},
    {"[ends]\nextinct=['queen']\n[setup]\nreserve='KR'", "is over, expected one to play from"},
    {"[points]\nwhite_wins='ten'", "own.toml:2: points.white_wins 'ten': expected a number"},
    {"[points]\nwins=10", "own.toml:2: scoring table change 'wins=10'"},
    {"[points]\nwhite_wins=5", "own.toml:1: scoring table"},
    {"[points]\nqueen=-1", "own.toml:2: scoring table queen '-1'"},
    {"based_on='chess'\n[setup]\nrows=['4R1K1']\nblack=['4K3']", "only the side to move in check"},
};

TEST(RuleFile, WhatIsBrokenGetsOneLine) {
  for (const Broken& broken : kBroken) {
    SCOPED_TRACE(broken.text);
    const std::string message = refusal_of(broken.text);
    EXPECT_THAT(message, HasSubstr(broken.expected));
    EXPECT_THAT(message, HasSubstr(".toml"));
    EXPECT_EQ(message.find('\n'), message.npos);
  }
}

TEST(RuleFile, ANumberIsFreeAgainAfterARefusal) {
  for (int i = 0; i < 600; ++i) {
    refusal_of("title='Over " + std::string(1, static_cast<char>('a' + i % 26)) +
               std::to_string(i) + "'\nbased_on='chess'\nends.goal_king=['1']");
  }
  EXPECT_EQ(refusal_of("title='Last'\npawns.double_step=[4]"), "taken");
}

}  // namespace
}  // namespace rules
