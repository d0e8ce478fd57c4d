#include "training/settings/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/files.h"
#include "nn/encoder.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace training {
namespace {

// Checks what no single range can say. `where` begins a message about the option of that name.
void check_together(const RunConfig& config,
                    const std::function<std::string(const char* name)>& where) {
  const auto require = [&](bool holds, const char* name, const std::string& message) {
    if (!holds) throw base::InputError(where(name) + name + " " + message);
  };
  const auto& selfplay = config.selfplay;
  const auto& learner = config.learner;
  require(selfplay.fast_simulations <= selfplay.simulations, "selfplay.fast_simulations",
          "exceeds selfplay.simulations");
  require(selfplay.official_table_share + selfplay.near_table_share <= 1.0f,
          "selfplay.official_table_share", "and near_table_share together exceed 1");
  require(learner.window_min <= learner.window_max, "learner.window_min",
          "exceeds learner.window_max");
  require(learner.hold_out != 1, "learner.hold_out",
          "= 1 would hold every game out: expected 0 or at least 2");
  require(config.nnue.teacher.empty() || config.run.teaches_nnue(), "nnue.teacher",
          "= '" + config.nnue.teacher + "': expected run.student = nnue");
  require(!learner.last_layer_alone || config.run.teaches_nnue(), "learner.last_layer_alone",
          "= true: expected run.student = nnue");
  require(!config.run.teaches_nnue() || learner.learning_rate > 0, "learner.learning_rate",
          "= 0 is for residual networks: expected a number above 0 (0.002 in configs/nnue.toml)");
  const char* name = "rules.rule_set";
  try {
    const auto repertoire = config.rules.repertoire();
    for (const ::rules::RuleSet& rules : repertoire.sets()) {
      require(
          rules.game == 0 || repertoire.sets().size() == 1, name,
          "= '" + config.rules.rule_set +
              "': expected a game from a file alone, for a network could not tell it from others");
      require(
          rules.prices == repertoire.first().prices, name,
          "= '" + config.rules.rule_set + "': expected rule sets that pay the same for an outcome");
    }
    require(!config.run.teaches_nnue() || (repertoire.sets().size() == 1 &&
                                           repertoire.first().entry != ::rules::Entry::kCard),
            name,
            "= '" + config.rules.rule_set +
                "': expected one rule set without cards: alpha-beta search knows no chance");
    name = "rules.scoring_table";
    scoring_table(config);
  } catch (const ::rules::RulesError& error) {
    throw base::InputError(where(name) + name + ": " + error.what());
  }
}

// Keys that counted steps. Their new values are those for the batch that `config` has when asked.
std::vector<RenamedKey> renamed_keys(const RunConfig& config) {
  const auto told = [&config](double positions) {
    return fmt::format("{:.0f} (at learner.batch = {})", positions, config.learner.batch);
  };
  return {{"learner.warmup_steps", "learner.warmup_positions",
           [=, &config](double steps) { return told(steps * config.learner.batch); }},
          {"learner.ema_decay", "learner.average_positions", [=, &config](double decay) {
             return told(decay > 0 ? -config.learner.batch / std::log(decay) : 0);
           }}};
}

// The options as they are printed: where a number of the config is computed, with what it comes to.
std::vector<Option> told_options(RunConfig& config) {
  std::vector<Option> options = options_of(config);
  if (config.learner.learning_rate > 0) return options;
  const auto rate = std::ranges::find(options, "learner.learning_rate", &Option::name);
  rate->help +=
      fmt::format(" (here {:.3g})", peak_learning_rate(config.learner, config.network.channels));
  return options;
}

// The first line of a run's settings, before their number.
constexpr std::string_view kCount = "# Settings of this run: ";

// Throws where the file has fewer settings than its first line says, or none. An older program's
// file does not say how many there are, and may lack newer ones.
void require_all_settings(const std::filesystem::path& file) {
  const std::string text = base::read_text(file);
  std::size_t expected = 1;
  if (text.starts_with(kCount)) {
    std::from_chars(text.data() + kCount.size(), text.data() + text.size(), expected);
  }
  const std::vector<std::string> names = names_in(text);
  if (names.size() >= expected) return;
  RunConfig config;
  const std::vector<Option> options = options_of(config);
  const auto missing = std::ranges::find_if(
      options, [&](const Option& option) { return std::ranges::count(names, option.name()) == 0; });
  throw base::InputError(file.string() + ": " + std::to_string(names.size()) +
                         " settings, expected " + std::to_string(expected) + ": cut off?" +
                         (missing != options.end() ? " " + missing->name() + " is missing" : ""));
}

}  // namespace

::rules::ScoringTable scoring_table(const RunConfig& config) {
  return ::rules::ScoringTable::from_changes(config.rules.scoring_table,
                                             config.rules.repertoire().first().table());
}

std::vector<std::string> warnings(const RunConfig& config) {
  constexpr int kLeastPlies = 64;
  std::vector<std::string> found;
  const int games = config.selfplay.games, plies = config.run.plies_per_generation / games;
  if (plies < kLeastPlies && config.run.plays_games() && !config.run.teaches_nnue()) {
    found.push_back(
        "run.plies_per_generation = " + std::to_string(config.run.plies_per_generation) +
        " for selfplay.games = " + std::to_string(games) + " is " + std::to_string(plies) +
        " plies a game: below " + std::to_string(kLeastPlies) +
        " short games are learned long before long ones");
  }
  return found;
}

std::vector<Option> options_of(RunConfig& config) {
  std::vector<Option> options;
  config.visit_sections(
      [&](const char* name, auto& section) { section.visit(OptionGatherer(name, options)); });
  return options;
}

RunConfig parse_config(std::string_view toml, std::string_view file,
                       const std::vector<std::string>& changes) {
  RunConfig config;
  std::vector<Option> options = options_of(config);
  const std::vector<RenamedKey> renamed = renamed_keys(config);
  read_options(toml, file, options, renamed);
  for (const auto& change : changes) set_option(change, options, "", renamed);
  check_together(config, [&](const std::string& name) {
    const auto change = std::find_if(changes.rbegin(), changes.rend(), [&](const std::string& c) {
      return c.starts_with(name + "=");
    });
    return change == changes.rend() ? place_of(name, toml, file) : "--set " + *change + ": ";
  });
  const auto repertoire = config.rules.repertoire();
  // A run keeps a game's rules, not the name of their file.
  if (repertoire.first().game != 0) config.rules.rule_set = repertoire.name();
  config.network.shape = nn::Encoder(repertoire).shape();
  return config;
}

RunConfig load_config(const std::filesystem::path& file, const std::vector<std::string>& changes) {
  std::error_code error;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, error)) {
    throw base::InputError("cannot read config file " + file.string());
  }
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse_config(text, file.string(), changes);
}

bool has_run(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::exists(folder / kConfigFile, none);
}

std::string run_name(const std::filesystem::path& folder) {
  return std::filesystem::weakly_canonical(folder).filename().string();
}

RunConfig load_run_config(const std::filesystem::path& run,
                          const std::vector<std::string>& changes) {
  const std::filesystem::path file = run / kConfigFile;
  base::require_plain_file(file);
  RunConfig config = load_config(file, changes);
  require_all_settings(file);
  return config;
}

std::string run_settings(const RunConfig& config) {
  RunConfig copy = config;
  return std::string(kCount) + std::to_string(options_of(copy).size()) + "\n\n" +
         to_toml(config, /*with_help=*/true);
}

std::string to_toml(const RunConfig& config, bool with_help) {
  RunConfig copy = config;  // options point into a config that may be written
  return print_options(told_options(copy), with_help);
}

std::string difference(const nn::NetworkConfig& theirs, const nn::NetworkConfig& ours) {
  RunConfig found, expected;
  found.network = theirs;
  expected.network = ours;
  const auto different = changes(options_of(expected), options_of(found));
  if (different.empty()) return "made for other rule sets";
  const auto& [name, there, here] = different.front();
  return name + " is " + here + ", not " + there;
}

nlohmann::ordered_json to_json(const RunConfig& config) {
  RunConfig copy = config;
  return describe_options(told_options(copy));
}

}  // namespace training
