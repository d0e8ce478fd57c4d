#pragma once
// A residual network that teaches an NNUE: it says what the positions of games are worth. Includes
// no LibTorch.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "nn/inference.h"
#include "selfplay/game_record.h"
#include "training/settings/run_config.h"

namespace training {

// Constant: may be asked by several threads.
class Teacher {
 public:
  // Loads nnue.teacher, whose precision of play is selfplay.precision. Throws base::InputError,
  // naming it, where it is an NNUE or does not know the config's rules, nn::CheckpointError where
  // there is none or it is damaged. `device`: a result of nn::resolve_device().
  Teacher(const RunConfig& config, const std::string& device, int threads);

  // What label() may be given; all may be empty.
  struct Terms {
    const std::atomic<bool>* stop = nullptr;
    // Gets games that have their labels, in order, each once.
    std::function<void(std::span<selfplay::GameRecord>)> labelled;
    // Is told how many games and positions are done.
    std::function<void(std::size_t games, std::int64_t positions)> progress;
  };

  // Puts the network's view of the position before each ply in the place of the search's: outcomes
  // (root_outcomes_white) and their value under the game's table (root_value_stm). The network is
  // asked once, with tactics search.lookahead plies deep, as in self-play; where a king can be
  // taken, or every move loses the king, the outcome is certain. On a CPU the answers depend on
  // nothing else. Works on all threads; the functions of `terms` are called on this one. Returns
  // how many games are done, the first ones: all unless it was stopped. REQUIRES: games of the
  // config's rules.
  std::size_t label(std::span<selfplay::GameRecord> games, const Terms& terms) const;

 private:
  nn::PlayingNetwork network_;
  int lookahead_, threads_;
};

}  // namespace training
