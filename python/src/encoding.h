#pragma once

#include <cstddef>
#include <utility>

#include "nn/encoder.h"
#include "python/src/arrays.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace python {

// Plies of the tactical search in self-play, and at most.
inline constexpr int kLookahead = 2, kMostLookahead = 4;

// What the encoder is asked. `occurrences` as for Position::outcome; a position that is over is
// encoded without a finding.
struct Question {
  rules::Position position;
  int occurrences = 1;
  bool is_over = false;
};

// A network's inputs: planes [n, planes, 8, 8] and global inputs [n, globals].
struct Inputs {
  Inputs(const nn::Encoder& encoder, std::size_t positions)
      : shape(encoder.shape()),
        count(positions),
        planes(count * plane_size()),
        globals(count * global_size()) {}

  // Encodes the position as number `i`. Needs no GIL.
  void set(std::size_t i, const nn::Encoder& encoder, const Question& question,
           const rules::ScoringTable& table, int lookahead);
  std::pair<Array<float, -1, -1, 8, 8>, Array<float, -1, -1>> as_arrays() &&;

  std::size_t plane_size() const { return 64 * static_cast<std::size_t>(shape.planes); }
  std::size_t global_size() const { return static_cast<std::size_t>(shape.globals); }

  nn::Shape shape;
  std::size_t count;
  Buffer<float> planes, globals;
};

}  // namespace python
