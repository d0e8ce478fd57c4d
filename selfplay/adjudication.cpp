#include "selfplay/adjudication.h"

#include <algorithm>
#include <span>

#include "base/rng.h"

namespace selfplay {
namespace {

using rules::Outcome;
using Shares = std::array<float, rules::kOutcomes>;

float share(const Shares& shares, Outcome outcome) {
  return shares[static_cast<std::size_t>(rules::index(outcome))];
}

float impasse_share(const Shares& shares) {
  return share(shares, Outcome::kImpasseBlackMore) + share(shares, Outcome::kImpasseEqual) +
         share(shares, Outcome::kImpasseWhiteMore);
}

}  // namespace

std::optional<Verdict> verdict_on(const GameRecord& game, std::size_t plies,
                                  const rules::Position& position, const SelfPlayConfig& config) {
  const auto needed = static_cast<std::size_t>(config.adjudication_plies);
  if (plies < needed) return std::nullopt;
  const auto last = std::span(game.plies).subspan(plies - needed, needed);
  const auto agreed = [&](float bar, const auto& share_of) {
    return bar > 0 && std::ranges::all_of(last, [&](const PlyRecord& ply) {
             return share_of(ply.root_outcomes) >= bar;
           });
  };
  for (const Outcome win : {Outcome::kWhiteWins, Outcome::kBlackWins}) {
    if (agreed(config.resign_bar, [win](const Shares& s) { return share(s, win); })) {
      return Verdict{win, Ended::kResignation};
    }
  }
  if (agreed(config.fast_fifty_bar, impasse_share)) {
    return Verdict{position.impasse(game.table), Ended::kFastFifty};
  }
  return std::nullopt;
}

std::optional<Verdict> first_verdict(const GameRecord& game, const SelfPlayConfig& config) {
  if (config.resign_bar <= 0 && config.fast_fifty_bar <= 0) return std::nullopt;
  rules::Position position = game.start();
  for (std::size_t plies = 1; plies < game.plies.size(); ++plies) {
    position.play(game.plies[plies - 1].played);
    if (const auto verdict = verdict_on(game, plies, position, config)) return verdict;
  }
  return std::nullopt;
}

bool played_through(const GameRecord& game, const SelfPlayConfig& config) {
  return base::Rng(game.seed).split(0xad).uniform() <
         static_cast<double>(config.play_through_share);
}

}  // namespace selfplay
