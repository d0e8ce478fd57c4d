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
  // Starts a search of the tree's root; if the root is not expanded yet, call again when it is.
  // Draws from `rng` only to explore. REQUIRES: no walk in flight.
  void prepare(Tree& tree, const RootOptions& options, base::Rng& rng);
  // Only these moves are searched from the next prepare() on; empty = all.
  void restrict_to(std::span<const rules::Move> moves) { only_.assign(moves.begin(), moves.end()); }
  // Drops the notes. To be called before the root changes.
  void forget() { raw_priors_.clear(); }

  // Nothing is left to be found out.
  bool decided(const Tree& tree) const;
  // The root's next move to walk. REQUIRES: prepared, some move is open.
  std::size_t select(const Tree& tree) const;

  // The network's prior of the root's i-th move. By the root's moves: the probabilities that the
  // search teaches (sum 1), and the visits that count when a move is drawn.
  float raw_prior(std::size_t i) const { return raw_priors_[i]; }
  std::vector<double> policy_target(const Tree& tree) const;
  std::vector<double> counted_visits(const Tree& tree) const;
  // Whether it may be searched.
  bool allowed(std::size_t i) const { return allowed_[i] != 0; }
  // Whether the solver knows that the move loses or is no better than another. Of a proven root no
  // move is ruled out that is as good as the best. REQUIRES: the move was walked.
  bool ruled_out(const Tree& tree, std::size_t i) const;
  // The visits that decide which move is best: all, or with sequential halving, which does not
  // count earlier ones, those since prepare(). REQUIRES: the move was walked.
  std::uint32_t deciding_visits(const Tree& tree, std::size_t i) const;
  // Whether this search goes by Gumbel AlphaZero, with sequential halving at the root and improved
  // policies behind it: those that explore, if the config says so.
  bool gumbel() const { return gumbel_; }
  // Higher is better among moves of equal visits. Without Gumbel noise, which only chooses what to
  // try.
  float preference(const Tree& tree, std::size_t i) const;

 private:
  void sort_unwalked(Tree& tree);
  std::size_t select_puct(const Tree& tree) const;
  std::size_t select_gumbel(const Tree& tree) const;
  bool closed(const Tree& tree, std::size_t i) const;
  float forced(float prior, double visits) const;

  RootOptions options_;
  std::vector<float> raw_priors_;
  std::vector<float> urgency_;              // prior; with Gumbel its logarithm plus the noise
  std::vector<std::uint32_t> base_visits_;  // at prepare()
  std::vector<std::uint8_t> allowed_;
  std::vector<rules::Move> only_;
  std::vector<int> halving_;  // sequential_halving() of this search
  std::uint32_t root_base_visits_ = 0;
  float forced_playouts_ = 0;
  bool gumbel_ = false;
};

}  // namespace mcts
