#pragma once
// How a network is built.

namespace nn {

// How much goes into a network and comes out of it, which the games it plays decide (Encoder).
// The default is plain Chess#'s.
struct Shape {
  int planes = 62;
  int globals = 39;
  int move_planes = 69;

  constexpr int policy_size() const { return 64 * move_planes; }
  bool operator==(const Shape&) const = default;
};

// Short-horizon values that training also predicts, for the side to move: the search's value after
// 6 and 16 plies, and the on-board material balance / 10 after 6 and 16 plies and at the end.
inline constexpr int kAuxiliary = 5;
// Outcomes, moves left, auxiliary.
inline constexpr int kValueOutputs = 8 + kAuxiliary;

// Hidden units of a block's condition.
inline constexpr int kSqueezed = 32;

// The moves-left output counts plies in this unit.
inline constexpr float kMovesLeftScale = 50;

// How a network is built. Two networks exchange weights only if equal.
struct NetworkConfig {
  int blocks = 6;
  int channels = 64;
  int condition_every = 2;
  int policy_channels = 32;
  int value_channels = 16;
  int value_hidden = 64;
  Shape shape{};  // not chosen: that of the games it plays
  int policy_attention = 32;
  bool sight = true;

  bool conditioned(int block) const { return block % condition_every == condition_every - 1; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v("blocks", blocks, 1, 80, "residual blocks");
    v("channels", channels, 8, 1024, "channels of the trunk");
    v("condition_every", condition_every, 1, 80,
      "every how many blocks the board's means and the global inputs scale and shift the channels");
    v("policy_channels", policy_channels, 4, 512, "channels of the policy head");
    v("policy_attention", policy_attention, 0, 512,
      "channels by which the policy head compares the square that a move leaves with the one it "
      "arrives at; 0: it sees only one of them");
    v("value_channels", value_channels, 1, 256, "channels of the outcome head");
    v("value_hidden", value_hidden, 8, 1024, "hidden units of the outcome head");
    v("sight", sight, false, true,
      "sees what the rules give for free: attacks, hanging and pinned pieces, placements, captures");
  }
  bool operator==(const NetworkConfig&) const = default;
};

}  // namespace nn
