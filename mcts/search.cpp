#include "mcts/search.h"

#include <algorithm>
#include <atomic>

namespace mcts {
namespace {

const std::atomic<bool> kNever{false};

}  // namespace

void Search::prepare() {
  const auto visits = static_cast<int>(std::min<std::uint64_t>(limits_.nodes, 1u << 30));
  policy_.prepare(tree_, {.explore = limits_.explore, .simulations = visits}, rng_);
}

void Search::start(const tactics::SearchLimits& limits) {
  limits_ = limits;
  evaluations_ = 0;
  tree_.set_visit_limit(limits.nodes);
  prepare();
}

int Search::collect(int limit, LeafBatch& batch, std::uint64_t settled_at_once) {
  if (limits_.evaluations > 0) limit = std::min(limit, limits_.evaluations - evaluations_);
  if (limit <= 0) return 0;
  int appended = 0;
  if (!tree_.root().expanded()) {
    appended = collector_.collect(tree_, policy_, 1, 1, batch).appended;
    if (tree_.root().expanded()) prepare();  // the cache knew the root
  }
  for (bool more = tree_.root().expanded(); more;) {
    if (tree_.needs_recycling()) tree_.recycle(kNever);
    const std::uint32_t visits = tree_.root().visits;
    const int leaves =
        collector_.collect(tree_, policy_, limit - appended, settled_at_once, batch).appended;
    appended += leaves;
    // Nodes with walks in flight are not recycled: they may fill the memory.
    more = tree_.needs_recycling() && (leaves > 0 || tree_.root().visits > visits);
  }
  evaluations_ += appended;
  return appended;
}

void Search::apply(const LeafBatch& batch, std::size_t first, std::size_t count) {
  const bool first_visit = !tree_.root().expanded();
  collector_.apply(tree_, batch, first, count);
  if (first_visit && count > 0) prepare();
}

bool Search::done() const {
  return (limits_.evaluations > 0 && evaluations_ >= limits_.evaluations) || tree_.enough(policy_);
}

float Search::value_stm() const {
  return seen_by(tree_.value_white(tree_.root()), tree_.root().side_to_move);
}

rules::Move Search::choose(float temperature) {
  const std::vector<MoveWeight> weights = sampling_weights(tree_, policy_);
  if (temperature <= 0 || weights.size() < 2) return best_move(tree_, policy_);
  std::vector<double> visits;
  visits.reserve(weights.size());
  for (const MoveWeight& w : weights) visits.push_back(static_cast<double>(w.weight));
  return weights[tactics::sample_by_weight(visits, static_cast<double>(temperature), rng_)].move;
}

void Search::advance(rules::Move move) {
  policy_.forget();
  tree_.advance(move, tree_.config().reuse_tree);
  policy_.prepare(tree_, {}, rng_);
}

void Search::reset(const rules::Position& root, const rules::ScoringTable& table, base::Rng rng,
                   rules::History past) {
  policy_.forget();
  tree_.set_table(table);
  tree_.reset(root, std::move(past));
  rng_ = rng;
}

}  // namespace mcts
