#include "mcts/search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "mcts/collector.h"
#include "mcts/root_policy.h"
#include "mcts/root_report.h"
#include "mcts/tree.h"
#include "rules/move_list.h"

namespace mcts {
namespace {

const std::atomic<bool> kNever{false};

}  // namespace

std::size_t draw_by_visits(std::span<const double> visits, double temperature, base::Rng& rng) {
  const double greatest = *std::max_element(visits.begin(), visits.end());
  std::vector<double> powers;
  powers.reserve(visits.size());
  for (const double n : visits) {
    powers.push_back(n > 0 ? std::pow(n / greatest, 1 / temperature) : 0);
  }
  double left = rng.uniform() * std::accumulate(powers.begin(), powers.end(), 0.0);
  std::size_t drawn = 0;  // the last that can be, where rounding leaves a rest
  for (std::size_t i = 0; i < powers.size(); ++i) {
    if (powers[i] == 0) continue;
    drawn = i;
    if ((left -= powers[i]) < 0) break;
  }
  return drawn;
}

class Search::Impl {
 public:
  Impl(const SearchConfig& config, const rules::Position& root, const rules::ScoringTable& table,
       base::Rng seeded, rules::History past)
      : tree(config, root, table, std::move(past)), rng(seeded) {}

  void prepare() {
    policy.prepare(tree, {.explore = limits.explore, .simulations = limits.simulations}, rng);
  }

  int collect(int limit, LeafBatch& batch);

  Tree tree;
  RootPolicy policy;
  base::Rng rng;
  SearchLimits limits;
  int evaluations = 0;  // handed out since start()
  Collector collector;
};

Search::Search(const SearchConfig& config, const rules::Position& root,
               const rules::ScoringTable& table, base::Rng rng, rules::History past)
    : impl_(std::make_unique<Impl>(config, root, table, rng, std::move(past))) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::start(const SearchLimits& limits) {
  impl_->limits = limits;
  impl_->evaluations = 0;
  impl_->tree.set_visit_limit(static_cast<std::uint32_t>(limits.simulations));
  impl_->prepare();
}

int Search::collect(int limit, LeafBatch& batch) {
  Impl& s = *impl_;
  if (s.limits.evaluations > 0) limit = std::min(limit, s.limits.evaluations - s.evaluations);
  const int appended = limit > 0 ? s.collect(limit, batch) : 0;
  s.evaluations += appended;
  return appended;
}

int Search::Impl::collect(int limit, LeafBatch& batch) {
  int appended = 0;
  if (!tree.root().expanded()) {
    appended = collector.collect(tree, policy, 1, 1, batch).appended;
    if (!tree.root().expanded()) return appended;
    prepare();  // the cache knew the root
  }
  for (bool more = true; more;) {
    if (tree.needs_recycling()) tree.recycle(kNever);
    const std::uint32_t visits = tree.root().visits;
    const int leaves =
        collector.collect(tree, policy, limit - appended, limits.settled_at_once, batch).appended;
    appended += leaves;
    // Nodes with walks in flight are not recycled: they may fill the memory.
    more = tree.needs_recycling() && (leaves > 0 || tree.root().visits > visits);
  }
  return appended;
}

void Search::apply(const LeafBatch& batch, std::size_t first, std::size_t count) {
  const bool first_visit = !impl_->tree.root().expanded();
  impl_->collector.apply(impl_->tree, batch, first, count);
  if (first_visit && count > 0) impl_->prepare();
}

bool Search::done() const {
  const Impl& s = *impl_;
  return (s.limits.evaluations > 0 && s.evaluations >= s.limits.evaluations) ||
         s.tree.enough(s.policy);
}

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

bool Search::proven() const { return impl_->tree.root().bounds.proven(); }
std::size_t Search::memory_bytes() const { return impl_->tree.used_bytes(); }

PolicyTarget Search::policy_target() const {
  PolicyTarget target;
  target.weights = target_weights(impl_->tree, impl_->policy);
  target.outcomes = target_outcomes(impl_->tree, target.weights);
  target.value_stm =
      seen_by(impl_->tree.expected_white(target.outcomes), impl_->tree.root().side_to_move);
  return target;
}

std::vector<RootMove> Search::root_moves() const {
  return mcts::root_moves(impl_->tree, impl_->policy);
}

rules::Move Search::choose(float temperature) {
  const std::vector<MoveWeight> weights = drawing_weights(impl_->tree, impl_->policy);
  if (temperature <= 0 || weights.size() < 2) return best_move(impl_->tree, impl_->policy);
  std::vector<double> visits;
  visits.reserve(weights.size());
  for (const MoveWeight& w : weights) visits.push_back(static_cast<double>(w.weight));
  return weights[draw_by_visits(visits, static_cast<double>(temperature), impl_->rng)].move;
}

void Search::advance(rules::Move move) {
  impl_->policy.forget();
  impl_->tree.advance(move, impl_->tree.config().reuse_tree);
  impl_->policy.prepare(impl_->tree, {}, impl_->rng);
}

void Search::reset(const rules::Position& root) {
  impl_->policy.forget();
  impl_->tree.reset(root);
}

void Search::reset(const rules::Position& root, const rules::ScoringTable& table, base::Rng rng,
                   rules::History past) {
  impl_->policy.forget();
  impl_->tree.set_table(table);
  impl_->tree.reset(root, std::move(past));
  impl_->rng = rng;
}

}  // namespace mcts
