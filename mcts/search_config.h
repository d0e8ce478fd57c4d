#pragma once
// The options of the search.

#include <algorithm>

namespace mcts {

// Each option is declared once: field, default, range, help. visit() shows them to any visitor
// (read, print, check, hash).
struct SearchConfig {
  bool gumbel = false;
  float c_puct = 0.8f;
  float c_puct_base = 19652;
  float c_puct_factor = 1.0f;
  float fpu_reduction = 0.0f;
  float fpu_reduction_root = 0.0f;
  float material_share = 0.5f;
  int lookahead = 1;
  bool solver = false;
  int scan_visits = 16;
  float moves_left_weight = 0.0f;
  float moves_left_threshold = 0.8f;
  float noise_fraction = 0.25f;
  float noise_alpha = 10.83f;
  float root_policy_temperature = 1.0f;
  float forced_playouts = 2.0f;
  int gumbel_actions = 16;
  float gumbel_visit_offset = 50.0f;
  float gumbel_scale = 0.5f;
  bool reuse_tree = true;
  int cache_mib = 64;
  int max_tree_mib = 1024;

  // The same for matches: where material steers at all, more weight for
  // material and four plies of lookahead are worth it there; where many games are wanted, three and
  // twice the simulations do as well in the same time. A pawn is then a fourteenth of a value unit,
  // so exploration weighs less (docs/ablations.md).
  SearchConfig for_play(int plies = 4) const {
    SearchConfig config = *this;
    if (material_share == 0) return config;
    config.material_share = std::max(material_share, 0.7f);
    config.lookahead = std::max(lookahead, plies);
    config.c_puct = std::min(c_puct, 0.2f);
    return config;
  }

  // The same for analysis, which announces what is proven.
  SearchConfig for_analysis() const {
    SearchConfig config = for_play();
    config.solver = true;
    return config;
  }

  template <class Visitor>
  void visit(Visitor&& v) {
    v("gumbel", gumbel, false, true,
      "searches that explore, those of self-play that teach a policy, go by Gumbel AlphaZero "
      "(sequential halving at the root) instead of PUCT");
    v("c_puct", c_puct, 0.0f, 100.0f,
      "weight of the prior against the value, in self-play by PUCT; a run's own matches have 0.8, "
      "match, play, uci and studies at most 0.2 (PLAYER:c_puct= takes any)");
    v("c_puct_base", c_puct_base, 1.0f, 1e9f, "visits at which c_puct begins to grow");
    v("c_puct_factor", c_puct_factor, 0.0f, 100.0f,
      "how much it grows: factor * log(1 + visits/base)");
    v("fpu_reduction", fpu_reduction, 0.0f, 2.0f,
      "how far below its parent an unvisited move is valued, in value units (2 = ten points), "
      "times the square root of the prior mass already visited");
    v("fpu_reduction_root", fpu_reduction_root, 0.0f, 2.0f, "fpu_reduction at the root");
    v("material_share", material_share, 0.0f, 1.0f,
      "share of the material balance, backed up by minimax, in what steers the search, the rest "
      "being expected points: a young network knows little of points; in self-play (match, play, uci "
      "and studies have 0.7, a run's own matches 0, PLAYER:material_share= takes any); never part of "
      "what is reported or learned as points");
    v("lookahead", lookahead, 0, 4,
      "plies that this balance looks ahead before it plays captures out, in self-play (match, play "
      "and uci have 4, studies 3, PLAYER:lookahead= takes any)");
    v("solver", solver, false, true,
      "keep exact bounds and leave out moves that cannot matter, in self-play (play and uci do, to "
      "announce what is proven; beside a lookahead no strength was seen from it, PLAYER:solver= asks "
      "for it)");
    v("scan_visits", scan_visits, 0, 1000000,
      "visits at which the solver looks for moves that end the game exactly (the root is looked at "
      "at once); 0 = never");
    v("moves_left_weight", moves_left_weight, 0.0f, 0.5f,
      "value units for a decided game that ends 100 plies sooner; 0 = indifferent");
    v("moves_left_threshold", moves_left_threshold, 0.0f, 0.99f,
      "a game counts as decided from this absolute value on");
    v("noise_fraction", noise_fraction, 0.0f, 1.0f,
      "share of Dirichlet noise in the root's priors, in self-play by PUCT");
    v("noise_alpha", noise_alpha, 0.01f, 1000.0f,
      "total concentration of that noise: half of it spread evenly, "
      "half by the logarithm of the priors");
    v("root_policy_temperature", root_policy_temperature, 0.1f, 10.0f,
      "root priors to the power 1/temperature, in self-play by PUCT");
    v("forced_playouts", forced_playouts, 0.0f, 100.0f,
      "k of KataGo's forced playouts sqrt(k * prior * visits), in self-play by PUCT; 0 = none");
    v("gumbel_actions", gumbel_actions, 1, 256,
      "root moves that Gumbel considers at first; at most a quarter of its simulations");
    v("gumbel_visit_offset", gumbel_visit_offset, 0.0f, 1e6f,
      "c_visit: visits added to the most visited move in the weight of completed values");
    v("gumbel_scale", gumbel_scale, 0.0f, 100.0f, "c_scale: weight of completed values");
    v("reuse_tree", reuse_tree, false, true, "keep the subtree of the move that was played");
    v("cache_mib", cache_mib, 0, 65535,
      "memory in which a thread keeps the network's answers for positions that it meets again");
    v("max_tree_mib", max_tree_mib, 1, 65535,
      "memory bound of one tree; beyond it the least visited subtrees are forgotten");
  }
};

}  // namespace mcts
