#pragma once
// A study: options, and an answer that it gives of one network, or of players. A new one is a file
// of figures, a file of words and a line in registry.cpp.

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "arena/match.h"
#include "base/command_option.h"
#include "base/errors.h"
#include "studies/estimates.h"
#include "studies/self_games.h"

namespace studies {

// Thrown where the user has stopped a study on its way.
struct Stopped {};

// What the command line says of a network's study beside its own options.
struct StudyOptions {
  std::string net;
  std::string out;  // the folder of the answer; empty: one of the network's
  int games = 400;
  int opening_plies = 8;
  int seeds = 4;
  std::string fen;                 // where games begin; empty: the start of the rule set
  std::string precision = "auto";  // a residual network's; auto: the fastest here that is accurate
  // The search, as SelfGamesConfig::search, of kept games that are taken, and none is played;
  // none: the program's own, which plays those that are missing.
  std::optional<std::uint64_t> kept_search;
};

// What a study may ask for: a network, and games that it plays against itself.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string name() const = 0;
  virtual rules::RuleSet rules() const = 0;
  // "default" (the rule set's own), a list of changes to that, or a file with such changes. Throws
  // base::InputError or rules::RulesError.
  virtual rules::ScoringTable table(const std::string& text) const = 0;
  // At most so many checkpoints of the network's run, oldest first, itself the last. Throws
  // base::InputError where it is no run and more than itself is asked for.
  virtual std::vector<std::filesystem::path> checkpoints(int most) const = 0;
  // From now on the subject is this one of checkpoints().
  virtual void take(const std::filesystem::path& network) = 0;

  virtual std::unique_ptr<Thinker> thinker() const = 0;
  // 0 simulations: the network's usual number.
  virtual SelfGamesConfig config(int simulations, const rules::ScoringTable& table) const = 0;
  // self_games() of the config, which are kept. Throws Stopped.
  virtual std::vector<selfplay::GameRecord> games(const SelfGamesConfig& config) = 0;
  // Games of another folder instead, those that no network has learned from, in order: the newest
  // of a run's held-out ones, or of all in a folder that is no run. Throws base::InputError where
  // there are none, or they are of rules that the network does not play.
  virtual std::vector<selfplay::GameRecord> unseen(const std::filesystem::path& folder) const = 0;
  // Whether the user has stopped the study: who works for long without games throws Stopped then.
  // For any thread.
  virtual bool stopped() const = 0;
};

// What the name of a network that plays says of its budget for a move.
struct MoveBudget {
  std::optional<int> simulations;
  std::optional<int> time_ms;

  bool given() const { return simulations || time_ms; }
};

// What a study of players may ask for: matches of any that `match` knows, under any rule set.
class Matches {
 public:
  virtual ~Matches() = default;
  virtual const StudyOptions& asked() const = 0;
  // Those that --rules names, else these. Throws rules::RulesError.
  virtual std::vector<rules::RuleSet> rule_sets(const std::string& otherwise) const = 0;
  // As Subject::table().
  virtual rules::ScoringTable table(const std::string& text, rules::RuleSet rules) const = 0;
  // What plays where no player is named: --net, or the network that comes with the program. Throws
  // base::InputError where there is none.
  virtual std::string network() const = 0;
  // Where the answer of a study of this network is kept. Throws base::InputError where that is the
  // folder of a run.
  virtual std::filesystem::path folder(const std::string& network) const = 0;
  // Empty for other players than networks. This and player() throw base::InputError or
  // nn::CheckpointError.
  virtual std::optional<MoveBudget> budget(const std::string& player,
                                           rules::RuleSet rules) const = 0;
  virtual arena::PlayerFactory player(const std::string& name, int simulations,
                                      rules::RuleSet rules) const = 0;
  // The match under the set's own table as --seed and --threads say, which keeps its games.
  virtual arena::MatchConfig config(rules::RuleSet rules) const = 0;
  // arena::play_match(); `name` is shown with the progress. Throws Stopped.
  virtual arena::MatchResult play(const arena::MatchConfig& match, const arena::PlayerFactory& a,
                                  const arena::PlayerFactory& b, const std::string& name) = 0;
};

// The help of an option that Subject::config() takes, 0 where it is not given.
inline constexpr const char* kSimsHelp =
    "simulations a move (default: 32), or an NNUE's nodes (default: those of the games it learned "
    "from)";
// The help of an option that Subject::table() reads.
inline constexpr const char* kTableHelp =
    "scoring table: default, changes such as impasse_equal=4.9,stalemate=2.2, or a TOML file";

struct Answer {
  nlohmann::ordered_json json;
  std::string text;  // the same for a terminal
  // Where the answer of a study of players is kept; empty: it is only printed.
  std::filesystem::path folder{};
};

// The mean of `value` (in [0, 1]) over a match's games, of which each pair is one draw.
template <class Value>
Estimate mean_by_pairs(const std::vector<arena::MatchGame>& games, Value value) {
  arena::PairStatistics pairs;
  for (std::size_t i = 0; i + 1 < games.size(); i += 2) {
    pairs.add((value(games[i]) + value(games[i + 1])) / 2);
  }
  return pairs.score();
}

// Throws base::InputError where so many games are no pairs.
inline void require_pairs(const std::string& command, int games) {
  if (games % 2 == 0) return;
  throw base::InputError(command + ": --games " + std::to_string(games) +
                         ": expected an even number");
}

struct PlayersStudy;

struct Study {
  const std::string name;  // of the command, and of the file with the answer
  const std::string help;
  const std::string footer{};  // of a longer help

  Study(std::string called, std::string line, std::string more = "")
      : name(std::move(called)), help(std::move(line)), footer(std::move(more)) {}
  virtual ~Study() = default;
  // Beside StudyOptions, which a study of players does not have.
  virtual std::vector<base::CommandOption> options() = 0;
  // Throws Stopped, what the subject throws and, before anything is played, base::InputError where
  // an option is bad.
  // REQUIRES: not of players.
  virtual Answer run(Subject& subject) const = 0;
  // The study that answers where this is one of players, or is asked as one; `rule_sets`: how many
  // --rules names. Null: this one, of a network.
  virtual const PlayersStudy* of_players(std::size_t /*rule_sets*/) const { return nullptr; }
};

struct PlayersStudy : Study {
  using Study::Study;
  virtual Answer run(Matches& matches) const = 0;
  Answer run(Subject&) const final { throw std::logic_error(name + " is a study of players"); }
  const PlayersStudy* of_players(std::size_t) const final { return this; }
};

// In the order of the help.
std::vector<std::unique_ptr<Study>> all_studies();

}  // namespace studies
