#pragma once
// The UCI engine: a conversation on two streams, with any evaluator.

#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/play/backend.h"
#include "book/book.h"
#include "engine/engine.h"
#include "rules/notation.h"
#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "tablebase/tables.h"

namespace app {

struct UciSettings {
  rules::RuleSet rules;
  std::string net;        // the option Net at the start
  std::string tablebase;  // a folder, the option TablebasePath at the start; empty: none
  int threads = 1;
};

class Uci {
 public:
  // The streams are borrowed. What is written may come from a thread of the search. Throws as
  // tablebase::load().
  Uci(const UciSettings& settings, LoadBackend load, std::istream& in, std::ostream& out);
  ~Uci();

  // Until quit or the end of input.
  void run();

 private:
  using Words = std::vector<std::string>;
  using Change = std::function<void()>;
  using Read = std::function<Change(const std::string&)>;
  struct Option;

  void declare_options();
  void declare_knowledge();  // those of tablebases and books
  void add_option(const std::string& name, std::string announcement, Read read);
  // `remake`: the engine depends on it.
  void add_number(const std::string& name, int& field, int low, int high, bool remake);
  // `read` hears one of the allowed words; without it the value changes nothing.
  void add_check(const std::string& name, const std::string& standard,
                 const std::vector<std::string>& allowed, Read read = {});
  void add_path(const std::string& name, const std::string& standard, Read read);
  bool handle(const Words& words, const std::string& line);  // false: quit
  void identify();
  void set_option(const std::string& line);
  void take_position(const Words& words);
  void set_position(const Words& words);
  void go(const Words& words);
  // Says the book's best move, where it is to be played and known; else false.
  bool answer_by_book(const tactics::SearchLimits& limits);
  // "stop" or "ponderhit".
  void end_search(const std::string& command);
  void describe();

  // The search, made anew where an option changed that it depends on; without a network where that
  // cannot be had, which it says.
  engine::Engine& engine();
  // Ends a search under way; its bestmove, and what went wrong in it, have been said when this
  // returns.
  void finish_search();
  void say_report(const tactics::SearchReport& report, int lines);
  void say(const std::string& text);
  // The message's first line: LibTorch's go on with a stack trace.
  void say_error(const std::string& message);

  UciSettings settings_;
  LoadBackend load_;
  std::istream& in_;
  std::ostream& out_;
  std::mutex out_mutex_;

  std::map<std::string, Option> options_;  // by lower-case name
  int multi_pv_ = 1, hash_mib_ = 1024, move_overhead_ms_ = 20, seed_ = 0;
  rules::ScoringTable table_;
  std::shared_ptr<const tablebase::Tables> tablebase_;  // of settings_.tablebase
  rules::Line line_;
  std::string refused_;  // why the last position was; empty: it was not
  bool own_book_ = false;
  std::shared_ptr<const book::Book> book_;  // null: none was chosen
  std::optional<Backend> backend_;
  std::unique_ptr<engine::Engine> engine_;  // after backend_: goes first
  int threads_ = 1;                         // of engine_
  bool pondering_ = false;                  // the search under way waits for ponderhit
  bool owes_no_move_ = false;  // "bestmove (none)" is yet to be said, by `stop` or `ponderhit`
};

}  // namespace app
