#pragma once
// Ending training games that are decided: resignation, and the fast-fifty of the rule sheet (both
// sides agree that an impasse is coming).

#include <cstddef>
#include <optional>

#include "selfplay/game_record.h"
#include "selfplay/selfplay_config.h"

namespace selfplay {

struct Verdict {
  rules::Outcome outcome = rules::Outcome::kImpasseEqual;
  Ended ended = Ended::kResignation;
  bool operator==(const Verdict&) const = default;
};

// What the searches of the last `adjudication_plies` plies up to `plies` agree on, both sides'
// among them: one king lost with at least `resign_bar`, or an impasse with `fast_fifty_bar`; then
// by the material on the board `position`, that after these plies. None where nothing is decided,
// or where a bar is 0.
std::optional<Verdict> verdict_on(const GameRecord& game, std::size_t plies,
                                  const rules::Position& position, const SelfPlayConfig& config);

// The first verdict on the way of a game that was played through.
std::optional<Verdict> first_verdict(const GameRecord& game, const SelfPlayConfig& config);

// Whether the game is one of those that are played through to test verdicts. It depends on the
// game's seed alone.
bool played_through(const GameRecord& game, const SelfPlayConfig& config);

}  // namespace selfplay
