#include "training/settings/nnue_config.h"

#include <algorithm>

namespace training {

std::vector<Option> nnue_options(NnueRunConfig& config, selfplay::SelfPlayConfig& openings) {
  std::vector<Option> keys, games;
  config.visit(OptionGatherer("nnue", keys));
  openings.visit(OptionGatherer("selfplay", games));
  for (const char* key :
       {"random_opening_plies", "ending_share", "official_table_share", "near_table_share"}) {
    keys.push_back(*std::ranges::find(games, key, &Option::key));
  }
  return keys;
}

}  // namespace training
