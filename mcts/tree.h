#pragma once
// The search tree: nodes and edges in an arena, walks from the root to a leaf, expansion, backup.

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mcts/arena.h"
#include "mcts/bounds.h"
#include "mcts/evaluator.h"
#include "mcts/puct.h"
#include "mcts/search_config.h"
#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace mcts {

// How a game ends from some position under exact knowledge.
struct ExactEnd {
  rules::Outcome outcome = rules::Outcome::kImpasseEqual;
  float plies = 0;  // to the end of the game
};

// The exact end that needs no search, or none, with `survivors` the moves to search then: over; the
// mover takes the king; or every move of his loses his own. The one statement of what a leaf is.
// `occurrences` as of Position::outcome.
std::optional<ExactEnd> exact_end(const rules::Position& position, int occurrences,
                                  const rules::ScoringTable& table, rules::MoveList& survivors);

// A move that was walked. The viewpoint is White's.
struct Edge {
  Ref child = 0;             // node, or end_code() of an exact end, or 0 while it is classified
  std::uint32_t visits = 0;  // finished ones
  float utility_white =
      0;  // what selection compares: value within its bounds, plus the moves-left term
  std::uint16_t in_flight = 0;  // walks that passed and are not backed up
  Bounds bounds{};
  bool pruned : 1 =
      false;  // cannot be better than another move: never walked again, out of the mean
  bool aside : 1 = false;  // searched beside a proven move: out of the mean until chosen for itself

  bool is_end() const { return child != 0 && child < Arena::kFirst; }
  static Ref end_code(ExactEnd end) {
    return static_cast<Ref>(1 + rules::index(end.outcome) * 4 + static_cast<int>(end.plies));
  }
  ExactEnd end() const {
    return {static_cast<rules::Outcome>((child - 1) / 4), static_cast<float>((child - 1) % 4)};
  }
};
static_assert(sizeof(Edge) <= 16);

// What a backup adds to a node, and what a node holds: sums over its visits, White's viewpoint.
struct Sums {
  std::array<double, 8> terms{};  // value, then the seven outcome probabilities

  double value() const { return terms[0]; }
  void add(const Sums& other, double factor = 1) {
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] += factor * other.terms[i];
  }
};

struct Node {
  Sums sums;             // over visits of `weight` together: pruned moves' are taken out again
  double weight = 0;     // the total weight of what `sums` holds
  float moves_left = 0;  // mean over visits, in plies from this node; exact distance where proven
  float visited_prior = 0;  // prior mass of edges
  float own_white = 0;      // what its own evaluation said, White's viewpoint
  float own_weight = 1;     // that evaluation's weight in `sums`, for those who check them
  std::uint32_t visits = 0;
  Ref policy = 0;                // move_count priors, then as many moves
  Ref edges = 0;                 // 2^edge_capacity_log2 edges, of which edge_count are in use
  std::uint16_t move_count = 0;  // 0: not expanded
  std::uint16_t edge_count =
      0;  // edge i is move i; move edge_count has the greatest prior of the rest
  Bounds bounds{};
  std::uint8_t outcome : 4 = 0;  // where proven: the outcome
  std::uint8_t edge_capacity_log2 : 4 = 0;
  rules::Color side_to_move : 1 = rules::Color::kWhite;
  bool pending : 1 = false;  // its evaluation is on the way
  bool scanned : 1 = false;  // its exact ends are among the edges

  bool expanded() const { return move_count > 0; }
  std::size_t policy_bytes() const { return move_count * (sizeof(float) + sizeof(rules::Move)); }
  std::size_t edge_bytes() const { return sizeof(Edge) << edge_capacity_log2; }
};
static_assert(sizeof(Node) <= 112);

// One walk: the edges passed, from the root on. Where selection comes to a proven move there is
// nothing to learn, so the walk goes on by the best move that is still open, `edge`, while
// `paid_by`, the proven one, gets the visit.
struct Step {
  static constexpr std::uint16_t kNone = 0xffff;

  Node* node;
  std::uint16_t edge;
  std::uint16_t paid_by = kNone;
};
struct Walk {
  std::vector<Step> path;
  Node* leaf = nullptr;  // the node to expand
  int occurrences = 1;   // of its position, in the game and on the walk
};

// What a parent keeps about a child.
struct Summary {
  float value_white = 0;
  float moves_left = 0;
  Bounds bounds{};
};

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
  // `past`: of the game that has come to the root. Throws std::invalid_argument where it is over.
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
  void set_visit_limit(std::uint32_t visits) { visit_limit_ = visits; }
  bool enough(const RootPolicy& policy) const;

  // Looks for exact ends one move behind the root. REQUIRES: expanded.
  void scan_root();

  // REQUIRES (these three): no walk in flight.
  // Throws std::invalid_argument where the game is over.
  void reset(const rules::Position& root, rules::History past = {});
  // For the trees from the next reset() on.
  void set_table(const rules::ScoringTable& table) {
    table_ = table;
    prices_ = Prices(table);
  }
  // Of a root where the king can be taken, which needs no search: has it searched all the same, to
  // tell its other moves apart.
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
  const rules::History& past() const { return past_; }  // of the game, without the root's position
  const rules::ScoringTable& table() const { return table_; }
  const Prices& prices() const { return prices_; }
  const Exploration& exploration() const { return exploration_; }
  const SearchConfig& config() const { return config_; }
  Node& root() { return *root_; }
  const Node& root() const { return *root_; }
  std::uint32_t root_in_flight() const { return root_in_flight_; }
  std::size_t used_bytes() const { return arena_.used_bytes(); }

  // Gumbel's choice below the root: the move whose visits lag most behind the improved policy.
  std::size_t select_improved(const Node& node) const;

  // Views of a node's parts. `edges` are those in use, a prefix of `moves` and `priors`.
  std::span<Edge> edges(const Node& node) const {
    return {arena_.at<Edge>(node.edges), node.edge_count};
  }
  std::span<float> priors(const Node& node) const {
    return {arena_.at<float>(node.policy), node.move_count};
  }
  std::span<rules::Move> moves(const Node& node) const {
    return {reinterpret_cast<rules::Move*>(arena_.at<float>(node.policy) + node.move_count),
            node.move_count};
  }
  // Null where the edge has no node.
  Node* child(const Edge& edge) const {
    return edge.child < Arena::kFirst ? nullptr : arena_.at<Node>(edge.child);
  }

  // The expected value: the mean of the node's visits, or its exact value. REQUIRES: visited or
  // proven.
  float value_white(const Node& node) const;
  std::array<float, rules::kOutcomes> outcomes(const Node& node) const;
  std::array<float, rules::kOutcomes> outcomes(const Edge& edge) const;
  float value_white(const Edge& edge) const;
  // The same of any shares of the outcomes, such as those of a policy over the root's moves.
  float expected_white(const std::array<float, rules::kOutcomes>& shares) const;
  float moves_left(const Edge& edge) const;  // in plies from the edge's parent
  // There is more to say about the edge than its prior.
  bool valued(const Edge& edge) const { return edge.visits > 0 || edge.aside || proven(edge); }
  bool proven(const Edge& edge) const { return edge.is_end() || edge.bounds.proven(); }

 private:
  struct Delta {
    Sums sums;
    double weight = 1;
    float moves_left = 0;

    void set_nothing() {
      sums = {};
      weight = 0;
    }
    void add(const Delta& other, double factor) {
      sums.add(other.sums, factor);
      weight += factor * other.weight;
    }
  };

  WalkEnd walk_down(const RootPolicy& policy, Walk& walk, rules::Position& position,
                    rules::MoveList& moves);
  Ref allocate(std::size_t bytes);
  Ref make_node(rules::Color side_to_move);
  void make_root();
  Step choose_step(const RootPolicy& policy, Node& node, std::uint32_t in_flight);
  std::size_t select_puct(const Node& node, std::uint32_t in_flight) const;
  std::size_t select_open(const Node& node, const RootPolicy* policy) const;
  bool add_edge(Node& node);
  bool push_edge(Node& node);
  bool to_be_scanned(const Node& node) const;
  void scan(Node& node, const rules::Position& position);
  bool learn_by_scan(Node& node, const rules::Position& position, Delta& delta);
  WalkEnd open_edge(Walk& walk, const rules::Position& position, rules::MoveList& moves);
  WalkEnd enter_leaf(Walk& walk, Node& node, const rules::Position& position,
                     rules::MoveList& moves);
  ExactEnd end_of(const Edge& edge) const;
  bool expand(Node& node, std::span<const rules::Move> moves, std::span<const float> priors);
  void settle(const Walk& walk, ExactEnd end);
  void backup(const Walk& walk, Summary child, Delta delta);
  void count_visit(Node& node, const Step& step, Delta& delta) const;
  Delta held_before(const Edge& edge, const Delta& delta) const;
  void update_edge(Node& node, Edge& edge, const Summary& child, Delta& delta);
  void hold_exactly(Edge& edge, Delta& delta) const;
  static void add(Node& node, const Delta& delta);
  static void hold(Node& node, const Delta& delta);
  void tighten(Node& node, Delta& delta);
  void prove(Node& node, Delta& delta);
  void take_out(const Edge& edge, Delta& delta) const;
  Sums exact_sums(rules::Outcome outcome) const;
  float weight_of(const Evaluation& evaluation) const;
  Summary summary(const Node& node) const;
  Summary summary(const ExactEnd& end) const;
  float utility_white(const Summary& child) const;
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
  Arena arena_;
  Node* root_ = nullptr;
  Ref root_ref_ = 0;
  std::uint32_t root_in_flight_ = 0;
  std::vector<Ref> garbage_;  // roots of subtrees that are no longer used
  std::uint32_t visit_limit_ = 0;
  bool full_ = false;
};

}  // namespace mcts
