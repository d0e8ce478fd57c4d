#include "selfplay/openings.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <unordered_set>

#include "rules/history.h"
#include "rules/notation.h"
#include "selfplay/errors.h"
#include "selfplay/players/alpha_beta.h"

namespace selfplay {
namespace {

constexpr int kAttemptsForEach = 100;

std::optional<Opening> random_opening(const OpeningChoice& choice, rules::Rng& rng,
                                      AlphaBeta& judge) {
  std::optional<Opening> opening = random_line(choice.rules, choice.table, choice.plies, rng);
  if (!opening) return std::nullopt;
  const float value = judge.search(opening->position(), choice.table, 1, rng).value_stm;
  if (std::abs(value) > choice.greatest_imbalance) return std::nullopt;
  return opening;
}

}  // namespace

rules::Position Opening::position() const {
  rules::Position result = start;
  for (const rules::Move move : moves) result.play(move);
  return result;
}

std::optional<Opening> random_line(rules::RuleSet rules, const rules::ScoringTable& table,
                                   int plies, rules::Rng& rng) {
  Opening opening{draw_start(rules, rng), {}};
  rules::Position position = opening.start;
  rules::History past;
  for (int ply = 0; ply < plies; ++ply) {
    rules::MoveList moves;
    position.surviving_moves(moves);
    if (moves.empty()) return std::nullopt;
    opening.moves.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    past.add(position);
    position.play(opening.moves.back());
    const bool over = position.outcome(table, past.occurrences(position)).has_value();
    if (over || position.can_capture_king()) return std::nullopt;
  }
  return opening;
}

std::vector<Opening> sample_openings(const OpeningChoice& choice, int count, rules::Rng rng) {
  std::vector<Opening> openings;
  if (choice.plies == 0) {
    for (int i = 0; i < count; ++i) openings.push_back({draw_start(choice.rules, rng), {}});
    return openings;
  }
  AlphaBeta judge;
  std::unordered_set<std::uint64_t> seen;
  const std::int64_t attempts = std::int64_t{kAttemptsForEach} * (count + 10);
  for (std::int64_t i = 0; i < attempts && std::ssize(openings) < count; ++i) {
    auto opening = random_opening(choice, rng, judge);
    if (!opening) continue;
    const rules::Position position = opening->position();
    const std::uint64_t key = position.key();
    const std::uint64_t like = position.is_mirror_symmetric() ? position.mirrored().key() : key;
    if (seen.insert(std::min(key, like)).second) {
      openings.push_back(std::move(*opening));
    }
  }
  if (std::ssize(openings) < count) {
    throw InputError("openings of " + std::to_string(choice.plies) + " plies: only " +
                     std::to_string(openings.size()) + " different ones were found, expected " +
                     std::to_string(count) + "; take more plies or fewer games");
  }
  return openings;
}

std::vector<Opening> read_openings(const std::filesystem::path& path, rules::RuleSet rules) {
  std::ifstream file(path);
  if (!file) throw InputError(path.string() + ": cannot be read; expected a file of openings");
  std::vector<Opening> openings;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    const std::string where = path.string() + ":" + std::to_string(number) + ": ";
    try {
      const rules::Line read = rules::parse_line(line, rules);
      if (read.outcome({})) throw InputError(where + "the game is over there");
      openings.push_back({read.start, read.moves});
    } catch (const rules::RulesError& error) {
      throw InputError(where + error.what());
    }
  }
  if (openings.empty()) throw InputError(path.string() + ": there is no opening in it");
  return openings;
}

}  // namespace selfplay
