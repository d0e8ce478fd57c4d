#pragma once
// A search of endings that can be enumerated, with noise of which all is known.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/rng.h"
#include "book/book.h"
#include "book/grow.h"

namespace book {

// What endings are worth, by enumeration: White's points under the table.
class Solver {
 public:
  explicit Solver(const rules::ScoringTable& table) : table_(table) {}

  double points(const rules::Position& position) {
    if (const auto outcome = position.outcome(table_)) return table_.white_points(*outcome);
    const std::string fen = position.to_fen();
    const std::string key = fen.substr(0, fen.rfind(' '));  // without the number of the move
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const auto [worth, move] = best(position, considered_moves(position));
    return known_[key] = worth;
  }
  // The best of these moves.
  std::pair<double, rules::Move> best(const rules::Position& position,
                                      std::span<const rules::Move> moves) {
    const bool white = position.side_to_move() == rules::Color::kWhite;
    std::pair<double, rules::Move> found{white ? -1.0 : 11.0, {}};
    for (const rules::Move move : moves) {
      const double worth = points(position.after(move));
      if (white ? worth > found.first : worth < found.first) found = {worth, move};
    }
    return found;
  }

 private:
  rules::ScoringTable table_;
  std::map<std::string, double> known_;
};

// Gives the error that a search makes: from numbers in (0, 1], of which another stands for each
// search, and says what it takes its own error to be.
struct Noise {
  std::function<double(base::Rng&)> draw;
  double error;
};

class ExactSearcher final : public Searcher {
 public:
  ExactSearcher(std::shared_ptr<Solver> solver, Noise noise, std::uint64_t seed)
      : solver_(std::move(solver)), noise_(std::move(noise)), seed_(seed) {}

  std::optional<Finding> search(const rules::Position& position,
                                std::span<const rules::Move> moves) override {
    const auto [worth, move] = solver_->best(position, moves);
    std::uint64_t hash = base::fnv1a(position.to_fen());
    for (const rules::Move each : moves) hash = base::mix64(hash ^ each.raw());
    base::Rng rng(hash ^ seed_);
    const double points = std::clamp(worth + noise_.draw(rng), 0.0, 10.0);
    return Finding{.points_white = points, .error = noise_.error, .outcomes = {}, .move = move};
  }

 private:
  std::shared_ptr<Solver> solver_;
  Noise noise_;
  std::uint64_t seed_;
};

// Errors of at most `most` points, and of that size as it is said: no bound is ever wrong.
inline Noise bounded_noise(double most) {
  return {[most](base::Rng& rng) { return most * (2 * rng.uniform() - 1); }, most};
}
// Of this standard deviation.
inline Noise normal_noise(double deviation) {
  return {[deviation](base::Rng& rng) { return deviation * rng.normal(); }, 1.96 * deviation};
}

inline Terms ending(const char* fen, const char* rules = "chess") {
  const auto set = rules::RuleSet::parse(rules);
  return {.start = rules::Position::from_fen(fen, set),
          .table = set.table(),
          .nodes = 1,
          .searcher = "exact"};
}

// Grows a book in memory by one thread; true where nothing is left to add.
inline bool grow_in_memory(
    Book& book, const MakeSearcher& make, int positions,
    const std::function<void(const Book&)>& on_step = [](const Book&) {}) {
  return grow(
      book, make,
      {.positions = positions, .keep = [](const Book&, const Step&) {}, .on_step = on_step});
}

}  // namespace book
