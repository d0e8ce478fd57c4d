#include "training/ladder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "nn/checkpoint.h"
#include "selfplay/errors.h"
#include "selfplay/match.h"
#include "selfplay/players/network_player.h"
#include "training/append_file.h"
#include "training/run_config.h"

namespace training {
namespace {

namespace fs = std::filesystem;

struct Entrant {
  std::string name;
  selfplay::PlayerFactory player;
};

using Pairing = std::pair<std::size_t, std::size_t>;  // indices of entrants

// At most `count` of the run's checkpoints, evenly spread, with both ends.
std::vector<fs::path> chosen_checkpoints(const fs::path& run, int count) {
  const auto all = nn::list_checkpoints(run);
  if (all.empty()) throw selfplay::InputError(run.string() + ": no checkpoints to rate");
  std::set<std::size_t> indices;
  for (int i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / (count - 1) : 1;
    indices.insert(static_cast<std::size_t>(share * static_cast<double>(all.size() - 1) + 0.5));
  }
  std::vector<fs::path> chosen;
  for (const std::size_t i : indices) chosen.push_back(all[i]);
  return chosen;
}

// The baselines, weakest first, then the checkpoints, oldest first.
std::vector<Entrant> make_entrants(const LadderSettings& settings, std::size_t& baselines) {
  std::vector<Entrant> entrants;
  for (const std::string& name :
       {std::string("random"), std::string("greedy"),
        "uniform:" + std::to_string(settings.simulations), std::string("alphabeta:2")}) {
    entrants.push_back({name, *selfplay::baseline_player(name)});
  }
  baselines = entrants.size();
  const RunConfig config = load_config(settings.run / "config.toml");
  for (const auto& checkpoint : chosen_checkpoints(settings.run, settings.checkpoints)) {
    selfplay::NetworkPlayerOptions options;
    options.name = "checkpoint " + checkpoint.filename().string();
    options.search = config.search;
    options.device = settings.device;
    options.simulations = settings.simulations;
    entrants.push_back(
        {options.name, selfplay::network_player(nn::load_network(checkpoint), options)});
  }
  return entrants;
}

// Neighbours in strength tell most: everyone meets the next two, and each checkpoint the baselines.
std::vector<Pairing> make_pairings(std::size_t entrants, std::size_t baselines) {
  std::set<Pairing> pairings;
  for (std::size_t i = 0; i < entrants; ++i) {
    for (std::size_t j = i + 1; j < std::min(i + 3, entrants); ++j) pairings.emplace(i, j);
    if (i < baselines) continue;
    for (std::size_t b = 0; b < baselines; ++b) pairings.emplace(b, i);
  }
  return {pairings.begin(), pairings.end()};
}

void write_ratings(const fs::path& run, const std::vector<Rating>& ratings) {
  const fs::path aside = run / "ratings.json.new";
  std::error_code error;
  fs::remove(aside, error);
  {
    AppendFile file(aside);
    file.append(to_json(ratings).dump(2) + "\n");
    file.sync();
  }
  fs::rename(aside, run / "ratings.json", error);
  if (error) throw selfplay::EnvironmentError("cannot write ratings.json: " + error.message());
}

}  // namespace

std::vector<Rating> rate_run(const LadderSettings& settings, const LadderProgress& progress,
                             const std::atomic<bool>& stop) {
  std::size_t baselines = 0;
  const auto entrants = make_entrants(settings, baselines);
  const auto pairings = make_pairings(entrants.size(), baselines);
  const RunConfig config = load_config(settings.run / "config.toml");
  selfplay::MatchConfig match;
  match.games = settings.games;
  match.threads = settings.threads;
  match.rules = ::rules::RuleSet::parse(config.rules.rule_set);
  match.table = ::rules::ScoringTable::from_changes(config.rules.scoring_table);
  std::vector<Encounter> encounters;
  for (const auto& [i, j] : pairings) {
    const Entrant& a = entrants[i];
    const Entrant& b = entrants[j];
    const auto played = static_cast<int>(encounters.size());
    progress(played, static_cast<int>(pairings.size()), a.name + " - " + b.name);
    match.seed = settings.seed + encounters.size();
    encounters.push_back(encounter(selfplay::play_match(match, a.player, b.player, {}, &stop)));
    if (stop) return {};
    encounters.back().a = a.name;
    encounters.back().b = b.name;
  }
  const auto ratings = fit_ratings(encounters, "random");
  write_ratings(settings.run, ratings);
  return ratings;
}

}  // namespace training
