#include "mcts/tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "mcts/gumbel.h"
#include "mcts/root_policy.h"
#include "rules/move_list.h"
#include "tactics/checks.h"

namespace mcts {
namespace {

// Walks in flight in all, and so of one edge: as many as Edge::in_flight counts.
constexpr std::uint32_t kMaxInFlight = std::numeric_limits<std::uint16_t>::max();

// Of the memory bound; the rest is for the bookkeeping of recycling.
constexpr std::size_t arena_bytes(int max_tree_mib) {
  return (static_cast<std::size_t>(max_tree_mib) << 20) / 16 * 15;
}

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

}  // namespace

std::optional<ExactEnd> exact_end(const rules::Position& position, int occurrences,
                                  const rules::ScoringTable& table, rules::MoveList& survivors) {
  if (const auto outcome = position.outcome(table, occurrences)) return ExactEnd{*outcome, 0};
  const rules::Color mover = position.side_to_move();
  if (position.can_capture_king()) return ExactEnd{rules::win_of(mover), 1};
  position.surviving_moves(survivors);
  if (survivors.size() == 0) return ExactEnd{rules::win_of(~mover), 2};
  return std::nullopt;
}

Tree::Tree(const SearchConfig& config, const rules::Position& root,
           const rules::ScoringTable& table, rules::History past)
    : config_(config),
      table_(table),
      prices_(table),
      exploration_(config),
      position_(root),
      past_(std::move(past)),
      arena_(arena_bytes(config.max_tree_mib)) {
  make_root();
}

bool Tree::enough(const RootPolicy& policy) const {
  if (policy.decided(*this)) return true;
  return root_->expanded() && root_->visits + root_in_flight_ >= visit_limit_;
}

WalkEnd Tree::walk(const RootPolicy& policy, Walk& walk, rules::Position& position,
                   rules::MoveList& moves) {
  const std::size_t plies = past_.size();
  const WalkEnd end = walk_down(policy, walk, position, moves);
  past_.cut(plies);
  return end;
}

WalkEnd Tree::walk_down(const RootPolicy& policy, Walk& walk, rules::Position& position,
                        rules::MoveList& moves) {
  walk.path.clear();
  walk.leaf = nullptr;
  position = position_;
  Node* node = root_;
  std::uint32_t in_flight = 0;
  for (;;) {
    if (node == root_) {
      if (enough(policy)) return WalkEnd::kEnough;
      if (root_in_flight_ == kMaxInFlight) return WalkEnd::kBlocked;
      in_flight = root_in_flight_++;
    }
    if (!node->expanded()) break;
    if (node != root_ && to_be_scanned(*node)) {  // the root's moves keep the order that was noted
      Delta delta;
      if (learn_by_scan(*node, position, delta)) {
        const Summary learnt = summary(*node);
        backup(walk, learnt, delta);
        return WalkEnd::kSettled;
      }
    }
    const Step step = choose_step(policy, *node, in_flight);
    if (step.edge == Step::kNone) {
      abandon(walk);
      return WalkEnd::kFull;
    }
    Edge& edge = edges(*node)[step.edge];
    walk.path.push_back(step);
    in_flight = edge.in_flight++;
    if (step.paid_by != Step::kNone) ++edges(*node)[step.paid_by].in_flight;
    if (proven(edge)) {
      const ExactEnd end = end_of(edge);
      settle(walk, end);
      return WalkEnd::kSettled;
    }
    const rules::Move move = this->moves(*node)[step.edge];
    node = child(edge);
    past_.add(position);
    position.play(move);
    if (node == nullptr) return open_edge(walk, position, moves);
  }
  return enter_leaf(walk, *node, position, moves);
}

// Where a walk goes on from an expanded node; `edge` is kNone where there is no memory for it.
Step Tree::choose_step(const RootPolicy& policy, Node& node, std::uint32_t in_flight) {
  const bool at_root = &node == root_;
  const std::size_t chosen = at_root           ? policy.select(*this)
                             : policy.gumbel() ? select_improved(node)
                                               : select_puct(node, in_flight);
  Step step{&node, static_cast<std::uint16_t>(chosen)};
  if (config_.solver && chosen < node.edge_count && proven(edges(node)[chosen])) {
    const std::size_t open = select_open(node, at_root ? &policy : nullptr);
    if (open == node.move_count) return step;
    step.edge = static_cast<std::uint16_t>(open);
    step.paid_by = static_cast<std::uint16_t>(chosen);
  }
  if (step.edge == node.edge_count && !add_edge(node)) step.edge = Step::kNone;
  return step;
}

bool Tree::to_be_scanned(const Node& node) const {
  return config_.solver && !node.scanned && config_.scan_visits > 0 &&
         node.visits >= static_cast<std::uint32_t>(config_.scan_visits);
}

// Makes edges of all moves that end the game exactly; at the root also of those that let the other
// side mate.
void Tree::scan(Node& node, const rules::Position& position) {
  node.scanned = true;
  const float plies_to_mate = position_.rule_set().king_safe ? 1 : 3;  // else the king is taken
  rules::MoveList survivors;
  for (std::size_t i = node.edge_count; i < node.move_count; ++i) {
    survivors.clear();
    const rules::Position next = position.after(moves(node)[i]);
    auto end = exact_end(next, past_.occurrences(next), table_, survivors);
    if (!end && &node == root_ && tactics::can_mate(next)) {
      end = ExactEnd{rules::win_of(next.side_to_move()), plies_to_mate};
    }
    if (!end) continue;
    std::swap(moves(node)[i], moves(node)[node.edge_count]);
    std::swap(priors(node)[i], priors(node)[node.edge_count]);
    if (!push_edge(node)) break;
    Edge& edge = edges(node).back();
    edge.child = Edge::end_code(*end);
    edge.bounds = prices_.exact(end->outcome);
    edge.utility_white = utility_white(summary(*end));
  }
  bring_greatest(priors(node), moves(node), node.edge_count);
}

// Scans the node. If that changes its bounds, counts a visit with what was known of it and returns
// true, `delta` being what a backup hands on.
bool Tree::learn_by_scan(Node& node, const rules::Position& position, Delta& delta) {
  const std::size_t walked = node.edge_count;
  const Bounds known = node.bounds;
  scan(node, position);
  if (node.edge_count == walked) return false;
  delta.sums.add(node.sums, 1.0 / node.weight);
  delta.moves_left = node.moves_left;
  tighten(node, delta);
  if (node.bounds == known && delta.weight == 1) return false;
  add(node, delta);
  if (node.bounds.proven()) prove(node, delta);
  return true;
}

void Tree::scan_root() {
  Node& root = *root_;
  if (!config_.solver || config_.scan_visits == 0 || root.scanned || root.bounds.proven()) return;
  const std::size_t walked = root.edge_count;
  scan(root, position_);
  if (root.edge_count == walked) return;
  Delta delta;
  delta.set_nothing();
  tighten(root, delta);
  hold(root, delta);
  if (root.bounds.proven()) prove(root, delta);
}

// A walk has come to a node that is not expanded: the root at first, or a node that was recycled.
WalkEnd Tree::enter_leaf(Walk& walk, Node& node, const rules::Position& position,
                         rules::MoveList& moves) {
  if (node.pending || node.expanded()) {
    abandon(walk);
    return WalkEnd::kBlocked;
  }
  node.pending = true;
  walk.leaf = &node;
  walk.occurrences = past_.occurrences(position);
  position.surviving_moves(moves);
  return WalkEnd::kLeaf;
}

WalkEnd Tree::open_edge(Walk& walk, const rules::Position& position, rules::MoveList& moves) {
  const Step step = walk.path.back();
  walk.occurrences = past_.occurrences(position);
  const auto end = exact_end(position, walk.occurrences, table_, moves);
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
  edges(*step.node)[step.edge].child = ref;
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
  leaf.pending = false;
  expand(leaf, moves, priors);
  leaf.own_white = seen_by(evaluation.value_stm, leaf.side_to_move);
  leaf.own_weight = weight_of(evaluation);
  Delta delta;
  delta.weight = static_cast<double>(leaf.own_weight);
  delta.sums.terms[0] = delta.weight * static_cast<double>(leaf.own_white);
  for (std::size_t i = 0; i < evaluation.outcomes.size(); ++i) {
    delta.sums.terms[i + 1] = delta.weight * static_cast<double>(evaluation.outcomes[i]);
  }
  delta.moves_left = evaluation.moves_left;
  add(leaf, delta);
  const Summary child = summary(leaf);
  backup(walk, child, delta);
}

// KataGo's uncertainty-weighted playouts (docs/KataGoMethods.md there).
float Tree::weight_of(const Evaluation& evaluation) const {
  constexpr float kLeast = 0.05f, kMost = 4;
  if (config_.sure_error == 0) return 1;
  return std::clamp(config_.sure_error / std::sqrt(evaluation.squared_error), kLeast, kMost);
}

void Tree::abandon(const Walk& walk) {
  for (const Step& step : walk.path) {
    --edges(*step.node)[step.edge].in_flight;
    if (step.paid_by != Step::kNone) --edges(*step.node)[step.paid_by].in_flight;
  }
  if (walk.leaf != nullptr) walk.leaf->pending = false;
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

// The best move that is neither proven nor pruned, all its visits counted; move_count if there is
// none.
std::size_t Tree::select_open(const Node& node, const RootPolicy* policy) const {
  const std::span<const Edge> walked = edges(node);
  const float* const prior = priors(node).data();
  const float weight = exploration_(node.visits);
  std::size_t best = node.move_count;
  float best_score = -std::numeric_limits<float>::infinity();
  if (walked.size() < node.move_count && (policy == nullptr || policy->allowed(walked.size()))) {
    best = walked.size();
    best_score = seen_by(value_white(node), node.side_to_move) -
                 config_.fpu_reduction * std::sqrt(node.visited_prior) + weight * prior[best];
  }
  for (std::size_t i = 0; i < walked.size(); ++i) {
    const Edge& edge = walked[i];
    if (edge.pruned || proven(edge) || (policy != nullptr && !policy->allowed(i))) continue;
    std::uint32_t visits = edge.visits;
    if (const Node* below = child(edge)) visits = below->visits;
    const float score = seen_by(edge.utility_white, node.side_to_move) +
                        weight * prior[i] / static_cast<float>(1 + visits + edge.in_flight);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

bool Tree::add_edge(Node& node) {
  if (!push_edge(node)) return false;
  if (&node != root_) bring_greatest(priors(node), moves(node), node.edge_count);
  return true;
}

// Makes an edge of the move at edge_count.
bool Tree::push_edge(Node& node) {
  const std::size_t count = node.edge_count;
  if (node.edges == 0 || count == std::size_t{1} << node.edge_capacity_log2) {
    const int log2 = node.edges == 0 ? 0 : node.edge_capacity_log2 + 1;
    const Ref grown = allocate(sizeof(Edge) << log2);
    if (grown == 0) return false;
    if (node.edges != 0) {
      std::copy_n(arena_.at<Edge>(node.edges), count, arena_.at<Edge>(grown));
      arena_.release(node.edges, node.edge_bytes());
    }
    node.edges = grown;
    node.edge_capacity_log2 = static_cast<std::uint8_t>(log2 & 15);
  }
  Edge& edge = *new (arena_.at<Edge>(node.edges) + count) Edge;
  edge.bounds = prices_.open();
  edge.utility_white =
      value_white(node) -
      seen_by(config_.fpu_reduction * std::sqrt(node.visited_prior), node.side_to_move);
  node.visited_prior += priors(node)[count];
  ++node.edge_count;
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

// How the game ends behind a proven edge.
ExactEnd Tree::end_of(const Edge& edge) const {
  const Node* node = child(edge);
  if (node == nullptr) return edge.end();
  return {static_cast<rules::Outcome>(node->outcome), node->moves_left};
}

void Tree::settle(const Walk& walk, ExactEnd end) {
  Delta delta;
  delta.sums = exact_sums(end.outcome);
  delta.moves_left = end.plies;
  backup(walk, summary(end), delta);
}

void Tree::backup(const Walk& walk, Summary child, Delta delta) {
  for (std::size_t i = walk.path.size(); i-- > 0;) {
    Node& node = *walk.path[i].node;
    delta.moves_left += 1;
    const bool was_proven = node.bounds.proven();
    count_visit(node, walk.path[i], delta);
    update_edge(node, edges(node)[walk.path[i].edge], child, delta);
    add(node, delta);
    if (node.bounds.proven() && !was_proven) prove(node, delta);
    child = summary(node);
  }
  --root_in_flight_;
}

// Counts the visit of a walk for the edge that gets it, and turns what has changed behind the
// walk's edge into what changes for the node: while an edge is neither aside nor pruned nor proven,
// the node holds all that its child holds.
void Tree::count_visit(Node& node, const Step& step, Delta& delta) const {
  Edge& edge = edges(node)[step.edge];
  --edge.in_flight;
  const bool settled = edge.bounds.proven() && child(edge) != nullptr;  // while this walk was below
  const bool was_aside = edge.aside;
  edge.aside = step.paid_by != Step::kNone && !edge.pruned && !settled;
  Delta moved;  // what comes back into the node's sums, or goes
  moved.weight = 0;
  if (edge.aside != was_aside) moved = held_before(edge, delta);
  if (step.paid_by == Step::kNone) {
    ++edge.visits;
    if (edge.pruned) {
      delta.set_nothing();
    } else if (settled) {  // the node holds its visits by its exact value
      delta.sums = exact_sums(end_of(edge).outcome);
      delta.weight = 1;
    }
    delta.add(moved, 1);
    return;
  }
  Edge& payer = edges(node)[step.paid_by];
  --payer.in_flight;
  ++payer.visits;
  delta.set_nothing();
  if (!payer.pruned) delta.add({exact_sums(end_of(payer).outcome), 1, 0}, 1);
  delta.add(moved, -1);
}

// What is held behind an edge, less what this backup has just changed there.
Tree::Delta Tree::held_before(const Edge& edge, const Delta& delta) const {
  Delta held;
  held.weight = 0;
  const Node* below = child(edge);
  if (below == nullptr || edge.pruned) return held;
  held.sums = below->sums;
  held.weight = below->weight;
  held.add(delta, -1);
  return held;
}

void Tree::update_edge(Node& node, Edge& edge, const Summary& child, Delta& delta) {
  const Bounds known = edge.bounds;
  if (config_.solver) edge.bounds = Prices::both(known, child.bounds);
  Summary seen = child;
  seen.bounds = edge.bounds;
  edge.utility_white = utility_white(seen);
  if (edge.bounds == known) return;
  if (edge.bounds.proven()) hold_exactly(edge, delta);
  tighten(node, delta);
}

// An edge has just been proven: from now on the node holds its visits, each with the exact value.
void Tree::hold_exactly(Edge& edge, Delta& delta) const {
  const Node* below = child(edge);
  if (below == nullptr || edge.pruned) return;
  const ExactEnd end = end_of(edge);
  double more = edge.visits;
  if (!edge.aside) more -= below->weight;
  edge.aside = false;
  delta.sums.add(exact_sums(end.outcome), more);
  delta.weight += more;
}

void Tree::add(Node& node, const Delta& delta) {
  ++node.visits;
  hold(node, delta);
  node.moves_left += (delta.moves_left - node.moves_left) / static_cast<float>(node.visits);
}

void Tree::hold(Node& node, const Delta& delta) {
  node.sums.add(delta.sums);
  constexpr double kLeast = 1e-3;  // against rounding: something is always held
  node.weight = std::max(kLeast, node.weight + delta.weight);
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
    take_out(edge, delta);
    edge.pruned = true;
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
  delta.weight += node.visits - node.weight;
  node.weight = node.visits;
}

// Takes what the edge has contributed to its node out of a backup.
void Tree::take_out(const Edge& edge, Delta& delta) const {
  if (edge.visits == 0 || edge.aside) return;
  if (proven(edge)) {
    delta.sums.add(exact_sums(end_of(edge).outcome), -static_cast<double>(edge.visits));
    delta.weight -= edge.visits;
    return;
  }
  const Node& node = *child(edge);
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

Summary Tree::summary(const ExactEnd& end) const {
  return {prices_.value_white(end.outcome), end.plies, prices_.exact(end.outcome)};
}

float Tree::utility_white(const Summary& child) const {
  const float value = prices_.clamp(child.value_white, child.bounds);
  if (config_.moves_left_weight == 0) return value;
  const float decided =
      (std::abs(value) - config_.moves_left_threshold) / (1 - config_.moves_left_threshold);
  if (decided <= 0) return value;
  const float delay = std::min(child.moves_left, 100.0f) / 100.0f;
  return value - std::copysign(config_.moves_left_weight * decided * delay, value);
}

float Tree::value_white(const Node& node) const {
  if (node.bounds.proven()) return prices_.value_white(node.bounds.lower);
  if (node.visits == 0) return 0;
  const auto mean = static_cast<float>(node.sums.value() / node.weight);
  return prices_.clamp(mean, prices_.open());
}

std::array<float, rules::kOutcomes> Tree::outcomes(const Node& node) const {
  std::array<float, rules::kOutcomes> shares{};
  if (node.bounds.proven()) {
    shares[node.outcome] = 1;
    return shares;
  }
  if (node.visits == 0) {
    shares.fill(1.0f / rules::kOutcomes);
    return shares;
  }
  double sum = 0;  // the weight, but for rounding
  for (std::size_t i = 0; i < shares.size(); ++i) sum += std::max(0.0, node.sums.terms[i + 1]);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = static_cast<float>(std::max(0.0, node.sums.terms[i + 1]) / sum);
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

float Tree::expected_white(const std::array<float, rules::kOutcomes>& shares) const {
  float expected = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    expected += shares[i] * prices_.value_white(static_cast<rules::Outcome>(i));
  }
  return prices_.clamp(expected, prices_.open());
}

float Tree::moves_left(const Edge& edge) const {
  if (const Node* node = child(edge)) return node->moves_left + 1;
  return edge.is_end() ? edge.end().plies + 1 : 0;
}

}  // namespace mcts
