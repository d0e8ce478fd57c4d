// A UCI engine for tests: plays the first legal move, and on its N-th `go` does what it was told
// to:
//   fake_engine [crash|hang|illegal|none|flood|silent|leave|slow N [fairy]]
//   fake_engine tell FILE
//   fake_engine dialect VARIANT
//   fake_engine say ANSWER
// `leave` joins its parent's process group and does not heed `quit`; `tell` has the options
// Threads, Hash and ScoringTable, and writes to the file what they are set to. `dialect` lists the
// variants chess and VARIANT, and moves only after it was told the latter. `say` answers each `go`
// with this move, with one to ponder on and as Windows ends its lines, whatever the position; it
// has the option UCI_Chess960. `silent` does not answer `uci` either when N is 0; `fairy` claims to
// know Fairy-Stockfish's variants; `slow` takes N milliseconds for each `ucinewgame`.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "rules/notation.h"
#include "rules/position.h"

namespace {

rules::Position read_position(std::istringstream& words) {
  std::string word;
  std::string fen;
  words >> word;  // "fen"
  while (words >> word && word != "moves") fen += (fen.empty() ? "" : " ") + word;
  rules::Position position = rules::Position::from_fen(fen);
  while (words >> word) position.play(rules::parse_uci(position, word));
  return position;
}

void sleep_forever() {
  for (;;) sleep(1000);
}

void misbehave(const std::string& how) {
  if (how == "crash") std::abort();
  if (how == "hang") sleep_forever();
  if (how == "illegal") std::cout << "bestmove e2e5" << std::endl;
  if (how == "none") std::cout << "bestmove (none)" << std::endl;
  while (how == "flood") std::cout << "info string and so on\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 2 ? argv[1] : "";
  const int when = argc > 2 ? std::atoi(argv[2]) : -1;
  const bool fairy = argc > 3 && std::string(argv[3]) == "fairy";
  if (how == "silent") sleep_forever();
  if (how == "leave") setpgid(0, getpgid(getppid()));
  std::ofstream told;
  if (how == "tell") told.open(argv[2]);
  rules::Position position = rules::Position::start();
  bool ready = how != "dialect";
  int searches = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "uci" && how == "tell") {
      std::cout << "option name Threads type spin default 8 min 1 max 8\n"
                   "option name Hash type spin default 1024 min 1 max 1024\n"
                   "option name ScoringTable type string default default\n";
    }
    if (word == "uci" && how == "dialect") {
      std::cout << "option name UCI_Variant type combo default chess var chess var " << argv[2]
                << std::endl;
    }
    if (word == "uci" && how == "say")
      std::cout << "option name UCI_Chess960 type check default false\r\n";
    if (word == "uci") std::cout << "id name fake\nuciok" << std::endl;
    if (word == "setoption") told << line << std::endl;
    constexpr std::string_view kVariant = "setoption name UCI_Variant value ";
    if (fairy && line.starts_with(kVariant)) {
      std::cout << "info string variant " << line.substr(kVariant.size()) << std::endl;
    }
    if (how == "dialect" && line == std::string(kVariant) + argv[2]) ready = true;
    if (word == "ucinewgame" && how == "slow") usleep(static_cast<useconds_t>(when) * 1000);
    if (word == "isready") std::cout << "readyok" << std::endl;
    if (word == "position" && how != "say") position = read_position(words);
    if (word == "quit" && how == "leave") sleep_forever();
    if (word == "quit") return 0;
    if (word != "go") continue;
    if (!ready) {
      std::cout << "bestmove (none)" << std::endl;
    } else if (how == "say") {
      std::cout << "bestmove " << argv[2] << " ponder h8h7\r" << std::endl;
    } else if (++searches == when) {
      misbehave(how);
    } else {
      std::cout << "info depth 1\nbestmove " << rules::to_uci(position.legal_moves()[0])
                << std::endl;
    }
  }
  return 0;
}
