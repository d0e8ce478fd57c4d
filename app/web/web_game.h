#pragma once
// A game on the page, and what the engine thinks of it as streams of events.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/play/game_session.h"
#include "app/web/engine_queue.h"
#include "app/web/web_request.h"
#include "rules/outcome.h"

namespace app {

struct WebGame {
  WebGame(GameSession started, std::string network_name, std::uint64_t visitor_number);

  const std::string id;
  const rules::RuleSet rules;
  const std::string network;  // its opponent; empty: the default
  const std::uint64_t visitor;
  std::atomic<std::uint64_t> streams{0};  // that were opened; only the last one goes on
  std::atomic<std::chrono::steady_clock::time_point> used{std::chrono::steady_clock::now()};

  std::mutex mutex;  // guards the next three
  GameSession session;
  std::uint64_t version = 0;  // counts changes
  std::optional<Evaluation> evaluation;

  GameSession copy() { return snapshot().first; }
  // A copy, and the version that it is of.
  std::pair<GameSession, std::uint64_t> snapshot();
  // Throws a refusal, status 409, where the game has changed since. REQUIRES: the mutex is held.
  void require_version(std::uint64_t seen) const;
  // What plays in it.
  Opponent opponent() const { return {rules, network}; }
  // REQUIRES: the mutex is held.
  nlohmann::ordered_json described();
};

nlohmann::ordered_json table_json(const rules::ScoringTable& table);

// A position of a game that is to be looked at.
struct WebAnalysis {
  EngineQueue& queue;
  WebGame& game;
  rules::Line line;
  rules::ScoringTable table;
  const std::atomic<bool>& stopping;  // ends it soon
};

// Searches and sends "report"s with at most so many lines, until nobody listens, another stream of
// the game is opened or a minute is over; then "end". Others have their turns in between.
// REQUIRES: the line is not over.
void analyse(const WebAnalysis& asked, int lines, const SendEvent& send);
// Sends a "report" of each position of the line, then "end".
void draw_curve(const WebAnalysis& asked, const SendEvent& send);

}  // namespace app
