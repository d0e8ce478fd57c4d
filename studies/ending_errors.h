#pragma once
// How far from exact play a network and its search are, in the endings that a tablebase knows.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "studies/estimates.h"
#include "studies/thinker.h"
#include "tablebase/tables.h"

namespace studies {

struct EndingErrorsConfig {
  int positions = 400;  // of each ending
  int games = 400;
  int budget = 32;  // of a search: simulations or nodes
  std::uint64_t seed = 1;
  int threads = 1;
};

// Points are of ten. Positions are drawn at random, none over, no king to be taken, the clock at 0;
// White has the pieces that the ending's name gives first.
struct EndingErrors {
  // What goes wrong in one ending. The network's value is compared where a search would ask for it.
  struct OfEnding {
    std::string ending;      // as tablebase::Material::name()
    std::size_t asked = 0;   // positions of which the network was
    Estimate error;          // distance of the points that it expects from the exact ones
    Estimate difference;     // White's points that it expects less the exact ones
    Estimate lost;           // points that the search's move gives away, of all positions
    double wrong_moves = 0;  // fraction of them that give something away
  };
  std::vector<OfEnding> endings;  // with three pieces and more
  // Games from such positions, of all endings in turn: the network's player, which has the side to
  // move in even ones, against exact play. With the tablebase the same games are played again.
  struct OfGames {
    Estimate lost;       // points that it scores less than exact play from the start
    double perfect = 0;  // fraction of games that lose nothing
  };
  OfGames alone, with_tablebase;
};

// Throws what thinkers throw. `stopped` is asked often, by all threads: then what is returned means
// nothing. REQUIRES: `tables` know an ending of three pieces.
EndingErrors ending_errors(const tablebase::Tables& tables, const EndingErrorsConfig& config,
                           const MakeThinker& make_thinker, const std::function<bool()>& stopped);

// Keys: positions, budget, endings (ending, asked, error, difference, lost, wrong_moves), games
// (count, and of alone and with_tablebase lost and perfect).
nlohmann::ordered_json json_of(const EndingErrors& errors, const EndingErrorsConfig& config);
std::string text_of(const EndingErrors& errors, const EndingErrorsConfig& config);

}  // namespace studies
