#include "training/learner/nnue_window.h"

#include "training/learner/outcome_target.h"

namespace training {
namespace {

bool has_no_king(const rules::Position& position) {
  return !position.king_on_board(rules::Color::kWhite) &&
         !position.king_on_board(rules::Color::kBlack);
}

// Calls f(position, ply) for each quiet position of the game.
template <class F>
void for_each_quiet(const selfplay::GameRecord& game, F&& f) {
  rules::Position position = game.start();
  for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
    const rules::Move played = game.plies[ply].played;
    if (selfplay::is_quiet(position, played)) f(position, ply);
    position.play(played);
  }
}

}  // namespace

void NnueWindow::add(selfplay::GameRecord game) {
  const std::uint32_t number = first_game_ + static_cast<std::uint32_t>(tables_.size());
  tables_.push_back({tactics::nnue_table(game.table, rules::Color::kWhite),
                     tactics::nnue_table(game.table, rules::Color::kBlack)});
  for_each_quiet(game, [&](const rules::Position& position, std::size_t ply) {
    rows_.push_back(
        {position, outcome_target(game, ply, position.side_to_move(), config_), number});
    ++total_;
  });
  while (size() > capacity()) rows_.pop_front();
  while (!tables_.empty() && (rows_.empty() || first_game_ != rows_.front().game)) {
    tables_.pop_front();
    ++first_game_;
  }
}

std::int64_t NnueWindow::targets(const selfplay::GameRecord& game) const {
  std::int64_t found = 0;
  for_each_quiet(game, [&](const rules::Position&, std::size_t) { ++found; });
  return found;
}

void NnueWindow::sample(int rows, base::Rng& rng, NnueBatch& out) const {
  out.clear();
  thread_local std::array<std::vector<const Row*>, tactics::NnueShape::kStacks> drawn;
  for (auto& of_stack : drawn) of_stack.clear();
  for (int i = 0; i < rows; ++i) {
    const Row& row = rows_[rng.below(static_cast<std::uint32_t>(rows_.size()))];
    drawn[static_cast<std::size_t>(tactics::nnue_stack(row.position))].push_back(&row);
  }
  for (const auto& of_stack : drawn) {
    for (const Row* row : of_stack) {
      const rules::Position& position = row->position;
      const auto side = static_cast<std::size_t>(rules::index(position.side_to_move()));
      const bool mirror =
          has_no_king(position) && position.is_mirror_symmetric() && rng.below(2) == 1;
      out.add(mirror ? position.mirrored() : position, tables_[row->game - first_game_][side],
              row->target);
    }
  }
}

void NnueBatch::clear() {
  rows = 0;
  stacks = {};
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
  ++stacks[static_cast<std::size_t>(tactics::nnue_stack(position))];
  ++rows;
}

}  // namespace training
