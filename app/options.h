#pragma once
// The whole command line as data, one struct a command.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/repertoire.h"
#include "rules/rule_set.h"
#include "studies/study.h"

namespace CLI {
class App;
}

namespace app {

// Understood by every command that has a use for them.
struct CommonOptions {
  std::optional<std::uint64_t> seed;
  int threads = 0;  // 0: all cores
  std::string device = "auto";
  std::optional<std::string> rules;  // not given: the config's, else chess_sharp
  bool json = false;

  // Throws rules::RulesError.
  rules::RuleSet rule_set() const { return rules::RuleSet::parse(rules.value_or("chess_sharp")); }

  // The changes of a config, those by options with a name of their own last. Throws
  // rules::RulesError.
  std::vector<std::string> config_changes(std::vector<std::string> changes = {}) const {
    if (seed) changes.push_back("run.seed=" + std::to_string(*seed));
    if (rules) changes.push_back("rules.rule_set=" + rules::Repertoire::parse(*rules).name());
    return changes;
  }
};

struct PerftOptions {
  int depth = 0;
  std::string fen;  // empty: the start of the rule set
  bool divide = false;
  bool ends = false;
};

struct GamesOptions {
  std::string run;
  std::string store;  // a URL, of which `run` is a run's name; empty: `run` is a folder
  std::optional<int> generation;
  std::optional<std::int64_t> last;
  std::string pgn;              // a file, "-" for stdout; empty: no PGN
  std::string dialect = "own";  // of the PGN: own or app
  std::string read;             // a file; empty: none
};

struct ConfigOptions {
  std::string preset;
  std::string check;
  std::string plan;              // a file of bench's figures
  std::vector<std::string> set;  // changes of the preset
};

struct TrainOptions {
  std::string config;
  std::string run;
  std::string init;
  std::string games;
  std::string store;             // a URL; empty: games.db
  bool learn_only = false;       // from what actors send there
  std::vector<std::string> set;  // section.key=value
  std::optional<double> max_seconds;
  std::optional<int> generations;
};

struct TrainNnueOptions {
  std::string run = "runs/nnue";
  std::vector<std::string> set;  // section.key=value
  std::optional<double> max_seconds;
  std::optional<int> generations;
};

struct MatchOptions {
  std::string a, b;
  std::optional<int> games;  // not given: 100, with an SPRT no limit
  int sims = 64;
  std::string table = "default";
  std::vector<double> sprt;  // empty, or elo0 and elo1
  std::string openings;      // a book; empty: random openings
  int opening_plies = 6;     // of these
  std::string pgn;           // a file; empty: no PGN
  std::string resume;        // a file; empty: the games are not kept
};

struct UciOptions {
  std::string net;
};

struct BenchOptions {
  std::string what = "all";
  std::string preset = "quick";
  std::vector<std::string> set;  // section.key=value
};

struct SelfPlayOptions {
  std::string net;
  std::int64_t games = 0;
  std::string out;
  std::string config;  // its [selfplay], [search] and [rules]; empty: defaults
};

struct PlayOptions {
  std::string net;
  std::string side = "w";
  int level = 4;
  int sims = 0;  // instead of the level's
  std::string pieces = "auto";
  std::string color = "auto";
  std::string table = "default";
};

struct ServeOptions {
  std::string net;
  std::string run;            // watched first; empty: none
  std::string runs = "runs";  // the folder of the runs
  int port = 8080;            // 0: any that is free
  std::string host;           // empty: this machine alone
  std::string token;
  std::string table = "default";
};

struct LadderOptions {
  std::string run;
  std::vector<std::string> players;
  int checkpoints = 6;
  int games = 40;
  int sims = 32;
};

struct LuckOptions {
  std::vector<std::string> players{"random", "greedy", "alphabeta:1", "alphabeta:2"};
  int games = 200;
  int sims = 32;
};

// What all studies have in common.
struct StudyOptions {
  std::string net;
  std::string out;  // empty: see study_folder()
  int games = 400;
  int opening_plies = 8;
  int seeds = 4;
  std::string fen;  // where games begin; empty: the start of the rule set
};

struct ExportOptions {
  std::string net;
  std::string to;
};

struct ReportOptions {
  std::string run;
};

// Where games are is a URL, a games.db or a folder with one.
struct StoreOptions {
  std::string action;  // check, prune, copy or grant
  std::string store, to;
  std::string run;                    // in a store of many; empty: the newest
  std::optional<std::int64_t> games;  // to keep
  std::optional<std::int64_t> networks;
  std::string role;
};

struct ActorOptions {
  std::string store;  // a URL
  std::string run;    // empty: the newest
};

struct StatusOptions {
  std::string store;  // a URL
  std::string run;    // empty: all
};

struct Options {
  std::string command;  // which of them it is
  CommonOptions common;
  TrainOptions train;
  TrainNnueOptions train_nnue;
  MatchOptions match;
  ReportOptions report;
  StoreOptions store;
  ActorOptions actor;
  StatusOptions status;
  UciOptions uci;
  ExportOptions export_net;
  LadderOptions ladder;
  LuckOptions luck;
  StudyOptions study;
  std::vector<std::unique_ptr<studies::Study>> studies = studies::all_studies();
  SelfPlayOptions selfplay;
  PlayOptions play;
  ServeOptions serve;
  BenchOptions bench;
  PerftOptions perft;
  GamesOptions games;
  ConfigOptions config;
};

// Adds every command and option to the parser, bound to `options`, which must outlive it. Both
// programs (program.h) parse the same.
void declare_command_line(CLI::App& parser, Options& options);

}  // namespace app
