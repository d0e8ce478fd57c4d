#include "mcts/root_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "rules/move_list.h"

namespace mcts {
namespace {

// The sign that sorts proven ends by length: a good one for the side to move should come soon.
float patience(const Tree& tree, const Node& node) {
  return seen_by(tree.prices().value_white(node.bounds.lower), node.side_to_move) > 0 ? -1.0f
                                                                                      : 1.0f;
}

// How good the root's i-th move is as the one to play: compared from the first field on.
struct Standing {
  int kind;     // 3 the best that is proven, 2 still a candidate, 1 ruled out, 0 not asked for
  float delay;  // proven root: by length
  double visits;
  float preference;
  float prior;
  auto key() const { return std::tie(kind, delay, visits, preference, prior); }
};

// The value for the side to move at the root, lower where few visits say it.
float cautious_value(const Tree& tree, const Edge& edge) {
  constexpr float kDoubt = 8;  // visits' worth of losses
  const float value = seen_by(edge.value_white, tree.root().side_to_move);
  const float visits = static_cast<float>(edge.visits);
  return tree.proven(edge) ? value : (value * visits - kDoubt) / (visits + kDoubt);
}

Standing standing(const Tree& tree, const RootPolicy& policy, std::size_t i) {
  const Node& root = tree.root();
  Standing s{2, 0, 0, policy.preference(tree, i), tree.priors(root)[i]};
  if (!policy.allowed(i)) s.kind = 0;
  if (i >= root.edge_count) return s;
  const Edge& edge = tree.edges(root)[i];
  s.visits = policy.deciding_visits(tree, i);
  const bool settled = root.bounds.proven() && edge.bounds == root.bounds;
  if (policy.ruled_out(tree, i)) {
    s.kind = std::min(s.kind, 1);
    s.visits = 0;
    s.preference = cautious_value(tree, edge);
  } else if (settled && s.kind != 0) {
    s.kind = 3;
    s.delay = patience(tree, root) * tree.moves_left(edge);
  }
  return s;
}

// Brings the move that is worth most, of equals the first, to the front, if it is worth more than
// `least`.
template <class Worth>
void lift(std::vector<std::size_t>& order, float least, Worth&& worth) {
  const auto best = std::max_element(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return worth(a) < worth(b);
  });
  if (worth(*best) > least) std::rotate(order.begin(), best, best + 1);
}

// Visits lag behind values: a favourite that was refuted by the last of its visits still has the
// most. So of the candidates with a fair share of the visits comes first the one that is worth most
// by a lower bound, as in Leela Zero and KataGo; where the visits are the plan of a halving, the
// preferred one of those that came to its end.
void lift_best_candidate(const Tree& tree, const RootPolicy& policy,
                         const std::vector<Standing>& standings, std::vector<std::size_t>& order) {
  constexpr double kFairShare = 0.2;  // as a fraction of the first one's visits
  constexpr float kDoubt = 0.1f;      // after a single visit, in value units
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  const Standing& first = standings[order.front()];
  if (first.kind != 2 || first.visits < 1) return;
  const double fair = policy.gumbel() ? first.visits - 1 : std::max(1.0, kFairShare * first.visits);
  lift(order, kNone, [&](std::size_t i) {
    const Standing& s = standings[i];
    if (s.kind != 2 || s.visits < fair) return kNone;
    if (policy.gumbel()) return s.preference;
    const Edge& edge = tree.edges(tree.root())[i];
    const float value = seen_by(edge.value_white, tree.root().side_to_move);
    return tree.proven(edge) ? value : value - kDoubt / std::sqrt(static_cast<float>(s.visits));
  });
}

// Indices of the expanded root's moves, best first.
std::vector<std::size_t> ranking(const Tree& tree, const RootPolicy& policy) {
  const Node& root = tree.root();
  std::vector<Standing> standings;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < root.move_count; ++i) {
    standings.push_back(standing(tree, policy, i));
    order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return standings[a].key() > standings[b].key();
  });
  lift_best_candidate(tree, policy, standings, order);
  // A guarantee that beats the first move's estimate comes before it.
  const auto guarantee = [&](std::size_t i) {
    if (i >= root.edge_count || standings[i].kind < 2) return -2.0f;
    const Bounds b = tree.edges(root)[i].bounds;
    const bool white = root.side_to_move == rules::Color::kWhite;
    return seen_by(tree.prices().value_white(white ? b.lower : b.upper), root.side_to_move);
  };
  const std::size_t first = order.front();
  if (first < root.edge_count && standings[first].kind == 2) {
    lift(order, seen_by(tree.edges(root)[first].value_white, root.side_to_move), guarantee);
  }
  return order;
}

// Appends the moves that the search thinks best from behind this edge on; returns the last one's
// edge.
const Edge& append_line(const Tree& tree, const Edge& edge, std::vector<rules::Move>& line) {
  const Edge* last = &edge;
  const Node* node = tree.child(edge);
  while (node != nullptr && node->edge_count > 0 && !node->chance) {  // nobody knows the card
    const std::span<const Edge> walked = tree.edges(*node);
    std::size_t best = 0;
    const auto key = [&](std::size_t i) {
      const bool settled = node->bounds.proven() && walked[i].bounds == node->bounds;
      const float delay = settled ? patience(tree, *node) * tree.moves_left(walked[i]) : 0;
      return std::tuple(settled, delay, !walked[i].pruned(), walked[i].visits,
                        seen_by(walked[i].value_white, node->side_to_move));
    };
    for (std::size_t i = 1; i < walked.size(); ++i) {
      if (key(i) > key(best)) best = i;
    }
    if (!tree.valued(walked[best])) break;
    line.push_back(tree.moves(*node)[best]);
    last = &walked[best];
    node = tree.child(*last);
  }
  return *last;
}

RootMove report(const Tree& tree, const RootPolicy& policy, std::size_t i) {
  const Node& root = tree.root();
  RootMove r;
  r.move = tree.moves(root)[i];
  r.prior = policy.raw_prior(i);
  r.value_stm = seen_by(tree.value_white(root), root.side_to_move);
  r.outcomes = tree.outcomes(root);
  r.moves_left = root.moves_left;
  r.line.push_back(r.move);
  if (i >= root.edge_count || !tree.valued(tree.edges(root)[i])) return r;
  const Edge& edge = tree.edges(root)[i];
  r.visits = static_cast<int>(edge.visits);
  r.weight = edge.visits;
  r.value_stm = seen_by(edge.value_white, root.side_to_move);
  r.outcomes = tree.outcomes(edge);
  r.moves_left = tree.moves_left(edge);
  r.proven = tree.proven(edge);
  append_line(tree, edge, r.line);
  return r;
}

RootMove exact_report(const Tree& tree, rules::Move move, ExactEnd end) {
  const float value = seen_by(tree.prices().value_white(end.outcome), tree.root().side_to_move);
  return {.move = move,
          .value_stm = value,
          .outcomes = rules::certain(end.outcome),
          .moves_left = end.plies,
          .proven = true,
          .line = {move}};
}

// The legal moves that the root does not search: those that lose at once, or, of a root that was
// exact to begin with, all.
std::vector<RootMove> unsearched(const Tree& tree) {
  const Node& root = tree.root();
  const rules::Position& position = tree.position();
  rules::MoveList survivors;
  position.surviving_moves(survivors);
  const auto loss = rules::win_of(~root.side_to_move);
  std::vector<RootMove> reports;
  for (const rules::Move move : position.legal_moves()) {
    if (!survivors.contains(move)) {
      reports.push_back(exact_report(tree, move, {loss, 2}));
    } else if (!root.expanded()) {
      const rules::Position next = position.after(move);
      const auto outcome = next.outcome(tree.table(), tree.past().occurrences(next));
      if (outcome) {
        reports.push_back(exact_report(tree, move, {*outcome, 1}));
      } else {
        reports.push_back({.move = move, .moves_left = 1, .line = {move}});
        reports.back().outcomes.fill(1.0f / rules::kOutcomes);
      }
    }
  }
  std::stable_sort(reports.begin(), reports.end(), [](const RootMove& a, const RootMove& b) {
    return std::tie(a.value_stm, a.proven) > std::tie(b.value_stm, b.proven);
  });
  return reports;
}

// Equal weights for the best moves of a root that is not expanded.
std::vector<MoveWeight> even_weights(const Tree& tree) {
  const std::vector<RootMove> reports = unsearched(tree);
  std::vector<MoveWeight> weights;
  for (const RootMove& r : reports) {
    if (r.value_stm == reports.front().value_stm) weights.push_back({r.move, 1});
  }
  for (MoveWeight& w : weights) w.weight /= static_cast<float>(weights.size());
  return weights;
}

std::vector<MoveWeight> positive(const Tree& tree, const std::vector<double>& weights) {
  std::vector<MoveWeight> result;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0)
      result.push_back({tree.moves(tree.root())[i], static_cast<float>(weights[i])});
  }
  return result;
}

// The outcomes behind the root's moves, weighted by the probabilities that the search teaches.
rules::Outcomes target_outcomes(const Tree& tree, const std::vector<double>& target) {
  const std::span<const Edge> walked = tree.edges(tree.root());
  rules::Outcomes sum{};
  float mass = 0;
  for (std::size_t i = 0; i < walked.size(); ++i) {
    if (!(target[i] > 0) || !tree.valued(walked[i])) continue;
    const float weight = static_cast<float>(target[i]);
    const auto outcomes = tree.outcomes(walked[i]);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weight * outcomes[k];
    mass += weight;
  }
  if (!(mass > 0)) return tree.outcomes(tree.root());
  for (float& share : sum) share /= mass;
  return sum;
}

}  // namespace

std::vector<RootMove> root_moves(const Tree& tree, const RootPolicy& policy) {
  std::vector<RootMove> reports;
  if (tree.root().expanded()) {
    for (const std::size_t i : ranking(tree, policy)) reports.push_back(report(tree, policy, i));
  }
  for (RootMove& r : unsearched(tree)) reports.push_back(std::move(r));
  return reports;
}

rules::Move best_move(const Tree& tree, const RootPolicy& policy) {
  if (!tree.root().expanded()) return unsearched(tree).front().move;
  return tree.moves(tree.root())[ranking(tree, policy).front()];
}

MainLine main_line(const Tree& tree, const RootPolicy& policy) {
  const Node& root = tree.root();
  if (!root.expanded()) return {};
  const std::size_t best = ranking(tree, policy).front();
  MainLine line{{tree.moves(root)[best]}};
  if (best < root.edge_count) {
    line.exact = tree.proven(append_line(tree, tree.edges(root)[best], line.moves));
  }
  return line;
}

PolicyTarget policy_target(const Tree& tree, const RootPolicy& policy) {
  const Node& root = tree.root();
  PolicyTarget target{.weights = {}, .outcomes = tree.outcomes(root)};
  if (root.expanded()) {
    const std::vector<double> probabilities = policy.policy_target(tree);
    target.weights = positive(tree, probabilities);
    if (!root.bounds.proven() && root.visits > 1) {
      target.outcomes = target_outcomes(tree, probabilities);
    }
  } else {
    target.weights = even_weights(tree);
  }
  target.value_stm = seen_by(tree.expected_white(target.outcomes), root.side_to_move);
  return target;
}

std::vector<MoveWeight> sampling_weights(const Tree& tree, const RootPolicy& policy) {
  if (!tree.root().expanded()) return even_weights(tree);
  std::vector<MoveWeight> visits = positive(tree, policy.counted_visits(tree));
  return visits.empty() ? positive(tree, policy.policy_target(tree)) : visits;
}

}  // namespace mcts
