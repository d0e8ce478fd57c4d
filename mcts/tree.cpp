#include "mcts/tree.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "mcts/gumbel.h"
#include "mcts/root_policy.h"
#include "rules/move_list.h"

namespace mcts {
namespace {

// Walks in flight together: as many as Edge::in_flight can count, for all may pass one edge.
constexpr std::uint32_t kMaxInFlight = std::numeric_limits<std::uint16_t>::max();

// The pool's part of the memory bound; the rest is for the bookkeeping of recycling.
constexpr std::size_t pool_bytes(int max_tree_mib) {
  return (static_cast<std::size_t>(max_tree_mib) << 20) / 16 * 15;
}

}  // namespace

Tree::Tree(const SearchConfig& config, const rules::Position& root,
           const rules::ScoringTable& table, rules::History past)
    : config_(config),
      table_(table),
      prices_(table),
      exploration_(config),
      position_(root),
      past_(std::move(past)),
      pool_(pool_bytes(config.max_tree_mib)) {
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
  if (enough(policy)) return WalkEnd::kEnough;
  if (root_in_flight_ == kMaxInFlight) return WalkEnd::kBlocked;
  std::uint32_t in_flight = root_in_flight_++;
  const auto scan_visits = static_cast<std::uint32_t>(config_.scan_visits);
  while (node->expanded() || (node->chance && open_chance(*node, position))) {
    const bool scans_now = !node->scanned && !node->chance && scans();
    if (node != root_ && scans_now && node->visits >= scan_visits) {
      Delta delta;
      if (learn_by_scan(*node, position, delta)) {
        backup(walk, summary(*node), delta);
        return WalkEnd::kSettled;
      }
    }
    const auto step = choose_step(policy, *node, in_flight);
    if (!step) {
      abandon(walk);
      return WalkEnd::kFull;
    }
    Edge& edge = edges(*node)[step->edge];
    walk.path.push_back(*step);
    in_flight = edge.in_flight++;
    if (proven(edge)) {
      settle(walk, edge);
      return WalkEnd::kSettled;
    }
    const rules::Move move = this->moves(*node)[step->edge];
    node = child(edge);
    past_.add(position);
    position.play(move);
    if (node == nullptr && position.is_chance()) [[unlikely]] {
      edge.child = make_node(position.side_to_move());
      if (edge.child == 0) break;
      node = child(edge);
      node->chance = true;
    }
    if (node == nullptr) return open_edge(walk, position, moves);
  }
  if (node == nullptr || node->chance) {  // nobody evaluates chance: there was no memory for it
    abandon(walk);
    return WalkEnd::kFull;
  }
  return enter_leaf(walk, *node, position, moves);
}

// Makes the edges of all cards of a node at which chance moves. False where there is no memory for
// them.
bool Tree::open_chance(Node& node, const rules::Position& position) {
  const rules::MoveList cards = position.legal_moves();
  std::array<float, rules::kCards> chances{};
  for (std::size_t i = 0; i < cards.size(); ++i) {
    chances[i] = static_cast<float>(position.card_chance(cards[i]));
  }
  expand(node, cards, std::span(chances).first(cards.size()));
  while (node.edge_count < node.move_count && push_edge(node)) {
  }
  if (node.expanded() && node.edge_count == node.move_count) return true;
  collapse(node);
  return false;
}

// The card whose visits lag most behind its probability (by the method of Sainte-Laguë), of those
// that are not known exactly.
std::size_t Tree::select_card(const Node& node) const {
  const std::span<const Edge> cards = edges(node);
  const std::span<const float> chances = priors(node);
  return best_of(cards.size(), kNone, [&](std::size_t i) {
    const float share =
        chances[i] / static_cast<float>(1 + 2 * (cards[i].visits + cards[i].in_flight));
    return cards[i].closed() ? share - 1 : share;
  });
}

// Where a walk goes on from an expanded node; none where there is no memory for it.
std::optional<Step> Tree::choose_step(const RootPolicy& policy, Node& node,
                                      std::uint32_t in_flight) {
  const std::span<const Edge> walked = edges(node);
  const auto closed = [&](std::size_t i) { return walked[i].closed(); };
  if (node.chance) [[unlikely]]
    return Step{&node, static_cast<std::uint16_t>(select_card(node))};
  const std::size_t chosen = &node == root_ ? policy.select(*this)
                             : policy.gumbel()
                                 ? select_improved(node)
                                 : select_puct(node, node.visits - 1 + in_flight, true, closed);
  if (chosen == node.edge_count) {
    if (!push_edge(node)) return std::nullopt;
    if (&node != root_) bring_greatest(node);  // the root's moves keep the order that was noted
  }
  return Step{&node, static_cast<std::uint16_t>(chosen)};
}

// A walk has come to a node that is not expanded: the root at first, or a node that was recycled.
WalkEnd Tree::enter_leaf(Walk& walk, Node& node, const rules::Position& position,
                         rules::MoveList& moves) {
  if (node.pending) {
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
  const auto end = end_at(position, walk.occurrences, moves);
  Ref& ref = edges(*step.node)[step.edge].child;
  if (end) {
    ref = Edge::end_code(*end);
    settle(walk, *end);
    return WalkEnd::kSettled;
  }
  ref = make_node(position.side_to_move());
  if (ref == 0) {
    abandon(walk);
    return WalkEnd::kFull;
  }
  walk.leaf = pool_.at<Node>(ref);
  walk.leaf->pending = true;
  return WalkEnd::kLeaf;
}

void Tree::finish(const Walk& walk, const Evaluation& evaluation,
                  std::span<const rules::Move> moves, std::span<const float> priors) {
  Node& leaf = *walk.leaf;
  leaf.pending = false;
  expand(leaf, moves, priors);
  leaf.own_white = seen_by(evaluation.value_stm, leaf.side_to_move);
  const Delta delta{{leaf.own_white, evaluation.outcomes}, {}, evaluation.moves_left};
  add(leaf, delta);
  backup(walk, summary(leaf), delta);
}

void Tree::abandon(const Walk& walk) {
  for (const Step& step : walk.path) --edges(*step.node)[step.edge].in_flight;
  if (walk.leaf != nullptr) walk.leaf->pending = false;
  --root_in_flight_;
}

// Acts so that visits follow the improved policy (Danihelka et al. 2022, section 5).
std::size_t Tree::select_improved(const Node& node) const {
  const std::span<const Edge> walked = edges(node);
  const std::span<const float> prior = priors(node);
  std::array<float, rules::MoveList::kCapacity> improved;
  const float rest = improved_policy(*this, node, improved);
  float total = 1;
  for (const Edge& edge : walked) total += static_cast<float>(edge.visits + edge.in_flight);
  const bool may_open = walked.size() < node.move_count;
  return best_of(walked.size(), may_open ? prior[walked.size()] * rest : kNone, [&](std::size_t i) {
    if (walked[i].closed()) return kNone;
    return improved[i] - static_cast<float>(walked[i].visits + walked[i].in_flight) / total;
  });
}

// Brings the greatest prior of the moves not walked to edge_count, its move with it.
void Tree::bring_greatest(Node& node) {
  const std::span<float> priors = this->priors(node);
  const std::size_t next = node.edge_count;
  if (next == priors.size()) return;
  const auto best = static_cast<std::size_t>(
      std::max_element(priors.begin() + node.edge_count, priors.end()) - priors.begin());
  std::swap(priors[next], priors[best]);
  std::swap(moves(node)[next], moves(node)[best]);
}

// Makes an edge of the move at edge_count.
bool Tree::push_edge(Node& node) {
  const std::size_t count = node.edge_count;
  if (node.edges == 0 || count == std::size_t{1} << node.edge_capacity_log2) {
    const int log2 = node.edges == 0 ? 0 : node.edge_capacity_log2 + 1;
    const Ref grown = allocate(sizeof(Edge) << log2);
    if (grown == 0) return false;
    if (node.edges != 0) {
      std::copy_n(pool_.at<Edge>(node.edges), count, pool_.at<Edge>(grown));
      pool_.release(node.edges, node.edge_bytes());
    }
    node.edges = grown;
    node.edge_capacity_log2 = static_cast<std::uint8_t>(log2 & 15);
  }
  Edge& edge = *new (pool_.at<Edge>(node.edges) + count) Edge;
  edge.bounds = prices_.open();
  edge.value_white = value_white(node);
  node.visited_prior += priors(node)[count];
  ++node.edge_count;
  return true;
}

void Tree::expand(Node& node, std::span<const rules::Move> moves, std::span<const float> priors) {
  const Ref ref = allocate(moves.size() * (sizeof(float) + sizeof(rules::Move)));
  if (ref == 0) return;
  node.policy = ref;
  node.move_count = static_cast<std::uint16_t>(moves.size());
  node.visited_prior = 0;
  std::copy(priors.begin(), priors.end(), this->priors(node).begin());
  std::copy(moves.begin(), moves.end(), this->moves(node).begin());
  bring_greatest(node);
}

float Tree::value_white(const Node& node) const {
  if (node.visits == 0 || node.bounds.proven()) {
    return node.bounds.proven() ? prices_.value_white(node.bounds.lower) : 0;
  }
  return prices_.clamp(static_cast<float>(node.sums.value() / node.visits), node.bounds);
}

rules::Outcomes Tree::outcomes(const Node& node) const {
  if (node.bounds.proven()) return rules::certain(node.outcome);
  rules::Outcomes shares{};
  if (node.visits == 0) {
    shares.fill(1.0f / rules::kOutcomes);
    return shares;
  }
  // What was thought before a bound was known may lie beyond it.
  const float mean = static_cast<float>(node.sums.value() / node.visits);
  if (mean < prices_.value_white(node.bounds.lower)) {
    return rules::certain(prices_.outcome_of(node.bounds.lower));
  }
  if (mean > prices_.value_white(node.bounds.upper)) {
    return rules::certain(prices_.outcome_of(node.bounds.upper));
  }
  double sum = 0;  // the visits, but for rounding
  for (std::size_t i = 0; i < shares.size(); ++i) sum += std::max(0.0, node.sums.terms[i + 1]);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = static_cast<float>(std::max(0.0, node.sums.terms[i + 1]) / sum);
  }
  return shares;
}

rules::Outcomes Tree::outcomes(const Edge& edge) const {
  if (const Node* node = child(edge)) return outcomes(*node);
  return edge.is_end() ? rules::certain(edge.end().outcome) : rules::Outcomes{};
}

float Tree::expected_white(const rules::Outcomes& shares) const {
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
