#pragma once
// The search tree: walks from the root to a leaf, expansion, backup.

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mcts/bounds.h"
#include "mcts/evaluator.h"
#include "mcts/node.h"
#include "mcts/pool.h"
#include "mcts/puct.h"
#include "mcts/search_config.h"
#include "rules/history.h"
#include "rules/move_list.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "tablebase/tables.h"

namespace mcts {

// The exact end that needs no search, or none, with `survivors` the moves to search then: over; the
// side to move takes the king; or each of its moves loses its own. The one statement of what a leaf
// is. `occurrences` as of Position::outcome.
std::optional<ExactEnd> exact_end(const rules::Position& position, int occurrences,
                                  const rules::ScoringTable& table, rules::MoveList& survivors);
// The same where the game is not over, or goes on because nobody has claimed its end.
std::optional<ExactEnd> exact_end_of_moves(const rules::Position& position,
                                           rules::MoveList& survivors);

enum class WalkEnd {
  kLeaf,     // the leaf's evaluation is wanted
  kSettled,  // an exact end, backed up
  kBlocked,  // the way ends at a leaf that is in flight, or too many are; nothing changed
  kFull,     // no memory; nothing changed
  kEnough    // the root is proven or has the visits asked for, those in flight counted in
};

class RootPolicy;

// Not thread-safe: threads that share a tree take turns (Team).
class Tree {
 public:
  // `past`: of the game that has come to the root. Throws std::invalid_argument where the root has
  // a forced_outcome(): an end that players may claim ends walks, but not the root.
  Tree(const SearchConfig& config, const rules::Position& root, const rules::ScoringTable& table,
       rules::History past = {});

  // Walks from the root. On kLeaf `position` and `moves` (surviving, never empty) are the leaf's,
  // and the walk counts as in flight until finish() or abandon().
  WalkEnd walk(const RootPolicy& policy, Walk& walk, rules::Position& position,
               rules::MoveList& moves);
  // Expands the walk's leaf, if there is memory for it, and backs its evaluation up.
  void finish(const Walk& walk, const Evaluation& evaluation, std::span<const rules::Move> moves,
              std::span<const float> priors);
  // Takes the walk back as if it had never been.
  void abandon(const Walk& walk);

  // With so many visits of the root, or when the policy has decided, walks end with kEnough.
  void set_visit_limit(std::uint64_t visits) {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    visit_limit_ =
        visits == 0 ? kMost : static_cast<std::uint32_t>(std::min<std::uint64_t>(visits, kMost));
  }
  bool enough(const RootPolicy& policy) const;

  // Looks for exact ends one move behind the root. REQUIRES: expanded.
  void scan_root();

  // REQUIRES (these and advance()): no walk in flight.
  // Throws as the constructor does.
  void reset(const rules::Position& root, rules::History past = {});
  // Positions that these know are exact ends; null: none. They outlive the tree, are of its rules,
  // and hold under its scoring table.
  void set_tablebase(const tablebase::Tables* tables) { tables_ = tables; }
  std::uint64_t tablebase_hits() const { return tablebase_hits_; }
  // For the trees from the next reset() on.
  void set_table(const rules::ScoringTable& table) {
    table_ = table;
    prices_ = Prices(table);
  }
  // Lets a root be searched whose side to move can take the king, to tell its other moves apart.
  void open_root();
  // Forgets all but the root's position and past.
  void forget() { reset(position_, std::move(past_)); }
  // Re-roots behind the move; its subtree is kept if `keep` and it has one.
  void advance(rules::Move move, bool keep);
  // Forgets the least visited subtrees, but none with a walk in flight, until at least a third of
  // the memory is free. Leaves off when `stop` is set; recycling is then still needed.
  void recycle(const std::atomic<bool>& stop);
  bool needs_recycling() const { return full_; }

  const rules::Position& position() const { return position_; }
  const rules::History& past() const { return past_; }  // the positions before the root
  const rules::ScoringTable& table() const { return table_; }
  const Prices& prices() const { return prices_; }
  const Exploration& exploration() const { return exploration_; }
  const SearchConfig& config() const { return config_; }
  Node& root() { return *root_; }
  const Node& root() const { return *root_; }
  std::uint32_t root_in_flight() const { return root_in_flight_; }
  std::size_t used_bytes() const { return pool_.used_bytes(); }

  // The move of the greatest value plus exploration (PUCT: Silver et al. 2018), with the first of
  // the moves not walked yet, if it `may_open` and there is one, at the node's mean. `visits`:
  // of the moves together. `closed(i)`: the i-th move, walked before, is not to be walked.
  // REQUIRES: some move can be walked.
  template <class Closed>
  std::size_t select_puct(const Node& node, std::uint32_t visits, bool may_open,
                          Closed&& closed) const;
  // Gumbel's choice below the root: the move whose visits lag most behind the improved policy.
  std::size_t select_improved(const Node& node) const;

  // Views of a node's parts. `edges` are those in use, a prefix of `moves` and `priors`.
  std::span<Edge> edges(const Node& node) const {
    return {pool_.at<Edge>(node.edges), node.edge_count};
  }
  std::span<float> priors(const Node& node) const {
    return {pool_.at<float>(node.policy), node.move_count};
  }
  std::span<rules::Move> moves(const Node& node) const {
    return {reinterpret_cast<rules::Move*>(pool_.at<float>(node.policy) + node.move_count),
            node.move_count};
  }
  // Null where the edge has no node.
  Node* child(const Edge& edge) const {
    return edge.child < Pool::kFirst ? nullptr : pool_.at<Node>(edge.child);
  }

  // The expected value: the mean of the node's visits, or its exact value. REQUIRES: visited or
  // proven.
  float value_white(const Node& node) const;
  rules::Outcomes outcomes(const Node& node) const;
  rules::Outcomes outcomes(const Edge& edge) const;
  // The expected value of these outcomes.
  float expected_white(const rules::Outcomes& shares) const;
  float moves_left(const Edge& edge) const;  // in plies from the edge's parent
  // There is more to say about the edge than its prior.
  bool valued(const Edge& edge) const { return edge.visits > 0 || proven(edge); }
  bool proven(const Edge& edge) const { return ends(edge) || edge.exact(); }
  // One outcome is sure, and end_of() says which.
  bool ends(const Edge& edge) const { return edge.is_end() || edge.bounds.proven(); }
  // The exact value is known.
  static bool proven(const Node& node) { return node.bounds.proven() || node.exact; }

 private:
  static constexpr float kNone = -std::numeric_limits<float>::infinity();
  // The index with the greatest score(i) of `count`, or `count` itself, whose score is `last`,
  // where none has a greater one.
  template <class Score>
  static std::size_t best_of(std::size_t count, float last, Score&& score) {
    std::size_t best = count;
    for (std::size_t i = 0; i < count; ++i) {
      const float its = score(i);
      if (its > last) {
        last = its;
        best = i;
      }
    }
    return best;
  }

  struct Delta {  // what a backup hands on
    Sums visit;
    Sums change;  // to what earlier visits handed on, where no guarantee took their place
    float moves_left = 0;
  };

  WalkEnd walk_down(const RootPolicy& policy, Walk& walk, rules::Position& position,
                    rules::MoveList& moves);
  Ref allocate(std::size_t bytes);
  Ref make_node(rules::Color side_to_move);
  void make_root();
  std::optional<Step> choose_step(const RootPolicy& policy, Node& node, std::uint32_t in_flight);
  bool push_edge(Node& node);
  void bring_greatest(Node& node);
  bool scans() const { return config_.solver && config_.scan_visits > 0; }
  std::optional<ExactEnd> end_at(const rules::Position& position, int occurrences,
                                 rules::MoveList& survivors);
  void scan(Node& node, const rules::Position& position);
  bool learn_by_scan(Node& node, const rules::Position& position, Delta& delta);
  WalkEnd open_edge(Walk& walk, const rules::Position& position, rules::MoveList& moves);
  bool open_chance(Node& node, const rules::Position& position);
  std::size_t select_card(const Node& node) const;
  WalkEnd enter_leaf(Walk& walk, Node& node, const rules::Position& position,
                     rules::MoveList& moves);
  ExactEnd end_of(const Edge& edge) const;
  void expand(Node& node, std::span<const rules::Move> moves, std::span<const float> priors);
  void settle(const Walk& walk, ExactEnd end);
  void settle(const Walk& walk, const Edge& edge);
  void backup(const Walk& walk, const Summary& child, const Delta& delta);
  template <bool kChance>
  void backup_by(const Walk& walk, Summary child, Delta delta);
  bool guarantees(const Node& node) const;
  bool no_better_than_guarantee(const Node& node, const Edge& edge) const;
  static void add(Node& node, const Delta& delta);
  Sums tighten(Node& node);
  Sums tighten_expectation(Node& node);
  void expect(Node& node, Delta& delta);
  Sums mean(const Node& node) const;
  void note_end(Node& node);
  Sums exact_sums(rules::Outcome outcome) const;
  Summary summary(const Node& node) const;
  void collapse(Node& node);
  void reclaim(std::size_t count);
  template <class Visit>
  void visit_nodes(const std::atomic<bool>& stop, Visit&& visit);
  std::uint32_t visits_to_forget(const std::atomic<bool>& stop);

  SearchConfig config_;
  rules::ScoringTable table_;
  Prices prices_;
  Exploration exploration_;
  rules::Position position_;
  rules::History past_;  // while a walk goes on, what it has left behind too
  Pool pool_;
  Node* root_ = nullptr;
  Ref root_ref_ = 0;
  std::uint32_t root_in_flight_ = 0;
  std::vector<Ref> garbage_;  // roots of subtrees that are no longer used
  std::uint32_t visit_limit_ = 0;
  const tablebase::Tables* tables_ = nullptr;
  std::uint64_t tablebase_hits_ = 0;
  bool full_ = false;
};

template <class Closed>
std::size_t Tree::select_puct(const Node& node, std::uint32_t visits, bool may_open,
                              Closed&& closed) const {
  const std::span<const Edge> walked = edges(node);
  const float* const prior = priors(node).data();
  const float sign = seen_by(1.0f, node.side_to_move);
  const float weight = exploration_(visits);
  const bool opens = may_open && walked.size() < node.move_count;
  const float first = opens ? sign * value_white(node) + weight * prior[walked.size()] : kNone;
  return best_of(walked.size(), first, [&](std::size_t i) {
    if (closed(i)) return kNone;
    const Edge& edge = walked[i];
    return sign * edge.value_white +
           weight * prior[i] / static_cast<float>(1 + edge.visits + edge.in_flight);
  });
}

}  // namespace mcts
