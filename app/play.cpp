#include "app/play.h"

#include <fmt/format.h>

#include <optional>

#include "mcts/analysis.h"
#include "rules/notation.h"

namespace app {
namespace {

using rules::Color;
using rules::PieceType;
using rules::Position;

constexpr const char* kHelp =
    "Moves: N@d1 places a knight, e3 or e2e3 moves a pawn, Nc3, exd5, e8=Q.\n"
    "Words: moves (all legal ones), board, fen, hint, undo, help, quit.\n";

std::string hand(const Position& position, Color color) {
  std::string text;
  for (const PieceType type : {PieceType::kKing, PieceType::kQueen, PieceType::kRook,
                               PieceType::kBishop, PieceType::kKnight}) {
    for (int i = 0; i < position.reserve(color, type); ++i) text += rules::letter(type);
  }
  return text.empty() ? "nothing" : text;
}

char sign(const Position& position, rules::Square square) {
  const auto piece = position.piece_at(square);
  if (!piece) return '.';
  const bool black = (position.pieces(Color::kBlack) & rules::bit(square)) != 0;
  return black ? static_cast<char>(rules::letter(*piece) + ('a' - 'A')) : rules::letter(*piece);
}

// One game: the positions so far, and the search that answers.
class Game {
 public:
  Game(const PlaySettings& settings, const Brain& brain, std::istream& in, std::ostream& out)
      : settings_(settings), in_(in), out_(out) {
    mcts::AnalysisOptions options;
    options.threads = settings.threads;
    options.batch = brain.batch;
    analysis_.emplace(options, brain.make_evaluator);
    positions_.push_back(Position::start(settings.rules));
    out_ << brain.note << "\n" << kHelp;
  }

  void run() {
    while (true) {
      if (const auto outcome = now().outcome(settings_.table)) {
        const double points = settings_.table.white_points(*outcome);
        out_ << draw(now())
             << fmt::format("{}: White {:g}, Black {:g}\n", rules::name(*outcome), points,
                            10 - points);
        return;
      }
      if (now().side_to_move() != settings_.side) {
        answer();
      } else if (!ask()) {
        return;
      }
    }
  }

 private:
  const Position& now() const { return positions_.back(); }
  void play(rules::Move move) { positions_.push_back(now().after(move)); }

  mcts::AnalysisReport think() {
    mcts::AnalysisReport result;
    mcts::AnalysisLimits limits;
    limits.nodes = static_cast<std::uint32_t>(settings_.simulations);
    analysis_->set_position(now(), settings_.table);
    analysis_->start(limits, [&result](const mcts::AnalysisReport& report) { result = report; });
    analysis_->wait();
    return result;
  }

  void answer() {
    const mcts::AnalysisReport report = think();
    const rules::Move move = report.moves.front().move;
    out_ << fmt::format("I play {} (White's expected points: {:.2f})\n", rules::to_san(now(), move),
                        report.points_white);
    play(move);
  }

  // One line of the human; false: no more.
  bool ask() {
    if (shown_ != positions_.size()) out_ << draw(now());
    shown_ = positions_.size();
    out_ << "your move> " << std::flush;
    std::string line;
    if (!std::getline(in_, line)) return false;
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line == "quit") return false;
    if (!line.empty() && !obey(line)) read_move(line);
    return true;
  }

  bool obey(const std::string& word) {
    if (word == "help") {
      out_ << kHelp;
    } else if (word == "board") {
      out_ << draw(now());
    } else if (word == "fen") {
      out_ << now().to_fen() << "\n";
    } else if (word == "moves") {
      for (const rules::Move move : now().legal_moves()) out_ << rules::to_san(now(), move) << " ";
      out_ << "\n";
    } else if (word == "hint") {
      out_ << rules::to_san(now(), think().moves.front().move) << "\n";
    } else if (word == "undo") {
      if (positions_.size() > 2) positions_.resize(positions_.size() - 2, positions_.front());
    } else {
      return false;
    }
    return true;
  }

  void read_move(const std::string& text) {
    try {
      play(rules::parse_san(now(), text));
    } catch (const rules::RulesError&) {
      try {
        play(rules::parse_uci(now(), text));
      } catch (const rules::RulesError&) {
        out_ << "'" << text << "' is no legal move here; `moves` lists them, `help` explains\n";
      }
    }
  }

  const PlaySettings& settings_;
  std::istream& in_;
  std::ostream& out_;
  std::optional<mcts::Analysis> analysis_;
  std::vector<Position> positions_;
  std::size_t shown_ = 0;
};

}  // namespace

std::string draw(const Position& position) {
  std::string text = "   in hand: " + hand(position, Color::kBlack) + "\n";
  for (int rank = 7; rank >= 0; --rank) {
    text += fmt::format("{} ", rank + 1);
    for (int file = 0; file < 8; ++file) {
      text += fmt::format(" {}", sign(position, rules::make_square(file, rank)));
    }
    text += '\n';
  }
  return text + "   a b c d e f g h\n   in hand: " + hand(position, Color::kWhite) + "\n";
}

void play(const PlaySettings& settings, const Brain& brain, std::istream& in, std::ostream& out) {
  Game(settings, brain, in, out).run();
}

}  // namespace app
