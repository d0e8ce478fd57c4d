#include "selfplay/openings.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>

#include "rules/error.h"
#include "rules/history.h"
#include "rules/notation.h"
#include "selfplay/errors.h"

namespace selfplay {
namespace {

constexpr std::int64_t kAttemptsForEach = 100;

// A board of letters as FEN has them, rank 8 first.
class Letters {
 public:
  // On an empty square of rows [first, last], counted from White's.
  void drop(char letter, int first, int last, rules::Rng& rng) {
    for (;;) {
      const auto rows = static_cast<std::uint32_t>(last - first + 1);
      const auto row = static_cast<std::size_t>(first) + rng.below(rows);
      char& square = squares_[(7 - row) * 8 + rng.below(8)];
      if (square != '1') continue;
      square = letter;
      return;
    }
  }
  std::string text() const {
    std::string text = squares_.substr(0, 8);
    for (std::size_t rank = 1; rank < 8; ++rank) text += '/' + squares_.substr(8 * rank, 8);
    return text;
  }

 private:
  std::string squares_ = std::string(64, '1');
};

std::string random_ending_fen(rules::RuleSet rules, rules::Rng& rng) {
  constexpr int kMostPieces = 3, kMostPawns = 4;
  Letters board;
  for (const bool white : {true, false}) {
    const auto drop = [&](char piece, int first, int last) {
      board.drop(static_cast<char>(white ? std::toupper(piece) : piece), first, last, rng);
    };
    drop('k', 0, 7);
    std::string pieces = "qrrbbnn";
    for (auto n = rng.below(kMostPieces + 1); n > 0; --n) {
      const auto i = rng.below(static_cast<std::uint32_t>(pieces.size()));
      drop(pieces[i], 0, 7);
      pieces.erase(i, 1);
    }
    for (auto n = rng.below(kMostPawns + 1); n > 0; --n) drop('p', 1, 6);
  }
  const char* const side = rng.below(2) == 0 ? " w" : " b";
  const std::uint32_t clock = rng.below(60);
  return board.text() + (rules.entry == rules::Entry::kNone ? "" : "[]") + side + " - - " +
         std::to_string(clock) + " 60";
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

rules::Position random_ending(rules::RuleSet rules, const rules::ScoringTable& table,
                              rules::Rng& rng) {
  for (;;) {
    try {
      const auto position = rules::Position::from_fen(random_ending_fen(rules, rng), rules);
      if (!position.outcome(table) && !position.can_capture_king()) return position;
    } catch (const rules::RulesError&) {
      continue;  // impossible under these rules
    }
  }
}

std::optional<Opening> OpeningSource::draw() {
  std::optional<Opening> opening = random_line(choice_.rules, choice_.table, choice_.plies, rng_);
  if (!opening) return std::nullopt;
  const float value = judge_.search(opening->position(), choice_.table, 1, rng_).value_stm;
  if (std::abs(value) > choice_.greatest_imbalance) return std::nullopt;
  return opening;
}

std::optional<Opening> OpeningSource::next() {
  if (choice_.plies == 0) return Opening{draw_start(choice_.rules, rng_), {}};
  const std::int64_t most = kAttemptsForEach * (std::ssize(seen_) + 10);
  for (; attempts_ < most; ++attempts_) {
    auto opening = draw();
    if (!opening) continue;
    const rules::Position position = opening->position();
    const std::uint64_t key = position.key();
    const std::uint64_t like = position.is_mirror_symmetric() ? position.mirrored().key() : key;
    if (seen_.insert(std::min(key, like)).second) return opening;
  }
  return std::nullopt;
}

std::vector<Opening> sample_openings(const OpeningChoice& choice, int count, rules::Rng rng) {
  OpeningSource source(choice, rng);
  std::vector<Opening> openings;
  while (std::ssize(openings) < count) {
    auto opening = source.next();
    if (!opening) {
      throw InputError("openings of " + std::to_string(choice.plies) + " plies: only " +
                       std::to_string(openings.size()) + " different ones were found, expected " +
                       std::to_string(count) + "; take more plies or fewer games");
    }
    openings.push_back(std::move(*opening));
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
