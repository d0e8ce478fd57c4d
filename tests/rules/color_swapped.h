#pragma once

#include "rules/outcome.h"

namespace rules {

// The outcome of the game played with the colours exchanged.
constexpr Outcome color_swapped(Outcome o) {
  return static_cast<Outcome>(outcome_seen_by(static_cast<std::size_t>(o), Color::kBlack));
}

}  // namespace rules
