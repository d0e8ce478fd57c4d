#pragma once

#include <memory>
#include <string>

#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "tablebase/tables.h"

namespace app {

// DIR of --tablebase; null where it is empty. Throws as tablebase::Tables.
std::shared_ptr<const tablebase::Tables> load_tablebase(const std::string& folder,
                                                        rules::RuleSet rules,
                                                        const rules::ScoringTable& table);

// One line: what they know.
std::string describe_tablebase(const std::string& folder, const tablebase::Tables& tables);

}  // namespace app
