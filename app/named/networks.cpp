#include "app/named/networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/named/paths.h"
#include "base/errors.h"
#include "base/files.h"
#include "base/json.h"
#include "nn/checkpoint.h"
#include "nn/nnue_file.h"

namespace app {
namespace {

namespace fs = std::filesystem;

bool comes_along(const fs::path& network) {
  return std::ranges::any_of(networks_that_come_along(), [&](const fs::path& known) {
    std::error_code unreadable;
    return fs::equivalent(known, network, unreadable);
  });
}

// The rating of the run's newest checkpoint in ratings.json; 0 where it has none.
int ladder_elo(const fs::path& run) try {
  const auto checkpoints = nn::list_checkpoints(run);
  if (checkpoints.empty()) return 0;
  const auto ratings = base::parse<nlohmann::json>(base::read_text(run / "ratings.json"));
  for (const auto& rating : ratings) {
    if (rating.at("player") == "checkpoint " + checkpoints.back().filename().string()) {
      return static_cast<int>(rating.at("elo").at("mean").get<double>());
    }
  }
  return 0;
} catch (const std::exception&) {  // the run was not rated
  return 0;
}

int elo_of(const fs::path& network) {
  return fs::is_directory(network) ? ladder_elo(network)
                                   : levels_of(network, rules::RuleSet()).all.back().elo;
}

}  // namespace

std::vector<ListedNetwork> listed_networks(const RunList& runs, const fs::path& chosen) {
  std::vector<ListedNetwork> all;
  const auto add = [&](std::string name, const fs::path& network) {
    std::error_code unreadable;
    const auto is_known = [&](const ListedNetwork& known) {
      return known.path == network || fs::equivalent(known.path, network, unreadable);
    };
    if (std::ranges::any_of(all, is_known)) return;
    while (std::ranges::find(all, name, &ListedNetwork::name) != all.end()) name += " (network)";
    all.push_back({std::move(name), network, elo_of(network), comes_along(network)});
  };
  if (!chosen.empty()) add(study_name(chosen), chosen);
  const std::vector<fs::path> along = networks_that_come_along();
  if (!along.empty()) add(study_name(along.front()), along.front());
  for (const ListedRun& run : runs.with_networks()) add(run.name, run.folder);
  for (const fs::path& network : along) add(study_name(network), network);
  return all;
}

const ListedNetwork& network_of(const std::vector<ListedNetwork>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &ListedNetwork::name);
  if (found == all.end()) throw base::InputError("there is no network '" + name + "'");
  return *found;
}

PlayLevels levels_of(const fs::path& network, rules::RuleSet rules) {
  if (!nn::is_nnue(network)) return kTreeLevels;
  PlayLevels levels = kAlphaBetaLevels;
  if (rules == rules::RuleSet() && comes_along(network)) return levels;
  for (PlayLevel& level : levels.all) level.elo = 0;
  return levels;
}

}  // namespace app
