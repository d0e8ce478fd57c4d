#pragma once
// Backends by what plays.

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "app/play/backend.h"
#include "rules/rule_set.h"

namespace app {

// What plays: a network by its name in listed_networks(), empty for the default, in a rule set.
struct Opponent {
  rules::RuleSet rules;
  std::string network;
};

// Gives what an opponent's positions are evaluated with; throws where that cannot be had.
using LoadBackendFor = std::function<Backend(const Opponent& opponent)>;

// Loads a backend when it is first asked for, and keeps it. For any thread.
class Backends {
 public:
  using Key = std::pair<rules::RuleSetId, std::string>;
  static Key key(const Opponent& opponent) { return {opponent.rules.id(), opponent.network}; }

  explicit Backends(LoadBackendFor load) : load_(std::move(load)) {}
  // Throws what loading throws.
  std::shared_ptr<const Backend> of(const Opponent& opponent);

 private:
  const LoadBackendFor load_;
  std::mutex mutex_;  // guards the next
  std::map<Key, std::shared_ptr<const Backend>> loaded_;
};

}  // namespace app
