#include "app/play/play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>

#include "app/play/board_view.h"
#include "app/play/game_session.h"
#include "base/errors.h"
#include "base/rng.h"
#include "mcts/evaluator.h"
#include "rules/notation.h"
#include "rules/pgn.h"
#include "tests/app/process.h"

namespace app {
namespace {

using ::testing::HasSubstr;

std::string play_with(const std::string& input, rules::Color side = rules::Color::kWhite,
                      rules::RuleSet rules = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  PlaySettings settings;
  settings.game.side = side;
  settings.game.rules = rules;
  settings.game.table = rules.table();
  settings.game.budget = 30;
  const Backend backend{tree_engine([] { return std::make_unique<mcts::HashEvaluator>(3); }, 1),
                        "a test"};
  play(settings, backend, in, out);
  return out.str();
}

TEST(Play, AnswersMovesInSanAndUci) {
  const std::string out = play_with("K@e1\ne2e3\nfen\n");
  EXPECT_THAT(out, HasSubstr("I play "));
  EXPECT_THAT(out, HasSubstr(" w - - "));
  EXPECT_THAT(out, HasSubstr("   in hand: KQRRBBNN\n"));
}

TEST(Play, ShowsTheCardsThatAreDrawn) {
  const std::string out = play_with("draw\nmoves\n", rules::Color::kWhite, rules::kRaindrop);
  EXPECT_THAT(out, HasSubstr("deck: K Q R2 B(light) B(dark) N2 P8; to promote: QRBN\n"));
  EXPECT_THAT(out, HasSubstr("Your card: "));
  EXPECT_THAT(out, HasSubstr("Place it on one of "));
  EXPECT_THAT(out, HasSubstr("; in hand: "));
  const std::string black = play_with("", rules::Color::kBlack, rules::kRaindrop);
  EXPECT_LT(black.find("I play draw "), black.find("My card: "));
  EXPECT_LT(black.find("My card: "), black.rfind("I play "));
  EXPECT_LT(black.rfind("I play "), black.find("your move> "));
}

TEST(Play, BeginsWhereTheHumanHasBlack) {
  const std::string out = play_with("", rules::Color::kBlack);
  EXPECT_LT(out.find("I play "), out.find("your move> "));
}

TEST(Play, ExplainsWhatItDoesNotUnderstand) {
  EXPECT_THAT(play_with("e4\n"), HasSubstr("'e4' is no legal move here"));
  EXPECT_THAT(play_with("level 7\n"), HasSubstr("level '7': expected a whole number from 1 to 6"));
  EXPECT_THAT(play_with("undo\n"), HasSubstr("there is no move of yours to take back"));
  EXPECT_THAT(play_with("save\n"), HasSubstr("expected the name of a file"));
  EXPECT_THAT(play_with("save /nonexistent/game.pgn\n"), HasSubstr("cannot write /nonexistent"));
  EXPECT_THAT(play_with("new x\n"), HasSubstr("expected w or b"));
}

TEST(Play, HelpNamesEveryWord) {
  const std::string out = play_with("");
  for (const char* word : {"moves", "board", "hint", "eval", "undo", "switch", "level", "flip",
                           "fen", "save", "resign", "new", "help", "quit"}) {
    EXPECT_THAT(out, HasSubstr("\n  " + std::string(word) + " "));
  }
}

TEST(Play, EvaluatesInPointsAndSevenProbabilities) {
  const std::string out = play_with("eval\n");
  EXPECT_TRUE(std::regex_search(
      out, std::regex(R"(8  \. \. .*White \d+\.\d\d, Black \d+\.\d\d of ten points)")))
      << out;
  for (const char* outcome :
       {"White wins", "Black is stalemated", "impasse, White more", "impasse, equal",
        "impasse, Black more", "White is stalemated", "Black wins"}) {
    EXPECT_TRUE(std::regex_search(out, std::regex(std::string(outcome) + R"( +\d+ %)"))) << out;
  }
}

// An end that players may claim ends the game where it comes, until the person moves on.
TEST(GameSession, PlaysOnPastAnEndThatIsNotClaimed) {
  GameSettings settings;
  settings.rules = rules::kChess;
  settings.table = rules::kChess.table();
  settings.side.reset();
  GameSession game(settings, kTreeLevels);
  for (const int again : {1, 2}) {
    for (const char* move : {"Nf3", "Nc6", "Ng1", "Nb8"}) game.play(move);
    EXPECT_EQ(game.outcome().has_value(), again == 2);
  }
  EXPECT_TRUE(game.can_go_on());
  GameSession against_engine = game;
  against_engine.set_side(rules::Color::kBlack);
  EXPECT_FALSE(against_engine.can_go_on()) << "the engine, whose turn it is, has claimed it";
  for (const char* move : {"Nf3", "Nc6", "Ng1", "Nb8", "e4"}) game.play(move);
  EXPECT_FALSE(game.outcome());
  for (const char* move : {"f6", "d4", "g5", "Qh5"}) game.play(move);
  EXPECT_EQ(game.outcome(), rules::Outcome::kWhiteWins);
  EXPECT_THROW(game.play("a6"), base::InputError);
}

TEST(Play, AHintIsALegalMove) {
  const std::string out = play_with("hint\n");
  const auto at = out.find("try ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NO_THROW(rules::parse_san(rules::Position::start(),
                                   out.substr(at + 4, out.find(' ', at + 4) - at - 4)));
}

TEST(Play, AHintDoesNotMakeItsAnswerStronger) {
  const auto answer = [](const std::string& input) {
    const std::string out = play_with(input);
    const auto at = out.find("I play ");
    return out.substr(at, out.find('\n', at) - at);
  };
  EXPECT_EQ(answer("hint\nK@e1\n"), answer("K@e1\n"));
}

TEST(Play, SwitchLetsItPlayTheOtherSide) {
  const std::string out = play_with("switch\nfen\n");
  EXPECT_LT(out.find("I play "), out.find(" b - - "));
}

TEST(Play, AResignationIsAnOutcomeThatUndoTakesBack) {
  const std::string out = play_with("resign\ne3\nundo\ne3\n");
  EXPECT_THAT(out, HasSubstr("black_wins by resignation: White 0.00, Black 10.00 of ten points"));
  EXPECT_LT(out.find("the game is over"), out.find("I play "));
}

TEST(Play, SavesPgnThatIsReadBackAndSparesOtherGames) {
  const TemporaryFolder folder;
  const std::string file = folder / "game.pgn";
  const std::string out =
      play_with("K@e1\nsave " + file + "\nresign\nsave " + file + "\nnew b\nsave " + file + "\n");
  EXPECT_THAT(out, HasSubstr(file + ": there is such a file; expected a new name"));
  std::ifstream in(file);
  const auto game = rules::PgnReader(in).next();
  ASSERT_TRUE(game.has_value());
  EXPECT_EQ(game->white, "Human");
  EXPECT_EQ(game->moves.size(), 2U);
  EXPECT_EQ(game->outcome, rules::Outcome::kBlackWins);
  EXPECT_EQ(game->adjudication, rules::Adjudication::kResignation);
}

TEST(Play, ANameThatCannotBeWrittenDoesNotEndTheGame) {
  const std::string name(300, 'a');
  const std::string out = play_with("save " + name + "\nsave /nonexistent/game.pgn\nfen\n");
  EXPECT_THAT(out, HasSubstr("cannot write " + name + "\n"));
  EXPECT_THAT(out, HasSubstr("cannot write /nonexistent/game.pgn\n"));
  EXPECT_THAT(out, HasSubstr(" w - - "));
}

TEST(Play, ASeedFixesTheGameAndAnotherVariesIt) {
  const auto game = [](std::uint64_t seed) {
    std::istringstream in("K@e1\nN@b1\nN@c1\nR@a1\n");
    std::ostringstream out;
    PlaySettings settings;
    settings.game.level = 2;
    settings.game.seed = seed;
    const Backend backend{tree_engine([] { return std::make_unique<mcts::HashEvaluator>(3); }, 1),
                          "a test"};
    play(settings, backend, in, out);
    return out.str();
  };
  EXPECT_EQ(game(1), game(1));
  EXPECT_TRUE(game(1) != game(2) || game(1) != game(3));
}

TEST(BoardView, IsTurnedRoundForBlackAndMarksTheLastMove) {
  const auto position = rules::Position::from_fen("4k3/8/8/8/8/8/8/K7[Nn] w - - 0 1");
  BoardView view;
  view.below = rules::Color::kBlack;
  view.last_move = rules::parse_uci(position, "a1b2");
  EXPECT_EQ(render(position.after(*view.last_move), view),
            "   in hand: N\n"
            "1  . . . . . . .>.\n"
            "2  . . . . . .>K .\n"
            "3  . . . . . . . .\n"
            "4  . . . . . . . .\n"
            "5  . . . . . . . .\n"
            "6  . . . . . . . .\n"
            "7  . . . . . . . .\n"
            "8  . . . k . . . .\n"
            "   h g f e d c b a\n"
            "   in hand: n\n");
}

// What a person sees of a terminal's output: without the escapes for colours.
std::string seen(const std::string& text) {
  static const std::regex kEscape("\x1b\\[[0-9;]*[A-Za-z]|\r");
  return std::regex_replace(text, kEscape, "");
}

constexpr std::chrono::seconds kPatience{60};

// Plays the human's side at random to the end of the game; every board seen on the way.
std::string play_to_the_end(Running& terminal) {
  base::Rng rng(5);
  std::string boards;
  while (true) {
    const std::string shown = terminal.wait_text("> ", kPatience);
    boards += shown;
    if (shown.empty() || shown.find("game over> ") != std::string::npos) return boards;
    if (shown.find("your move> ") == std::string::npos) continue;
    terminal.write("fen\n");
    const std::string answer = seen(terminal.wait_text("your move> ", kPatience));
    const auto fen = answer.find('\n') + 1;  // behind the echo
    const auto position =
        rules::Position::from_fen(answer.substr(fen, answer.find('\n', fen) - fen));
    const auto moves = position.legal_moves();
    const auto move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
    terminal.write(rules::to_san(position, move) + "\n");
  }
}

TEST(PlayInATerminal, ShowsAColouredBoardAndPlaysAWholeGameThatIsSaved) {
  const TemporaryFolder folder;
  Running terminal({"play", "--threads", "1", "--seed", "1", "--level", "1"}, Ends::kTerminal);
  const std::string first = terminal.wait_text("your move> ", kPatience);
  EXPECT_THAT(first, HasSubstr("\x1b[1;48;5;"));  // squares have a ground
  EXPECT_THAT(seen(first), HasSubstr("7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟ \n"));
  EXPECT_THAT(seen(first), HasSubstr("in hand:  ♚ ♛ ♜ ♜ ♝ ♝ ♞ ♞ \n"));
  terminal.write("K@e1\n");
  const std::string second = seen(terminal.wait_text("your move> ", kPatience));
  EXPECT_THAT(second, HasSubstr("I play "));
  EXPECT_THAT(second, HasSubstr("White wins  "));
  terminal.write("undo\n");
  const auto board = [](const std::string& text) { return text.substr(text.find("   in hand")); };
  EXPECT_EQ(board(seen(terminal.wait_text("your move> ", kPatience))), board(seen(first)));

  terminal.write("board\n");
  const std::string boards = seen(play_to_the_end(terminal));
  terminal.write("save " + (folder / "game.pgn") + "\n");
  EXPECT_THAT(terminal.wait_text("game over> ", kPatience), HasSubstr("saved as"));
  terminal.write("quit\n");
  EXPECT_EQ(terminal.wait(), 0);

  std::ifstream in(folder / "game.pgn");
  const auto game = rules::PgnReader(in).next();
  ASSERT_TRUE(game.has_value());
  rules::Position position = game->start;
  for (const rules::Move move : game->moves) position.play(move);
  ASSERT_TRUE(position.outcome({}).has_value());
  EXPECT_EQ(position.outcome({}), game->outcome);
  EXPECT_THAT(boards, HasSubstr("\n" + std::string(rules::name(*game->outcome)) + ": White "));
}

TEST(PlayInATerminal, CtrlCAndCtrlDEndIt) {
  const std::vector<std::string> command{"play", "--threads", "1", "--level", "1"};
  Running interrupted(command, Ends::kTerminal);
  ASSERT_NE(interrupted.wait_text("your move> ", kPatience), "");
  interrupted.write("\x03");
  EXPECT_EQ(interrupted.wait(), 130);
  EXPECT_FALSE(interrupted.ended_by_signal());

  Running ended(command, Ends::kTerminal);
  ASSERT_NE(ended.wait_text("your move> ", kPatience), "");
  ended.write("\x04");
  EXPECT_EQ(ended.wait(), 0);
}

TEST(Play, UndoTakesBackBothMoves) {
  const std::string out = play_with("K@e1\nundo\nfen\n");
  EXPECT_THAT(out, HasSubstr("8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1"));
}

TEST(Play, AFastFiftyIsAgreedOrDeclined) {
  // HashEvaluator expects anything of the start, and nothing near an impasse.
  EXPECT_THAT(play_with("fifty\n"), HasSubstr("I decline: I do not expect what an impasse pays"));
  EXPECT_THAT(play_with("resign\nfifty\n"), HasSubstr("the game is over"));
}

}  // namespace
}  // namespace app
