#pragma once
// Positions to measure with.

#include <cstddef>
#include <vector>

#include "rules/position.h"

namespace tactics {

// The first positions of games of random moves, the same on every machine, in which a search has
// something to do: moves that keep the king, and no king to take.
std::vector<rules::Position> random_positions(std::size_t count);

}  // namespace tactics
