#include "mcts/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "mcts/root_policy.h"
#include "mcts/root_report.h"
#include "mcts/tree.h"
#include "rules/move_list.h"

namespace mcts {

class Search::Impl {
 public:
  Impl(const SearchConfig& config, const rules::Position& root, const rules::ScoringTable& table,
       rules::Rng seeded)
      : tree(config, root, table), rng(seeded) {}

  void prepare() { policy.prepare(tree, limits.explore, limits.simulations, rng); }
  std::uint32_t open_walk() {
    if (free_walks.empty()) {
      free_walks.push_back(static_cast<std::uint32_t>(walks.size()));
      walks.emplace_back();
    }
    const std::uint32_t ticket = free_walks.back();
    free_walks.pop_back();
    return ticket;
  }
  void append(const rules::Position& position, const rules::MoveList& moves, std::uint32_t ticket,
              LeafBatch& batch) const {
    Leaf leaf;
    leaf.position = position;
    leaf.table = &tree.table();
    leaf.first_move = static_cast<std::uint32_t>(batch.moves.size());
    leaf.move_count = static_cast<std::uint32_t>(moves.size());
    leaf.ticket = ticket;
    batch.moves.insert(batch.moves.end(), moves.begin(), moves.end());
    batch.leaves.push_back(leaf);
  }

  Tree tree;
  RootPolicy policy;
  rules::Rng rng;
  SearchLimits limits;
  std::vector<Walk> walks;  // by ticket
  std::vector<std::uint32_t> free_walks;
};

Search::Search(const SearchConfig& config, const rules::Position& root,
               const rules::ScoringTable& table, rules::Rng rng)
    : impl_(std::make_unique<Impl>(config, root, table, rng)) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::start(const SearchLimits& limits) {
  impl_->limits = limits;
  impl_->tree.set_visit_limit(static_cast<std::uint32_t>(limits.simulations));
  impl_->prepare();
}

int Search::collect(int limit, LeafBatch& batch) {
  Impl& s = *impl_;
  if (s.tree.needs_recycling()) s.tree.recycle();
  rules::MoveList moves;
  rules::Position position = s.tree.position();
  int appended = 0;
  while (appended < limit) {
    const std::uint32_t ticket = s.open_walk();
    const WalkEnd end = s.tree.walk(s.policy, s.walks[ticket], position, moves);
    if (end == WalkEnd::kLeaf) {
      s.append(position, moves, ticket, batch);
      ++appended;
      continue;
    }
    s.free_walks.push_back(ticket);
    if (end == WalkEnd::kBlocked || end == WalkEnd::kEnough) break;
    if (end == WalkEnd::kFull) s.tree.recycle();
  }
  return appended;
}

void Search::apply(const LeafBatch& batch, std::size_t first, std::size_t count) {
  Impl& s = *impl_;
  for (const Leaf& leaf : std::span(batch.leaves).subspan(first, count)) {
    const bool first_visit = !s.tree.root().expanded();
    s.tree.finish(s.walks[leaf.ticket], leaf.evaluation, batch.moves_of(leaf), batch.priors_of(leaf));
    s.free_walks.push_back(leaf.ticket);
    if (first_visit) s.prepare();
  }
}

bool Search::done() const { return impl_->tree.enough(); }
const rules::Position& Search::root() const { return impl_->tree.position(); }
const rules::ScoringTable& Search::table() const { return impl_->tree.table(); }
int Search::visits() const { return static_cast<int>(impl_->tree.root().visits); }

float Search::value_stm() const {
  const Node& root = impl_->tree.root();
  return seen_by(impl_->tree.value_white(root), root.side_to_move);
}

std::array<float, rules::kOutcomes> Search::outcomes() const {
  return impl_->tree.outcomes(impl_->tree.root());
}

float Search::moves_left() const { return impl_->tree.root().moves_left; }
bool Search::proven() const { return impl_->tree.root().bounds.proven(); }
std::size_t Search::memory_bytes() const { return impl_->tree.used_bytes(); }

PolicyTarget Search::policy_target() const {
  PolicyTarget target;
  target.value_stm = value_stm();
  target.outcomes = outcomes();
  target.weights = target_weights(impl_->tree, impl_->policy);
  return target;
}

std::vector<RootMove> Search::root_moves() const { return mcts::root_moves(impl_->tree, impl_->policy); }

rules::Move Search::choose(float temperature) {
  const std::vector<MoveWeight> visits = drawing_weights(impl_->tree, impl_->policy);
  if (temperature <= 0 || visits.size() < 2) return best_move(impl_->tree, impl_->policy);
  double greatest = 0;
  for (const MoveWeight& w : visits) greatest = std::max(greatest, static_cast<double>(w.weight));
  std::vector<double> powers;
  powers.reserve(visits.size());
  for (const MoveWeight& w : visits) {
    powers.push_back(std::pow(static_cast<double>(w.weight) / greatest, 1 / static_cast<double>(temperature)));
  }
  double draw = impl_->rng.uniform() * std::accumulate(powers.begin(), powers.end(), 0.0);
  for (std::size_t i = 0; i + 1 < visits.size(); ++i) {
    if ((draw -= powers[i]) < 0) return visits[i].move;
  }
  return visits.back().move;
}

void Search::advance(rules::Move move) {
  impl_->policy.forget();
  impl_->tree.advance(move, impl_->tree.config().reuse_tree);
  impl_->policy.prepare(impl_->tree, false, 0, impl_->rng);
}

void Search::reset(const rules::Position& root) {
  impl_->policy.forget();
  impl_->tree.reset(root);
}

}  // namespace mcts
