#include "app/play.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "app/pgn_file.h"
#include "app/uci_go.h"
#include "base/errors.h"
#include "mcts/engine.h"
#include "mcts/search.h"
#include "rules/notation.h"
#include "rules/repertoire.h"

namespace app {
namespace {

using rules::Color;
using rules::Position;

constexpr std::size_t kOpeningPlies = 8;  // in which the program varies its moves
constexpr double kOpeningTemperature = 0.5;
constexpr int kDrawnMoves = 8;  // the best, of which one is drawn
constexpr std::size_t kLineWidth = 78;

// One of the moves, the best first, drawn as mcts::draw_by_visits() does; with temperature 0 the
// best. A move that is proven best is always taken, one that is proven worse never.
const mcts::RootMove& draw_move(const std::vector<mcts::RootMove>& moves, double temperature,
                                base::Rng& rng) {
  if (temperature <= 0 || moves.front().proven) return moves.front();
  std::vector<double> visits;
  for (const mcts::RootMove& move : moves) {
    const bool refuted = move.proven && move.value_stm < moves.front().value_stm;
    visits.push_back(refuted ? 0 : move.visits);
  }
  visits.front() = std::max(visits.front(), 1.0);
  return moves[mcts::draw_by_visits(visits, temperature, rng)];
}

// The line in SAN.
std::string in_san(Position position, const std::vector<rules::Move>& line) {
  std::string text;
  for (const rules::Move move : line) {
    text += (text.empty() ? "" : " ") + rules::to_san(position, move);
    position.play(move);
  }
  return text;
}

class Game {
 public:
  Game(const PlaySettings& settings, const Backend& backend, std::istream& in, std::ostream& out)
      : settings_(settings), levels_(backend.levels), in_(in), out_(out), rng_(settings.seed) {
    engine_ = backend.make_engine({.threads = settings.threads});
    begin();
    out_ << backend.note << "\n";
    help("");
  }

  void run() {
    do {
      while (!outcome() && now().side_to_move() != settings_.side) answer();
      if (changed_) show("");
    } while (ask());
  }

 private:
  // A line that begins with the name calls the action with the rest.
  struct Word {
    const char* name;
    const char* help;
    void (Game::*action)(const std::string& argument);
  };
  static const std::vector<Word>& words();

  const Position& now() const { return line_.position; }
  std::optional<rules::Outcome> outcome() const {
    return resigned_ ? resigned_ : line_.outcome(settings_.table);
  }
  PlayLevel level() const {
    if (settings_.budget > 0) return {settings_.budget, 0};
    return levels_.all.at(static_cast<std::size_t>(settings_.level - 1));
  }

  void begin() {
    line_ = rules::Line(rules::draw_start(settings_.rules, rng_));
    resigned_.reset();
    saved_.clear();
    below_ = settings_.side;
    change();
  }

  // What was known of the position before is out of date.
  void change() {
    changed_ = true;
    evaluation_.reset();
  }

  void make(rules::Move move) {
    line_.play(move);
    change();
  }

  // The best moves, so many of them whose order counts.
  std::vector<mcts::RootMove> think(int budget, int many) {
    std::vector<mcts::RootMove> moves;
    mcts::AnalysisLimits limits;
    limits.nodes = static_cast<std::uint32_t>(budget);
    limits.multi_pv = many;
    if (settings_.look.color) out_ << "thinking …\r" << std::flush;
    engine_->set_position(now(), settings_.table, line_.past);
    engine_->start(limits, [&moves](const mcts::AnalysisReport& report) { moves = report.moves; });
    engine_->wait();
    if (settings_.look.color) out_ << "\x1b[K";
    return moves;
  }

  Evaluation evaluation_of(const mcts::RootMove& move) const {
    return {rules::points_white(static_cast<double>(move.value_stm), now().side_to_move()),
            move.outcomes};
  }

  void answer() {
    auto [budget, temperature] = level();
    const bool opening = line_.moves.size() < kOpeningPlies;
    if (opening) temperature = std::max(temperature, kOpeningTemperature);
    const auto moves = think(budget, temperature > 0 ? kDrawnMoves : 1);
    const mcts::RootMove& move = draw_move(moves, temperature, rng_);
    const Evaluation evaluation = evaluation_of(move);
    out_ << fmt::format("I play {} ({})\n", rules::to_san(now(), move.move),
                        points_text(evaluation.points_white));
    make(move.move);
    evaluation_ = evaluation;
  }

  // One line of the human; false: no more.
  bool ask() {
    out_ << (outcome() ? "game over> " : "your move> ") << std::flush;
    std::string line;
    if (!std::getline(in_, line)) {
      out_ << "\n";
      return false;
    }
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line == "quit" || line == "exit") return false;
    if (line.empty()) return true;
    const std::string name = line.substr(0, line.find(' '));
    const auto word = std::ranges::find_if(words(), [&](const Word& w) { return name == w.name; });
    try {
      if (word == words().end()) {
        read_move(line);
      } else {
        const auto rest = line.find_first_not_of(' ', name.size());
        (this->*word->action)(rest == std::string::npos ? "" : line.substr(rest));
      }
    } catch (const base::InputError& error) {
      out_ << error.what() << "\n";
    } catch (const base::EnvironmentError& error) {
      out_ << error.what() << "\n";
    }
    return true;
  }

  void read_move(const std::string& text) {
    require_game();
    try {
      make(rules::parse_san(now(), text));
    } catch (const rules::RulesError&) {
      try {
        make(rules::parse_uci(now(), text));
      } catch (const rules::RulesError&) {
        throw base::InputError("'" + text +
                               "' is no legal move here; `moves` lists them, `help` explains");
      }
    }
  }

  void require_game() const {
    if (outcome()) throw base::InputError("the game is over: `new`, `undo`, `save FILE` or `quit`");
  }

  void help(const std::string&) {
    out_ << "Moves: N@d1 places a knight; once pieces may move, e3 or e2e3, Nc3, exd5, e8=Q.\n";
    for (const Word& word : words()) out_ << fmt::format("  {:<8} {}\n", word.name, word.help);
    out_ << fmt::format("  {:<8} {}\n", "quit", "leave");
  }

  void show(const std::string&) {
    BoardView view{
        .look = settings_.look, .below = below_, .last_move = {}, .evaluation = evaluation_};
    if (!line_.moves.empty()) view.last_move = line_.moves.back();
    out_ << "\n" << draw(now(), view);
    if (const auto ended = outcome()) {
      out_ << fmt::format("{}{}: {}\n", rules::name(*ended), resigned_ ? " by resignation" : "",
                          points_text(settings_.table.white_points(*ended)));
    }
    changed_ = false;
  }

  void list_moves(const std::string&) {
    std::string line;
    for (const rules::Move move : now().legal_moves()) {
      const std::string san = rules::to_san(now(), move);
      if (line.size() + san.size() + 1 > kLineWidth) {
        out_ << line << "\n";
        line.clear();
      }
      line += (line.empty() ? "" : " ") + san;
    }
    out_ << line << "\n";
  }

  void show_fen(const std::string&) { out_ << now().to_fen() << "\n"; }

  mcts::RootMove best_move() {
    require_game();
    mcts::RootMove best = think(std::max(levels_.hint, level().budget), 1).front();
    engine_->clear();  // its answers are its level's, with nothing learnt from a hint
    evaluation_ = evaluation_of(best);
    return best;
  }

  void hint(const std::string&) {
    const mcts::RootMove best = best_move();
    out_ << fmt::format("try {} ({}): {}\n", rules::to_san(now(), best.move),
                        points_text(evaluation_->points_white), in_san(now(), best.line));
  }

  void evaluate(const std::string&) {
    best_move();
    show("");
  }

  // Back to the human's last turn.
  void undo(const std::string&) {
    rules::Line line = line_;
    while (!resigned_) {
      if (line.moves.empty()) throw base::InputError("there is no move of yours to take back");
      line = rules::Line(line.start, std::span(line.moves).first(line.moves.size() - 1));
      if (line.position.side_to_move() == settings_.side) break;
    }
    resigned_.reset();
    line_ = std::move(line);
    change();
  }

  void swap_sides(const std::string&) {
    require_game();
    settings_.side = below_ = ~settings_.side;
    change();
  }

  void flip(const std::string&) {
    below_ = ~below_;
    show("");
  }

  void resign(const std::string&) {
    require_game();
    resigned_ =
        settings_.side == Color::kWhite ? rules::Outcome::kBlackWins : rules::Outcome::kWhiteWins;
    change();
  }

  void set_level(const std::string& text) {
    settings_.level = static_cast<int>(whole_number("level", text, 1, std::ssize(levels_.all)));
    settings_.budget = 0;
    out_ << fmt::format("level {}: {} {} a move\n", settings_.level, level().budget, levels_.unit);
  }

  void new_game(const std::string& side) {
    if (side != "" && side != "w" && side != "b") {
      throw base::InputError("new '" + side + "': expected w or b, the side you play, or nothing");
    }
    if (side != "") settings_.side = side == "b" ? Color::kBlack : Color::kWhite;
    engine_->clear();
    begin();
  }

  rules::PgnGame pgn() const {
    rules::PgnGame game;
    game.event = "Game in the terminal";
    const std::string us = settings_.budget > 0
                               ? fmt::format("sharpzero, {} {}", settings_.budget, levels_.unit)
                               : fmt::format("sharpzero, level {}", settings_.level);
    const bool white = settings_.side == Color::kWhite;
    game.white = white ? "Human" : us;
    game.black = white ? us : "Human";
    game.rules = settings_.rules;
    game.table = settings_.table;
    game.start = line_.start;
    game.moves = line_.moves;
    game.outcome = outcome();
    if (resigned_) game.adjudication = rules::Adjudication::kResignation;
    return game;
  }

  // A file of another game is not written over.
  void save(const std::string& file) {
    if (file.empty()) throw base::InputError("save: expected the name of a file");
    std::error_code unreadable;  // then it cannot be written either, which is said
    if (std::filesystem::exists(file, unreadable) && !saved_.contains(file)) {
      throw base::InputError(file + ": there is such a file; expected a new name");
    }
    PgnFile(file).write(pgn());
    saved_.insert(file);
    out_ << "saved as " << file << "\n";
  }

  PlaySettings settings_;
  PlayLevels levels_;
  std::istream& in_;
  std::ostream& out_;
  base::Rng rng_;
  std::unique_ptr<mcts::Engine> engine_;

  rules::Line line_{Position()};
  std::optional<rules::Outcome> resigned_;
  std::set<std::string> saved_;  // files of this game
  std::optional<Evaluation> evaluation_;
  Color below_ = Color::kWhite;
  bool changed_ = true;  // since the board was shown
};

const std::vector<Game::Word>& Game::words() {
  static const std::vector<Word> all{
      {"moves", "all legal moves", &Game::list_moves},
      {"board", "the board", &Game::show},
      {"hint", "what I would play", &Game::hint},
      {"eval", "what I think of the position, beside the board", &Game::evaluate},
      {"undo", "take your last move back", &Game::undo},
      {"switch", "change sides", &Game::swap_sides},
      {"level", "level N: how well I play, 1 to 6", &Game::set_level},
      {"flip", "turn the board round", &Game::flip},
      {"fen", "the position as FEN", &Game::show_fen},
      {"save", "save FILE: the game as PGN", &Game::save},
      {"resign", "give the game up", &Game::resign},
      {"new", "a new game; new w or new b: with this side", &Game::new_game},
      {"help", "this list", &Game::help},
  };
  return all;
}

}  // namespace

void play(const PlaySettings& settings, const Backend& backend, std::istream& in,
          std::ostream& out) {
  Game(settings, backend, in, out).run();
}

}  // namespace app
