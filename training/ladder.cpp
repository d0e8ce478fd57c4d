#include "training/ladder.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>
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
  const auto checkpoints = nn::list_checkpoints(settings.run, settings.checkpoints);
  if (checkpoints.empty()) {
    throw selfplay::InputError(settings.run.string() + ": no checkpoints to rate");
  }
  for (const auto& checkpoint : checkpoints) {
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

// Plays the encounters, each on one thread, several side by side: so their games stay together in
// one batch of the network. Each depends on its number alone.
class Encounters {
 public:
  Encounters(const LadderSettings& settings, const std::vector<Entrant>& entrants,
             const std::vector<Pairing>& pairings, const LadderProgress& progress,
             const std::atomic<bool>& stop)
      : settings_(settings),
        entrants_(entrants),
        pairings_(pairings),
        progress_(progress),
        stop_(stop),
        results_(pairings.size()) {
    const RunConfig config = load_config(settings.run / "config.toml");
    match_.games = settings.games;
    match_.rules = ::rules::RuleSet::parse(config.rules.rule_set);
    match_.table = ::rules::ScoringTable::from_changes(config.rules.scoring_table);
  }

  // In the order of the pairings; not all were played where `stop` was set.
  std::vector<Encounter> play() {
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < settings_.threads; ++i) threads.emplace_back([this] { work(); });
    }
    if (error_) std::rethrow_exception(error_);
    return std::move(results_);
  }

 private:
  void work() {
    try {
      while (const auto number = take()) play_one(*number);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  // The number of the next encounter; empty where there is none.
  std::optional<std::size_t> take() {
    const std::lock_guard lock(mutex_);
    if (stop_ || error_ || next_ == pairings_.size()) return std::nullopt;
    const auto& [a, b] = pairings_[next_];
    progress_(played_, static_cast<int>(pairings_.size()),
              entrants_[a].name + " - " + entrants_[b].name);
    return next_++;
  }

  void play_one(std::size_t number) {
    const Entrant& a = entrants_[pairings_[number].first];
    const Entrant& b = entrants_[pairings_[number].second];
    selfplay::MatchConfig match = match_;
    match.seed = settings_.seed + number;
    Encounter& result = results_[number];
    result = encounter(selfplay::play_match(match, a.player, b.player, {}, &stop_));
    result.a = a.name;
    result.b = b.name;
    const std::lock_guard lock(mutex_);
    ++played_;
  }

  const LadderSettings& settings_;
  const std::vector<Entrant>& entrants_;
  const std::vector<Pairing>& pairings_;
  const LadderProgress& progress_;
  const std::atomic<bool>& stop_;
  selfplay::MatchConfig match_;
  std::mutex mutex_;                // guards next_, played_, error_ and the calls of progress_
  std::vector<Encounter> results_;  // by number: each is written by the thread that took it
  std::size_t next_ = 0;
  int played_ = 0;
  std::exception_ptr error_;
};

}  // namespace

std::vector<Rating> rate_run(const LadderSettings& settings, const LadderProgress& progress,
                             const std::atomic<bool>& stop) {
  std::size_t baselines = 0;
  const auto entrants = make_entrants(settings, baselines);
  const auto pairings = make_pairings(entrants.size(), baselines);
  const auto encounters = Encounters(settings, entrants, pairings, progress, stop).play();
  if (stop) return {};
  const auto ratings = fit_ratings(encounters, "random");
  write_ratings(settings.run, ratings);
  return ratings;
}

}  // namespace training
