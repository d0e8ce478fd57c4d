#pragma once
// What the page asks of the program, as JSON, without HTTP: games, moves, answers, analysis. No
// request names a file.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "app/engine_queue.h"
#include "app/game_session.h"
#include "rules/outcome.h"
#include "rules/rule_set.h"

namespace app {

struct WebSettings {
  rules::RuleSet rules;               // of a new game where it says nothing else
  rules::ScoringTable table;          // of these rules where a new game says nothing else
  std::size_t most_games = 20;        // at once
  std::chrono::minutes idle{30};      // after which a game is dropped
  std::chrono::minutes idle_full{5};  // and where another wants its place
};

struct WebReply {
  int status = 200;
  nlohmann::ordered_json json;  // {"error": one line} from status 400 on
};

// Sends an event: "report" or "end", and its data. Null data only asks whether somebody listens.
// False: nobody does.
using SendEvent = std::function<bool(std::string_view name, const nlohmann::ordered_json& data)>;
// Searches and sends events until it is done or nobody listens.
using WebStream = std::function<void(const SendEvent& send)>;
using WebParameters = std::map<std::string, std::string>;

// All functions may be called by any thread.
//
//   GET    /about                     rule sets, levels, the table
//   POST   /games                     a new game: rules, table, side (w, b or none), level or
//                                     move_ms, and fen with moves, or pgn; instead: the ID of a
//                                     game that ends with it
//   GET    /games/ID                  the game
//   POST   /games/ID/move             move (SAN or UCI), ply: how many moves are kept before it
//   POST   /games/ID/answer           the engine moves
//   POST   /games/ID/hint             what the engine would play
//   POST   /games/ID/undo, /resign
//   POST   /games/ID/settings         side, level or move_ms, table
//   GET    /games/ID/pgn
//   GET    /games/ID/positions/PLY    the position and its legal moves
//   DELETE /games/ID
// and as streams:
//   GET    /games/ID/analysis         ply, lines, table: reports until it is closed, or a minute
//   GET    /games/ID/curve            table: an evaluation of each position
class WebApi {
 public:
  WebApi(const WebSettings& settings, LoadBackendFor load, const EngineOptions& options);
  ~WebApi();

  // `body` is JSON; empty: {}.
  WebReply handle(const std::string& method, const std::string& path, const std::string& body);
  // The stream, or why there is none.
  std::variant<WebStream, WebReply> open_stream(const std::string& path,
                                                const WebParameters& parameters);
  // Ends all streams soon, and all that begin later.
  void stop() { stopping_ = true; }

 private:
  struct Game;
  using GamePointer = std::shared_ptr<Game>;
  using Json = nlohmann::ordered_json;

  Json about();
  Json new_game(const Json& asked);
  // Returns the game of that ID. Throws a refusal, status 404, where there is none.
  GamePointer game(const std::string& id);
  // Makes room first, also by dropping the game with the id `instead`. Throws where there is none.
  void add(const GamePointer& game, const std::string& instead);
  Json act(Game& game, const std::string& action, const Json& asked);
  Json answer(Game& game);
  Json hint(Game& game);
  void analyse(Game& game, const rules::Line& line, const rules::ScoringTable& table, int lines,
               const SendEvent& send);
  void draw_curve(Game& game, const rules::Line& line, const rules::ScoringTable& table,
                  const SendEvent& send);

  const WebSettings settings_;
  EngineQueue queue_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;  // guards games_
  std::map<std::string, GamePointer> games_;
};

}  // namespace app
