#include "arena/uci_player.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "arena/match.h"
#include "arena/variant_names.h"
#include "base/errors.h"
#include "rules/notation.h"
#include "tests/temporary_folder.h"

namespace arena {
namespace {

using std::chrono::milliseconds;
const std::string kEngine = SHARPZERO_FAKE_ENGINE;
constexpr const char* kFairy = "/usr/games/fairy-stockfish";
constexpr const char* kStockfish = "/usr/games/stockfish";

PlayerFactory fake(const std::string& arguments, milliseconds budget = milliseconds(2000),
                   bool fairy = false) {
  const UciOptions options{.name = "fake",
                           .command = kEngine + " " + arguments,
                           .fairy = fairy,
                           .go = "nodes 1",
                           .budget = budget};
  return [options] { return std::make_unique<UciPlayer>(options); };
}

MatchResult against_random(const PlayerFactory& engine, int games = 6) {
  MatchConfig config;
  config.games = games;
  config.games_at_once = 4;
  config.keep_games = true;
  return play_match(config, engine, *baseline_player("random"));
}

TEST(UciPlayer, PlaysWholeGames) {
  const MatchResult result = against_random(fake(""));
  EXPECT_EQ(result.games(), 6);
  EXPECT_EQ(result.forfeits_a, 0);
}

TEST(UciPlayer, ReadsItsMovesInOtherSpellings) {
  const auto answer = [](const std::string& move, const char* fen, rules::RuleSet rules) {
    const auto player = fake("say " + move)();
    player->new_game(0, base::Rng(1));
    const auto position = rules::Position::from_fen(fen, rules);
    const rules::ScoringTable table = rules.table();
    const GameView view{.start = &position, .position = &position, .moves = {}, .table = &table};
    Choice choice;
    player->choose({&view, 1}, {&choice, 1});
    return choice.forfeit.empty() ? rules::to_uci(choice.move) : choice.forfeit;
  };
  EXPECT_EQ(answer("a7a8Q", "7k/P7/8/8/8/8/p7/7K w - - 0 1", rules::kChess), "a7a8q");
  EXPECT_EQ(answer("e1h1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", rules::kChess), "e1g1");
  EXPECT_EQ(answer("e8c8", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", rules::kChess960), "e8a8");
  EXPECT_EQ(answer("n@d1", rules::Position::start().to_fen().c_str(), {}), "N@d1");
}

TEST(UciPlayer, ACrashCostsOneGameAndTheMatchGoesOn) {
  // The engine that is started anew crashes at its own 20th search again, so several games may go;
  // the first one to go says why.
  const MatchResult result = against_random(fake("crash 20"));
  EXPECT_EQ(result.games(), 6);
  EXPECT_GE(result.forfeits_a, 1);
  EXPECT_EQ(result.forfeits_b, 0);
  for (const MatchGame& game : result.kept) {
    if (game.forfeit.empty()) continue;
    EXPECT_EQ(game.forfeit, "the engine is gone");
    EXPECT_EQ(game.outcome,
              game.a_is_white ? rules::Outcome::kBlackWins : rules::Outcome::kWhiteWins);
  }
}

TEST(UciPlayer, AnIllegalMoveLosesTheGameAndNamesIt) {
  const MatchResult result = against_random(fake("illegal 7"));
  EXPECT_EQ(result.games(), 6);
  EXPECT_EQ(result.forfeits_a, 1);
  for (const MatchGame& game : result.kept) {
    EXPECT_TRUE(game.forfeit.empty() || game.forfeit.find("e2e5") != std::string::npos);
  }
}

TEST(UciPlayer, AHangOrAFloodEndsAtTheTimeOut) {
  for (const char* how : {"hang 15", "flood 15"}) {
    const auto begin = std::chrono::steady_clock::now();
    const MatchResult result = against_random(fake(how, milliseconds(150)), 2);
    EXPECT_EQ(result.games(), 2);
    ASSERT_GE(result.forfeits_a, 1) << how;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    for (const MatchGame& game : result.kept) {
      EXPECT_TRUE(game.forfeit.empty() || game.forfeit == "no answer in time") << game.forfeit;
    }
  }
}

TEST(UciPlayer, WhatItTakesForANewGameIsNotTheMovesTime) {
  const MatchResult result = against_random(fake("slow 400", milliseconds(200)), 2);
  EXPECT_EQ(result.games(), 2);
  EXPECT_EQ(result.forfeits_a, 0);
}

TEST(UciPlayer, AProgramThatIsMissingOrNoEngineIsTheEnvironmentsFault) {
  EXPECT_THROW((*baseline_player("uci:/no/such/engine"))(), base::EnvironmentError);
  EXPECT_THROW((*baseline_player("uci:/bin/true"))(), base::EnvironmentError);
  EXPECT_THROW((*baseline_player("uci-fairy:" + kEngine))(), base::EnvironmentError);
}

TEST(UciPlayer, AKilledEngineCostsOneGame) {
  UciPlayer player({.name = "fake", .command = kEngine, .fairy = false, .go = "nodes 1"});
  const rules::Position position = rules::Position::start();
  const rules::ScoringTable table;
  const GameView view{
      .slot = 0, .start = &position, .position = &position, .moves = {}, .table = &table};
  const auto ask = [&] {
    Choice choice;
    player.choose({&view, 1}, {&choice, 1});
    return choice;
  };
  player.new_game(0, base::Rng(1));
  EXPECT_EQ(ask().forfeit, "");
  const pid_t first = player.pid();
  kill(first, SIGKILL);
  EXPECT_EQ(ask().forfeit, "the engine is gone");
  EXPECT_EQ(ask().forfeit, "");
  EXPECT_NE(player.pid(), first);
}

TEST(UciPlayer, AnEngineThatLeftItsProcessGroupIsKilledAtTheEnd) {
  const auto begin = std::chrono::steady_clock::now();
  {
    EngineProcess engine(kEngine + " leave 0");
    engine.write_line("uci", begin + std::chrono::seconds(10));
    EXPECT_TRUE(engine.read_line(begin + std::chrono::seconds(10)));  // it has left by now
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(UciPlayer, AnEngineIsToldOneThreadItsHashAndTheTableOfTheMatchOrOfThePlayer) {
  const TemporaryFolder folder;
  for (const std::string table : {"", "table=impasse_equal=5,stalemate=2.5:"}) {
    MatchConfig config;
    config.games = 2;
    config.table = rules::ScoringTable::from_changes("impasse_equal=4.5");
    const std::string file = folder / "told";
    play_match(config, *baseline_player("uci:nodes=1:hash=16:" + table + kEngine + " tell " + file),
               *baseline_player("random"));
    std::ifstream told(file);
    std::string threads, hash, what;
    std::getline(told, threads);
    std::getline(told, hash);
    std::getline(told, what);
    EXPECT_EQ(threads, "setoption name Threads value 1");
    EXPECT_EQ(hash, "setoption name Hash value 16");
    EXPECT_EQ(what, "setoption name ScoringTable value " +
                        std::string(table.empty() ? "impasse_equal=4.5"
                                                  : "stalemate=2.5,impasse_equal=5"));
  }
  EXPECT_THROW((*baseline_player("uci:table=impasse_equal=5:" + kEngine))(), base::InputError);
  EXPECT_THROW(baseline_player("uci:table=impasse_even=5:" + kEngine), base::InputError);
  EXPECT_THROW(baseline_player("uci:hash=0:" + kEngine), base::InputError);
}

// As the app's engine, which knows Chess# by its own name for it alone.
TEST(UciPlayer, TellsAnEngineTheVariantAsTheEngineSpellsIt) {
  for (const char* name : {"chesssharp", "chess-sharp", "chess_sharp", "Chess#", "Chess♯"}) {
    const MatchResult result = against_random(fake("dialect " + std::string(name)), 2);
    EXPECT_EQ(result.games(), 2) << name;
    EXPECT_EQ(result.forfeits_a, 0) << name;
  }
  EXPECT_THROW(against_random(fake("dialect chess-flat"), 2), base::InputError);
}

TEST(VariantNames, AreReadFromTheListAndMatchedWithoutPunctuation) {
  const auto values = combo_values(
      "option name UCI_Variant type combo default chess var chess var no castling var chess-sharp ");
  EXPECT_EQ(values, (std::vector<std::string>{"chess", "no castling", "chess-sharp"}));
  EXPECT_EQ(variant_for(values, {}), "chess-sharp");
  EXPECT_EQ(variant_for(values, rules::kNoCastling), "no castling");
  EXPECT_EQ(variant_for(values, rules::kChessPlus), "chessplus");
  EXPECT_EQ(variant_for({"chess-sharp", "chesssharp"}, {}), "chesssharp");
  EXPECT_FALSE(names_variant("chess", {}));
  EXPECT_FALSE(names_variant("chesssharp+sprint", {}));
  EXPECT_TRUE(names_variant("chess-sharp+sprint", rules::RuleSet::parse("chess_sharp+sprint")));
}

// Kills the engine of A's one player after the third pair of a match and returns the match's
// result.
MatchResult killed_in_a_match(const UciOptions& options, int games) {
  const UciPlayer* player = nullptr;
  MatchConfig config;
  config.games = games;
  config.games_at_once = 4;
  config.keep_games = true;
  return play_match(
      config,
      [&] {
        auto made = std::make_unique<UciPlayer>(options);
        player = made.get();
        return made;
      },
      *baseline_player("random"),
      [&](const MatchResult& so_far) {
        if (so_far.games() == 6) kill(player->pid(), SIGKILL);
      });
}

// The match is over and exactly one game was lost by the engine's death.
void expect_one_game_lost(const MatchResult& result, int games) {
  EXPECT_EQ(result.games(), games);
  EXPECT_FALSE(result.stopped);
  EXPECT_EQ(result.forfeits_a, 1);
  EXPECT_EQ(std::ranges::count(result.kept, "the engine is gone", &MatchGame::forfeit), 1);
}

TEST(UciPlayer, KilledInAMatchItLosesOneGameAndTheMatchGoesOn) {
  expect_one_game_lost(
      killed_in_a_match({.name = "fake", .command = kEngine, .fairy = false, .go = "nodes 1"}, 20),
      20);
}

TEST(UciPlayer, OfFairyStockfishAStandInIsCountedByItsReason) {
  for (const std::string how : {"illegal", "none"}) {
    const MatchResult result = against_random(fake(how + " 7 fairy", milliseconds(2000), true));
    EXPECT_EQ(result.games(), 6);
    EXPECT_EQ(result.forfeits_a, 0);
    EXPECT_EQ(result.stand_ins[0].illegal, how == "illegal" ? 1 : 0);
    EXPECT_EQ(result.stand_ins[0].no_move, how == "none" ? 1 : 0);
    EXPECT_EQ(result.stand_ins[1].illegal + result.stand_ins[1].no_move, 0);
    EXPECT_EQ(to_json(result)["stand_ins_a"][how == "none" ? "no_move" : "illegal"], 1);
  }
}

TEST(SplitCommand, KeepsQuotedPartsTogether) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(split_command("a b  c"), (Words{"a", "b", "c"}));
  EXPECT_EQ(split_command("\"a b\" c\"d e\" \"\""), (Words{"a b", "cd e", ""}));
  EXPECT_THROW(split_command("a \"b"), base::InputError);
  EXPECT_THROW(split_command("  "), base::InputError);
}

TEST(FenForFairy, HidesAQueenThatIsNotAlone) {
  const auto shown = [](const std::string& fen) {
    return fen_for_fairy(rules::Position::from_fen(fen));
  };
  EXPECT_EQ(shown("8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1"),
            "8/pppppppp/8/8/8/8/PPPPPPPP/8[KRRBBNNkrrbbnn] w - - 0 1");
  EXPECT_EQ(shown("k7/8/8/8/8/8/8/K7[Qqn] b - - 3 9"), "k7/8/8/8/8/8/8/K7[Qn] b - - 3 9");
  EXPECT_EQ(shown("k6q/8/8/8/8/8/8/K7[q] b - - 3 9"), "k6q/8/8/8/8/8/8/K7[q] b - - 3 9");
}

TEST(FairyStockfish, PlaysWithoutForfeits) {
  if (!std::filesystem::exists(kFairy)) GTEST_SKIP() << kFairy << " is not installed";
  const MatchResult result =
      against_random(*baseline_player(std::string("uci-fairy:nodes=50:") + kFairy), 20);
  EXPECT_EQ(result.games(), 20);
  EXPECT_EQ(result.forfeits_a, 0);
  EXPECT_GT(result.points().mean, 7);
}

TEST(FairyStockfish, KilledInAMatchItLosesOneGameAndTheMatchGoesOn) {
  if (!std::filesystem::exists(kFairy)) GTEST_SKIP() << kFairy << " is not installed";
  expect_one_game_lost(
      killed_in_a_match({.name = "fairy", .command = kFairy, .fairy = true, .go = "nodes 20"}, 12),
      12);
}

// A match of the engine against random moves under the rule set, with its own table.
MatchResult match_of(const std::string& set, const std::string& engine) {
  MatchConfig config;
  config.games = 8;
  config.rules = rules::RuleSet::parse(set);
  config.table = config.rules.table();
  return play_match(config, *baseline_player(engine), *baseline_player("random"));
}

void expect_plays(const std::string& set, const std::string& engine) {
  const MatchResult result = match_of(set, engine);
  EXPECT_EQ(result.games(), 8) << set;
  EXPECT_EQ(result.forfeits_a, 0) << set;
  EXPECT_EQ(result.stand_ins[0].illegal + result.stand_ins[0].no_move, 0) << set;
  EXPECT_GT(result.points().mean, 8) << set;
}

TEST(FairyStockfish, PlaysTheRelativesThatItKnows) {
  if (!std::filesystem::exists(kFairy)) GTEST_SKIP() << kFairy << " is not installed";
  for (const char* set :
       {"chess", "no_castling", "chess960", "pre_chess", "pawn_one_square", "stalemate_win"}) {
    expect_plays(set, std::string("uci-fairy:nodes=200:") + kFairy);
  }
}

TEST(FairyStockfish, RefusesOtherRuleSets) {
  if (!std::filesystem::exists(kFairy)) GTEST_SKIP() << kFairy << " is not installed";
  for (const char* set : {"chess_sharp+sprint", "chess480", "chess_plus"}) {
    EXPECT_THROW(match_of(set, std::string("uci-fairy:") + kFairy), base::InputError) << set;
  }
  EXPECT_THROW(match_of("chess_sharp", std::string("uci:") + kFairy), base::InputError);
}

TEST(Stockfish, PlaysChessAndRefusesWhatItDoesNotKnow) {
  if (!std::filesystem::exists(kStockfish)) GTEST_SKIP() << kStockfish << " is not installed";
  const std::string engine = std::string("uci:nodes=200:") + kStockfish;
  for (const char* set : {"chess", "no_castling", "chess960"}) expect_plays(set, engine);
  for (const char* set : {"chess480", "stalemate_win", "pre_chess"}) {
    EXPECT_THROW(match_of(set, engine), base::InputError) << set;
  }
}

}  // namespace
}  // namespace arena
