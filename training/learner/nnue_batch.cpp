#include "training/learner/nnue_batch.h"

namespace training {

void NnueBatch::clear() {
  rows = 0;
  for (NnueView& view : views) {
    view.features.clear();
    view.begins.assign(1, 0);
  }
  tables.clear();
  outcomes.clear();
}

void NnueBatch::add(const rules::Position& position, const NnueTable& table,
                    const OutcomeTarget& target) {
  std::array<std::uint16_t, tactics::NnueShape::kMaxActive> active;
  const rules::Color own = position.side_to_move();
  for (const rules::Color color : {own, ~own}) {
    NnueView& view = views[color == own ? 0 : 1];
    const int count = tactics::nnue_features(position, color, active);
    view.features.insert(view.features.end(), active.begin(), active.begin() + count);
    view.begins.push_back(static_cast<std::uint32_t>(view.features.size()));
  }
  tables.insert(tables.end(), table.begin(), table.end());
  outcomes.insert(outcomes.end(), target.begin(), target.end());
  ++rows;
}

}  // namespace training
