// What a tree learns: values, and bounds that stick (score-bounded search: Cazenave and Saffidine
// 2010).

#include <algorithm>
#include <utility>

#include "mcts/tree.h"
#include "tactics/checks.h"

namespace mcts {

std::optional<ExactEnd> exact_end(const rules::Position& position, int occurrences,
                                  const rules::ScoringTable& table, rules::MoveList& survivors) {
  if (const auto outcome = position.outcome(table, occurrences)) return ExactEnd{*outcome, 0};
  return exact_end_of_moves(position, survivors);
}

std::optional<ExactEnd> exact_end_of_moves(const rules::Position& position,
                                           rules::MoveList& survivors) {
  const rules::Color mover = position.side_to_move();
  if (position.can_capture_king()) return ExactEnd{rules::win_of(mover), 1};
  position.surviving_moves(survivors);
  if (survivors.size() == 0) return ExactEnd{rules::win_of(~mover), 2};
  return std::nullopt;
}

void Tree::settle(const Walk& walk, ExactEnd end) {
  backup(walk, {prices_.value_white(end.outcome), prices_.exact(end.outcome)},
         {exact_sums(end.outcome), {}, end.plies});
}

void Tree::settle(const Walk& walk, const Edge& edge) {
  if (ends(edge)) return settle(walk, end_of(edge));
  const Node& node = *child(edge);
  backup(walk, summary(node), {mean(node), {}, node.moves_left});
}

void Tree::backup(const Walk& walk, const Summary& child, const Delta& delta) {
  if (position_.has_cards()) return backup_by<true>(walk, child, delta);
  backup_by<false>(walk, child, delta);
}

// `kChance`: there may be chance nodes, and so exact values that are no outcome's.
template <bool kChance>
void Tree::backup_by(const Walk& walk, Summary child, Delta delta) {
  for (std::size_t i = walk.path.size(); i-- > 0;) {
    Node& node = *walk.path[i].node;
    Edge& edge = edges(node)[walk.path[i].edge];
    --edge.in_flight;
    ++edge.visits;
    const Bounds known = edge.bounds;
    if (config_.solver) edge.bounds = Prices::both(known, child.bounds);
    const bool now_exact = kChance && config_.solver && child.exact && !edge.exact();
    edge.add_mark(Edge::kExact, now_exact);
    edge.value_white = prices_.clamp(child.value_white, edge.bounds);
    if (kChance && node.chance) {
      expect(node, delta);
    } else {
      // Until it has a guarantee a node's sums hold just what its moves have handed on.
      const bool held = !guarantees(node);
      const bool learned = !(edge.bounds == known) || now_exact;
      const Sums proof = learned ? tighten(node) : Sums();
      if (proven(node) || !held) delta.change = proof;
      if (kChance && node.exact) {
        delta.visit = mean(node);
      } else if (node.bounds.proven() ||
                 (guarantees(node) && no_better_than_guarantee(node, edge))) {
        delta.visit = exact_sums(node.outcome);
      }
    }
    delta.moves_left += 1;
    add(node, delta);
    child = summary(node);
  }
  --root_in_flight_;
}

// What chance lets expect after the newest visit of one of its cards: the mean of those visited, by
// their probabilities. The node's earlier visits count as much as the newest: each card by its
// probability, however often it was walked.
void Tree::expect(Node& node, Delta& delta) {
  const std::span<const Edge> cards = edges(node);
  const std::span<const float> chances = priors(node);
  Sums sum;
  double mass = 0, lowest = 0, highest = 0;
  bool exact = true, alike = true;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Edge& card = cards[i];
    const double chance = static_cast<double>(chances[i]);
    if (valued(card)) {
      sum.add({card.value_white, outcomes(card)}, chance);
      mass += chance;
    }
    exact = exact && proven(card);
    alike = alike && card.bounds.proven() && card.bounds == cards[0].bounds;
    lowest += chance * static_cast<double>(card.exact() ? card.value_white
                                                        : prices_.value_white(card.bounds.lower));
    highest += chance * static_cast<double>(card.exact() ? card.value_white
                                                         : prices_.value_white(card.bounds.upper));
  }
  delta.visit = Sums();
  delta.visit.add(sum, 1 / mass);
  delta.change = Sums();
  node.sums = Sums();
  node.sums.add(delta.visit, node.visits);
  if (!config_.solver) return;
  const Bounds between = alike ? cards[0].bounds : prices_.around(lowest, highest);
  node.bounds = Prices::both(node.bounds, between);
  node.exact = exact && !alike;
  if (alike) note_end(node);
}

// The mean of the node's visits. REQUIRES: visited.
Sums Tree::mean(const Node& node) const {
  Sums result;
  result.add(node.sums, 1.0 / node.visits);
  return result;
}

// The lower bound of the side to move is above a loss; node.outcome is what it stands for.
bool Tree::guarantees(const Node& node) const {
  return prices_.seen_by(node.bounds, node.side_to_move).lower > 0;
}

// A proven move needs no visits, so walks go by others; where these are worth less than what is
// sure, the side to move would not play them.
bool Tree::no_better_than_guarantee(const Node& node, const Edge& edge) const {
  const bool white = node.side_to_move == rules::Color::kWhite;
  const int sure = white ? node.bounds.lower : node.bounds.upper;
  return seen_by(edge.value_white - prices_.value_white(sure), node.side_to_move) <= 0;
}

void Tree::add(Node& node, const Delta& delta) {
  ++node.visits;
  node.sums.add(delta.visit);
  if (proven(node)) return;
  node.sums.add(delta.change);
  node.moves_left += (delta.moves_left - node.moves_left) / static_cast<float>(node.visits);
}

// How the game ends behind a proven edge.
ExactEnd Tree::end_of(const Edge& edge) const {
  const Node* node = child(edge);
  if (node == nullptr) return edge.end();
  return {node->outcome, node->moves_left};
}

// As exact_end(), or what a tablebase knows: an end that is further off.
std::optional<ExactEnd> Tree::end_at(const rules::Position& position, int occurrences,
                                     rules::MoveList& survivors) {
  auto end = exact_end(position, occurrences, table_, survivors);
  if (end || tables_ == nullptr) return end;
  const auto verdict = tables_->probe_in_game(position);
  if (!verdict) return end;
  ++tablebase_hits_;
  return ExactEnd{verdict->outcome, Edge::kMostPlies};
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
    auto end = end_at(next, past_.occurrences(next), survivors);
    if (!end && &node == root_ && !next.has_cards() && tactics::has_mate_in_one(next)) {
      end = ExactEnd{rules::win_of(next.side_to_move()), plies_to_mate};
    }
    if (!end) continue;
    std::swap(moves(node)[i], moves(node)[node.edge_count]);
    std::swap(priors(node)[i], priors(node)[node.edge_count]);
    if (!push_edge(node)) break;
    Edge& edge = edges(node).back();
    edge.child = Edge::end_code(*end);
    edge.bounds = prices_.exact(end->outcome);
    edge.value_white = prices_.value_white(end->outcome);
  }
  bring_greatest(node);
}

// Scans the node. If that changes its bounds, counts a visit with what was known of it and returns
// true, `delta` being what a backup hands on.
bool Tree::learn_by_scan(Node& node, const rules::Position& position, Delta& delta) {
  const Bounds known = node.bounds;
  scan(node, position);
  const Sums change = tighten(node);
  if (node.bounds == known && !node.exact) return false;
  delta = {{value_white(node), outcomes(node)}, change, node.moves_left};
  add(node, delta);
  return true;
}

void Tree::scan_root() {
  Node& root = *root_;
  if (!scans() || root.scanned || root.chance || proven(root)) return;
  scan(root, position_);
  tighten(root);
}

// Derives the node's bounds from its edges', and prunes the edges that they rule out. If that
// proves it, what it has summed up is replaced by the exact value: returns what that changes.
Sums Tree::tighten(Node& node) {
  const rules::Color mover = node.side_to_move;
  const std::span<Edge> walked = edges(node);
  if (walked.empty()) return {};
  const Edge* best = nullptr;  // has the highest guarantee; of equals one that is not pruned
  std::uint8_t upper = 0;
  if (node.edge_count < node.move_count) upper = prices_.open().upper;
  for (const Edge& edge : walked) {
    const Bounds b = prices_.seen_by(edge.bounds, mover);
    upper = std::max<std::uint8_t>(upper, b.upper);
    const int guarantee = best == nullptr ? -1 : prices_.seen_by(best->bounds, mover).lower;
    if (b.lower > guarantee || (b.lower == guarantee && best->pruned() && !edge.pruned()))
      best = &edge;
  }
  const std::uint8_t lower = prices_.seen_by(best->bounds, mover).lower;
  for (Edge& edge : walked) {
    edge.add_mark(Edge::kPruned,
                  &edge != best && prices_.seen_by(edge.bounds, mover).upper <= lower);
  }
  node.bounds = Prices::both(node.bounds, prices_.seen_by(Prices::between(lower, upper), mover));
  if (node.bounds.proven()) {
    note_end(node);
    Sums change;
    change.add(exact_sums(node.outcome), node.visits);
    change.add(node.sums, -1);
    node.sums.add(change);
    return change;
  }
  // A recycled node keeps its bounds, but the moves that brought them may not have edges again yet.
  const bool its = prices_.seen_by(node.bounds, mover).lower == lower;
  const rules::Outcome guaranteed =
      its && ends(*best) ? end_of(*best).outcome
                         : prices_.outcome_of(mover == rules::Color::kWhite ? node.bounds.lower
                                                                            : node.bounds.upper);
  node.outcome = guaranteed;
  return position_.has_cards() ? tighten_expectation(node) : Sums();
}

// The same with exact expectations, which are no outcome's value: prunes the moves that cannot be
// better than the best of them. Where no other move is open the node is exact too; returns as
// tighten().
Sums Tree::tighten_expectation(Node& node) {
  const rules::Color mover = node.side_to_move;
  const auto worth = [&](const Edge& edge) { return seen_by(edge.value_white, mover); };
  const auto most = [&](const Edge& edge) {
    const bool white = mover == rules::Color::kWhite;
    return proven(edge)
               ? worth(edge)
               : seen_by(prices_.value_white(white ? edge.bounds.upper : edge.bounds.lower), mover);
  };
  const std::span<Edge> walked = edges(node);
  const Edge* best = nullptr;
  for (const Edge& edge : walked) {
    if (proven(edge) && (best == nullptr || worth(edge) > worth(*best))) best = &edge;
  }
  if (best == nullptr) return {};
  bool open = node.edge_count < node.move_count;
  for (Edge& edge : walked) {
    edge.add_mark(Edge::kPruned, &edge != best && most(edge) <= worth(*best));
    open = open || !edge.closed();
  }
  if (open) return {};
  node.exact = true;
  node.moves_left = moves_left(*best);
  Sums change;
  change.add({best->value_white, outcomes(*best)}, node.visits);
  change.add(node.sums, -1);
  node.sums.add(change);
  return change;
}

// Notes how the game ends behind a proven node: the winner takes the short way.
void Tree::note_end(Node& node) {
  const bool winning = seen_by(prices_.value_white(node.bounds.lower), node.side_to_move) > 0;
  bool found = false;
  node.outcome = prices_.outcome_of(node.bounds.lower);
  for (const Edge& edge : edges(node)) {
    if (!(edge.bounds == node.bounds)) continue;
    const ExactEnd end = end_of(edge);
    const float plies = end.plies + 1;
    if (found && (winning ? plies >= node.moves_left : plies <= node.moves_left)) continue;
    found = true;
    node.moves_left = plies;
    node.outcome = end.outcome;
  }
}

Sums Tree::exact_sums(rules::Outcome outcome) const {
  return {prices_.value_white(outcome), rules::certain(outcome)};
}

Summary Tree::summary(const Node& node) const {
  return {value_white(node), node.bounds, node.exact};
}

}  // namespace mcts
