#include "app/web/web_api.h"

#include <fmt/format.h>

#include <optional>
#include <random>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands/parts/inspection.h"
#include "app/named/networks.h"
#include "app/protocols/analysis_json.h"
#include "app/web/web_rules.h"
#include "base/errors.h"
#include "base/json.h"
#include "base/text.h"
#include "rules/notation.h"
#include "rules/pgn.h"

namespace app {
namespace {

using nlohmann::ordered_json;
using rules::Color;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMostPlies = 2000;  // of a game
constexpr int kMostMoveMs = 10000;
constexpr int kMostLines = 8;
constexpr std::chrono::minutes kLongestWatch{10};
constexpr std::chrono::milliseconds kWatchEvery{500};

// One more of something for as long as the scope lasts, however it ends.
struct Counted {
  explicit Counted(std::atomic<std::size_t>& of) : all(of), number(++of) {}
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --all; }

  std::atomic<std::size_t>& all;
  const std::size_t number;
};

std::optional<Color> side_of(const std::string& text) {
  if (text == "none") return std::nullopt;
  if (text != "w" && text != "b") {
    throw Refusal{400, "side '" + base::one_line(text) + "': expected w, b or none"};
  }
  return text == "w" ? Color::kWhite : Color::kBlack;
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

ordered_json levels_json(const PlayLevels& levels) {
  ordered_json budgets = ordered_json::array(), elos = ordered_json::array();
  for (const PlayLevel& level : levels.all) {
    budgets.push_back(level.budget);
    elos.push_back(level.elo);
  }
  return {{"levels", budgets}, {"unit", levels.unit}, {"elos", elos}};
}

void change_level(GameSession& session, const ordered_json& asked) {
  if (const auto level = number_of(asked, "level", 1, static_cast<int>(kTreeLevels.all.size())))
    session.set_level(*level);
  if (const auto ms = number_of(asked, "move_ms", 50, kMostMoveMs)) session.set_move_time(*ms);
}

}  // namespace

WebApi::WebApi(const WebSettings& settings, LoadBackendFor load, const EngineOptions& options)
    : settings_(settings),
      queue_(std::move(load), options),
      list_(settings.runs, settings.run),
      runs_(list_, settings.program),
      studies_(list_, settings.program),
      book_(settings.book) {}

std::vector<ListedNetwork> WebApi::networks() const {
  return listed_networks(list_, settings_.net);
}

WebApi::Json WebApi::about() {
  Json sets = Json::array(), with_options = Json::array();
  for (const auto& named : rules::kRuleSets) {
    sets.push_back(named.name);
    if (named.rules.in_chess_sharp_family()) with_options.push_back(named.name);
  }
  const auto backend = queue_.backend({settings_.rules, ""});
  Json known = Json::array();
  for (const ListedNetwork& one : networks()) {
    known.push_back(levels_json(levels_of(one.path, settings_.rules)));
    known.back().update({{"name", one.name}, {"elo", one.elo}});
  }
  Json json{{"rule_sets", sets},
            {"rule_sets_with_options", with_options},
            {"rules", settings_.rules.name()},
            {"elo_scale", kEloScale},
            {"networks", known},
            {"table", table_json(settings_.table)},
            {"most_move_ms", kMostMoveMs}};
  json.update(levels_json(backend->levels));
  return json;
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
  const std::string network = text_of(asked, "network");
  if (!network.empty()) static_cast<void>(network_of(networks(), network));
  GameSession session(settings, queue_.backend({settings.rules, network})->levels);
  change_level(session, asked);
  if (line) session.begin(std::move(*line));
  static std::atomic<std::uint64_t> visitors = 0;
  const auto game = std::make_shared<WebGame>(std::move(session), network, visitors += 2);
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

WebApi::Json WebApi::answer(WebGame& game) {
  auto snapshot = game.snapshot();
  GameSession& session = snapshot.first;
  if (session.outcome()) throw Refusal{409, "the game is over"};
  const double ms = session.settings().move_ms > 0 ? session.settings().move_ms : kMostMoveMs;
  const auto deadline =
      SteadyClock::now() + std::chrono::microseconds(static_cast<long>(ms * 1000));
  Evaluation evaluation;
  {
    const auto lease = queue_.wait_for_turn(game.opponent(), game.visitor, deadline);
    const tactics::RootMove move = session.choose(lease.engine(), lease.ms());
    evaluation = session.evaluation_of(move);
    session.play(move.move);
  }
  const std::lock_guard lock(game.mutex);
  game.require_version(snapshot.second);
  game.session = std::move(session);
  game.evaluation = evaluation;
  ++game.version;
  return game.described();
}

WebApi::Json WebApi::hint(WebGame& game) {
  const GameSession session = game.copy();
  if (session.outcome()) throw Refusal{409, "the game is over"};
  const auto lease = queue_.wait_for_turn(
      game.opponent(), game.visitor, SteadyClock::now() + std::chrono::milliseconds(kMostMoveMs));
  const tactics::RootMove move = session.hint(lease.engine(), lease.ms());
  Json json = evaluation_json(session.evaluation_of(move));
  json["move"] = rules::to_uci(move.move);
  json["san"] = in_san(session.now(), move.line);
  return json;
}

WebApi::Json WebApi::fast_fifty(WebGame& game) {
  auto snapshot = game.snapshot();
  GameSession& session = snapshot.first;
  if (session.outcome()) throw Refusal{409, "the game is over"};
  if (session.is_engines_turn()) throw Refusal{409, "it is the engine's turn"};
  const bool accepted = [&] {
    const auto lease = queue_.wait_for_turn(
        game.opponent(), game.visitor, SteadyClock::now() + std::chrono::milliseconds(kMostMoveMs));
    return session.propose_fast_fifty(lease.engine(), lease.ms());
  }();
  const std::lock_guard lock(game.mutex);
  game.require_version(snapshot.second);
  if (accepted) {
    game.session = std::move(session);
    ++game.version;
  }
  Json json = game.described();
  json["accepted"] = accepted;
  return json;
}

WebApi::Json WebApi::act(WebGame& game, const std::string& action, const Json& asked) {
  if (action == "answer") return answer(game);
  if (action == "hint") return hint(game);
  if (action == "fast_fifty") return fast_fifty(game);
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
  return answered([&]() -> WebReply {
    const auto asked = body.empty() ? Json::object() : base::parse<Json>(body);
    if (!asked.is_object()) throw Refusal{400, "expected a JSON object"};
    const std::string first = words.empty() ? "" : words[0];
    if (method == "GET" && path == "/about") return {200, about()};
    if (method == "POST" && path == "/games") return {201, new_game(asked)};
    if (first == "runs") return runs_.handle(method, words, asked);
    if (first == "studies") return studies_.handle(method, words, asked);
    if (first == "game") return handle_rules(method, words, asked);
    if (first == "book") return book_.handle(method, words);
    if (first != "games" || words.size() < 2) throw Refusal{404, "there is nothing here"};
    return handle_game(method, words, asked);
  });
}

WebReply WebApi::handle_game(const std::string& method, const std::vector<std::string>& words,
                             const Json& asked) {
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
  const bool for_app = words.size() == 4 && words[3] == "app";
  if (words[2] == "pgn" && (words.size() == 3 || for_app)) {
    const auto dialect = for_app ? rules::PgnDialect::kApp : rules::PgnDialect::kOwn;
    return {200, {{"pgn", rules::to_pgn(known->session.pgn("Game on the page"), dialect)}}};
  }
  if (words.size() == 4 && words[2] == "positions") {
    GameSession session = known->session;
    session.cut(static_cast<std::size_t>(
        base::whole_number("ply", words[3], 0, std::ssize(session.line().moves))));
    return {200, described(session.line(), session.settings().table, session.outcome())};
  }
  throw Refusal{404, "there is nothing here"};
}

std::variant<WebStream, WebReply> WebApi::open_stream(const std::string& path,
                                                      const WebParameters& parameters) {
  WebStream stream;
  WebReply refused = answered([&]() -> WebReply {
    stream = stream_of(path, parameters);
    return {};
  });
  if (!stream) return refused;
  return stream;
}

bool WebApi::is_stream(const std::string& path) {
  return path == "/watch" ||
         (path.starts_with("/games/") && (path.ends_with("/analysis") || path.ends_with("/curve")));
}

WebStream WebApi::stream_of(const std::string& path, const WebParameters& parameters) {
  const auto value = [&](const char* key, const std::string& standard) {
    const auto found = parameters.find(key);
    return found == parameters.end() ? standard : found->second;
  };
  if (!is_stream(path)) throw Refusal{404, "there is nothing here"};
  if (path == "/watch") return [this](const SendEvent& send) { watch(send); };
  const std::size_t at = path.rfind('/');
  const std::string kind = path.substr(at + 1);
  const std::string where = path.substr(0, at);
  const GamePointer known = game(where.substr(std::string("/games/").size()));
  GameSession session = known->copy();
  const auto table =
      rules::ScoringTable::from_changes(value("table", "default"), session.settings().table);
  const auto plies = std::ssize(session.line().moves);
  session.cut(static_cast<std::size_t>(
      base::whole_number("ply", value("ply", std::to_string(plies)), 0, plies)));
  const rules::Line line = session.line();
  if (kind == "curve") {
    return [this, known, line, table](const SendEvent& send) {
      draw_curve({queue_, *known, line, table, stopping_}, send);
    };
  }
  const auto lines =
      static_cast<int>(base::whole_number("lines", value("lines", "3"), 1, kMostLines));
  if (line.position.forced_outcome(table)) throw Refusal{409, "the game is over"};
  return [this, known, line, table, lines](const SendEvent& send) {
    analyse({queue_, *known, line, table, stopping_}, lines, send);
  };
}

void WebApi::watch(const SendEvent& send) {
  const Counted watcher(watchers_);
  const auto most = settings_.most_watchers;
  if (watcher.number > most) {
    send("end", {{"error", fmt::format("{} pages watch already, which is the most", most)}});
    return;
  }
  const auto end = SteadyClock::now() + kLongestWatch;
  bool heard = true;
  for (Json before; heard && !stopping_ && SteadyClock::now() < end;) {
    Json now = runs_.overview();
    now["study"] = studies_.job();
    heard = now == before ? send("", nullptr) : send("report", now);
    before = std::move(now);
    std::this_thread::sleep_for(kWatchEvery);
  }
  if (heard) send("end", Json::object());
}

}  // namespace app
