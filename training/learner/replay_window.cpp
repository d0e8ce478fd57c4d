#include "training/learner/replay_window.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "rules/history.h"
#include "tactics/lookahead.h"
#include "training/learner/outcome_target.h"

namespace training {
namespace {

using rules::Color;
using rules::Position;

// One drawn position, its moves and its auxiliary targets.
struct Drawn {
  const selfplay::GameRecord* game = nullptr;
  std::size_t ply = 0;
  bool mirror = false;
  int lookahead = 0;                 // plies
  std::uint64_t* finding = nullptr;  // where its tactics are kept
  Position position;
  int occurrences = 1;
  rules::MoveList moves;
  std::array<float, kAuxiliaryTargets> auxiliary{};

  Color mover() const { return position.side_to_move(); }
};

float balance_stm(const Position& position, const rules::ScoringTable& table, Color mover) {
  const double white = position.material_balance_white(table);
  return static_cast<float>(mover == Color::kWhite ? white : -white) / 10.0f;
}

// Replays the game: fills in the position at the drawn ply, then the values and material balances
// of later plies; the game's result where there is no estimate.
void replay(Drawn& drawn) {
  constexpr std::array<std::size_t, 2> kHorizons{6, 16};
  const selfplay::GameRecord& game = *drawn.game;
  Position position = game.start();
  rules::History past;
  for (std::size_t ply = 0; ply < drawn.ply; ++ply) {
    past.add(position);
    position.play(game.plies[ply].played);
  }
  drawn.position = position;
  drawn.occurrences = past.occurrences(position);
  position.surviving_moves(drawn.moves);
  const Color mover = drawn.mover();
  const auto end_value =
      static_cast<float>(rules::value_stm(game.table.white_points(game.outcome), mover));
  drawn.auxiliary.fill(end_value);
  std::size_t next = 0;
  for (std::size_t ply = drawn.ply; ply < game.plies.size(); ++ply) {
    if (next < kHorizons.size() && ply == drawn.ply + kHorizons[next]) {
      if (estimated(game.plies[ply]) > 0) {
        const float value = game.plies[ply].root_value_stm;
        drawn.auxiliary[next] = position.side_to_move() == mover ? value : -value;
      }
      drawn.auxiliary[kHorizons.size() + next] = balance_stm(position, game.table, mover);
      ++next;
    }
    position.play(game.plies[ply].played);
  }
  const float final_balance = balance_stm(position, game.table, mover);
  for (; next < kHorizons.size(); ++next) drawn.auxiliary[kHorizons.size() + next] = final_balance;
  drawn.auxiliary.back() = final_balance;
}

// A finding in 62 bits: value and balance of 21 each, then the plies, the move and a mark.
constexpr int kValueBits = 21;
constexpr std::uint64_t kValueMask = (std::uint64_t{1} << kValueBits) - 1;
static_assert(tactics::kKingFalls < 1 << (kValueBits - 1));

std::uint64_t pack(const tactics::Finding& finding) {
  const auto bits = [](int value) { return static_cast<std::uint64_t>(value) & kValueMask; };
  std::uint64_t packed = bits(finding.value);
  packed = packed << kValueBits | bits(finding.balance);
  packed = packed << 3 | static_cast<std::uint64_t>(finding.plies);
  return packed << 17 | std::uint64_t{finding.best.raw()} << 1 | 1;
}

tactics::Finding unpack(std::uint64_t packed) {
  const auto value = [](std::uint64_t bits) {
    constexpr int kAbove = 64 - kValueBits;
    return static_cast<int>(static_cast<std::int64_t>(bits << kAbove) >> kAbove);
  };
  return {value(packed >> (20 + kValueBits)), value(packed >> 20),
          static_cast<int>(packed >> 17 & 7), rules::Move::from_raw(packed >> 1 & 0xffff)};
}

tactics::Finding tactics_of(const Drawn& drawn) {
  const std::atomic_ref known(*drawn.finding);
  if (const std::uint64_t packed = known.load(std::memory_order_relaxed)) return unpack(packed);
  thread_local tactics::Lookahead lookahead;
  const tactics::Finding found =
      lookahead.find(drawn.position, drawn.game->table, drawn.moves, drawn.lookahead);
  known.store(pack(found), std::memory_order_relaxed);
  return found;
}

// Encodes the position and its tactics.
void encode(const Drawn& drawn, const nn::Encoder& encoder, nn::EncodedPosition& out) {
  tactics::Finding finding = tactics_of(drawn);
  if (drawn.mirror && finding.best) finding.best = rules::mirrored(finding.best);
  encoder.encode(drawn.mirror ? drawn.position.mirrored() : drawn.position, drawn.occurrences,
                 drawn.game->table, finding, out);
}

// Fills in one row: the moves, and the search's policy.
void fill_policy(const Drawn& drawn, const nn::Encoder& encoder, std::size_t row, PolicyRows& out) {
  const rules::MoveList& moves = drawn.moves;
  const std::size_t begin = row * static_cast<std::size_t>(out.width);
  for (std::size_t k = 0; k < moves.size(); ++k) {
    const rules::Move seen = drawn.mirror ? rules::mirrored(moves[k]) : moves[k];
    out.indices[begin + k] = encoder.policy_index(seen, drawn.mover());
    out.mask[begin + k] = 1;
    for (const mcts::MoveWeight& target : drawn.game->plies[drawn.ply].policy) {
      if (target.move == moves[k]) out.targets[begin + k] = target.weight;
    }
  }
}

// Empties the rows, with as many columns as the longest list of moves.
void clear(PolicyRows& out, std::span<const Drawn> drawn) {
  std::size_t width = 1;
  for (const Drawn& one : drawn) width = std::max(width, one.moves.size());
  out.width = static_cast<int>(width);
  out.indices.assign(drawn.size() * width, 0);
  out.mask.assign(drawn.size() * width, 0);
  out.targets.assign(drawn.size() * width, 0);
}

}  // namespace

void ReplayWindow::add(selfplay::GameRecord game) {
  const std::int64_t id = first_game_ + static_cast<std::int64_t>(games_.size());
  for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
    if (!game.plies[ply].is_target) continue;
    rows_.push_back({id, static_cast<int>(ply)});
    ++total_;
  }
  games_.push_back(std::move(game));
  while (size() > capacity() && games_.size() > 1) {
    while (!rows_.empty() && rows_.front().game == first_game_) rows_.pop_front();
    games_.pop_front();
    ++first_game_;
  }
}

std::int64_t ReplayWindow::targets(const selfplay::GameRecord& game) const {
  return std::ranges::count_if(game.plies, &selfplay::PlyRecord::is_target);
}

void ReplayWindow::sample(int rows, base::Rng& rng, TrainingBatch& out) const {
  const auto n = static_cast<std::size_t>(rows);
  std::vector<Drawn> drawn(n);
  for (Drawn& one : drawn) {
    const Row& row = rows_[rng.below(static_cast<std::uint32_t>(rows_.size()))];
    one.game = &games_[static_cast<std::size_t>(row.game - first_game_)];
    one.ply = static_cast<std::size_t>(row.ply);
    one.mirror = rng.below(2) == 1;
    const bool deep = rng.uniform() < static_cast<double>(config_.deep_share);
    one.finding = &row.findings[deep ? 1 : 0];
    one.lookahead = deep ? search_.play_lookahead : search_.lookahead;
    replay(one);
    one.mirror = one.mirror && one.position.is_mirror_symmetric();
  }
  out.rows = rows;
  out.shape = encoder_.shape();
  out.positions.resize(n);
  clear(out.policy, drawn);
  out.outcomes.resize(n * 7);
  out.moves_left.resize(n);
  out.auxiliary.resize(n * kAuxiliaryTargets);
  for (std::size_t row = 0; row < n; ++row) {
    const Drawn& one = drawn[row];
    encode(one, encoder_, out.positions[row]);
    fill_policy(one, encoder_, row, out.policy);
    const auto outcomes = outcome_target(*one.game, one.ply, one.mover(), config_);
    std::ranges::copy(outcomes, out.outcomes.begin() + static_cast<std::ptrdiff_t>(row * 7));
    out.moves_left[row] = static_cast<float>(one.game->plies.size() - one.ply);
    std::copy(one.auxiliary.begin(), one.auxiliary.end(),
              out.auxiliary.begin() + static_cast<std::ptrdiff_t>(row * kAuxiliaryTargets));
  }
}

}  // namespace training
