#include "app/play/play.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "app/named/pgn_file.h"
#include "app/play/game_session.h"
#include "base/errors.h"
#include "base/text.h"
#include "engine/engine.h"
#include "rules/notation.h"

namespace app {
namespace {

using rules::Color;
using rules::Position;

constexpr std::size_t kLineWidth = 78;

std::string card_text(rules::Card card) {
  constexpr std::array<const char*, rules::kCards> kNames{"the king",
                                                          "the queen",
                                                          "a rook",
                                                          "the bishop for light squares",
                                                          "the bishop for dark squares",
                                                          "a knight",
                                                          "a pawn"};
  return kNames[static_cast<std::size_t>(card)];
}

// How the card in hand is placed, by an example.
std::string placement_hint(const Position& position) {
  const rules::Move first = position.legal_moves()[0];
  if (first == rules::Move::pass()) return "There is no square for it: pass.\n";
  return fmt::format("Place it on one of {} squares, such as {}.\n", position.count_legal_moves(),
                     rules::to_uci(first));
}

class Game {
 public:
  Game(const PlaySettings& settings, const Backend& backend, std::istream& in, std::ostream& out)
      : look_(settings.look),
        levels_(backend.levels),
        in_(in),
        out_(out),
        engine_(backend.make_engine({.threads = settings.threads})),
        session_(settings.game, backend.levels) {
    begin();
    out_ << backend.note << "\n";
    const std::string note = memory_note(*engine_, {.threads = settings.threads});
    if (!note.empty()) out_ << note << "\n";
    help("");
  }

  void run() {
    do {
      while (session_.is_engines_turn()) answer();
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

  const Position& now() const { return session_.now(); }
  const rules::Line& line() const { return session_.line(); }
  Color side() const { return *session_.settings().side; }
  std::optional<rules::Outcome> outcome() const { return session_.outcome(); }

  // What there is to do at the start of a game.
  void begin() {
    saved_.clear();
    below_ = side();
    change();
  }

  // What was known of the position before is out of date.
  void change() {
    changed_ = true;
    evaluation_.reset();
  }

  // Says on a terminal that `think` takes its time.
  template <class Think>
  tactics::RootMove while_told(Think&& think) {
    if (look_.color) out_ << "thinking …\r" << std::flush;
    tactics::RootMove move = think();
    if (look_.color) out_ << "\x1b[K";
    return move;
  }

  void answer() {
    const tactics::RootMove move = while_told([this] { return session_.choose(*engine_); });
    const Evaluation evaluation = session_.evaluation_of(move);
    out_ << fmt::format("I play {} ({})\n", rules::to_san(now(), move.move),
                        points_text(evaluation.points_white));
    session_.play(move.move);
    tell_card();
    change();
    evaluation_ = evaluation;
  }

  // Where the last move was a draw: what came.
  void tell_card() {
    const auto card = now().card();
    if (!card || line().moves.empty() || !line().moves.back().is_card()) return;
    const bool mine = session_.is_engines_turn();
    const bool lost = outcome().has_value();
    out_ << fmt::format("{} card: {}{}\n", mine ? "My" : "Your", card_text(*card),
                        lost ? ", which does not lift the check" : "");
    if (!mine && !lost) out_ << placement_hint(now());
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
    if (!session_.can_go_on()) require_game();
    try {
      session_.play(text);
    } catch (const base::InputError& error) {
      throw base::InputError(std::string(error.what()) + "; `moves` lists them, `help` explains");
    }
    tell_card();
    change();
  }

  void require_game() const {
    if (outcome()) throw base::InputError("the game is over: `new`, `undo`, `save FILE` or `quit`");
  }

  void help(const std::string&) {
    out_
        << (now().has_cards()
                ? "Moves: draw takes a card from your deck, N@d4 then places it; once your king is on "
                  "the\nboard also moves such as e3 or e2e3, Nc3, exd5, e8=Q.\n"
                : "Moves: N@d1 places a knight; once pieces may move, e3 or e2e3, Nc3, exd5, e8=Q.\n");
    for (const Word& word : words()) out_ << fmt::format("  {:<8} {}\n", word.name, word.help);
    out_ << fmt::format("  {:<8} {}\n", "quit", "leave");
  }

  void show(const std::string&) {
    BoardView view{.look = look_, .below = below_, .last_move = {}, .evaluation = evaluation_};
    if (!line().moves.empty()) view.last_move = line().moves.back();
    out_ << "\n" << render(now(), view);
    if (const auto ended = outcome()) {
      constexpr std::array<const char*, rules::kAdjudications> kHow{
          "", " by resignation", ", agreed (fast-fifty)", " by tablebase"};
      out_ << fmt::format("{}{}: {}\n", rules::name(*ended),
                          kHow.at(static_cast<std::size_t>(session_.adjudication())),
                          points_text(session_.settings().table.white_points(*ended)));
      if (session_.can_go_on()) out_ << "A move plays on instead.\n";
    }
    changed_ = false;
  }

  void list_moves(const std::string&) {
    std::string row;
    for (const rules::Move move : now().legal_moves()) {
      const std::string san = rules::to_san(now(), move);
      if (row.size() + san.size() + 1 > kLineWidth) {
        out_ << row << "\n";
        row.clear();
      }
      row += (row.empty() ? "" : " ") + san;
    }
    out_ << row << "\n";
  }

  void show_fen(const std::string&) { out_ << now().to_fen() << "\n"; }

  tactics::RootMove best_move() {
    require_game();
    const tactics::RootMove best = while_told([this] { return session_.hint(*engine_); });
    evaluation_ = session_.evaluation_of(best);
    return best;
  }

  void hint(const std::string&) {
    const tactics::RootMove best = best_move();
    out_ << fmt::format("try {} ({}): {}\n", rules::to_san(now(), best.move),
                        points_text(evaluation_->points_white), in_san(now(), best.line));
  }

  void evaluate(const std::string&) {
    best_move();
    show("");
  }

  void undo(const std::string&) {
    session_.undo();
    change();
  }

  void swap_sides(const std::string&) {
    require_game();
    session_.set_side(~side());
    below_ = side();
    change();
  }

  void flip(const std::string&) {
    below_ = ~below_;
    show("");
  }

  void resign(const std::string&) {
    require_game();
    session_.resign();
    change();
  }

  void propose_fast_fifty(const std::string&) {
    require_game();
    if (session_.propose_fast_fifty(*engine_)) return change();
    out_ << fmt::format("I decline: I do not expect what an impasse pays now ({}).\n",
                        points_text(session_.settings().table.white_points(
                            now().impasse(session_.settings().table))));
  }

  void set_level(const std::string& text) {
    session_.set_level(
        static_cast<int>(base::whole_number("level", text, 1, std::ssize(levels_.all))));
    const PlayLevel level = session_.level();
    out_ << fmt::format("level {}: {} {} a move{}\n", session_.settings().level, level.budget,
                        levels_.unit,
                        level.elo > 0 ? fmt::format(", Elo {} ({})", level.elo, kEloScale) : "");
  }

  void new_game(const std::string& asked) {
    if (asked != "" && asked != "w" && asked != "b") {
      throw base::InputError("new '" + asked + "': expected w or b, the side you play, or nothing");
    }
    if (asked != "") session_.set_side(asked == "b" ? Color::kBlack : Color::kWhite);
    engine_->clear();
    session_.begin();
    begin();
  }

  // A file of another game is not written over.
  void save(const std::string& file) {
    if (file.empty()) throw base::InputError("save: expected the name of a file");
    std::error_code unreadable;  // then it cannot be written either, which is said
    if (std::filesystem::exists(file, unreadable) && !saved_.contains(file)) {
      throw base::InputError(file + ": there is such a file; expected a new name");
    }
    PgnFile(file).write(session_.pgn("Game in the terminal"));
    saved_.insert(file);
    out_ << "saved as " << file << "\n";
  }

  Look look_;
  PlayLevels levels_;
  std::istream& in_;
  std::ostream& out_;
  std::unique_ptr<engine::Engine> engine_;
  GameSession session_;

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
      {"fifty", "propose a fast-fifty: to agree that an impasse is inevitable",
       &Game::propose_fast_fifty},
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
