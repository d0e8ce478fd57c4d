#pragma once
// What the book asks of a search: some moves of a position, and how sure it is.

#include <cstdint>
#include <optional>
#include <span>

#include "rules/outcome.h"
#include "rules/position.h"

namespace book {

// What a search says of some moves of a position.
struct Finding {
  double points_white = 5;  // of ten, after the best of them
  // Half of the 95 % interval around it; 0: exact.
  double error = 0;
  rules::Outcomes outcomes{};  // that are expected then
  rules::Move move;            // the best of them
  int depth = 0;
  std::uint64_t nodes = 0;
  bool operator==(const Finding&) const = default;
};

// Owned by one thread.
class Searcher {
 public:
  virtual ~Searcher() = default;
  // Searches these moves alone, whatever was searched before; empty where it was stopped. REQUIRES:
  // moves is not empty, all are legal, the game goes on.
  virtual std::optional<Finding> search(const rules::Position& position,
                                        std::span<const rules::Move> moves) = 0;
};

}  // namespace book
