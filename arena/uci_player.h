#pragma once
// An engine in a process of its own that speaks UCI.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/engine_process.h"
#include "arena/player.h"

namespace arena {

struct UciOptions {
  std::string name;     // of the player
  std::string command;  // program and arguments
  bool fairy = false;   // Fairy-Stockfish, with the adapter below
  std::string go = "movetime 100";
  // The longest that an answer to `go` may take; the engine's start has as much, at least 10 s.
  std::chrono::milliseconds budget{10100};
  int hash_mib = 0;  // what it is told as Hash; 0: nothing
  // What it is told as ScoringTable; empty: the table that pays.
  std::optional<rules::ScoringTable> table{};
};

// Asks the engine for one game after the other. A crash, a time-out or an illegal move forfeits the
// game in which it happens; an engine that crashed or fell silent is started anew for the next. One
// that has an option UCI_Variant is told the set as it spells it (variant_for()), which must be one
// of its variants; one that has none is taken to know chess, without castling too, Chess960 if it
// has UCI_Chess960, and Chess#. InputError for other rule sets. One that has ScoringTable is told
// the table, InputError where it has none and UciOptions::table is given; one that has Threads is
// told to use one, one that has Hash UciOptions::hash_mib.
//
// Fairy-Stockfish knows further sets by configs/chesssharp.ini. Chess# is its variant
// chesssharp-royal there but for a few things that are put right here: it is not shown a queen that
// shares the reserve with something else; a king that can be taken is taken without asking; for
// `(none)`, its word for a lost king, and for a move that is not one of Chess# a random sensible
// move stands in (Choice::stand_in tells). No option of Chess# has such a variant.
class UciPlayer final : public OneGamePlayer {
 public:
  // Starts the engine. Throws EnvironmentError where it does not start or does not answer.
  explicit UciPlayer(UciOptions options);

  std::string name() const override { return options_.name; }
  void new_game(int slot, base::Rng rng) override;
  bool timed() const override { return options_.go.starts_with("movetime"); }
  // Of the engine that runs now; -1 where the last one is gone.
  pid_t pid() const { return engine_ ? engine_->pid() : -1; }

 private:
  using Clock = EngineProcess::Clock;

  void start();
  bool send(const std::string& line);
  // Reads on to the line that begins with `word`; empty where it does not come in time. Lines on
  // the way go to `seen`.
  std::optional<std::string> read_until(std::string_view word, std::vector<std::string>* seen);
  // Waits until it has done what it was told. Returns what it says
  // meanwhile; empty where it does not answer.
  std::optional<std::vector<std::string>> settle();
  Choice choose_move(const GameView& game, base::Rng& rng) override;
  // Has the engine play the rule set from now on. False where it does not know it.
  bool take_up(rules::RuleSet rules);
  bool knows(rules::RuleSet rules, const std::string& variant,
             const std::vector<std::string>& answers) const;
  bool has_option(const std::string& name) const;
  std::vector<std::string> listed_variants() const;
  // The engine's answer; empty where there is none.
  std::optional<std::string> ask(const GameView& game);
  // The choice that the engine's move stands for.
  Choice read_answer(const GameView& game, const std::string& move, base::Rng& rng) const;

  UciOptions options_;
  std::unique_ptr<EngineProcess> engine_;
  Clock::time_point deadline_;
  std::vector<std::string> announced_;   // its lines between `uci` and `uciok`
  std::optional<rules::RuleSet> rules_;  // the last that it took up
  std::string table_;                    // the last one told
  bool new_game_ = false;
};

// The FEN as Fairy-Stockfish is shown it: without the queen of a reserve that holds something else.
std::string fen_for_fairy(const rules::Position& position);

}  // namespace arena
