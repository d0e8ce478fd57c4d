#include "arena/ladder.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "arena/alphabeta_player.h"
#include "arena/match.h"
#include "arena/network_player.h"
#include "base/errors.h"
#include "base/files.h"
#include "base/threads.h"
#include "nn/checkpoint.h"
#include "nn/nnue_file.h"

namespace arena {
namespace {

namespace fs = std::filesystem;

using Entrant = LadderPlayer;
using Pairing = std::pair<const Entrant*, const Entrant*>;

std::vector<Entrant> baselines(const LadderSettings& settings) {
  std::vector<Entrant> entrants;  // weakest first
  for (const std::string& name :
       {std::string("random"), std::string("greedy"),
        "uniform:" + std::to_string(settings.simulations), std::string("alphabeta:2")}) {
    entrants.push_back({name, *baseline_player(name)});
    if (name.starts_with("uniform:")) entrants.back().simulations = settings.simulations;
  }
  return entrants;
}

// An NNUE has as many nodes a move as a network of the tree search simulations.
PlayerFactory checkpoint_player(const fs::path& checkpoint, const std::string& name,
                                const LadderSettings& settings) {
  if (nn::is_nnue(checkpoint)) {
    AlphaBetaPlayerOptions options;
    options.name = name;
    options.limits.nodes = static_cast<std::uint64_t>(settings.simulations);
    const auto weights = nn::weights_to_play(nn::load_nnue(checkpoint).weights);
    return [weights, options] { return std::make_unique<AlphaBetaPlayer>(weights, options); };
  }
  NetworkPlayerOptions options;
  options.name = name;
  options.search = settings.search;
  options.device = settings.device;
  options.limits.nodes = static_cast<std::uint64_t>(settings.simulations);
  return network_player(nn::load_network(checkpoint), options);
}

// Oldest first.
std::vector<Entrant> checkpoints(const LadderSettings& settings) {
  std::vector<Entrant> entrants;
  for (const auto& checkpoint : nn::list_checkpoints(settings.run, settings.checkpoints)) {
    const std::string name = "checkpoint " + checkpoint.filename().string();
    entrants.push_back({name, checkpoint_player(checkpoint, name, settings), settings.simulations});
  }
  if (entrants.empty()) {
    throw base::InputError(settings.run.string() + ": no checkpoints to rate");
  }
  return entrants;
}

// Who plays, and whom. The pairings point into the entrants.
struct Field {
  std::vector<Entrant> entrants;
  std::vector<Pairing> pairings;
};

// Neighbours in strength tell most: everyone of the baselines and checkpoints meets the next two,
// each checkpoint the baselines, and each further player everyone.
Field make_field(const LadderSettings& settings) {
  Field field{baselines(settings), {}};
  const std::size_t first_checkpoint = field.entrants.size();
  if (!settings.run.empty()) {
    for (Entrant& one : checkpoints(settings)) field.entrants.push_back(std::move(one));
  }
  const std::size_t first_further = field.entrants.size();
  for (const Entrant& one : settings.players) {
    const auto named = [&](const Entrant& other) { return other.name == one.name; };
    if (std::ranges::none_of(field.entrants, named)) field.entrants.push_back(one);
  }
  for (std::size_t i = 0; i < field.entrants.size(); ++i) {
    for (std::size_t j = i + 1; j < field.entrants.size(); ++j) {
      const bool near = j < i + 3;
      const bool with_baseline = i < first_checkpoint && j >= first_checkpoint;
      if (!near && !with_baseline && j < first_further) continue;
      field.pairings.emplace_back(&field.entrants[i], &field.entrants[j]);
    }
  }
  return field;
}

// Plays the encounters, each on one thread, several side by side: so their games stay together in
// one batch of the network. Each depends on its number alone. In the order of the pairings; not all
// were played where `stop` was set.
std::vector<Encounter> play(const LadderSettings& settings, const Field& field,
                            const LadderProgress& progress, const std::atomic<bool>& stop) {
  std::vector<Encounter> results(field.pairings.size());
  std::mutex mutex;  // guards the next two and the calls of progress
  std::size_t next = 0;
  int played = 0;
  base::Threads threads;  // the last one: ends before what the threads use
  const auto play_all = [&] {
    // The number of the next encounter; empty where there is none.
    const auto take = [&]() -> std::optional<std::size_t> {
      const std::lock_guard lock(mutex);
      if (stop || threads.failed() || next == results.size()) return std::nullopt;
      const auto& [a, b] = field.pairings[next];
      progress(played, static_cast<int>(results.size()), a->name + " - " + b->name);
      return next++;
    };
    while (const auto number = take()) {
      const auto& [a, b] = field.pairings[*number];
      MatchConfig match;
      match.games = settings.games;
      match.rules = settings.rules;
      match.table = settings.table;
      match.seed = settings.seed + *number;
      const auto pairs = play_match(match, a->player, b->player, {}, &stop).pairs;
      results[*number] = {a->name, b->name, pairs};
      const std::lock_guard lock(mutex);
      ++played;
    }
  };
  for (int i = 0; i < settings.threads; ++i) threads.start(play_all);
  threads.join();
  return results;
}

}  // namespace

std::vector<Rating> rate(const LadderSettings& settings, const LadderProgress& progress,
                         const std::atomic<bool>& stop) {
  const Field field = make_field(settings);
  const auto encounters = play(settings, field, progress, stop);
  if (stop) return {};
  auto ratings = fit_ratings(encounters, "random");
  for (Rating& rating : ratings) {
    const auto entrant = std::ranges::find(field.entrants, rating.player, &Entrant::name);
    rating.simulations = entrant->simulations;
    rating.time_ms = entrant->time_ms;
  }
  if (!settings.run.empty()) {
    base::write_text(settings.run / "ratings.json", to_json(ratings, settings).dump(2) + "\n");
  }
  return ratings;
}

nlohmann::json to_json(const std::vector<Rating>& ratings, const LadderSettings& settings) {
  nlohmann::json array = to_json(ratings);
  for (nlohmann::json& rating : array) {
    rating["table"] = settings.table.to_changes(settings.rules.table());
    rating["seed"] = settings.seed;
  }
  return array;
}

}  // namespace arena
