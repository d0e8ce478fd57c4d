#pragma once
// The options of the search.

namespace mcts {

// Each option is declared once: field, default, range, help. visit() shows them to any visitor
// (read, print, check, hash).
struct SearchConfig {
  bool gumbel = true;
  float c_puct = 0.8f;
  int lookahead = 2;
  int play_lookahead = 4;
  bool solver = true;
  int scan_visits = 16;
  float noise_fraction = 0.25f;
  float noise_alpha = 10.83f;
  float forced_playouts = 2.0f;
  int gumbel_actions = 16;
  float gumbel_visit_offset = 50.0f;
  float gumbel_scale = 2.0f;
  bool reuse_tree = true;
  int cache_mib = 64;
  int max_tree_mib = 1024;

  // The same for matches and analysis.
  SearchConfig for_play() const {
    SearchConfig config = *this;
    config.lookahead = play_lookahead;
    return config;
  }

  template <class Visitor>
  void visit(Visitor&& v) {
    v("gumbel", gumbel, false, true,
      "searches that explore, those of self-play that teach a policy, go by Gumbel AlphaZero "
      "(sequential halving at the root) instead of PUCT");
    v("c_puct", c_puct, 0.0f, 100.0f, "weight of the prior against the value");
    v("lookahead", lookahead, 0, 4,
      "plies of the tactical search whose finding is an input of the network, in self-play, studies "
      "and a run's own matches");
    v("play_lookahead", play_lookahead, 0, 4,
      "the same in match, ladder, play and uci (PLAYER:lookahead= takes any)");
    v("solver", solver, false, true,
      "keep exact bounds, walk no move that is proven or cannot matter, and teach what is proven");
    v("scan_visits", scan_visits, 0, 1000000,
      "visits at which the solver looks for moves that end the game exactly (the root is looked at "
      "at once); 0 = never");
    v("noise_fraction", noise_fraction, 0.0f, 1.0f,
      "fraction of Dirichlet noise in the root's priors, in self-play by PUCT");
    v("noise_alpha", noise_alpha, 0.01f, 1000.0f,
      "total concentration of that noise: half of it spread evenly, "
      "half by the logarithm of the priors");
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
