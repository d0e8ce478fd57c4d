#include "mcts/tree.h"

#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>

#include "mcts/gumbel.h"
#include "mcts/root_policy.h"
#include "rules/move_list.h"

namespace mcts {
namespace {

constexpr std::size_t kMib = std::size_t{1} << 20;

// Brings the greatest of priors[first, …) to `first`, its move with it.
void bring_greatest(std::span<float> priors, std::span<rules::Move> moves, std::size_t first) {
  if (first >= priors.size()) return;
  std::size_t best = first;
  for (std::size_t i = first + 1; i < priors.size(); ++i) {
    if (priors[i] > priors[best]) best = i;
  }
  std::swap(priors[first], priors[best]);
  std::swap(moves[first], moves[best]);
}

rules::Outcome win_of(rules::Color player) {
  return player == rules::Color::kWhite ? rules::Outcome::kWhiteWins : rules::Outcome::kBlackWins;
}

}  // namespace

std::optional<ExactEnd> exact_end(const rules::Position& position, const rules::ScoringTable& table,
                                  rules::MoveList& survivors) {
  if (const auto outcome = position.outcome(table)) return ExactEnd{*outcome, 0};
  const rules::Color mover = position.side_to_move();
  if (position.can_capture_king()) return ExactEnd{win_of(mover), 1};
  position.surviving_moves(survivors);
  if (survivors.size() == 0) return ExactEnd{win_of(~mover), 2};
  return std::nullopt;
}

void SpinLock::acquire(std::atomic<std::uint8_t>& flag) {
  for (int spins = 0; flag.exchange(1, std::memory_order_acquire) != 0;) {
    while (flag.load(std::memory_order_relaxed) != 0) {
      if (++spins % 64 == 0) std::this_thread::yield();
    }
  }
}

Tree::Tree(const SearchConfig& config, const rules::Position& root, const rules::ScoringTable& table,
           bool concurrent)
    : config_(config),
      table_(table),
      prices_(table),
      exploration_(config),
      position_(root),
      arena_(static_cast<std::size_t>(config.max_tree_mib) * kMib),
      concurrent_(concurrent) {
  make_root();
}

bool Tree::enough(const RootPolicy& policy) const {
  if (policy.decided(*this)) return true;
  return root_->expanded() && root_->visits + root_in_flight_ >= visit_limit_;
}

WalkEnd Tree::walk(const RootPolicy& policy, Walk& walk, rules::Position& position,
                   rules::MoveList& moves) {
  walk.path.clear();
  walk.leaf = nullptr;
  position = position_;
  Node* node = root_;
  std::uint32_t in_flight = 0;
  for (;;) {
    SpinLock guard = lock(*node);
    if (node == root_) {
      if (enough(policy)) return WalkEnd::kEnough;
      in_flight = root_in_flight_++;
    }
    if (!node->expanded()) break;
    const std::size_t i = node == root_    ? policy.select(*this)
                          : config_.gumbel ? select_improved(*node)
                                           : select_puct(*node, in_flight);
    if (i == node->edge_count && !add_edge(*node)) {
      guard.unlock();
      abandon(walk);
      return WalkEnd::kFull;
    }
    Edge& edge = edges(*node)[i];
    walk.path.push_back({node, static_cast<std::uint32_t>(i)});
    in_flight = edge.in_flight++;
    if (proven(edge)) {
      const ExactEnd end = end_of(edge);
      guard.unlock();
      settle(walk, end);
      return WalkEnd::kSettled;
    }
    const rules::Move move = this->moves(*node)[i];
    node = child(edge);
    guard.unlock();
    if (node == nullptr && in_flight > 0) {  // another thread is opening it
      abandon(walk);
      return WalkEnd::kBlocked;
    }
    position.play(move);
    if (node == nullptr) return open_edge(walk, position, moves);
  }
  return enter_leaf(walk, *node, position, moves);
}

// A walk has come to a node that is not expanded: the root at first, or a node that was recycled.
WalkEnd Tree::enter_leaf(Walk& walk, Node& node, const rules::Position& position,
                         rules::MoveList& moves) {
  SpinLock guard = lock(node);
  if (node.pending || node.expanded()) {
    guard.unlock();
    abandon(walk);
    return WalkEnd::kBlocked;
  }
  node.pending = true;
  walk.leaf = &node;
  guard.unlock();
  position.surviving_moves(moves);
  return WalkEnd::kLeaf;
}

WalkEnd Tree::open_edge(Walk& walk, const rules::Position& position, rules::MoveList& moves) {
  const Step step = walk.path.back();
  const auto end = exact_end(position, table_, moves);
  Ref ref = 0;
  if (end) {
    ref = Edge::end_code(*end);
  } else {
    ref = make_node(position.side_to_move());
    if (ref != 0) {
      walk.leaf = arena_.at<Node>(ref);
      walk.leaf->pending = true;
    }
  }
  {
    const SpinLock guard = lock(*step.node);
    edges(*step.node)[step.edge].child = ref;
  }
  if (end) {
    settle(walk, *end);
    return WalkEnd::kSettled;
  }
  if (ref != 0) return WalkEnd::kLeaf;
  abandon(walk);
  return WalkEnd::kFull;
}

void Tree::finish(const Walk& walk, const Evaluation& evaluation,
                  std::span<const rules::Move> moves, std::span<const float> priors) {
  Node& leaf = *walk.leaf;
  SpinLock guard = lock(leaf);
  leaf.pending = false;
  expand(leaf, moves, priors);
  Delta delta;
  delta.sums.terms[0] = static_cast<double>(seen_by(evaluation.value_stm, leaf.side_to_move));
  for (std::size_t i = 0; i < evaluation.outcomes.size(); ++i) {
    delta.sums.terms[i + 1] = static_cast<double>(evaluation.outcomes[i]);
  }
  delta.moves_left = evaluation.moves_left;
  add(leaf, delta);
  const Summary child = summary(leaf);
  guard.unlock();
  backup(walk, child, delta);
}

void Tree::abandon(const Walk& walk) {
  for (const Step& step : walk.path) {
    const SpinLock guard = lock(*step.node);
    --edges(*step.node)[step.edge].in_flight;
  }
  if (walk.leaf != nullptr) {
    const SpinLock guard = lock(*walk.leaf);
    walk.leaf->pending = false;
  }
  const SpinLock guard = lock(*root_);
  --root_in_flight_;
}

std::size_t Tree::select_puct(const Node& node, std::uint32_t in_flight) const {
  const std::span<const Edge> walked = edges(node);
  const float* const prior = priors(node).data();
  const float sign = seen_by(1.0f, node.side_to_move);
  const float weight = exploration_(node.visits - 1 + in_flight);
  std::size_t best = walked.size();
  float best_score = -std::numeric_limits<float>::infinity();
  if (walked.size() < node.move_count) {
    best_score = sign * value_white(node) - config_.fpu_reduction * std::sqrt(node.visited_prior) +
                 weight * prior[walked.size()];
  }
  for (std::size_t i = 0; i < walked.size(); ++i) {
    const Edge& edge = walked[i];
    if (edge.pruned) continue;
    const float score = sign * edge.utility_white +
                        weight * prior[i] / static_cast<float>(1 + edge.visits + edge.in_flight);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

// Acts so that visits follow the improved policy (Danihelka et al. 2022, section 5).
std::size_t Tree::select_improved(const Node& node) const {
  const std::span<const Edge> walked = edges(node);
  const std::span<const float> prior = priors(node);
  std::array<float, kMaxMoves> improved;
  const float rest = improved_policy(*this, node, improved);
  float total = 1;
  for (const Edge& edge : walked) total += static_cast<float>(edge.visits + edge.in_flight);
  std::size_t best = walked.size();
  float best_score = -std::numeric_limits<float>::infinity();
  if (walked.size() < node.move_count) best_score = prior[walked.size()] * rest;
  for (std::size_t i = 0; i < walked.size(); ++i) {
    if (walked[i].pruned) continue;
    const float visits = static_cast<float>(walked[i].visits + walked[i].in_flight);
    const float score = improved[i] - visits / total;
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

bool Tree::add_edge(Node& node) {
  const std::size_t count = node.edge_count;
  if (node.edges == 0 || count == std::size_t{1} << node.edge_capacity_log2) {
    const int log2 = node.edges == 0 ? 0 : node.edge_capacity_log2 + 1;
    const Ref grown = allocate(sizeof(Edge) << log2);
    if (grown == 0) return false;
    if (node.edges != 0) {
      std::copy_n(arena_.at<Edge>(node.edges), count, arena_.at<Edge>(grown));
      release(node.edges, node.edge_bytes());
    }
    node.edges = grown;
    node.edge_capacity_log2 = static_cast<std::uint8_t>(log2 & 15);
  }
  Edge& edge = *new (arena_.at<Edge>(node.edges) + count) Edge;
  edge.bounds = prices_.open();
  edge.utility_white = value_white(node) - seen_by(config_.fpu_reduction * std::sqrt(node.visited_prior),
                                                   node.side_to_move);
  node.visited_prior += priors(node)[count];
  ++node.edge_count;
  if (&node != root_) bring_greatest(priors(node), moves(node), count + 1);
  return true;
}

bool Tree::expand(Node& node, std::span<const rules::Move> moves, std::span<const float> priors) {
  const Ref ref = allocate(moves.size() * (sizeof(float) + sizeof(rules::Move)));
  if (ref == 0) return false;
  node.policy = ref;
  node.move_count = static_cast<std::uint16_t>(moves.size());
  node.visited_prior = 0;
  std::copy(priors.begin(), priors.end(), this->priors(node).begin());
  std::copy(moves.begin(), moves.end(), this->moves(node).begin());
  bring_greatest(this->priors(node), this->moves(node), 0);
  return true;
}

// How the game ends behind a proven edge. The edge's node must be locked.
ExactEnd Tree::end_of(const Edge& edge) const {
  const Node* node = child(edge);
  if (node == nullptr) return edge.end();
  const SpinLock guard = lock(*node);
  return {static_cast<rules::Outcome>(node->outcome), node->moves_left};
}

void Tree::settle(const Walk& walk, ExactEnd end) {
  Delta delta;
  delta.sums = exact_sums(end.outcome);
  delta.moves_left = end.plies;
  backup(walk, {prices_.value_white(end.outcome), end.plies, prices_.exact(end.outcome)}, delta);
}

void Tree::backup(const Walk& walk, Summary child, Delta delta) {
  for (std::size_t i = walk.path.size(); i-- > 0;) {
    Node& node = *walk.path[i].node;
    const SpinLock guard = lock(node);
    Edge& edge = edges(node)[walk.path[i].edge];
    --edge.in_flight;
    ++edge.visits;
    delta.moves_left += 1;
    const bool was_proven = node.bounds.proven();
    update_edge(node, edge, child, delta);
    add(node, delta);
    if (node.bounds.proven() && !was_proven) prove(node, delta);
    child = summary(node);
    if (i == 0) --root_in_flight_;
  }
  if (walk.path.empty()) {
    const SpinLock guard = lock(*root_);
    --root_in_flight_;
  }
}

void Tree::update_edge(Node& node, Edge& edge, const Summary& child, Delta& delta) {
  if (edge.pruned) {
    delta.sums = {};
    delta.weight = 0;
  }
  const Bounds known = edge.bounds;
  if (config_.solver) edge.bounds = Prices::both(known, child.bounds);
  edge.utility_white = utility_white({child.value_white, child.moves_left, edge.bounds});
  if (!(edge.bounds == known)) tighten(node, delta);
}

void Tree::add(Node& node, const Delta& delta) {
  ++node.visits;
  node.sums.add(delta.sums);
  node.weight = static_cast<std::uint32_t>(std::max(1.0, node.weight + delta.weight));
  node.moves_left += (delta.moves_left - node.moves_left) / static_cast<float>(node.visits);
}

// Derives the node's bounds from its edges', and prunes the edges that they rule out.
void Tree::tighten(Node& node, Delta& delta) {
  const rules::Color mover = node.side_to_move;
  const std::span<Edge> walked = edges(node);
  const Edge* best = nullptr;  // has the highest guarantee; of equals one that is not pruned
  std::uint8_t upper = 0;
  if (node.edge_count < node.move_count) upper = prices_.open().upper;
  for (const Edge& edge : walked) {
    const Bounds b = prices_.seen_by(edge.bounds, mover);
    upper = std::max<std::uint8_t>(upper, b.upper);
    const int guarantee = best == nullptr ? -1 : prices_.seen_by(best->bounds, mover).lower;
    if (b.lower > guarantee || (b.lower == guarantee && best->pruned && !edge.pruned)) best = &edge;
  }
  const std::uint8_t lower = prices_.seen_by(best->bounds, mover).lower;
  for (Edge& edge : walked) {
    if (edge.pruned || &edge == best || prices_.seen_by(edge.bounds, mover).upper > lower) continue;
    edge.pruned = 1;
    take_out(edge, delta);
  }
  node.bounds = Prices::both(node.bounds, prices_.seen_by(Prices::between(lower, upper), mover));
}

// A node has just been proven: what it has summed up is replaced by the exact value, above it too.
void Tree::prove(Node& node, Delta& delta) {
  const bool winning = seen_by(prices_.value_white(node.bounds.lower), node.side_to_move) > 0;
  bool found = false;
  node.outcome = static_cast<unsigned>(rules::index(prices_.outcome_of(node.bounds.lower))) & 15;
  for (const Edge& edge : edges(node)) {
    if (!(edge.bounds == node.bounds)) continue;
    const ExactEnd end = end_of(edge);
    const float plies = end.plies + 1;
    if (found && (winning ? plies >= node.moves_left : plies <= node.moves_left)) continue;
    found = true;
    node.moves_left = plies;
    node.outcome = static_cast<unsigned>(rules::index(end.outcome)) & 15;
  }
  Sums change;
  change.add(exact_sums(static_cast<rules::Outcome>(node.outcome)), node.visits);
  change.add(node.sums, -1);
  node.sums.add(change);
  delta.sums.add(change);
  delta.weight += static_cast<double>(node.visits) - node.weight;
  node.weight = node.visits;
}

// Takes what the edge has contributed to its node out of a backup. Both must be locked.
void Tree::take_out(const Edge& edge, Delta& delta) const {
  if (edge.visits == 0) return;
  if (proven(edge)) {
    delta.sums.add(exact_sums(end_of(edge).outcome), -static_cast<double>(edge.visits));
    delta.weight -= edge.visits;
    return;
  }
  const Node& node = *child(edge);
  const SpinLock guard = lock(node);
  delta.sums.add(node.sums, -1);
  delta.weight -= node.weight;
}

Sums Tree::exact_sums(rules::Outcome outcome) const {
  Sums sums;
  sums.terms[0] = static_cast<double>(prices_.value_white(outcome));
  sums.terms[static_cast<std::size_t>(rules::index(outcome)) + 1] = 1;
  return sums;
}

Summary Tree::summary(const Node& node) const {
  return {value_white(node), node.moves_left, node.bounds};
}

float Tree::utility_white(const Summary& child) const {
  const float value = prices_.clamp(child.value_white, child.bounds);
  if (config_.moves_left_weight == 0) return value;
  const float decided = (std::abs(value) - config_.moves_left_threshold) / (1 - config_.moves_left_threshold);
  if (decided <= 0) return value;
  const float delay = std::min(child.moves_left, 100.0f) / 100.0f;
  return value - std::copysign(config_.moves_left_weight * decided * delay, value);
}

float Tree::value_white(const Node& node) const {
  if (node.bounds.proven()) return prices_.value_white(node.bounds.lower);
  if (node.visits == 0) return 0;
  return static_cast<float>(node.sums.value() / node.weight);
}

std::array<float, rules::kOutcomes> Tree::outcomes(const Node& node) const {
  std::array<float, rules::kOutcomes> shares{};
  if (node.bounds.proven()) {
    shares[node.outcome] = 1;
  } else if (node.visits == 0) {
    shares.fill(1.0f / rules::kOutcomes);
  } else {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i] = static_cast<float>(node.sums.terms[i + 1] / node.weight);
    }
  }
  return shares;
}

std::array<float, rules::kOutcomes> Tree::outcomes(const Edge& edge) const {
  if (const Node* node = child(edge)) return outcomes(*node);
  std::array<float, rules::kOutcomes> shares{};
  if (edge.is_end()) shares[static_cast<std::size_t>(rules::index(edge.end().outcome))] = 1;
  return shares;
}

float Tree::value_white(const Edge& edge) const {
  if (const Node* node = child(edge)) return value_white(*node);
  return edge.is_end() ? prices_.value_white(edge.end().outcome) : edge.utility_white;
}

float Tree::moves_left(const Edge& edge) const {
  if (const Node* node = child(edge)) return node->moves_left + 1;
  return edge.is_end() ? edge.end().plies + 1 : 0;
}

}  // namespace mcts
