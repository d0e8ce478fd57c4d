#pragma once
// The networks that a person may choose to play or to ask, by name.

#include <filesystem>
#include <string>
#include <vector>

#include "app/play/backend.h"
#include "app/web/run_list.h"
#include "rules/rule_set.h"

namespace app {

struct ListedNetwork {
  std::string name;            // the run's or the file's; unique in its list
  std::filesystem::path path;  // as --net takes it: a run's folder or a file
  int elo = 0;                 // over random moves: of the highest level, or of a run's newest
                               // checkpoint in its ladder; 0: not rated
  bool comes_along = false;    // with the program
};

// The strongest that was measured first: the NNUE that comes with the program, then the runs
// with a network as `runs` has them, then the residual network that comes along. Before all of them
// stands `chosen`, unless it is empty.
std::vector<ListedNetwork> listed_networks(const RunList& runs,
                                           const std::filesystem::path& chosen = {});

// The network of that name. Throws base::InputError where there is none.
const ListedNetwork& network_of(const std::vector<ListedNetwork>& all, const std::string& name);

// The levels of a network in games of the rule set. Those of the NNUE that comes along were rated
// at Chess#, before its last training.
PlayLevels levels_of(const std::filesystem::path& network, rules::RuleSet rules);

}  // namespace app
