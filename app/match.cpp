#include "selfplay/match.h"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/commands.h"
#include "app/machine.h"
#include "app/pgn_file.h"
#include "app/players.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/scoring_table.h"
#include "selfplay/game_pgn.h"
#include "selfplay/openings.h"

namespace app {
namespace {

std::string score_line(const selfplay::MatchResult& result) {
  const selfplay::Estimate points = result.points(), elo = result.elo();
  return fmt::format(
      "{} games: {} scored {:.2f} of 10 (95 %: {:.2f} to {:.2f}), Elo {:+.0f} ({:+.0f} to {:+.0f})",
      result.games(), result.a, points.mean, points.low, points.high, elo.mean, elo.low, elo.high);
}

void print_stand_ins(const std::string& player, const selfplay::StandIns& stand_ins) {
  if (stand_ins.no_move + stand_ins.illegal == 0) return;
  std::cout << fmt::format(
      "{}: a sensible move stood in {} times for no move and {} times for one that is not legal\n",
      player, stand_ins.no_move, stand_ins.illegal);
}

void print(const selfplay::MatchResult& result) {
  std::cout << score_line(result) << "\n\noutcome                      " << result.a
            << " as White  as Black\n";
  for (int i = 0; i < rules::kOutcomes; ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::cout << fmt::format("{:<28} {:>{}}  {:>8}\n", rules::name(static_cast<rules::Outcome>(i)),
                             result.a_white[at], result.a.size() + 9, result.a_black[at]);
  }
  if (result.forfeits_a + result.forfeits_b > 0) {
    std::cout << fmt::format("games lost by a crash, time-out or illegal move: {} {}, {} {}\n",
                             result.a, result.forfeits_a, result.b, result.forfeits_b);
  }
  print_stand_ins(result.a, result.stand_ins[0]);
  print_stand_ins(result.b, result.stand_ins[1]);
  if (result.sprt) {
    constexpr const char* kVerdicts[] = {"undecided", "refuted", "confirmed"};
    std::cout << fmt::format("{} is at least {:g} Elo stronger rather than {:g}: {} (LLR {:.2f})\n",
                             result.a, result.sprt->elo1, result.sprt->elo0,
                             kVerdicts[static_cast<int>(result.verdict)],
                             result.sprt->log_likelihood_ratio(result.pairs));
  }
}

std::vector<selfplay::Opening> read_book(const MatchOptions& asked, rules::RuleSet rules) {
  auto openings = selfplay::read_openings(asked.openings, rules);
  if (std::ssize(openings) < asked.games / 2) {
    std::cerr << fmt::format(
        "warning: {} has {} openings for {} pairs of games: they are played again and again\n",
        asked.openings, openings.size(), asked.games / 2);
  }
  return openings;
}

// Writes a match's games as its pairs are counted, so that a match that is killed leaves them. The
// file is made with the first pair: a match that is refused leaves none.
class GamesOut {
 public:
  // Throws selfplay::EnvironmentError where no such file can be.
  explicit GamesOut(const std::string& path) : path_(path) { PgnFile::require_writable(path); }
  void write_new(const selfplay::MatchResult& result) {
    if (!file_) file_.emplace(path_);
    for (; written_ < result.kept.size(); ++written_) {
      file_->write(selfplay::pgn_game(result.kept[written_], result));
    }
  }

 private:
  std::string path_;
  std::optional<PgnFile> file_;
  std::size_t written_ = 0;
};

}  // namespace

int run_match(const Options& options) {
  const MatchOptions& asked = options.match;
  selfplay::MatchConfig config;
  config.games = asked.games;
  config.threads = threads(options.common);
  config.seed = options.common.seed.value_or(1);
  config.rules = options.common.rule_set();
  config.table = scoring_table(asked.table, config.rules);
  if (!asked.sprt.empty()) {
    config.sprt = selfplay::Sprt{.elo0 = asked.sprt.at(0), .elo1 = asked.sprt.at(1)};
  }
  config.opening_plies = asked.opening_plies;
  if (!asked.openings.empty()) config.openings = read_book(asked, config.rules);
  if (!config.sprt) warn_of_one_opening(config);  // with it the match is refused
  const auto a = player(asked.a, asked.sims, options.common, config.rules);
  const auto b = player(asked.b, asked.sims, options.common, config.rules);
  std::optional<GamesOut> games_out;
  if (!asked.pgn.empty()) games_out.emplace(asked.pgn);
  config.keep_games = games_out.has_value();
  selfplay::MatchResult result;
  {
    Progress progress;
    result = selfplay::play_match(
        config, a, b,
        [&](const auto& so_far) {
          if (games_out) games_out->write_new(so_far);
          progress.show(score_line(so_far));
        },
        &stop_flag());
  }
  options.common.json ? void(std::cout << selfplay::to_json(result).dump(2) << "\n")
                      : print(result);
  if (stop_flag()) return kInterrupted;
  const bool claim_failed = config.sprt && result.verdict != selfplay::SprtVerdict::kAcceptH1;
  return claim_failed ? kAnswerIsNo : kDone;
}

}  // namespace app
