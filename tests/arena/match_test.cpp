#include "arena/match.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>

#include "arena/openings.h"
#include "base/errors.h"
#include "rules/history.h"
#include "rules/notation.h"
#include "rules/pgn.h"
#include "tests/tablebase_folder.h"
#include "tests/temporary_folder.h"

namespace arena {
namespace {

MatchResult play(const MatchConfig& config, const std::string& a, const std::string& b) {
  return play_match(config, *baseline_player(a), *baseline_player(b));
}

MatchConfig short_match(int games) {
  MatchConfig config;
  config.games = games;
  config.keep_games = true;
  return config;
}

TEST(Match, PlaysEveryOpeningWithBothColours) {
  const MatchResult result = play(short_match(40), "greedy", "random");
  ASSERT_EQ(result.games(), 40);
  ASSERT_EQ(result.kept.size(), 40u);
  for (std::size_t i = 0; i < 40; i += 2) {
    const MatchGame& first = result.kept[i];
    const MatchGame& second = result.kept[i + 1];
    EXPECT_EQ(first.number, static_cast<int>(i));
    EXPECT_TRUE(first.a_is_white);
    EXPECT_FALSE(second.a_is_white);
    EXPECT_TRUE(std::equal(first.moves.begin(), first.moves.begin() + 6, second.moves.begin()));
  }
  const auto total = [](const OutcomeCounts& of) {
    return std::accumulate(of.begin(), of.end(), 0);
  };
  EXPECT_EQ(total(result.a_white), 20);
  EXPECT_EQ(total(result.a_black), 20);
}

TEST(Match, AnswersForItsGames) {
  const MatchResult result = play(short_match(20), "greedy", "random");
  double points = 0;
  for (const MatchGame& game : result.kept) {
    rules::Position position = game.start;
    for (const rules::Move move : game.moves) {
      ASSERT_FALSE(position.outcome({}));
      ASSERT_TRUE(position.is_legal(move));
      position.play(move);
    }
    EXPECT_EQ(position.outcome({}), game.outcome);
    const double white = rules::ScoringTable{}.white_points(game.outcome);
    points += game.a_is_white ? white : 10 - white;
  }
  EXPECT_NEAR(result.points().mean, points / 20, 1e-9);
}

TEST(Match, IsTheSameWithOneThreadOrThree) {
  MatchConfig config = short_match(24);
  const auto one = play(config, "alphabeta:1", "greedy");
  config.threads = 3;
  config.games_at_once = 4;
  const auto three = play(config, "alphabeta:1", "greedy");
  EXPECT_EQ(to_json(one), to_json(three));
  for (std::size_t i = 0; i < one.kept.size(); ++i) {
    EXPECT_EQ(one.kept[i].moves, three.kept[i].moves);
  }
}

TEST(Match, RanksTheRungs) {
  EXPECT_GT(play(short_match(60), "greedy", "random").points().low, 5);
  EXPECT_GT(play(short_match(20), "alphabeta:1", "greedy").points().low, 5);
  EXPECT_GT(play(short_match(20), "alphabeta:2", "alphabeta:1").points().low, 5);
}

// What the file says of every game is what its moves come to by the rules of its set.
TEST(Match, PlaysEveryRuleSetAndItsPgnTellsWhich) {
  for (const rules::NamedRuleSet& set : rules::kRuleSets) {
    MatchConfig config = short_match(6);
    config.rules = set.rules;
    config.table = set.rules.table();
    const MatchResult result = play(config, "alphabeta:1", "random");
    EXPECT_EQ(to_json(result)["rules"], set.name);
    EXPECT_EQ(to_json(result)["table"], "default");
    EXPECT_GT(result.points().mean, 5) << set.name;
    std::string text;
    for (const MatchGame& game : result.kept) text += rules::to_pgn(pgn_game(game, result));
    std::istringstream in(text);
    rules::PgnReader reader(in, rules::kChess);
    for (const MatchGame& game : result.kept) {
      const auto read = reader.next();
      ASSERT_TRUE(read);
      EXPECT_EQ(read->rules, set.rules);
      EXPECT_EQ(read->start, game.start);
      EXPECT_EQ(read->moves, game.moves);
      EXPECT_EQ(read->outcome, game.outcome);
      EXPECT_EQ(read->adjudication, rules::Adjudication::kNone);
    }
  }
}

TEST(Match, EndsGamesWhereATablebaseKnowsWhatTheyAreWorth) {
  static const TablebaseFolder kFolder;
  MatchConfig config = short_match(40);
  for (const char* const fen :
       {"8/8/4k3/8/8/2r5/3P4/3K4[] w - - 0 1", "8/8/8/4k3/4P3/3K4/6p1/8[] w - - 0 1"})
    config.openings.push_back({rules::Position::from_fen(fen), {}});
  config.tablebase = kFolder.tables;
  const MatchResult result = play(config, "random", "random");
  int known = 0;
  for (const MatchGame& game : result.kept) {
    const rules::Line line(game.start, game.moves);
    if (!game.by_tablebase) {
      EXPECT_EQ(line.outcome({}), game.outcome);
      continue;
    }
    ++known;
    EXPECT_EQ(kFolder.tables->probe(line.position)->outcome, game.outcome);
    std::istringstream in(rules::to_pgn(pgn_game(game, result)));
    const auto read = rules::PgnReader(in).next();
    EXPECT_EQ(read->outcome, game.outcome);
    EXPECT_EQ(read->adjudication, rules::Adjudication::kTablebase);
  }
  EXPECT_GT(known, 20);
}

// The cards that came in the game, of one colour.
std::vector<int> cards_of(const MatchGame& game, rules::Color color) {
  std::vector<int> cards;
  rules::Position position = game.start;
  for (const rules::Move move : game.moves) {
    if (move.is_card() && position.side_to_move() == color) cards.push_back(index(move.drawn()));
    position.play(move);
  }
  return cards;
}

TEST(Match, BothGamesOfAPairHaveTheSameCards) {
  MatchConfig config = short_match(12);
  config.rules = rules::kRaindrop;
  config.table = config.rules.table();
  const MatchResult result = play(config, "greedy", "random");
  std::set<std::vector<int>> seen;
  for (std::size_t i = 0; i < result.kept.size(); i += 2) {
    for (const rules::Color color : rules::kColors) {
      const auto one = cards_of(result.kept[i], color), two = cards_of(result.kept[i + 1], color);
      const std::size_t shorter = std::min(one.size(), two.size());
      EXPECT_GT(shorter, 2u);
      EXPECT_TRUE(
          std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(shorter), two.begin()));
      seen.insert(one);
    }
  }
  EXPECT_GT(seen.size(), 8u);  // the pairs' decks differ, and the colours'
}

// Moves a knight out and back.
class Shuffler final : public Player {
 public:
  std::string name() const override { return "shuffler"; }
  void new_game(int, base::Rng) override {}
  void choose(std::span<const GameView> games, std::span<Choice> choices) override {
    constexpr std::array kMoves{"g1f3", "g8f6", "f3g1", "f6g8"};
    for (std::size_t i = 0; i < games.size(); ++i) {
      choices[i].move = rules::parse_uci(*games[i].position, kMoves[games[i].moves.size() % 4]);
    }
  }
};

TEST(Openings, RandomEndingsAreGamesThatGoOn) {
  for (const char* set :
       {"chess_sharp", "chess_sharp+bishops_opposite", "chess_double_sharp", "chess_double_flat",
        "chess_triple_flat", "chess", "chess_plus", "raindrop"}) {
    const auto rules = rules::RuleSet::parse(set);
    base::Rng rng(4);
    int pawnless = 0, black = 0;
    for (int i = 0; i < 300; ++i) {
      const rules::Position position = selfplay::random_ending(rules, rules.table(), rng);
      ASSERT_FALSE(position.outcome(rules.table())) << position.to_fen();
      ASSERT_FALSE(position.can_capture_king()) << position.to_fen();
      ASSERT_LE(std::popcount(position.occupied()), 16) << position.to_fen();
      pawnless += position.pieces(rules::Color::kWhite, rules::PieceType::kPawn) == 0 ? 1 : 0;
      black += position.side_to_move() == rules::Color::kBlack ? 1 : 0;
    }
    EXPECT_GT(pawnless, 20) << set;
    EXPECT_GT(black, 100) << set;
    EXPECT_LT(black, 200) << set;
  }
}

TEST(Match, EndsAGameWithTheThirdOccurrence) {
  MatchConfig config = short_match(2);
  config.rules = rules::kChess;
  config.table = rules::kChess.table();
  config.opening_plies = 0;
  const auto shuffler = [] { return std::make_unique<Shuffler>(); };
  const MatchResult result = play_match(config, shuffler, shuffler);
  for (const MatchGame& game : result.kept) {
    EXPECT_EQ(game.moves.size(), 8u);  // the start for the third time
    EXPECT_EQ(game.outcome, rules::Outcome::kImpasseEqual);
  }
}

TEST(Match, StopsWhereTheSprtIsSure) {
  MatchConfig config = short_match(2000);
  config.sprt = Sprt{0, 50, 0.05, 0.05};
  config.threads = 2;
  const MatchResult strong = play(config, "alphabeta:1", "random");
  EXPECT_EQ(strong.verdict, SprtVerdict::kAcceptH1);
  EXPECT_LT(strong.games(), 100);
  EXPECT_FALSE(strong.stopped);
  EXPECT_EQ(static_cast<int>(strong.kept.size()), strong.games());
  EXPECT_EQ(play(config, "random", "alphabeta:1").verdict, SprtVerdict::kAcceptH0);
}

TEST(Match, StopsWhenTold) {
  MatchConfig config = short_match(10000);
  std::atomic<bool> stop = false;
  const MatchResult result = play_match(
      config, *baseline_player("random"), *baseline_player("random"),
      [&stop](const MatchResult& so_far) { stop = so_far.games() >= 20; }, &stop);
  EXPECT_TRUE(result.stopped);
  EXPECT_GE(result.games(), 20);
  EXPECT_LT(result.games(), 10000);
}

// Gives up, or plays an illegal move, at its third turn.
class Quitter final : public Player {
 public:
  explicit Quitter(bool illegal) : illegal_(illegal) {}
  std::string name() const override { return "quitter"; }
  void new_game(int, base::Rng) override {}
  void choose(std::span<const GameView> games, std::span<Choice> choices) override {
    for (std::size_t i = 0; i < games.size(); ++i) {
      const bool now = games[i].moves.size() >= 10;
      choices[i].move = now ? rules::Move{} : games[i].position->legal_moves()[0];
      if (now && !illegal_) choices[i].forfeit = "tired";
    }
  }

 private:
  bool illegal_;
};

TEST(Match, ScoresAForfeitAsALostKing) {
  for (const bool illegal : {false, true}) {
    const MatchResult result = play_match(
        short_match(10), [illegal] { return std::make_unique<Quitter>(illegal); },
        *baseline_player("random"));
    EXPECT_EQ(result.games(), 10);
    EXPECT_EQ(result.forfeits_a, 10);
    EXPECT_EQ(result.points().mean, 0);
    EXPECT_EQ(result.a_white[0], 5);
    EXPECT_EQ(result.a_black[6], 5);
    EXPECT_EQ(result.kept[0].forfeit, illegal ? "not a legal move" : "tired");
  }
}

TEST(Match, HandsOnWhatAPlayerThrows) {
  MatchConfig config = short_match(10);
  config.threads = 2;
  EXPECT_THROW(
      play_match(config, *baseline_player("random"),
                 []() -> std::unique_ptr<Player> { throw base::InputError("no network"); }),
      base::InputError);
}

// Plays as `spec` does for so many moves, and can no longer.
class Mortal final : public Player {
 public:
  Mortal(const std::string& spec, int moves) : inner_((*baseline_player(spec))()), left_(moves) {}
  std::string name() const override { return "mortal"; }
  void new_game(int slot, base::Rng rng) override { inner_->new_game(slot, rng); }
  void choose(std::span<const GameView> games, std::span<Choice> choices) override {
    if ((left_ -= static_cast<int>(games.size())) < 0) throw base::EnvironmentError("no more");
    inner_->choose(games, choices);
  }

 private:
  std::unique_ptr<Player> inner_;
  int left_;
};

TEST(Match, SaysWhatWasPlayedUntilAPlayerCouldNotGoOn) {
  MatchConfig config = short_match(1000);
  config.games_at_once = 1;
  const auto mortal = [] { return std::make_unique<Mortal>("random", 2000); };
  try {
    play_match(config, mortal, *baseline_player("random"));
    FAIL() << "it went on";
  } catch (const MatchFailed& failed) {
    EXPECT_STREQ(failed.what(), "no more");
    EXPECT_TRUE(failed.so_far().stopped);
    EXPECT_GE(failed.so_far().games(), 2);
    EXPECT_EQ(std::ssize(failed.so_far().kept), failed.so_far().games());
  }
}

TEST(Match, GoesOnAfterTheGamesOfAnEarlierStart) {
  MatchConfig config = short_match(20);
  std::vector<MatchGame> ended;
  config.on_game = [&](const MatchGame& game) { ended.push_back(game); };
  const MatchResult whole = play(config, "greedy", "random");
  ASSERT_EQ(ended.size(), 20u);
  config.played.assign(ended.begin(), ended.begin() + 7);
  ended.clear();
  const MatchResult resumed = play(config, "greedy", "random");
  EXPECT_EQ(to_json(resumed), to_json(whole));
  EXPECT_EQ(ended.size(), 13u);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(resumed.kept[i].moves, whole.kept[i].moves);
}

// Says what it is told to, and counts the games that it is asked about together.
class Counting final : public Player {
 public:
  Counting(bool timed, bool batches, int& most) : timed_(timed), batches_(batches), most_(most) {}
  std::string name() const override { return "counting"; }
  bool timed() const override { return timed_; }
  bool batches() const override { return batches_; }
  void new_game(int, base::Rng) override {}
  void choose(std::span<const GameView> games, std::span<Choice> choices) override {
    most_ = std::max(most_, static_cast<int>(games.size()) + games[0].slot);
    for (std::size_t i = 0; i < games.size(); ++i) {
      choices[i].move = games[i].position->legal_moves()[0];
    }
  }

 private:
  bool timed_, batches_;
  int& most_;
};

// The most games that `player` saw together, or 1 + their slots, in a match of six with `random`.
int most_together(bool timed, bool batches) {
  int most = 0;
  const auto counting = [&] { return std::make_unique<Counting>(timed, batches, most); };
  EXPECT_EQ(play_match(short_match(6), *baseline_player("random"), counting).games(), 6);
  return most;
}

TEST(Match, AThreadPlaysManyGamesWhereAPlayerBatchesAndNoneIsTimed) {
  EXPECT_EQ(most_together(true, true), 1);  // never a second game, nor another slot than 0
  EXPECT_EQ(most_together(false, false), 1);
  EXPECT_GT(most_together(false, true), 1);
}

TEST(Match, WithoutALimitOfGamesASequentialTestPlaysUntilItKnows) {
  MatchConfig config = short_match(0);
  EXPECT_THROW(play(config, "random", "random"), base::InputError);
  config.sprt = Sprt{0, 50, 0.05, 0.05};
  EXPECT_EQ(play(config, "alphabeta:1", "random").verdict, SprtVerdict::kAcceptH1);
  config.sprt = Sprt{-1, 1, 0.05, 0.05};
  config.opening_plies = 1;
  const MatchResult few = play(config, "random", "random");
  EXPECT_EQ(few.games(), 2 * 16);  // there are not more openings
  EXPECT_TRUE(few.stopped);
  EXPECT_TRUE(few.no_opening);
}

TEST(Match, RefusesAnImpossibleConfig) {
  EXPECT_THROW(play(short_match(7), "random", "random"), base::InputError);
  MatchConfig config = short_match(200);
  config.opening_plies = 1;
  EXPECT_THROW(play(config, "random", "random"), base::InputError);
}

TEST(Match, RefusesASequentialTestOfOnePairAgainAndAgain) {
  MatchConfig config = short_match(4);
  config.sprt = Sprt{};
  config.opening_plies = 0;
  EXPECT_THROW(play(config, "random", "random"), base::InputError);
  config.openings = {{rules::Position::start(), {}}};
  EXPECT_EQ(play(config, "random", "random").games(), 4);
  config.openings.clear();
  config.rules = rules::kChess960;
  config.table = config.rules.table();
  EXPECT_EQ(play(config, "random", "random").games(), 4);
}

TEST(Match, UsesTheTable) {
  MatchConfig config = short_match(20);
  config.table = rules::ScoringTable::from_changes("white_wins=8,black_wins=2");
  const MatchResult result = play(config, "alphabeta:1", "random");
  EXPECT_LE(result.points().mean, 8);
  EXPECT_EQ(to_json(result)["table"], "black_wins=2,white_wins=8");
}

TEST(Openings, AreDifferentAlsoUnderTheMirrorAndNotDecided) {
  const auto openings = OpeningSource({}, base::Rng(4)).sample(200);
  ASSERT_EQ(openings.size(), 200u);
  std::set<std::uint64_t> seen;
  for (const selfplay::Opening& opening : openings) {
    EXPECT_EQ(opening.moves.size(), 6u);
    const rules::Position position = opening.position();
    EXPECT_FALSE(position.outcome({}));
    EXPECT_FALSE(position.can_capture_king());
    EXPECT_TRUE(seen.insert(position.key()).second);
    EXPECT_TRUE(seen.insert(position.mirrored().key()).second || position == position.mirrored());
  }
}

TEST(Openings, OfAShuffledSetupBeginAnywhere) {
  for (const int plies : {0, 4}) {
    std::set<std::uint64_t> starts;
    OpeningChoice choice{.rules = rules::kChess960, .table = rules::kChess960.table()};
    choice.plies = plies;
    for (const selfplay::Opening& opening : OpeningSource(choice, base::Rng(4)).sample(50)) {
      starts.insert(opening.start.key());
    }
    EXPECT_GT(starts.size(), 40u);
  }
}

TEST(Openings, ReadsABookAndNamesTheBadLine) {
  const TemporaryFolder folder;
  const std::string start = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";
  const std::string path =
      folder.write("openings.txt", "# a book\n\n" + start + "\n" + start + " moves B@a1 K@a8\n");
  const auto openings = read_openings(path, {});
  ASSERT_EQ(openings.size(), 2u);
  EXPECT_TRUE(openings[0].moves.empty());
  EXPECT_EQ(openings[1].moves.size(), 2u);

  folder.write("openings.txt", start + "\n" + start + " moves e2e5\n");
  try {
    read_openings(path, {});
    FAIL() << "an illegal move was read";
  } catch (const base::InputError& error) {
    EXPECT_EQ(std::string(error.what()).find(path + ":2: "), 0u) << error.what();
  }
  EXPECT_THROW(read_openings(folder / "missing.txt", {}), base::InputError);
}

TEST(Openings, ReadsABookOfAnyEditor) {
  const TemporaryFolder folder;
  const std::string start = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w";
  const auto path = folder.write(
      "book.txt", "\xef\xbb\xbf" + start + " - - 0 1 moves K@e1 K@e8\r\n; a remark\r\n \r\n" +
                      start + "\t- - hmvc 0; id \"x\";\r\n# another\r\n" + start +
                      " - - 0 1 ; moves K@a1\r\n");
  const auto openings = read_openings(path, {});
  ASSERT_EQ(openings.size(), 3u);
  EXPECT_EQ(openings[0].moves.size(), 2u);
  EXPECT_TRUE(openings[1].moves.empty());
  EXPECT_TRUE(openings[2].moves.empty());
  const auto epd =
      folder.write("book.epd", "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6\n");
  EXPECT_EQ(read_openings(epd, rules::kChess).size(), 1u);
}

TEST(Openings, RefusesALineThatGoesOnPastTheEnd) {
  const TemporaryFolder folder;
  // The rook's move ends the game by the clock; the pawn's would set the clock back.
  const auto path = folder.write("end.txt", "k7/7p/8/8/8/8/8/K6R[] w - - 99 90 moves h1g1 h7h6\n");
  try {
    read_openings(path, {});
    FAIL() << "a move after the game's end was read";
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.what(),
              path + ":1: move 'h7h6': expected no move, for the game is over (column 46)");
  }
}

}  // namespace
}  // namespace arena
