#include "app/play/game_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "arena/alphabeta_player.h"
#include "base/errors.h"

namespace app {
namespace {

using rules::Color;

constexpr std::size_t kOpeningPlies = 8;  // in which the engine varies its moves
constexpr double kOpeningTemperature = 0.5;

}  // namespace

std::string in_san(rules::Position position, const std::vector<rules::Move>& line) {
  std::string text;
  for (const rules::Move move : line) {
    text += (text.empty() ? "" : " ") + rules::to_san(position, move);
    position.play(move);
  }
  return text;
}

GameSession::GameSession(const GameSettings& settings, const PlayLevels& levels)
    : settings_(settings), levels_(levels), rng_(settings.seed) {
  begin();
}

PlayLevel GameSession::level() const {
  if (settings_.move_ms > 0) return {0, 0};
  if (settings_.budget > 0) return {settings_.budget, 0};
  return levels_.all.at(static_cast<std::size_t>(settings_.level - 1));
}

void GameSession::begin() { begin(rules::Line(rules::draw_start(settings_.rules, rng_))); }

void GameSession::begin(rules::Line line) {
  line_ = rules::Line(line.start);
  adjudged_.reset();
  plays_on_ = line_.outcome(settings_.table).has_value();
  for (const rules::Move move : line.moves) {
    line_.play(move);
    plays_on_ = plays_on_ || line_.outcome(settings_.table);
  }
  take_card();
}

// Lets the card come, where one is being drawn.
void GameSession::take_card() {
  if (now().is_chance()) line_.play(rules::draw_card(now(), rng_));
}

void GameSession::play(const std::string& text) {
  if (!can_go_on()) throw base::InputError("the game is over");
  const auto move = [&] {
    try {
      return rules::parse_move(now(), text);
    } catch (const rules::RulesError&) {
      throw base::InputError("'" + text + "' is no legal move here");
    }
  }();
  play(move);
}

void GameSession::play(rules::Move move) {
  plays_on_ = plays_on_ || outcome();
  line_.play(move);
  take_card();
}

void GameSession::undo() {
  if (adjudged_) {
    adjudged_.reset();
    return;
  }
  rules::Line line = line_;
  do {
    if (line.moves.empty()) throw base::InputError("there is no move of yours to take back");
    line = rules::Line(line.start, std::span(line.moves).first(line.moves.size() - 1));
  } while (line.position.is_chance() ||
           (settings_.side && line.position.side_to_move() != *settings_.side));
  line_ = std::move(line);
}

void GameSession::cut(std::size_t plies) {
  adjudged_.reset();
  line_ = rules::Line(line_.start, std::span(line_.moves).first(plies));
  take_card();
}

void GameSession::resign() {
  adjudged_ = {rules::win_of(~settings_.side.value_or(now().side_to_move())),
               rules::Adjudication::kResignation};
}

bool GameSession::propose_fast_fifty(engine::Engine& engine, std::optional<double> max_ms) {
  const rules::Outcome impasse = now().impasse(settings_.table);
  if (settings_.side) {
    const double expected = evaluation_of(hint(engine, max_ms)).points_white;
    if (std::abs(expected - settings_.table.white_points(impasse)) > kFastFiftyPoints) return false;
  }
  adjudged_ = {impasse, rules::Adjudication::kFastFifty};
  return true;
}

void GameSession::set_level(int level) {
  settings_.level = level;
  settings_.budget = 0;
  settings_.move_ms = 0;
}

std::vector<tactics::RootMove> GameSession::think(engine::Engine& engine, int budget, int many,
                                                  std::optional<double> max_ms) const {
  std::vector<tactics::RootMove> moves;
  tactics::SearchLimits limits;
  limits.nodes = static_cast<std::uint64_t>(budget);
  limits.move_time_ms = max_ms;
  limits.multi_pv = many;
  engine.set_position(now(), settings_.table, line_.past);
  engine.start(limits, [&moves](const tactics::SearchReport& report) { moves = report.moves; });
  engine.wait();
  return moves;
}

tactics::RootMove GameSession::choose(engine::Engine& engine, std::optional<double> max_ms) {
  PlayLevel how = level();
  if (settings_.move_ms > 0)
    max_ms = std::min(settings_.move_ms, max_ms.value_or(settings_.move_ms));
  if (line_.moves.size() < kOpeningPlies)
    how.temperature = std::max(how.temperature, kOpeningTemperature);
  const int lines = how.temperature > 0 ? arena::kSampledMoves : 1;
  return tactics::sample_move(think(engine, how.budget, lines, max_ms), how.temperature, rng_);
}

tactics::RootMove GameSession::hint(engine::Engine& engine, std::optional<double> max_ms) const {
  tactics::RootMove best = think(engine, std::max(levels_.hint, level().budget), 1, max_ms).front();
  engine.clear();
  return best;
}

Evaluation GameSession::evaluation_of(const tactics::RootMove& move) const {
  return {rules::points_white(static_cast<double>(move.value_stm), now().side_to_move()),
          move.outcomes};
}

rules::PgnGame GameSession::pgn(std::string_view event) const {
  const std::string engine =
      settings_.move_ms > 0  ? fmt::format("sharpzero, {} ms a move", settings_.move_ms)
      : settings_.budget > 0 ? fmt::format("sharpzero, {} {}", settings_.budget, levels_.unit)
                             : fmt::format("sharpzero, level {}", settings_.level);
  rules::PgnGame game;
  game.event = event;
  game.white = settings_.side == Color::kBlack ? engine : "Human";
  game.black = settings_.side == Color::kWhite ? engine : "Human";
  game.rules = settings_.rules;
  game.table = settings_.table;
  game.start = line_.start;
  game.moves = line_.moves;
  game.outcome = outcome();
  game.adjudication = adjudication();
  return game;
}

}  // namespace app
