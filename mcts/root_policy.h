#pragma once
// What is special about the root: noise, forced playouts, Gumbel's sequential halving, and what its
// visits teach.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "mcts/tree.h"

namespace mcts {

// How the root is searched.
struct RootOptions {
  bool explore = false;     // noise on the priors (or Gumbel noise), forced playouts
  int simulations = 0;      // visits of the root in all: Gumbel plans with them
  bool need_value = false;  // search on where only one move survives
  bool need_all = false;    // search on until every move is proven; none is ruled out
};

// Belongs to one tree. Between prepare() and the next change of root it keeps notes beside the
// root's moves, whose order does not change in that time.
class RootPolicy {
 public:
  // Begins a search of the tree's root; if the root is not expanded yet, call again when it is.
  // Draws from `rng` only to explore. REQUIRES: no walk in flight.
  void prepare(Tree& tree, const RootOptions& options, base::Rng& rng);
  // Only these moves are searched from the next prepare() on; empty = all.
  void restrict_to(std::span<const rules::Move> moves) { only_.assign(moves.begin(), moves.end()); }
  // Before the root changes.
  void forget();

  // Nothing is left to be found out.
  bool decided(const Tree& tree) const;
  // The root's next move to walk. REQUIRES: prepared, some move is open.
  std::size_t select(const Tree& tree) const;

  // Beside the root's moves: what the network said; the share of each in what the search teaches
  // (sum 1); the visits that count when a move is drawn.
  float raw_prior(std::size_t i) const { return raw_priors_[i]; }
  std::vector<double> policy_target(const Tree& tree) const;
  std::vector<double> counted_visits(const Tree& tree) const;
  // Whether it may be searched.
  bool allowed(std::size_t i) const { return allowed_[i] != 0; }
  // The solver knows that it is lost, or no better than another one; none is where the root is as
  // lost, or won, all the same. REQUIRES: the move was walked.
  bool ruled_out(const Tree& tree, std::size_t i) const;
  // The visits that decide which move is best: where this search halved, those since prepare(), for
  // the halving did not know of those before; else all. REQUIRES: the move was walked.
  std::uint32_t deciding_visits(const Tree& tree, std::size_t i) const;
  // Whether this search goes by Gumbel AlphaZero, halving at the root and following improved
  // policies behind it: by the config those that explore.
  bool gumbel() const { return gumbel_; }
  // Higher is better among moves of like visits. What Gumbel drew has no say here: it is for the
  // choice of what to try.
  float preference(const Tree& tree, std::size_t i) const;

 private:
  void add_noise(std::span<float> priors, float fraction, float alpha, base::Rng& rng) const;
  void sort_unwalked(Tree& tree);
  std::size_t select_puct(const Tree& tree) const;
  std::size_t select_gumbel(const Tree& tree) const;
  bool closed(const Tree& tree, std::size_t i) const;
  float forced(float prior, double visits) const;

  RootOptions options_;
  std::vector<float> raw_priors_;
  std::vector<float> urgency_;  // prior; with Gumbel its logarithm and the noise, 0 in play
  std::vector<std::uint32_t> base_visits_;  // at prepare()
  std::vector<std::uint8_t> allowed_;
  std::vector<rules::Move> only_;
  std::vector<int> halving_;  // sequential_halving() of this search
  std::uint32_t root_base_visits_ = 0;
  float forced_playouts_ = 0;
  bool gumbel_ = false;
};

}  // namespace mcts
