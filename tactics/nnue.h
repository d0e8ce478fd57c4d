#pragma once
// A small learned evaluator of positions (NNUE, efficiently updatable neural network): sums over
// sparse features that change little from move to move, three small layers behind them, the
// probabilities of the seven outcomes. The architecture is Stockfish's, the outputs are Chess#'s.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/cpu_level.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace tactics {

struct NnueKernels;

// Shapes of the network, in the order of its layers.
struct NnueShape {
  static constexpr int kPieceSquares = 2 * rules::kPieceTypes * 64;
  static constexpr int kReserves = 2 * 8;
  static constexpr int kClocks = 12;
  static constexpr int kWhite = kPieceSquares + kReserves + kClocks;  // a feature of its own
  static constexpr int kFeatures = kWhite + 1;
  static constexpr int kSums = 256;   // of each of two views
  static constexpr int kHidden = 32;  // of the first and of the second hidden layer
  static constexpr int kTable = 12;   // numbers that describe a scoring table
  static constexpr int kMaxActive = 64 + kReserves + kClocks + 1;  // features of a position
};

// The quantised network, with h(z) = clamp(z, 0, 1)^2. Its layers:
//
// sum     s[j] = bias[j] + sum of feature[f][j] over the active f, in units of 1/255, for both
//         views, first that of the side to move; x[i] = clamp(s[i], 0, 255)^2 >> 9, which is 127
//         for 1
//
// first   a[k] = first_bias[k] + first_scale[k] * sum of x[i] * first[k][i]
//                + sum of t[n] * table[n][k]
//
// second  b[k] = second_bias[k] + sum of h(a[j]) * second[j][k]
//
// out     o[k] = out_bias[k] + sum of h(b[j]) * out[j][k], the logits of the outcomes from loses to
//         wins of the side to move
struct NnueWeights {
  using S = NnueShape;
  static constexpr std::array<float, S::kHidden> all_equal(float value) {
    std::array<float, S::kHidden> values{};
    for (float& v : values) v = value;
    return values;
  }
  alignas(64) std::array<std::array<std::int16_t, S::kSums>, S::kFeatures> feature{};
  alignas(64) std::array<std::int16_t, S::kSums> bias{};
  alignas(64) std::array<std::array<std::int8_t, 2 * S::kSums>, S::kHidden> first{};
  // What an integer of the row is worth, x being 127 for 1; by default weights are in units of
  // 1/64.
  alignas(64) std::array<float, S::kHidden> first_scale = all_equal(1.0f / (127 * 64));
  alignas(64) std::array<float, S::kHidden> first_bias{};
  alignas(64) std::array<std::array<float, S::kHidden>, S::kTable> table{};
  alignas(64) std::array<std::array<float, S::kHidden>, S::kHidden> second{};
  alignas(64) std::array<float, S::kHidden> second_bias{};
  alignas(64) std::array<std::array<float, 8>, S::kHidden> out{};  // the eighth is not used
  alignas(64) std::array<float, 8> out_bias{};
};

// The features of a position that are active as `view` sees it (the board is flipped for Black),
// ascending within their groups:
//   0 … 767    own (then enemy: + 384) piece of type t on square s: t * 64 + s
//   768 … 783  own (then enemy: + 8) reserve: one and two knights, bishops, rooks, then queen
//              (twice active where there are two), king
//   784 … 795  the clock has come to 8, 16, … 96 plies
//   796        `view` is White: a game begins with White's move, and what that was worth can no
//              longer be seen by the pieces (how often each side moved)
// Returns how many there are. REQUIRES: out has room for NnueShape::kMaxActive.
int nnue_features(const rules::Position& position, rules::Color view, std::span<std::uint16_t> out);

// What the network is told of a scoring table: the values in [-1, 1] of the seven outcomes from
// loses to wins of the side to move; then the five piece values as fractions of their sum.
std::array<float, NnueShape::kTable> nnue_table(const rules::ScoringTable& table,
                                                rules::Color side_to_move);

// One thread's evaluation of the positions on a line, the root first. What a move changes is added
// to or taken from the sums only when a position is asked for.
class Nnue {
 public:
  static constexpr int kMaxPly = 255;

  // All levels answer alike. REQUIRES: the machine has it.
  explicit Nnue(std::shared_ptr<const NnueWeights> weights,
                base::CpuLevel level = base::cpu_level());

  // What the outcomes pay from now on.
  void set_table(const rules::ScoringTable& table);
  void start(const rules::Position& root);
  // The line goes on to `next`. REQUIRES: the line then holds at most kMaxPly moves.
  void push(const rules::Position& next);
  void pop() { --top_; }

  // Returns the probabilities of the outcomes behind the line's last position, from loses to wins
  // of the side to move; their sum is 1.
  rules::Outcomes outcomes();
  // Returns what those outcomes are worth to the side to move, in [-1, 1].
  float value_stm();

 private:
  using Sums = std::array<std::int16_t, NnueShape::kSums>;
  struct Frame {
    rules::Position position;
    bool known = false;                    // `sums` are those of the position
    alignas(64) std::array<Sums, 2> sums;  // by view
  };

  void update();

  std::shared_ptr<const NnueWeights> weights_;
  const NnueKernels* kernels_;
  // The first layer by groups of four inputs, all outputs of a group side by side.
  alignas(64) std::array<std::int8_t, 2 * NnueShape::kSums * NnueShape::kHidden> packed_;
  // first_bias and what the table adds, and the points of the outcomes in [-1, 1], by side to move.
  alignas(64) std::array<std::array<float, NnueShape::kHidden>, 2> first_bias_{};
  std::array<std::array<float, rules::kOutcomes>, 2> points_{};
  std::vector<Frame> frames_;
  std::size_t top_ = 0;
};

}  // namespace tactics
