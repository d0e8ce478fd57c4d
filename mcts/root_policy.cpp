#include "mcts/root_policy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mcts/gumbel.h"

namespace mcts {
namespace {

// Gumbel considers no more moves than have so many simulations each: a single one says too little.
constexpr int kSimulationsEach = 4;
constexpr float kLowest = -std::numeric_limits<float>::infinity();

template <class T>
void permute_tail(std::span<T> values, std::size_t first, std::span<const std::size_t> order) {
  const std::vector<T> old(values.begin(), values.end());
  for (std::size_t i = 0; i < order.size(); ++i) values[first + i] = old[order[i]];
}

// KataGo's shaped noise (Wu 2020, and its docs): half of the concentration is even, half goes to
// moves by the logarithm of their priors above its mean.
void add_noise(std::span<float> priors, float fraction, float alpha, base::Rng& rng) {
  if (fraction == 0) return;
  const double count = static_cast<double>(priors.size());
  std::vector<double> shape;
  shape.reserve(priors.size());
  for (const float p : priors)
    shape.push_back(std::log(std::min(static_cast<double>(p), 0.01) + 1e-20));
  const double mean = std::accumulate(shape.begin(), shape.end(), 0.0) / count;
  double above = 0;
  for (double& s : shape) above += s = std::max(0.0, s - mean);
  std::vector<double> noise;
  noise.reserve(priors.size());
  double total = 0;
  for (const double s : shape) {
    const double share = above > 0 ? 0.5 / count + 0.5 * s / above : 1.0 / count;
    noise.push_back(rng.gamma(static_cast<double>(alpha) * share));
    total += noise.back();
  }
  if (!(total > 0)) return;
  for (std::size_t i = 0; i < priors.size(); ++i) {
    priors[i] = (1 - fraction) * priors[i] + fraction * static_cast<float>(noise[i] / total);
  }
}

}  // namespace

void RootPolicy::prepare(Tree& tree, const RootOptions& options, base::Rng& rng) {
  options_ = options;
  gumbel_ = options.explore && tree.config().gumbel;
  const Node& root = tree.root();
  if (!root.expanded()) return;
  const SearchConfig& config = tree.config();
  const std::span<float> priors = tree.priors(root);
  if (raw_priors_.empty()) {
    tree.scan_root();
    raw_priors_.assign(priors.begin(), priors.end());
  }
  std::copy(raw_priors_.begin(), raw_priors_.end(), priors.begin());
  if (options.explore && !gumbel_) {
    add_noise(priors, config.noise_fraction, config.noise_alpha, rng);
  }
  forced_playouts_ = options.explore && !gumbel_ ? config.forced_playouts : 0;
  urgency_.assign(priors.begin(), priors.end());
  if (gumbel_) {
    for (float& u : urgency_) u = static_cast<float>(rng.gumbel()) + std::log(u);
  }
  sort_unwalked(tree);
  const std::span<const Edge> walked = tree.edges(root);
  base_visits_.assign(priors.size(), 0);
  for (std::size_t i = 0; i < walked.size(); ++i) base_visits_[i] = walked[i].visits;
  root_base_visits_ = root.visits;
  halving_.clear();
  if (gumbel_) {
    const auto pruned = std::ranges::count_if(walked, [](const Edge& e) { return e.closed(); });
    const auto open = std::max(1, static_cast<int>(std::ssize(priors) - pruned));
    const int planned = options.simulations - static_cast<int>(root.visits);
    const int affordable = std::max(2, planned / kSimulationsEach);
    halving_ = sequential_halving(std::min({config.gumbel_actions, open, affordable}), planned);
  }
}

// Puts the moves not walked yet in the order in which they will be: from now on no move changes its
// place.
void RootPolicy::sort_unwalked(Tree& tree) {
  Node& root = tree.root();
  const std::span<float> priors = tree.priors(root);
  const std::span<rules::Move> moves = tree.moves(root);
  allowed_.assign(moves.size(), 1);
  for (std::size_t i = 0; i < moves.size() && !only_.empty(); ++i) {
    allowed_[i] = std::find(only_.begin(), only_.end(), moves[i]) != only_.end();
  }
  const auto urgency = [&](std::size_t i) { return allowed_[i] ? urgency_[i] : kLowest; };
  const std::size_t first = root.edge_count;
  std::vector<std::size_t> order(moves.size() - first);
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return urgency(a) > urgency(b); });
  permute_tail(priors, first, order);
  permute_tail(moves, first, order);
  permute_tail(std::span<float>(raw_priors_), first, order);
  permute_tail(std::span<float>(urgency_), first, order);
  permute_tail(std::span<std::uint8_t>(allowed_), first, order);
  root.visited_prior = std::accumulate(priors.begin(), priors.begin() + root.edge_count, 0.0f);
}

bool RootPolicy::decided(const Tree& tree) const {
  const Node& root = tree.root();
  if (!root.expanded()) return Tree::proven(root);
  if (!options_.need_all && only_.empty()) {
    return Tree::proven(root) || (root.move_count == 1 && !options_.need_value);
  }
  for (std::size_t i = 0; i < root.move_count; ++i) {
    if (allowed(i) && (i >= root.edge_count || !tree.proven(tree.edges(root)[i]))) return false;
  }
  return true;
}

// The root's i-th move, walked before, is not to be walked again.
bool RootPolicy::closed(const Tree& tree, std::size_t i) const {
  const Edge& edge = tree.edges(tree.root())[i];
  if (!allowed(i)) return true;
  return options_.need_all ? tree.proven(edge) : edge.closed();
}

std::size_t RootPolicy::select(const Tree& tree) const {
  return gumbel_ ? select_gumbel(tree) : select_puct(tree);
}

float RootPolicy::forced(float prior, double visits) const {
  return std::sqrt(forced_playouts_ * prior * static_cast<float>(visits));
}

std::size_t RootPolicy::select_puct(const Tree& tree) const {
  const Node& root = tree.root();
  const std::span<const Edge> walked = tree.edges(root);
  const std::span<const float> priors = tree.priors(root);
  const std::uint32_t visits = root.visits + tree.root_in_flight() - 2;  // the moves' together
  for (std::size_t i = 0; i < walked.size() && forced_playouts_ > 0; ++i) {
    const auto n = static_cast<float>(walked[i].visits + walked[i].in_flight);
    if (n > 0 && n < forced(priors[i], visits) && !closed(tree, i)) return i;
  }
  const bool may_open = walked.size() < root.move_count && allowed(walked.size());
  return tree.select_puct(root, visits, may_open, [&](std::size_t i) { return closed(tree, i); });
}

// The k-th simulation goes to the best of the moves that have had as many visits as the halving
// asks.
std::size_t RootPolicy::select_gumbel(const Tree& tree) const {
  const Node& root = tree.root();
  const std::size_t started = root.visits - root_base_visits_ + tree.root_in_flight() - 1;
  if (started >= halving_.size()) return tree.select_improved(root);
  const std::span<const Edge> walked = tree.edges(root);
  const CompletedValues completed(tree, root);
  const auto since = [&](std::size_t i) {
    return i < walked.size()
               ? static_cast<int>(walked[i].visits + walked[i].in_flight - base_visits_[i])
               : 0;
  };
  std::size_t best = 0;
  int best_gap = std::numeric_limits<int>::max();
  float best_score = kLowest;
  for (std::size_t i = 0; i < std::min<std::size_t>(walked.size() + 1, root.move_count); ++i) {
    if (!allowed_[i] || (i < walked.size() && walked[i].closed())) continue;
    const int gap = std::abs(since(i) - halving_[started]);
    if (gap > best_gap) continue;
    const float score = urgency_[i] + completed.exponent(completed.value(tree, root, i));
    if (gap < best_gap || score > best_score) {
      best = i;
      best_gap = gap;
      best_score = score;
    }
  }
  return best;
}

bool RootPolicy::ruled_out(const Tree& tree, std::size_t i) const {
  const Node& root = tree.root();
  const Edge& edge = tree.edges(root)[i];
  if (root.bounds.proven()) return edge.pruned() && !(edge.bounds == root.bounds);
  return edge.pruned() || edge.bounds == tree.prices().exact(rules::win_of(~root.side_to_move));
}

std::uint32_t RootPolicy::deciding_visits(const Tree& tree, std::size_t i) const {
  const Node& root = tree.root();
  const bool halved = !halving_.empty() && root.visits > root_base_visits_;
  return tree.edges(root)[i].visits - (halved ? base_visits_[i] : 0);
}

float RootPolicy::preference(const Tree& tree, std::size_t i) const {
  const Node& root = tree.root();
  if (!gumbel_) {
    const std::span<const Edge> walked = tree.edges(root);
    const bool visited = i < walked.size() && tree.valued(walked[i]);
    return seen_by(visited ? walked[i].value_white : tree.value_white(root), root.side_to_move);
  }
  const CompletedValues completed(tree, root);
  return std::log(tree.priors(root)[i]) + completed.exponent(completed.value(tree, root, i));
}

std::vector<double> RootPolicy::counted_visits(const Tree& tree) const {
  const Node& root = tree.root();
  const std::span<const Edge> walked = tree.edges(root);
  const std::span<const float> priors = tree.priors(root);
  std::vector<double> counted(priors.size(), 0.0);
  std::size_t best = 0;
  for (std::size_t i = 0; i < walked.size(); ++i) {
    if (!allowed_[i] || ruled_out(tree, i)) continue;
    counted[i] = deciding_visits(tree, i);
    const bool best_sure = root.bounds.proven() ? walked[i].bounds == root.bounds : root.exact;
    if (best_sure) counted[i] += 1;
    if (counted[i] > counted[best]) best = i;
  }
  if (forced_playouts_ == 0 || walked.empty()) return counted;
  // KataGo's policy target pruning: no move keeps visits that it was only forced to have.
  const double visits = root.visits - 1;
  const double weight = static_cast<double>(tree.exploration()(root.visits - 1));
  const auto value = [&](std::size_t i) {
    return static_cast<double>(seen_by(walked[i].value_white, root.side_to_move));
  };
  const double best_score =
      value(best) + weight * static_cast<double>(priors[best]) / (1 + counted[best]);
  for (std::size_t i = 0; i < walked.size(); ++i) {
    if (i == best || counted[i] == 0) continue;
    const double gap = std::max(best_score - value(i), 1e-9);
    const double deserved = weight * static_cast<double>(priors[i]) / gap - 1;
    const double least = counted[i] - static_cast<double>(forced(priors[i], visits));
    counted[i] = std::clamp(deserved, std::max(least, 0.0), counted[i]);
    if (counted[i] <= 1) counted[i] = 0;
  }
  return counted;
}

std::vector<double> RootPolicy::policy_target(const Tree& tree) const {
  const Node& root = tree.root();
  const std::span<const Edge> walked = tree.edges(root);
  std::vector<double> target;
  if (gumbel_ && root.visits > 1 && !root.bounds.proven()) {
    std::vector<float> improved(walked.size());
    const double rest = static_cast<double>(improved_policy(tree, root, improved));
    target.assign(improved.begin(), improved.end());
    for (std::size_t i = walked.size(); i < root.move_count; ++i) {
      target.push_back(rest * static_cast<double>(tree.priors(root)[i]));
    }
  } else {
    target = counted_visits(tree);
  }
  double sum = std::accumulate(target.begin(), target.end(), 0.0);
  if (sum == 0) {
    target.assign(raw_priors_.begin(), raw_priors_.end());
    sum = std::accumulate(target.begin(), target.end(), 0.0);
  }
  for (double& t : target) t /= sum;
  return target;
}

}  // namespace mcts
