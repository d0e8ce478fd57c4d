#pragma once
// What an engine says of a position that a tablebase knows: no search is needed.

#include <functional>
#include <optional>

#include "engine/engine.h"
#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "tablebase/tables.h"
#include "tactics/search_limits.h"
#include "tactics/search_report.h"

namespace engine {

// The final report, with all moves asked for, each exact, the best first, and the line that best
// play takes. Empty where the tables (null: none) do not know all moves' worth under the scoring
// table, or a position behind them has occurred before where that counts.
std::optional<tactics::SearchReport> known_ending(const tablebase::Tables* tables,
                                                  const rules::Position& root,
                                                  const rules::ScoringTable& table,
                                                  const rules::History& past,
                                                  const tactics::SearchLimits& limits);

// Gives it to the listener: at once, or where `waits()` says so first as progress, and as the final
// report when it no longer does.
void tell_known(tactics::SearchReport report, const Engine::Listener& listener,
                const std::function<bool()>& waits);

}  // namespace engine
