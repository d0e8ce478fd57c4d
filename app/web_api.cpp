#include "app/web_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <optional>
#include <random>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "app/inspection.h"
#include "app/uci_go.h"
#include "base/errors.h"
#include "base/json.h"
#include "rules/error.h"
#include "rules/notation.h"
#include "rules/pgn.h"

namespace app {
namespace {

using nlohmann::ordered_json;
using rules::Color;
using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kMostPlies = 2000;  // of a game
constexpr int kMostMoveMs = 10000;
constexpr int kMostLines = 8;
constexpr auto kLongestAnalysis = 60s;
constexpr auto kTurn = 300ms;       // of an analysis while others wait
constexpr auto kCurveTime = 120ms;  // for a position of the curve
constexpr auto kReportEvery = 150ms;

// A request that is not answered: the HTTP status and one line.
struct Refusal {
  int status;
  std::string message;
};

std::string text_of(const ordered_json& asked, const char* key, const std::string& standard = "") {
  const auto found = asked.find(key);
  if (found == asked.end() || found->is_null()) return standard;
  if (!found->is_string()) throw Refusal{400, fmt::format("{}: expected text", key)};
  return found->get<std::string>();
}

std::optional<int> number_of(const ordered_json& asked, const char* key, int low, int high) {
  const auto found = asked.find(key);
  if (found == asked.end() || found->is_null()) return std::nullopt;
  if (!found->is_number_integer() || *found < low || *found > high) {
    throw Refusal{400, fmt::format("{}: expected a whole number from {} to {}", key, low, high)};
  }
  return found->get<int>();
}

std::optional<Color> side_of(const std::string& text) {
  if (text == "none") return std::nullopt;
  if (text != "w" && text != "b") {
    throw Refusal{400, "side '" + base::one_line(text) + "': expected w, b or none"};
  }
  return text == "w" ? Color::kWhite : Color::kBlack;
}

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

// The game of a request: a PGN, or a FEN and moves from it; empty: none is given.
std::optional<rules::Line> line_of(const ordered_json& asked, rules::RuleSet& rules) {
  if (const std::string pgn = text_of(asked, "pgn"); !pgn.empty()) {
    std::istringstream in(pgn);
    const auto game = rules::PgnReader(in, rules).next();
    if (!game) throw Refusal{400, "pgn: expected a game"};
    rules = game->rules;
    if (game->moves.size() > kMostPlies) throw Refusal{400, "pgn: the game is too long"};
    return rules::Line(game->start, game->moves);
  }
  const std::string fen = text_of(asked, "fen"), moves = text_of(asked, "moves");
  if (fen.empty() && moves.empty()) return std::nullopt;
  const std::string start = fen.empty() ? rules::Position::start(rules).to_fen() : fen;
  rules::Line line = rules::parse_line(moves.empty() ? start : start + " moves " + moves, rules);
  if (line.moves.size() > kMostPlies) throw Refusal{400, "moves: the game is too long"};
  return line;
}

ordered_json table_json(const rules::ScoringTable& table) {
  return {{"points_white", table.points_white}, {"material", table.material}};
}

void change_level(GameSession& session, const ordered_json& asked) {
  if (const auto level = number_of(asked, "level", 1, static_cast<int>(kTreeLevels.all.size())))
    session.set_level(*level);
  if (const auto ms = number_of(asked, "move_ms", 50, kMostMoveMs)) session.set_move_time(*ms);
}

ordered_json evaluation_json(const Evaluation& evaluation) {
  return {{"points_white", evaluation.points_white}, {"outcomes", evaluation.probabilities}};
}

// `visits`: whether the engine counts a move's.
ordered_json report_json(const mcts::AnalysisReport& report, const rules::Position& root, int lines,
                         bool visits) {
  ordered_json all = ordered_json::array();
  const auto shown = std::min<std::size_t>(static_cast<std::size_t>(lines), report.moves.size());
  for (const mcts::RootMove& move : std::span(report.moves).first(shown)) {
    std::vector<std::string> uci;
    for (const rules::Move played : move.line) uci.push_back(rules::to_uci(played));
    if (uci.empty()) uci.push_back(rules::to_uci(move.move));
    all.push_back({{"points_white",
                    rules::points_white(static_cast<double>(move.value_stm), root.side_to_move())},
                   {"outcomes", move.outcomes},
                   {"visits", visits ? ordered_json(move.visits) : ordered_json()},
                   {"proven", move.proven},
                   {"moves", uci},
                   {"san", in_san(root, move.line.empty() ? std::vector{move.move} : move.line)}});
  }
  return {{"depth", report.depth},
          {"nodes", report.nodes},
          {"nodes_per_s", report.nodes_per_s},
          {"points_white", report.points_white},
          {"outcomes", report.outcomes},
          {"lines", std::move(all)}};
}

// What a search has said last, from its thread to the one that sends.
class Mailbox {
 public:
  void put(const mcts::AnalysisReport& report) {
    {
      const std::lock_guard lock(mutex_);
      report_ = report;
    }
    changed_.notify_one();
  }
  // The newest report that was not taken yet; empty where none comes in time.
  std::optional<mcts::AnalysisReport> take(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return report_.has_value(); });
    return std::exchange(report_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<mcts::AnalysisReport> report_;
};

// Ends the search under way at the end of the scope, however that comes.
class StopsSearch {
 public:
  explicit StopsSearch(mcts::Engine& engine) : engine_(engine) {}
  StopsSearch(const StopsSearch&) = delete;
  StopsSearch& operator=(const StopsSearch&) = delete;
  ~StopsSearch() {
    engine_.stop();
    try {
      engine_.wait();
    } catch (const std::exception&) {  // the report has said it
    }
  }

 private:
  mcts::Engine& engine_;
};

}  // namespace

struct WebApi::Game {
  Game(GameSession started, std::uint64_t visitor_number)
      : id(new_id()), visitor(visitor_number), session(std::move(started)) {}

  const std::string id;
  const std::uint64_t visitor;
  std::atomic<std::uint64_t> streams{0};  // that were opened; only the last one goes on
  std::atomic<SteadyClock::time_point> used{SteadyClock::now()};

  std::mutex mutex;  // guards the next three
  GameSession session;
  std::uint64_t version = 0;  // counts changes
  std::optional<Evaluation> evaluation;

  GameSession copy() {
    const std::lock_guard lock(mutex);
    return session;
  }

  // REQUIRES: the mutex is held.
  ordered_json described() {
    const rules::Line& line = session.line();
    ordered_json json = app::described(line, session.settings().table);
    json["id"] = id;
    json["rules"] = session.settings().rules.name();
    json["side"] = !session.settings().side                    ? "none"
                   : *session.settings().side == Color::kWhite ? "w"
                                                               : "b";
    json["level"] = session.settings().level;
    json["move_ms"] = session.settings().move_ms;
    json["table"] = table_json(session.settings().table);
    json["engines_turn"] = session.is_engines_turn();
    json["resigned"] = session.is_resigned();
    if (const auto ended = session.outcome()) {
      json["outcome"] = rules::name(*ended);
      json["points_white"] = session.settings().table.white_points(*ended);
      json["moves"] = json["san"] = ordered_json::array();
    }
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
};

WebApi::WebApi(const WebSettings& settings, LoadBackendFor load, const EngineOptions& options)
    : settings_(settings), queue_(std::move(load), options) {}

WebApi::~WebApi() = default;

WebApi::Json WebApi::about() {
  Json sets = Json::array();
  for (const auto& named : rules::kRuleSets) sets.push_back(named.name);
  const auto backend = queue_.backend(settings_.rules);
  Json levels = Json::array();
  for (const PlayLevel& level : backend->levels.all) levels.push_back(level.budget);
  return {{"rule_sets", sets},
          {"rules", settings_.rules.name()},
          {"levels", levels},
          {"unit", backend->levels.unit},
          {"table", table_json(settings_.table)},
          {"most_move_ms", kMostMoveMs}};
}

WebApi::Json WebApi::new_game(const Json& asked) {
  GameSettings settings;
  settings.rules = rules::RuleSet::parse(text_of(asked, "rules", settings_.rules.name()));
  auto line = line_of(asked, settings.rules);
  const rules::ScoringTable standard =
      settings.rules == settings_.rules ? settings_.table : settings.rules.table();
  settings.table = rules::ScoringTable::from_changes(text_of(asked, "table"), standard);
  settings.side = side_of(text_of(asked, "side", "w"));
  settings.seed = std::random_device{}();
  GameSession session(settings, queue_.backend(settings.rules)->levels);
  change_level(session, asked);
  if (line) session.begin(std::move(*line));
  static std::atomic<std::uint64_t> visitors = 0;
  const auto game = std::make_shared<Game>(std::move(session), visitors += 2);
  add(game, text_of(asked, "instead"));
  const std::lock_guard lock(game->mutex);
  return game->described();
}

void WebApi::add(const GamePointer& game, const std::string& instead) {
  const std::lock_guard lock(mutex_);
  games_.erase(instead);
  const auto drop_idle = [&](std::chrono::minutes time) {
    std::erase_if(games_, [&](const auto& known) {
      return SteadyClock::now() - known.second->used.load() > time;
    });
  };
  drop_idle(settings_.idle);
  if (games_.size() >= settings_.most_games) drop_idle(settings_.idle_full);
  if (games_.size() >= settings_.most_games) {
    throw Refusal{503, fmt::format("{} games are under way here, which is the most; please try "
                                   "again in a few minutes",
                                   games_.size())};
  }
  games_[game->id] = game;
}

WebApi::GamePointer WebApi::game(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = games_.find(id);
  if (found == games_.end()) throw Refusal{404, "there is no such game (any more)"};
  found->second->used = SteadyClock::now();
  return found->second;
}

WebApi::Json WebApi::answer(Game& game) {
  GameSession session = game.copy();
  if (session.outcome()) throw Refusal{409, "the game is over"};
  const double ms = session.settings().move_ms > 0 ? session.settings().move_ms : kMostMoveMs;
  const auto deadline =
      SteadyClock::now() + std::chrono::microseconds(static_cast<long>(ms * 1000));
  const std::uint64_t seen = [&] {
    const std::lock_guard lock(game.mutex);
    return game.version;
  }();
  Evaluation evaluation;
  {
    const auto lease = queue_.wait_for_turn(session.settings().rules, game.visitor, deadline);
    const mcts::RootMove move = session.choose(lease.engine(), lease.ms());
    evaluation = session.evaluation_of(move);
    session.play(move.move);
  }
  const std::lock_guard lock(game.mutex);
  if (game.version != seen) throw Refusal{409, "the game went on meanwhile"};
  game.session = std::move(session);
  game.evaluation = evaluation;
  ++game.version;
  return game.described();
}

WebApi::Json WebApi::hint(Game& game) {
  const GameSession session = game.copy();
  if (session.outcome()) throw Refusal{409, "the game is over"};
  const auto lease =
      queue_.wait_for_turn(session.settings().rules, game.visitor,
                           SteadyClock::now() + std::chrono::milliseconds(kMostMoveMs));
  const mcts::RootMove move = session.hint(lease.engine(), lease.ms());
  Json json = evaluation_json(session.evaluation_of(move));
  json["move"] = rules::to_uci(move.move);
  json["san"] = in_san(session.now(), move.line);
  return json;
}

WebApi::Json WebApi::act(Game& game, const std::string& action, const Json& asked) {
  if (action == "answer") return answer(game);
  if (action == "hint") return hint(game);
  const std::lock_guard lock(game.mutex);
  GameSession changed = game.session;
  if (action == "move") {
    const int plies = static_cast<int>(changed.line().moves.size());
    if (const auto kept = number_of(asked, "ply", 0, plies); kept && *kept != plies) {
      changed.cut(static_cast<std::size_t>(*kept));
    }
    if (changed.line().moves.size() >= kMostPlies) throw Refusal{409, "the game is too long"};
    changed.play(text_of(asked, "move"));
  } else if (action == "undo") {
    changed.undo();
  } else if (action == "resign") {
    if (changed.outcome()) throw Refusal{409, "the game is over"};
    changed.resign();
  } else if (action == "settings") {
    if (asked.contains("side")) changed.set_side(side_of(text_of(asked, "side")));
    if (asked.contains("table")) {
      changed.set_table(rules::ScoringTable::from_changes(text_of(asked, "table"),
                                                          changed.settings().rules.table()));
    }
    change_level(changed, asked);
  } else {
    throw Refusal{404, "there is nothing here"};
  }
  game.session = std::move(changed);
  game.evaluation.reset();
  ++game.version;
  return game.described();
}

WebReply WebApi::handle(const std::string& method, const std::string& path,
                        const std::string& body) {
  std::vector<std::string> words;
  std::istringstream in(path);
  for (std::string word; std::getline(in, word, '/');) words.push_back(word);
  if (!words.empty() && words.front().empty()) words.erase(words.begin());
  try {
    const auto asked = body.empty() ? Json::object() : base::parse<Json>(body);
    if (!asked.is_object()) throw Refusal{400, "expected a JSON object"};
    const std::string first = words.empty() ? "" : words[0];
    if (method == "GET" && path == "/about") return {200, about()};
    if (method == "POST" && path == "/games") return {201, new_game(asked)};
    if (first != "games" || words.size() < 2) throw Refusal{404, "there is nothing here"};
    const GamePointer known = game(words[1]);
    if (method == "DELETE" && words.size() == 2) {
      ++known->streams;
      const std::lock_guard lock(mutex_);
      games_.erase(words[1]);
      return {200, Json::object()};
    }
    if (method == "POST" && words.size() == 3) return {200, act(*known, words[2], asked)};
    if (method != "GET") throw Refusal{405, "there is nothing here to " + base::one_line(method)};
    const std::lock_guard lock(known->mutex);
    if (words.size() == 2) return {200, known->described()};
    if (words.size() == 3 && words[2] == "pgn") {
      return {200, {{"pgn", rules::to_pgn(known->session.pgn("Game on the page"))}}};
    }
    if (words.size() == 4 && words[2] == "positions") {
      GameSession session = known->session;
      session.cut(static_cast<std::size_t>(
          whole_number("ply", words[3], 0, std::ssize(session.line().moves))));
      return {200, described(session.line(), session.settings().table)};
    }
    throw Refusal{404, "there is nothing here"};
  } catch (const Refusal& refusal) {
    return {refusal.status, {{"error", refusal.message}}};
  } catch (const base::InputError& error) {
    return {400, {{"error", error.what()}}};
  } catch (const rules::RulesError& error) {
    return {400, {{"error", base::one_line(error.what())}}};
  }
}

std::variant<WebStream, WebReply> WebApi::open_stream(const std::string& path,
                                                      const WebParameters& parameters) {
  const auto value = [&](const char* key, const std::string& standard) {
    const auto found = parameters.find(key);
    return found == parameters.end() ? standard : found->second;
  };
  try {
    const std::size_t at = path.rfind('/');
    const std::string kind = path.substr(at + 1);
    const std::string where = path.substr(0, at);
    if (!where.starts_with("/games/") || (kind != "analysis" && kind != "curve")) {
      throw Refusal{404, "there is nothing here"};
    }
    const GamePointer known = game(where.substr(std::string("/games/").size()));
    GameSession session = known->copy();
    const auto table =
        rules::ScoringTable::from_changes(value("table", "default"), session.settings().table);
    const auto plies = std::ssize(session.line().moves);
    session.cut(static_cast<std::size_t>(
        whole_number("ply", value("ply", std::to_string(plies)), 0, plies)));
    if (kind == "curve") {
      return [this, known, line = session.line(), table](const SendEvent& send) {
        draw_curve(*known, line, table, send);
      };
    }
    const auto lines = static_cast<int>(whole_number("lines", value("lines", "3"), 1, kMostLines));
    if (session.line().outcome(table)) throw Refusal{409, "the game is over"};
    return [this, known, line = session.line(), table, lines](const SendEvent& send) {
      analyse(*known, line, table, lines, send);
    };
  } catch (const Refusal& refusal) {
    return WebReply{refusal.status, {{"error", refusal.message}}};
  } catch (const base::InputError& error) {
    return WebReply{400, {{"error", error.what()}}};
  } catch (const rules::RulesError& error) {
    return WebReply{400, {{"error", base::one_line(error.what())}}};
  }
}

void WebApi::analyse(Game& game, const rules::Line& line, const rules::ScoringTable& table,
                     int lines, const SendEvent& send) {
  const std::uint64_t number = ++game.streams;
  const auto end = SteadyClock::now() + kLongestAnalysis;
  const auto goes_on = [&] {
    return !stopping_ && game.streams == number && SteadyClock::now() < end;
  };
  mcts::AnalysisLimits limits;
  limits.multi_pv = lines;
  limits.infinite = true;
  const rules::RuleSet rules = line.position.rule_set();
  const bool visits = queue_.backend(rules)->levels.unit == std::string_view(kTreeLevels.unit);
  bool heard = true;
  while (heard && goes_on()) {
    const auto lease = queue_.wait_for_turn(rules, game.visitor + 1, end);
    const auto turn = SteadyClock::now() + kTurn;
    Mailbox mailbox;
    lease.engine().set_position(line.position, table, line.past);
    lease.engine().start(limits, [&](const mcts::AnalysisReport& report) { mailbox.put(report); });
    const StopsSearch stops(lease.engine());
    while (heard && goes_on() && (SteadyClock::now() < turn || !queue_.is_wanted())) {
      const auto report = mailbox.take(kReportEvery);
      heard = report ? send("report", report_json(*report, line.position, lines, visits))
                     : send("", nullptr);
    }
    game.used = SteadyClock::now();
  }
  if (heard) send("end", Json::object());
}

void WebApi::draw_curve(Game& game, const rules::Line& line, const rules::ScoringTable& table,
                        const SendEvent& send) {
  const std::uint64_t number = ++game.streams;
  rules::Line so_far(line.start);
  for (std::size_t ply = 0;; ++ply) {
    if (stopping_ || game.streams != number) return;
    Json point{{"ply", ply}};
    if (const auto ended = so_far.outcome(table)) {
      point.update(evaluation_json({table.white_points(*ended), rules::certain(*ended)}));
    } else {
      const auto lease = queue_.wait_for_turn(line.position.rule_set(), game.visitor + 1,
                                              SteadyClock::now() + kCurveTime);
      mcts::AnalysisReport found;
      mcts::AnalysisLimits limits;
      limits.move_time_ms =
          std::min(lease.ms(), std::chrono::duration<double, std::milli>(kCurveTime).count());
      lease.engine().set_position(so_far.position, table, so_far.past);
      lease.engine().start(limits, [&](const mcts::AnalysisReport& report) { found = report; });
      lease.engine().wait();
      point.update(evaluation_json({found.points_white, found.outcomes}));
    }
    if (!send("report", point)) return;
    if (ply == line.moves.size()) break;
    so_far.play(line.moves[ply]);
  }
  send("end", Json::object());
}

}  // namespace app
