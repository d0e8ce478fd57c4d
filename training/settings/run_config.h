#pragma once
// The settings of a training run, by section; a run folder's config.toml holds all of them.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "mcts/search_config.h"
#include "nn/network_config.h"
#include "rules/outcome.h"
#include "rules/repertoire.h"
#include "selfplay/selfplay_config.h"
#include "training/settings/learner_config.h"
#include "training/settings/options.h"

namespace training {

struct RunSettings {
  std::string student = "network";
  std::int64_t seed = 1;
  int generations = 1000;
  double max_minutes = 0;
  std::int64_t max_evaluations = 0;
  int plies_per_generation = 20000;
  int first_plies = 200000;
  int keep_checkpoints = 10;

  bool teaches_nnue() const { return student == "nnue"; }
  bool plays_games() const { return plies_per_generation > 0; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v("student", student, {"network", "nnue"},
      "what is taught: network, a residual network for tree search; nnue, an NNUE for alpha-beta "
      "search (configs/nnue.toml)");
    v("seed", seed, 0, std::int64_t{1} << 53, "the seed of all randomness of the run");
    v("generations", generations, 1, 1000000, "generations of the whole run");
    v("max_minutes", max_minutes, 0.0, 1e6, "minutes that the whole run may take; 0: no limit");
    v("max_evaluations", max_evaluations, 0, std::int64_t{1} << 53,
      "network evaluations, of an NNUE nodes, in games after which the run ends; 0: no limit");
    v("plies_per_generation", plies_per_generation, 0, 1000000000,
      "plies played before the network learns again; 0: none are played, and it learns from the "
      "games of --games alone, learner.reuse times in all generations together");
    v("first_plies", first_plies, 1, 1000000000,
      "plies of the first generation, which is played without a network and so is cheap");
    v("keep_checkpoints", keep_checkpoints, 1, 1000000,
      "how many of the newest checkpoints are kept; of older ones each tenth stays");
  }
};

struct RulesSettings {
  std::string rule_set = "chess_sharp";
  std::string scoring_table = "default";

  // Throws rules::RulesError where the text names no rule sets.
  ::rules::Repertoire repertoire() const { return ::rules::Repertoire::parse_or_read(rule_set); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v("rule_set", rule_set,
      "the game (`sharpzero --help` lists the names), or several between commas, "
      "of which each game of self-play draws one");
    v("scoring_table", scoring_table,
      "what outcomes pay: default (the rule set's own table), or changes to that such as "
      "impasse_equal=4.9,bishop=3.25");
  }
};

struct NnueSettings {
  int nodes = 1000;
  std::string teacher;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("nodes", nodes, 1, 100000000, "nodes that an NNUE's search of a training game has a move");
    v("teacher", teacher,
      "a residual network (a run, a checkpoint or a file) that is asked what each position of the "
      "games is worth, which is then learned in the place of the search's estimate; empty: none");
  }
};

struct EvaluationSettings {
  int every = 5;
  int games = 40;
  int final_games = 200;
  double final_share = 0.1;
  int simulations = 64;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("every", every, 0, 1000000,
      "generations between matches of the newest network, which go on beside games and learning; 0 "
      "plays none");
    v("games", games, 2, 100000,
      "games of each of them, against greedy and against the network compared last, in pairs with "
      "colours exchanged");
    v("final_games", final_games, 0, 100000,
      "games of each match after the last generation; 0 plays none");
    v("final_share", final_share, 0.0, 10.0,
      "about the most that these may take of run.max_minutes: where by the speed of self-play they "
      "would take longer, they have fewer games (small batches are slower on a GPU)");
    v("simulations", simulations, 1, 100000,
      "simulations, of an NNUE nodes, a move in these matches");
  }
};

struct RunConfig {
  RunSettings run;
  RulesSettings rules;
  mcts::SearchConfig search;
  nn::NetworkConfig network;
  selfplay::SelfPlayConfig selfplay;
  NnueSettings nnue;
  LearnerConfig learner;
  EvaluationSettings evaluation;

  template <class Visitor>
  void visit_sections(Visitor&& v) {
    v("run", run);
    v("rules", rules);
    v("search", search);
    v("network", network);
    v("selfplay", selfplay);
    v("nnue", nnue);
    v("learner", learner);
    v("evaluation", evaluation);
  }
};

// Returns the run's scoring table: its rule set's own with the config's changes. Throws
// rules::RulesError where they are wrong, which parse_config() refuses.
::rules::ScoringTable scoring_table(const RunConfig& config);

// Returns a line for each setting that is allowed but unwise.
std::vector<std::string> warnings(const RunConfig& config);

// Returns every option of the config, which must outlive the list.
std::vector<Option> options_of(RunConfig& config);

// Returns the defaults, changed by the TOML text (`file` names it in messages), then by each
// "section.key=value". Throws base::InputError, one line, also where options contradict each other.
RunConfig parse_config(std::string_view toml, std::string_view file,
                       const std::vector<std::string>& changes = {});
// Does the same from a file; also throws InputError where it cannot be read.
RunConfig load_config(const std::filesystem::path& file,
                      const std::vector<std::string>& changes = {});
// Where a run's folder keeps its settings.
inline constexpr const char* kConfigFile = "config.toml";
bool has_run(const std::filesystem::path& folder);
// The run's name: in a store, and on its page.
std::string run_name(const std::filesystem::path& folder);
// Loads the config of a run's folder, which must be a plain file with as many keys as it says.
RunConfig load_run_config(const std::filesystem::path& run,
                          const std::vector<std::string>& changes = {});
// Returns the text of that file: how many keys there are, then every key with help.
std::string run_settings(const RunConfig& config);

// Returns TOML with every key, which parse_config() reads back to an equal config.
std::string to_toml(const RunConfig& config, bool with_help);
// Names the first difference: "network.blocks is 4, not 5". REQUIRES: theirs != ours.
std::string difference(const nn::NetworkConfig& theirs, const nn::NetworkConfig& ours);
// Returns every key with its value, the expected values, and help.
nlohmann::ordered_json to_json(const RunConfig& config);

}  // namespace training
