// The app's dialect of PGN as a parser of its own reads it, which knows nothing of ours.
#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "base/rng.h"
#include "rules/notation.h"
#include "rules/pgn.h"
#include "tests/rules/mailbox.h"

namespace {

using rules::Adjudication;
using rules::PgnDialect;
using rules::PgnGame;

struct AppGame {
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<std::string> uci;
  std::string comment;  // the last one
  int white = -1, black = -1;
  std::string outcome;  // on the board, as mailbox names it
};

// The move of a list of UCI moves that the SAN means.
std::string move_of(const mailbox::Board& board, const std::string& san) {
  static const std::regex placement("[KQRBN]@[a-h][1-8]");
  static const std::regex on_board("([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(=Q)?");
  std::string found;
  std::smatch parts;
  const bool placed = std::regex_match(san, placement);
  if (!placed && !std::regex_match(san, parts, on_board)) throw std::runtime_error("SAN " + san);
  for (const std::string& uci : board.moves()) {
    if (placed) {
      if (uci == san) found = uci;
      continue;
    }
    if (uci[1] == '@' || uci.substr(2, 2) != parts[4]) continue;
    const char man =
        board.at[static_cast<std::size_t>(uci[1] - '1')][static_cast<std::size_t>(uci[0] - 'a')];
    const char type = static_cast<char>(std::toupper(man));
    if (type != (parts[1].length() == 0 ? 'P' : parts[1].str()[0])) continue;
    if (parts[2].length() > 0 && uci[0] != parts[2].str()[0]) continue;
    if (parts[3].length() > 0 && uci[1] != parts[3].str()[0]) continue;
    if ((uci.size() == 5) != (parts[5].length() > 0)) continue;
    if (!found.empty()) throw std::runtime_error("ambiguous " + san);
    found = uci;
  }
  if (found.empty()) throw std::runtime_error("illegal " + san);
  return found;
}

AppGame parse(const std::string& text) {
  AppGame game;
  std::istringstream lines(text);
  std::string line, movetext, fen = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";
  static const std::regex tag("\\[([A-Za-z]+) \"(.*)\"\\]");
  for (std::smatch parts; std::getline(lines, line) && std::regex_match(line, parts, tag);) {
    game.tags.emplace_back(parts[1], parts[2]);
    if (parts[1] == "FEN") fen = parts[2];
  }
  while (std::getline(lines, line)) movetext += line + " ";
  if (fen.find('[') == std::string::npos) fen.insert(fen.find(' '), "[]");
  mailbox::Board board(fen, {});
  static const std::regex result("(\\d+)\u2013(\\d+)"), number("\\d+\\.(\\.\\.)?");
  std::istringstream words(movetext);
  for (std::string word; words >> word;) {
    std::smatch parts;
    if (word == "{") {
      game.comment.clear();
      while (words >> word && word != "}") game.comment += word;
    } else if (std::regex_match(word, parts, result)) {
      game.white = std::stoi(parts[1]);
      game.black = std::stoi(parts[2]);
    } else if (word != "*" && !std::regex_match(word, number)) {
      game.uci.push_back(move_of(board, word));
      board = board.after(game.uci.back());
    }
  }
  game.outcome = board.outcome();
  return game;
}

PgnGame random_game(base::Rng& rng) {
  PgnGame game;
  game.event = "Self-play";
  game.more_tags = {{"Seed", "7"}};
  rules::Position position = game.start;
  const std::uint32_t most = 20 + rng.below(200);
  while (!(game.outcome = position.outcome(game.table)) && game.moves.size() < most) {
    const rules::MoveList moves = position.legal_moves();
    game.moves.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    position.play(game.moves.back());
  }
  if (game.outcome || rng.below(3) == 0) return game;
  const bool agreed = rng.below(2) == 0;
  game.adjudication = agreed ? Adjudication::kFastFifty : Adjudication::kResignation;
  game.outcome = agreed ? position.impasse(game.table) : rules::Outcome::kWhiteWins;
  return game;
}

void expect_read_by_the_app(const PgnGame& game, const std::string& text) {
  const AppGame read = parse(text);
  const std::vector<std::string> names{"Event", "Site",  "Date",   "Round",
                                       "White", "Black", "Result", "Variant"};
  ASSERT_EQ(read.tags.size(), names.size()) << text;
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(read.tags[i].first, names[i]);
  EXPECT_EQ(read.tags[7].second, "Chess♯");
  std::vector<std::string> uci;
  for (const rules::Move move : game.moves) uci.push_back(to_uci(move));
  EXPECT_EQ(read.uci, uci);
  if (!game.outcome) {
    EXPECT_EQ(read.tags[6].second, "*");
    return;
  }
  const int white = static_cast<int>(game.table.white_points(*game.outcome));
  EXPECT_EQ(read.white, white);
  EXPECT_EQ(read.black, 10 - white);
  EXPECT_EQ(read.tags[6].second, std::to_string(white) + "–" + std::to_string(10 - white));
  const bool agreed = game.adjudication == Adjudication::kFastFifty;
  EXPECT_EQ(read.comment, agreed ? "fast-fifty" : "");
  EXPECT_EQ(read.outcome,
            game.adjudication == Adjudication::kNone ? rules::name(*game.outcome) : "ongoing");
}

TEST(PgnApp, WhatWeWriteIsReadByAParserOfTheDialectAndByOurs) {
  base::Rng rng(11);
  for (int i = 0; i < 100; ++i) {
    const PgnGame game = random_game(rng);
    const std::string text = to_pgn(game, PgnDialect::kApp);
    expect_read_by_the_app(game, text);
    std::istringstream in(text);
    const PgnGame again = rules::PgnReader(in, rules::kChess).next().value();
    EXPECT_EQ(again.rules, game.rules);
    EXPECT_EQ(again.moves, game.moves);
    EXPECT_EQ(again.outcome, game.outcome);
    EXPECT_EQ(again.adjudication, game.adjudication);
  }
}

TEST(PgnApp, AGameAsText) {
  PgnGame game;
  game.round = "";
  game.start = rules::Position::from_fen("8/8/8/3kK3/8/8/8/8[] w - - 3 80");
  game.moves = {rules::parse_uci(game.start, "e5d5")};
  game.outcome = rules::Outcome::kWhiteWins;
  EXPECT_EQ(to_pgn(game, PgnDialect::kApp),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"\"]\n[White \"?\"]\n"
            "[Black \"?\"]\n[Result \"10–0\"]\n[Variant \"Chess♯\"]\n[SetUp \"1\"]\n"
            "[FEN \"8/8/8/3kK3/8/8/8/8 w - - 3 80\"]\n\n80. Kxd5 10–0\n\n");
  EXPECT_EQ(parse(to_pgn(game, PgnDialect::kApp)).outcome, "white_wins");
}

TEST(PgnApp, SetsThatTheAppDoesNotPlayAreRefused) {
  for (const rules::RuleSet set :
       {rules::kChess, rules::kRaindrop, rules::RuleSet{.sprint = true}}) {
    PgnGame game;
    game.rules = set;
    game.start = rules::Position::start(set);
    EXPECT_THROW(to_pgn(game, PgnDialect::kApp), rules::RulesError) << set.name();
  }
}

}  // namespace
