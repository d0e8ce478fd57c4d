#pragma once

#include <string>

namespace mcts {

// Each option is declared once: field, default, range, help. visit() shows them to any visitor
// (read, print, check, hash).
struct SearchConfig {
  float c_puct = 1.5f;
  float c_puct_base = 19652;
  float fpu_reduction = 0.25f;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("c_puct", c_puct, 0.0f, 100.0f, "weight of the prior against the value");
    v("c_puct_base", c_puct_base, 1.0f, 1e9f, "visits at which c_puct begins to grow");
    v("fpu_reduction", fpu_reduction, 0.0f, 2.0f,
      "how far below its parent an unvisited move is valued, in value units (2 = ten points)");
  }
};

}  // namespace mcts
