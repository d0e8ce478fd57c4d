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
  static constexpr int kKinds = kWhite + 1;                           // of features
  static constexpr int kKingPlaces = 5;
  static constexpr int kFeatures = kKingPlaces * kKinds;
  static constexpr int kSums = 256;   // of each of two views
  static constexpr int kStacks = 8;   // sets of the layers behind the sums
  static constexpr int kHidden = 32;  // of the first and of the second hidden layer
  static constexpr int kTable = 12;   // numbers that describe a scoring table
  static constexpr int kMaxActive = 64 + kReserves + kClocks + 1;  // features of a position
};

// The layers behind the sums, with h(z) = clamp(z, 0, 1)^2:
//
// first   a[k] = first_bias[k] + first_scale[k] * sum of x[i] * first[k][i]
//                + sum of t[n] * table[n][k]
//
// second  b[k] = second_bias[k] + sum of h(a[j]) * second[j][k]
//
// out     o[k] = out_bias[k] + sum of h(b[j]) * out[j][k], the logits of the outcomes from loses to
//         wins of the side to move
struct NnueStack {
  using S = NnueShape;
  static constexpr std::array<float, S::kHidden> all_equal(float value) {
    std::array<float, S::kHidden> values{};
    for (float& v : values) v = value;
    return values;
  }
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

// The quantised network. Its sums:
//
// sum     s[j] = bias[j] + sum of feature[f][j] over the active f, in units of 1/255, for both
//         views, first that of the side to move; x[i] = clamp(s[i], 0, 255)^2 >> 9, which is 127
//         for 1
//
// Behind them come the layers of nnue_stack().
struct NnueWeights {
  using S = NnueShape;
  alignas(64) std::array<std::array<std::int16_t, S::kSums>, S::kFeatures> feature{};
  alignas(64) std::array<std::int16_t, S::kSums> bias{};
  std::array<NnueStack, S::kStacks> stacks{};
  // False: it sees positions as they are, unmirrored, as NNUEs of one king's place have learned to.
  bool mirrors = true;
};

// Orders the sums by how often they are inputs other than 0, so that more of the first layer's
// groups of four are nothing but 0 and are left out. All answers stay the same.
void order_sums(NnueWeights& weights);

// How `view` looks at a position: the board is mirrored left-right where that brings the own king,
// or the enemy's where the own is in hand, to the files a to d; and the own king's place: 0 in
// hand, 1 the first rank's corner (a, b), 2 its middle (c, d), 3 the second rank, 4 beyond.
struct NnueEye {
  std::uint8_t place = 0;
  bool mirrored = false;
  bool operator==(const NnueEye&) const = default;
};
NnueEye nnue_eye(const rules::Position& position, rules::Color view);

// Which layers a position has: by the pieces in hand of both sides (12 or more, 8, 4, 1), and where
// there are none by the men on the board (21 or more, 14, 8, fewer).
int nnue_stack(const rules::Position& position);

// The features of a position that are active as `view` sees it (the board is flipped for Black, and
// mirrored as nnue_eye() says), ascending: kKinds times the king's place, and
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
// to or taken from the sums at once: the search waits for its table then anyway.
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
    std::array<NnueEye, 2> eyes;           // by view
    alignas(64) std::array<Sums, 2> sums;  // by view
  };

  // What an eye last saw, from which the sums of what it sees next are not far.
  struct Seen {
    rules::Position position;
    alignas(64) Sums sums;
  };
  static constexpr std::size_t kEyes = 2 * NnueShape::kKingPlaces;
  static std::size_t index_of(NnueEye eye) { return std::size_t{2} * eye.place + eye.mirrored; }
  static NnueEye eye_at(std::size_t i) { return {static_cast<std::uint8_t>(i / 2), i % 2 != 0}; }

  NnueEye eye_on(const rules::Position& position, rules::Color view) const {
    const NnueEye eye = nnue_eye(position, view);
    return {eye.place, eye.mirrored && weights_->mirrors};
  }
  void look_again(Frame& frame, rules::Color view);
  template <class Changes>
  void change(const Sums& from, const Changes& changes, std::size_t side, Sums& to) const;

  std::shared_ptr<const NnueWeights> weights_;
  const NnueKernels* kernels_;
  // By stack: the first layer by groups of four inputs, all outputs of a group side by side.
  using Packed = std::array<std::int8_t, 2 * NnueShape::kSums * NnueShape::kHidden>;
  alignas(64) std::array<Packed, NnueShape::kStacks> packed_;
  // By side to move: by stack first_bias and what the table adds, and the points of the outcomes in
  // [-1, 1].
  using Biases = std::array<std::array<float, NnueShape::kHidden>, NnueShape::kStacks>;
  alignas(64) std::array<Biases, 2> first_bias_{};
  std::array<std::array<float, rules::kOutcomes>, 2> points_{};
  std::array<std::array<Seen, kEyes>, 2> seen_;  // by view
  std::vector<Frame> frames_;
  std::size_t top_ = 0;
};

}  // namespace tactics
