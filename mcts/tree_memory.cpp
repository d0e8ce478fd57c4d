// The tree's memory: new nodes, change of root, giving back what is no longer used.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "mcts/tree.h"
#include "rules/move_list.h"

namespace mcts {
namespace {

// Nodes of discarded subtrees that are given back for each new node, so that discarding is never a
// pause.
constexpr std::size_t kReclaimStep = 2;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// Nodes of like visits: four buckets to a doubling.
constexpr std::size_t kBuckets = 4 * 32;
std::size_t bucket_of(std::uint32_t visits) {
  return static_cast<std::size_t>(4 * std::log2(static_cast<double>(std::max(visits, 1u))));
}
std::uint32_t first_of_bucket(std::size_t bucket) {
  return static_cast<std::uint32_t>(std::ceil(std::exp2(static_cast<double>(bucket) / 4)));
}

}  // namespace

Ref Tree::allocate(std::size_t bytes) {
  Ref ref = pool_.allocate(bytes);
  if (ref == 0 && !garbage_.empty()) {
    reclaim(kAll);
    ref = pool_.allocate(bytes);
  }
  if (ref == 0) full_ = true;
  return ref;
}

Ref Tree::make_node(rules::Color side_to_move) {
  if (!garbage_.empty()) reclaim(kReclaimStep);
  const Ref ref = allocate(sizeof(Node));
  if (ref == 0) return 0;
  Node& node = *new (pool_.at<Node>(ref)) Node;
  node.side_to_move = side_to_move;
  node.bounds = prices_.open();
  return ref;
}

// A fresh root for position_. REQUIRES: a pool without blocks.
void Tree::make_root() {
  rules::MoveList survivors;
  if (position_.forced_outcome(table_)) {
    throw std::invalid_argument("search: the game is over in " + position_.to_fen());
  }
  const auto end = exact_end_of_moves(position_, survivors);
  root_ref_ = make_node(position_.side_to_move());
  root_ = pool_.at<Node>(root_ref_);
  root_->chance = position_.is_chance();
  if (!end) return;
  root_->bounds = prices_.exact(end->outcome);
  root_->outcome = end->outcome;
  root_->moves_left = end->plies;
}

void Tree::open_root() {
  if (root_->expanded() || !position_.can_capture_king()) return;
  root_->bounds = prices_.open();
  root_->moves_left = 0;
}

void Tree::reset(const rules::Position& root, rules::History past) {
  position_ = root;
  past_ = std::move(past);
  pool_.clear();
  garbage_.clear();
  full_ = false;
  root_in_flight_ = 0;
  make_root();
}

void Tree::advance(rules::Move move, bool keep) {
  Ref kept = 0;
  const std::span<const rules::Move> known =
      root_->expanded() ? moves(*root_) : std::span<rules::Move>();
  for (std::size_t i = 0; i < root_->edge_count && keep; ++i) {
    Edge& edge = edges(*root_)[i];
    if (known[i] == move && child(edge) != nullptr) kept = std::exchange(edge.child, 0);
  }
  past_.add(position_);
  const rules::Position next = position_.after(move);
  // A node that was proven and then recycled no longer knows its moves.
  const Node* const below = kept == 0 ? nullptr : pool_.at<Node>(kept);
  if (below == nullptr || (proven(*below) && !below->expanded())) {
    reset(next, std::move(past_));
    return;
  }
  garbage_.push_back(root_ref_);
  position_ = next;
  root_ref_ = kept;
  root_ = pool_.at<Node>(kept);
  root_->scanned = false;  // for mates, which are looked for at the root alone
}

// Gives back some of what was discarded.
void Tree::reclaim(std::size_t count) {
  for (; count > 0 && !garbage_.empty(); --count) {
    const Ref ref = garbage_.back();
    garbage_.pop_back();
    const Node& node = *pool_.at<Node>(ref);
    for (const Edge& edge : edges(node)) {
      if (edge.child >= Pool::kFirst) garbage_.push_back(edge.child);
    }
    if (node.edges != 0) pool_.release(node.edges, node.edge_bytes());
    if (node.policy != 0) pool_.release(node.policy, node.policy_bytes());
    pool_.release(ref, sizeof(Node));
  }
}

// Turns a node into a leaf that keeps its sums and bounds. Its blocks are left to the next sweep.
void Tree::collapse(Node& node) {
  node.edges = node.policy = 0;
  node.edge_count = node.move_count = 0;
  node.edge_capacity_log2 = 0;
  node.scanned = false;
}

// Calls visit(node, ref, busy) from the root down, `busy` where a walk in flight has passed.
template <class Visit>
void Tree::visit_nodes(const std::atomic<bool>& stop, Visit&& visit) {
  struct Entry {
    Ref ref;
    bool busy;
  };
  std::vector<Entry> stack{{root_ref_, true}};
  while (!stop && !stack.empty()) {
    const auto [ref, busy] = stack.back();
    stack.pop_back();
    Node& node = *pool_.at<Node>(ref);
    visit(node, ref, busy);
    for (const Edge& edge : edges(node)) {
      if (edge.child >= Pool::kFirst) stack.push_back({edge.child, edge.in_flight > 0});
    }
  }
}

// Nodes with fewer visits than this are to be collapsed.
std::uint32_t Tree::visits_to_forget(const std::atomic<bool>& stop) {
  std::array<std::size_t, kBuckets> bytes{};  // that collapsing a bucket's nodes gives back
  visit_nodes(stop, [&](const Node& node, Ref, bool busy) {
    if (busy || !node.expanded()) return;
    bytes[bucket_of(node.visits)] += node.policy_bytes() +
                                     (node.edges == 0 ? 0 : node.edge_bytes()) +
                                     node.edge_count * sizeof(Node);
  });
  // At least an eighth even where memory is only in pieces too small.
  const std::size_t used = pool_.used_bytes();
  const std::size_t wanted =
      std::max(pool_.max_bytes() / 8, used - std::min(used, pool_.max_bytes() / 3 * 2));
  std::size_t end = 1;
  for (std::size_t freed = bytes[0]; end + 1 < kBuckets && freed < wanted;) freed += bytes[end++];
  return first_of_bucket(end);
}

void Tree::recycle(const std::atomic<bool>& stop) {
  const std::uint32_t kept = visits_to_forget(stop);
  Pool::Marks marks(pool_);
  visit_nodes(stop, [&](Node& node, Ref ref, bool busy) {
    if (!busy && node.visits < kept) collapse(node);
    marks.mark(ref, sizeof(Node));
    if (node.policy != 0) marks.mark(node.policy, node.policy_bytes());
    if (node.edges != 0) marks.mark(node.edges, node.edge_bytes());
  });
  if (stop) return;
  garbage_.clear();
  pool_.sweep(marks, stop);
  full_ = stop.load();
}

}  // namespace mcts
