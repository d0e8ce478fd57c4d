#include "training/learner/nnue_window.h"

#include <algorithm>

#include "training/learner/outcome_target.h"

namespace training {
namespace {

bool is_quiet(const rules::Position& position, rules::Move played) {
  return !played.is_promotion() && !position.captured_by(played) &&
         !position.in_check(position.side_to_move()) && !position.can_capture_king();
}

}  // namespace

NnueWindow::NnueWindow(std::int64_t capacity, const LearnerConfig& config)
    : capacity_(capacity), config_(config) {}

void NnueWindow::add(const selfplay::GameRecord& game) {
  rules::Position position = game.start();
  const std::uint32_t table = number_of(game.table);
  for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
    const rules::Move played = game.plies[ply].played;
    if (is_quiet(position, played)) {
      keep({position, outcome_target(game, ply, position.side_to_move(), config_), table});
    }
    position.play(played);
  }
}

std::uint32_t NnueWindow::number_of(const rules::ScoringTable& table) {
  if (tables_.empty() || tables_.back().rules != table) {
    tables_.push_back({table,
                       {tactics::nnue_table(table, rules::Color::kWhite),
                        tactics::nnue_table(table, rules::Color::kBlack)}});
  }
  return first_table_ + static_cast<std::uint32_t>(tables_.size() - 1);
}

void NnueWindow::keep(const Row& row) {
  ++total_;
  if (size() < capacity_) {
    rows_.push_back(row);
    return;
  }
  rows_[oldest_] = row;
  oldest_ = (oldest_ + 1) % rows_.size();
  while (first_table_ != rows_[oldest_].table) {
    tables_.pop_front();
    ++first_table_;
  }
}

void NnueWindow::sample(int rows, base::Rng& rng, NnueBatch& out) const {
  out.clear();
  for (int i = 0; i < rows; ++i) {
    const Row& row = rows_[rng.below(static_cast<std::uint32_t>(rows_.size()))];
    const bool mirror = rng.below(2) == 1 && row.position.is_mirror_symmetric();
    const auto side = static_cast<std::size_t>(rules::index(row.position.side_to_move()));
    out.add(mirror ? row.position.mirrored() : row.position,
            tables_[row.table - first_table_].seen_by[side], row.target);
  }
}

}  // namespace training
