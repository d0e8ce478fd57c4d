#include "arena/openings.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>

#include "arena/expectiminimax.h"
#include "arena/simple_players.h"
#include "base/errors.h"
#include "base/text.h"
#include "book/book_file.h"
#include "book/ways.h"
#include "rules/error.h"
#include "rules/notation.h"

namespace arena {
namespace {

constexpr std::int64_t kAttemptsForEach = 100;

}  // namespace

std::optional<selfplay::Opening> OpeningSource::draw() {
  std::optional<selfplay::Opening> opening =
      selfplay::random_line(choice_.rules, choice_.table, choice_.plies, rng_);
  if (!opening) return std::nullopt;
  if (std::abs(value_stm(opening->position())) > double{choice_.greatest_imbalance}) {
    return std::nullopt;
  }
  return opening;
}

double OpeningSource::value_stm(const rules::Position& position) {
  if (position.has_cards()) {
    const auto moves = shuffled_sensible_moves(position, rng_);
    return double{expectiminimax(position, moves, choice_.table, 1).value_stm};
  }
  const auto found = judge_.search(position, choice_.table, {}, {.depth = 1, .full_width = true});
  return double{found.best().value_stm};
}

std::optional<selfplay::Opening> OpeningSource::next() {
  if (choice_.plies == 0) return selfplay::Opening{draw_start(choice_.rules, rng_), {}};
  const std::int64_t most = kAttemptsForEach * (std::ssize(seen_) + 10);
  for (; attempts_ < most; ++attempts_) {
    auto opening = draw();
    if (!opening) continue;
    if (seen_.insert(book::image_of(opening->position()).key()).second) return opening;
  }
  return std::nullopt;
}

std::vector<selfplay::Opening> OpeningSource::sample(int count, const std::atomic<bool>* stop) {
  std::vector<selfplay::Opening> openings;
  while (std::ssize(openings) < count && !(stop && *stop)) {
    auto opening = next();
    if (!opening) {
      throw base::InputError("openings of " + std::to_string(choice_.plies) + " plies: only " +
                             std::to_string(openings.size()) +
                             " different ones were found, expected " + std::to_string(count) +
                             "; take more plies or fewer games");
    }
    openings.push_back(std::move(*opening));
  }
  return openings;
}

std::vector<selfplay::Opening> read_openings(const std::filesystem::path& path,
                                             rules::RuleSet rules) {
  std::ifstream file(path);
  if (!file)
    throw base::InputError(path.string() + ": cannot be read; expected a file of openings");
  std::vector<selfplay::Opening> openings;
  std::string line;
  for (int number = 1; base::read_line(file, line); ++number) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line[begin] == '#' || line[begin] == ';') continue;
    const std::string where = path.string() + ":" + std::to_string(number) + ": ";
    try {
      const rules::Line read = rules::parse_line(line, rules);
      if (read.outcome({})) throw base::InputError(where + "the game is over there");
      openings.push_back({read.start, read.moves});
    } catch (const rules::RulesError& error) {
      throw base::InputError(where + error.what());
    }
  }
  if (openings.empty()) throw base::InputError(path.string() + ": there is no opening in it");
  return openings;
}

std::vector<selfplay::Opening> book_openings(const std::string& text, rules::RuleSet rules) {
  constexpr std::string_view kWithin = ",within=";
  const std::size_t comma = text.rfind(kWithin);
  double within = 0.25;
  if (comma != text.npos) {
    const auto number = base::parse_number<double>(text.substr(comma + kWithin.size()));
    if (!number || !(*number >= 0 && *number <= 5)) {
      throw base::InputError("openings " + text + ": expected within=POINTS, 0 to 5");
    }
    within = *number;
  }
  const std::string folder =
      text.substr(kBookOpenings.size(), comma == text.npos ? comma : comma - kBookOpenings.size());
  const book::Book book = book::read_book(folder);
  if (book.terms().start.rule_set() != rules) {
    throw base::InputError(folder + ": a book of " + book.terms().start.rule_set().title() +
                           ", expected one of " + rules.title() + " (--rules)");
  }
  std::vector<selfplay::Opening> openings;
  for (const int end : book::balanced_ends(book, within)) {
    openings.push_back({book.terms().start, book::way_to(book, end).moves});
  }
  if (openings.empty()) {
    throw base::InputError(folder + ": no end of the book lies within " +
                           base::shortest_text(within) + " points of an even game");
  }
  return openings;
}

}  // namespace arena
