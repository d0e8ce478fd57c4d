#include "tactics/piece_values.h"

#include <cmath>

namespace tactics {

PieceValues piece_values(const rules::ScoringTable& table) {
  constexpr double kArmyWeight = 3900;
  double army = 0;
  for (std::size_t i = 0; i < table.material.size(); ++i)
    army += rules::kAtStart[i] * table.material[i];
  PieceValues values = kPieceValues;
  for (std::size_t i = 0; i < table.material.size(); ++i) {
    values[i] =
        army > 0 ? static_cast<int>(std::lround(table.material[i] / army * kArmyWeight)) : 0;
  }
  return values;
}

}  // namespace tactics
