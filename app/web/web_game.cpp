#include "app/web/web_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "app/commands/parts/inspection.h"
#include "app/play/position_search.h"
#include "app/protocols/analysis_json.h"
#include "rules/notation.h"

namespace app {
namespace {

using nlohmann::ordered_json;
using rules::Color;
using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kLongestAnalysis = 60s;
constexpr auto kTurn = 300ms;       // of an analysis while others wait
constexpr auto kCurveTime = 120ms;  // for a position of the curve
constexpr auto kReportEvery = 150ms;

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

WebGame::WebGame(GameSession started, std::string network_name, std::uint64_t visitor_number)
    : id(new_id()),
      rules(started.settings().rules),
      network(std::move(network_name)),
      visitor(visitor_number),
      session(std::move(started)) {}

std::pair<GameSession, std::uint64_t> WebGame::snapshot() {
  const std::lock_guard lock(mutex);
  return {session, version};
}

void WebGame::require_version(std::uint64_t seen) const {
  if (version != seen) throw Refusal{409, "the game went on meanwhile"};
}

ordered_json table_json(const rules::ScoringTable& table) {
  return {{"points_white", table.points_white}, {"material", table.material}};
}

ordered_json WebGame::described() {
  const rules::Line& line = session.line();
  const auto ended = session.outcome();
  ordered_json json = app::described(line, session.settings().table, ended);
  json["id"] = id;
  json["rules"] = rules.name();
  json["network"] = network;
  json["side"] = !session.settings().side                    ? "none"
                 : *session.settings().side == Color::kWhite ? "w"
                                                             : "b";
  json["level"] = session.settings().level;
  json["move_ms"] = session.settings().move_ms;
  json["table"] = table_json(session.settings().table);
  json["engines_turn"] = session.is_engines_turn();
  json["resigned"] = session.adjudication() == rules::Adjudication::kResignation;
  json["fast_fifty"] = session.adjudication() == rules::Adjudication::kFastFifty;
  json["evaluation"] = evaluation ? evaluation_json(*evaluation) : ordered_json();
  ordered_json plies = ordered_json::array();
  rules::Position position = line.start;
  for (const rules::Move move : line.moves) {
    const std::string san = rules::to_san(position, move);
    position.play(move);
    plies.push_back({{"uci", rules::to_uci(move)}, {"san", san}, {"fen", position.to_fen()}});
  }
  json["start_fen"] = line.start.to_fen();
  json["plies"] = std::move(plies);
  return json;
}

void analyse(const WebAnalysis& asked, int lines, const SendEvent& send) {
  EngineQueue& queue = asked.queue;
  WebGame& game = asked.game;
  const rules::Line& line = asked.line;
  const std::uint64_t number = ++game.streams;
  const auto end = SteadyClock::now() + kLongestAnalysis;
  const auto goes_on = [&] {
    return !asked.stopping && game.streams == number && SteadyClock::now() < end;
  };
  tactics::SearchLimits limits;
  limits.multi_pv = lines;
  limits.infinite = true;
  const Opponent opponent = game.opponent();
  const bool visits = counts_visits(*queue.backend(opponent));
  bool heard = true;
  while (heard && goes_on()) {
    const auto lease = queue.wait_for_turn(opponent, game.visitor + 1, end);
    const auto turn = SteadyClock::now() + kTurn;
    PositionSearch search(lease.engine(), line, asked.table, limits);
    while (heard && goes_on() && (SteadyClock::now() < turn || !queue.is_wanted())) {
      const auto report = search.take(kReportEvery);
      heard = report ? send("report", report_json(*report, line.position, lines, visits))
                     : send("", nullptr);
    }
    game.used = SteadyClock::now();
  }
  if (heard) send("end", ordered_json::object());
}

void draw_curve(const WebAnalysis& asked, const SendEvent& send) {
  EngineQueue& queue = asked.queue;
  WebGame& game = asked.game;
  const rules::Line& line = asked.line;
  const std::uint64_t number = ++game.streams;
  rules::Line so_far(line.start);
  for (std::size_t ply = 0;; ++ply) {
    if (asked.stopping || game.streams != number) return;
    ordered_json point{{"ply", ply}};
    if (const auto ended = so_far.outcome(asked.table)) {
      point.update(evaluation_json(evaluation_of(*ended, asked.table)));
    } else {
      const auto lease =
          queue.wait_for_turn(game.opponent(), game.visitor + 1, SteadyClock::now() + kCurveTime);
      tactics::SearchLimits limits;
      limits.move_time_ms =
          std::min(lease.ms(), std::chrono::duration<double, std::milli>(kCurveTime).count());
      PositionSearch search(lease.engine(), so_far, asked.table, limits);
      point.update(evaluation_json(evaluation_of(search.finish())));
    }
    if (!send("report", point)) return;
    if (ply == line.moves.size()) break;
    so_far.play(line.moves[ply]);
  }
  send("end", ordered_json::object());
}

}  // namespace app
