#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/commands/parts/match_file.h"
#include "app/machine.h"
#include "app/named/pgn_file.h"
#include "app/named/players.h"
#include "app/named/scoring_table.h"
#include "app/progress.h"
#include "arena/match.h"
#include "arena/openings.h"
#include "base/errors.h"
#include "base/hash.h"
#include "rules/notation.h"
#include "tablebase/tables.h"

namespace app {
namespace {

// What the help says of players.
constexpr const char* kPlayers =
    R"(A player is a checkpoint folder, a run folder (its newest checkpoint), a network file, an NNUE
file, random, greedy, alphabeta:DEPTH, uniform:SIMULATIONS (search that knows nothing),
uci:COMMAND LINE or uci-fairy:COMMAND LINE (Fairy-Stockfish); an engine's command may begin with
nodes=N:, movetime=MILLISECONDS: (100), timeout=SECONDS: (10, beyond these), hash=MIB: and table=T:. A
network may be followed by settings of its own, as in runs/quick:sims=32,c_puct=1.2 or
runs/quick:movetime=100,table=impasse_equal=5: sims, movetime (milliseconds a move), evals (the
most network evaluations a move; 0: no limit), explore (noise as in self-play), precision
(auto, fp32, bf16, fp16, int8), table and every key of [search] that `config` prints. An NNUE takes
nodes (10000 a move, where no movetime is given either), movetime, hash (MiB), threads, temperature
and table. table=T is the scoring table that the player believes; --table is the one that pays. T may be a
list of changes: table=impasse_equal=5,stalemate=2,sims=32. Where a player has a movetime, each
of the --threads plays one game after the other, and an engine is told to use one thread.)";

struct Match final : Command {
  std::string a = option(a, CommandOption("--a", "P", "a player (below)").mandatory());
  std::string b = option(b, CommandOption("--b", "P", "the other").mandatory());
  std::optional<int> games = option(
      games, {"--games", "N", "games, two of each opening (default: 100, with --sprt no limit)"});
  int sims = option(sims, {"--sims", "N", "a network's simulations a move"}, 64);
  std::string table = option(table, table_option(), "default");
  std::vector<double> sprt = option(
      sprt,
      {"--sprt", "ELO0,ELO1",
       "play until it is clear whether A is ELO0 (H0) or ELO1 (H1) stronger; exit code 0 where "
       "H1 is accepted, 1 where H0 is or where it stays undecided"});
  std::string openings =
      option(openings,
             {"--openings", "FILE",
              "a line is a FEN, then perhaps ' moves ' and UCI moves; or book:DIR, even ends of an "
              "opening book (book:DIR,within=0.25: points from even)"});
  int opening_plies =
      option(opening_plies,
             CommandOption("--opening-plies", "N",
                           "random moves before the players', where there is no book")
                 .range(0, 100)
                 .without({"--openings"}),
             6);
  std::string tablebase = option(tablebase, tablebase_option());
  std::string pgn =
      option(pgn, CommandOption("--pgn", "FILE", "write the games to this file as PGN")
                      .refused_by([](const std::string& file) {
                        return file == "-" ? "expected a file" : std::string();
                      }));
  std::string resume = option(
      resume,
      {"--resume", "FILE",
       "keep each game in this file as it ends; if it has games of this match, go on after them"});

  Match() : Command("match", "play two players against each other, in pairs", kPlayers) {}
  int run(const CommonOptions& common) const override;
};

std::string score_line(const arena::MatchResult& result) {
  const arena::Estimate points = result.points(), elo = result.elo();
  return fmt::format(
      "{} games: {} scored {:.2f} of 10 (95 %: {:.2f} to {:.2f}), Elo {:+.0f} ({:+.0f} to {:+.0f})",
      result.games(), result.a, points.mean, points.low, points.high, elo.mean, elo.low, elo.high);
}

// The log-likelihood ratio and the bounds at which the test ends.
std::string ratio(const arena::MatchResult& result) {
  return fmt::format("LLR {:.2f} [{:.2f}, {:.2f}]", result.sprt->log_likelihood_ratio(result.pairs),
                     result.sprt->lower_bound(), result.sprt->upper_bound());
}

std::string progress_line(const arena::MatchResult& result) {
  return score_line(result) + (result.sprt ? ", " + ratio(result) : "");
}

std::string text_of(const arena::MatchResult& result) {
  std::string text =
      fmt::format("{}\n\n{:<28} {} as White  as Black\n", score_line(result), "outcome", result.a);
  for (std::size_t i = 0; i < result.a_white.size(); ++i) {
    text += fmt::format("{:<28} {:>{}}  {:>8}\n", rules::name(static_cast<rules::Outcome>(i)),
                        result.a_white[i], result.a.size() + 9, result.a_black[i]);
  }
  if (result.forfeits_a + result.forfeits_b > 0) {
    text += fmt::format("games lost by a crash, time-out or illegal move: {} {}, {} {}\n", result.a,
                        result.forfeits_a, result.b, result.forfeits_b);
  }
  for (const std::size_t player : {0u, 1u}) {
    const auto& [no_move, illegal] = result.stand_ins[player];
    if (no_move + illegal == 0) continue;
    text += fmt::format(
        "{}: a sensible move stood in {} times for no move and {} times for one that is not "
        "legal\n",
        player == 0 ? result.a : result.b, no_move, illegal);
  }
  if (result.sprt) {
    constexpr const char* kVerdicts[] = {"undecided", "H0 accepted", "H1 accepted"};
    text += fmt::format("SPRT, {} is {:g} Elo stronger (H0) or {:g} (H1): {}, {}\n", result.a,
                        result.sprt->elo0, result.sprt->elo1,
                        kVerdicts[static_cast<int>(result.verdict)], ratio(result));
  }
  return text;
}

std::vector<selfplay::Opening> read_book(const Match& asked, int games, rules::RuleSet rules) {
  auto openings = asked.openings.starts_with(arena::kBookOpenings)
                      ? arena::book_openings(asked.openings, rules)
                      : arena::read_openings(asked.openings, rules);
  if (games == 0) {
    std::cerr << fmt::format("warning: {} has {} openings: after as many pairs they come again\n",
                             asked.openings, openings.size());
  } else if (std::ssize(openings) < games / 2) {
    std::cerr << fmt::format(
        "warning: {} has {} openings for {} pairs of games: they are played again and again\n",
        asked.openings, openings.size(), games / 2);
  }
  return openings;
}

// The match that is asked for, without the games of an earlier start.
arena::MatchConfig match_config(const Match& asked, const CommonOptions& common) {
  arena::MatchConfig config;
  config.games = asked.games.value_or(asked.sprt.empty() ? arena::MatchConfig{}.games : 0);
  config.threads = threads(common);
  config.seed = common.seed.value_or(1);
  config.rules = common.rule_set();
  config.table = scoring_table(asked.table, config.rules);
  config.tablebase = tablebase::load(asked.tablebase, config.rules, config.table);
  if (!asked.sprt.empty()) {
    config.sprt = arena::Sprt{.elo0 = asked.sprt.at(0), .elo1 = asked.sprt.at(1)};
  }
  config.opening_plies = asked.opening_plies;
  if (!asked.openings.empty()) config.openings = read_book(asked, config.games, config.rules);
  if (!config.sprt) warn_of_one_opening(config);  // with it the match is refused
  return config;
}

// What makes a match's games, as the file of --resume names it.
nlohmann::ordered_json settings(const Match& asked, const arena::MatchConfig& config) {
  nlohmann::ordered_json json{{"a", asked.a},
                              {"b", asked.b},
                              {"sims", asked.sims},
                              {"rules", config.rules.name()},
                              {"seed", config.seed}};
  json["tablebase"] = nullptr;  // said too, so that no match goes on with one that began without
  if (config.tablebase) json["tablebase"] = config.tablebase->pieces();
  json["table"] = config.table.to_changes(config.rules.table());
  for (const auto& [key, name] : {std::pair("weights_a", asked.a), {"weights_b", asked.b}}) {
    const auto weights = weights_of(name, config.rules);
    if (weights) json[key] = fmt::format("{:016x}", *weights);
  }
  std::string book;
  for (const selfplay::Opening& opening : config.openings) {
    book += opening.start.to_fen();
    for (const rules::Move move : opening.moves) book += " " + rules::to_uci(move);
    book += '\n';
  }
  json["openings"] = book.empty() ? fmt::format("{} random plies", config.opening_plies)
                                  : fmt::format("book {:016x}", base::fnv1a(book));
  return json;
}

int exit_code(const arena::MatchResult& result) {
  if (result.stopped && stop_flag()) return kInterrupted;
  const bool claim_failed = result.sprt && result.verdict != arena::SprtVerdict::kAcceptH1;
  return claim_failed ? kAnswerIsNo : kDone;
}

// The match's result and, where a player could not go on, why. The games of each pair are written
// as it is counted, so that a match that is killed leaves them; the file is made with the first: a
// match that is refused leaves none.
std::pair<arena::MatchResult, std::string> played(const arena::MatchConfig& config,
                                                  const arena::PlayerFactory& a,
                                                  const arena::PlayerFactory& b,
                                                  const std::string& pgn) {
  Progress progress;
  std::optional<PgnFile> file;
  std::size_t written = 0;
  const auto on_pair = [&](const arena::MatchResult& so_far) {
    if (!so_far.kept.empty() && !file) file.emplace(pgn);
    for (; written < so_far.kept.size(); ++written) {
      file->write(arena::pgn_game(so_far.kept[written], so_far));
    }
    progress.show(progress_line(so_far));
  };
  try {
    return {arena::play_match(config, a, b, on_pair, &stop_flag()), ""};
  } catch (const arena::MatchFailed& failed) {
    return {failed.so_far(), failed.what()};
  }
}

int Match::run(const CommonOptions& common) const {
  const auto player_a = player(a, sims, common, common.rule_set());
  const auto player_b = player(b, sims, common, common.rule_set());
  arena::MatchConfig config = match_config(*this, common);
  config.keep_games = !pgn.empty();
  if (config.keep_games) PgnFile::require_writable(pgn);
  std::optional<MatchFile> file;
  if (!resume.empty()) {
    file.emplace(resume, settings(*this, config), config.rules, config.table);
    config.played = std::move(file->games);
    config.on_game = [&file](const arena::MatchGame& game) { file->append(game); };
    if (!config.played.empty()) {
      std::cerr << fmt::format("{}: going on after {} games\n", resume, config.played.size());
    }
  }
  const auto [result, failure] = played(config, player_a, player_b, pgn);
  print(common, arena::to_json(result), text_of(result), 2);
  if (result.no_opening) {
    std::cerr << fmt::format("warning: no further opening of {} plies was found\n",
                             config.opening_plies);
  }
  if (!failure.empty()) throw base::EnvironmentError(failure);
  return exit_code(result);
}

}  // namespace

std::unique_ptr<Command> match_command() { return std::make_unique<Match>(); }

}  // namespace app
