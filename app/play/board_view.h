#pragma once
// A position as a person looks at it in a terminal.

#include <array>
#include <optional>
#include <string>

#include "rules/outcome.h"
#include "rules/position.h"

namespace app {

// How the terminal is written to.
struct Look {
  bool unicode = false;  // chess figures; else letters
  bool color = false;    // ANSI colours
};

// What a search thinks of a position.
struct Evaluation {
  double points_white = 5;          // of ten
  rules::Outcomes probabilities{};  // by rules::Outcome
};

struct BoardView {
  Look look;
  rules::Color below = rules::Color::kWhite;  // whose side is at the bottom
  std::optional<rules::Move> last_move;       // its squares are marked
  std::optional<Evaluation> evaluation;       // stands beside the board
};

// Eleven lines: the reserves above and below, the board, the names of the files.
std::string render(const rules::Position& position, const BoardView& view = {});

// "White 5.43, Black 4.57 of ten points".
std::string points_text(double points_white);

}  // namespace app
