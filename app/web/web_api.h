#pragma once
// What the page asks of the program, as JSON, without HTTP: games, moves, answers, analysis. No
// request names a file.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "app/named/networks.h"
#include "app/web/engine_queue.h"
#include "app/web/run_list.h"
#include "app/web/web_book.h"
#include "app/web/web_game.h"
#include "app/web/web_request.h"
#include "app/web/web_runs.h"
#include "app/web/web_studies.h"
#include "rules/outcome.h"
#include "rules/rule_set.h"

namespace app {

struct WebSettings {
  rules::RuleSet rules;                 // of a new game where it says nothing else
  rules::ScoringTable table;            // of these rules where a new game says nothing else
  std::size_t most_games = 20;          // at once
  std::chrono::minutes idle{30};        // after which a game is dropped
  std::chrono::minutes idle_full{5};    // and where another wants its place
  std::size_t most_watchers = 16;       // streams of what runs
  std::filesystem::path runs = "runs";  // the folder of the runs, also of new ones
  std::filesystem::path run;            // another run, which is shown first; empty: none
  std::filesystem::path net;            // what plays by default; empty: listed_networks()' first
  std::filesystem::path book;           // the folder of an opening book; empty: none
  std::vector<std::string> program;     // the words that `sharpzero` is started by
};

// All functions may be called by any thread.
//
//   GET    /about                     rule sets, networks, the default's levels, the table
//   POST   /games                     a new game: rules, network (of those), table, side (w, b or
//                                     none), level or move_ms, and fen with moves, or pgn; instead:
//                                     the ID of a game that ends with it
//   GET    /games/ID                  the game
//   POST   /games/ID/move             move (SAN or UCI), ply: how many moves are kept before it
//   POST   /games/ID/answer           the engine moves
//   POST   /games/ID/hint             what the engine would play
//   POST   /games/ID/undo, /resign
//   POST   /games/ID/fast_fifty       asks to agree on an impasse: accepted, and the game
//   POST   /games/ID/settings         side, level or move_ms, table
//   GET    /games/ID/pgn
//   GET    /games/ID/positions/PLY    the position and its legal moves
//   DELETE /games/ID
//   and what WebRuns, WebStudies, WebBook and handle_rules() answer
// and as streams:
//   GET    /games/ID/analysis         ply, lines, table: reports until it is closed, or a minute
//   GET    /games/ID/curve            table: an evaluation of each position
//   GET    /watch                     what runs (WebRuns::overview(), and study:
//   WebStudies::job()),
//                                     now and whenever it has changed
class WebApi {
 public:
  WebApi(const WebSettings& settings, LoadBackendFor load, const EngineOptions& options);

  // Whether a GET of the path is a stream.
  static bool is_stream(const std::string& path);

  // `body` is JSON; empty: {}.
  WebReply handle(const std::string& method, const std::string& path, const std::string& body);
  // The stream, or why there is none.
  std::variant<WebStream, WebReply> open_stream(const std::string& path,
                                                const WebParameters& parameters);
  // Ends all streams soon, and all that begin later.
  void stop() { stopping_ = true; }

 private:
  using GamePointer = std::shared_ptr<WebGame>;
  using Json = nlohmann::ordered_json;

  Json about();
  std::vector<ListedNetwork> networks() const;
  Json new_game(const Json& asked);
  // Returns the game of that ID. Throws a refusal, status 404, where there is none.
  GamePointer game(const std::string& id);
  // Makes room first, also by dropping the game with the id `instead`. Throws where there is none.
  void add(const GamePointer& game, const std::string& instead);
  // The reply to /games/ID and what stands below it. Throws refusals and what bad input throws.
  WebReply handle_game(const std::string& method, const std::vector<std::string>& words,
                       const Json& asked);
  // Likewise the stream of open_stream().
  WebStream stream_of(const std::string& path, const WebParameters& parameters);
  // Sends what runs whenever it has changed.
  void watch(const SendEvent& send);
  Json act(WebGame& game, const std::string& action, const Json& asked);
  Json answer(WebGame& game);
  Json hint(WebGame& game);
  Json fast_fifty(WebGame& game);

  const WebSettings settings_;
  EngineQueue queue_;
  RunList list_;
  WebRuns runs_;
  WebStudies studies_;
  WebBook book_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> watchers_{0};
  std::mutex mutex_;  // guards games_
  std::map<std::string, GamePointer> games_;
};

}  // namespace app
