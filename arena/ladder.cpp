#include "arena/ladder.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "arena/match.h"
#include "arena/network_player.h"
#include "base/errors.h"
#include "base/files.h"
#include "base/threads.h"
#include "nn/checkpoint.h"

namespace arena {
namespace {

namespace fs = std::filesystem;

using Entrant = LadderPlayer;
using Pairing = std::pair<std::size_t, std::size_t>;  // indices of entrants

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

// Oldest first.
std::vector<Entrant> checkpoints(const LadderSettings& settings) {
  std::vector<Entrant> entrants;
  for (const auto& checkpoint : nn::list_checkpoints(settings.run, settings.checkpoints)) {
    NetworkPlayerOptions options;
    options.name = "checkpoint " + checkpoint.filename().string();
    options.search = settings.search;
    options.device = settings.device;
    options.simulations = settings.simulations;
    entrants.push_back({options.name, network_player(nn::load_network(checkpoint), options),
                        settings.simulations});
  }
  if (entrants.empty()) {
    throw base::InputError(settings.run.string() + ": no checkpoints to rate");
  }
  return entrants;
}

// Who plays, and whom.
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
      if (near || with_baseline || j >= first_further) field.pairings.emplace_back(i, j);
    }
  }
  return field;
}

// Plays the encounters, each on one thread, several side by side: so their games stay together in
// one batch of the network. Each depends on its number alone.
class Encounters {
 public:
  Encounters(const LadderSettings& settings, const Field& field, const LadderProgress& progress,
             const std::atomic<bool>& stop)
      : settings_(settings),
        entrants_(field.entrants),
        pairings_(field.pairings),
        progress_(progress),
        stop_(stop),
        results_(field.pairings.size()) {
    match_.games = settings.games;
    match_.rules = settings.rules;
    match_.table = settings.table;
  }

  // In the order of the pairings; not all were played where `stop` was set.
  std::vector<Encounter> play() {
    for (int i = 0; i < settings_.threads; ++i) {
      threads_.start([this] {
        while (const auto number = take()) play_one(*number);
      });
    }
    threads_.join();
    return std::move(results_);
  }

 private:
  // The number of the next encounter; empty where there is none.
  std::optional<std::size_t> take() {
    const std::lock_guard lock(mutex_);
    if (stop_ || threads_.failed() || next_ == pairings_.size()) return std::nullopt;
    const auto& [a, b] = pairings_[next_];
    progress_(played_, static_cast<int>(pairings_.size()),
              entrants_[a].name + " - " + entrants_[b].name);
    return next_++;
  }

  void play_one(std::size_t number) {
    const Entrant& a = entrants_[pairings_[number].first];
    const Entrant& b = entrants_[pairings_[number].second];
    MatchConfig match = match_;
    match.seed = settings_.seed + number;
    results_[number] = {a.name, b.name, play_match(match, a.player, b.player, {}, &stop_).pairs};
    const std::lock_guard lock(mutex_);
    ++played_;
  }

  const LadderSettings& settings_;
  const std::vector<Entrant>& entrants_;
  const std::vector<Pairing>& pairings_;
  const LadderProgress& progress_;
  const std::atomic<bool>& stop_;
  MatchConfig match_;
  std::mutex mutex_;                // guards next_, played_ and the calls of progress_
  std::vector<Encounter> results_;  // by number: each is written by the thread that took it
  std::size_t next_ = 0;
  int played_ = 0;
  base::Threads threads_;  // the last member: ends before what they use
};

}  // namespace

std::vector<Rating> rate(const LadderSettings& settings, const LadderProgress& progress,
                         const std::atomic<bool>& stop) {
  const Field field = make_field(settings);
  const auto encounters = Encounters(settings, field, progress, stop).play();
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
