#include "studies/opening_book.h"

#include <algorithm>
#include <map>

#include "rules/notation.h"

namespace studies {
namespace {

using rules::Move;
using rules::Position;

struct Line {
  std::vector<Move> moves;  // of the game or of its image
  Sample sample;            // White's points
};

std::vector<Line> lines_of(const SelfGamesConfig& config,
                           const std::vector<selfplay::GameRecord>& games, std::size_t plies) {
  const Position start = start_of(config, 0);
  std::vector<Line> lines;
  for (const auto& game : games) {
    if (game.plies.empty()) continue;
    const Move first = game.plies.front().played;
    const bool image = first_image(start, first) != first.raw();
    Line line{{}, {first_image(start, first), game.seed, game.table.white_points(game.outcome)}};
    for (std::size_t i = 0; i < std::min(plies, game.plies.size()); ++i) {
      const Move move = game.plies[i].played;
      line.moves.push_back(image ? rules::mirrored(move) : move);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// Groups the lines that are longer than `ply` by their move there; the largest group comes first.
std::vector<std::vector<const Line*>> divided(const std::vector<const Line*>& lines,
                                              std::size_t ply) {
  std::map<std::uint16_t, std::vector<const Line*>> by_move;
  for (const Line* line : lines) {
    if (ply < line->moves.size()) by_move[line->moves[ply].raw()].push_back(line);
  }
  std::vector<std::vector<const Line*>> parts;
  for (auto& [move, part] : by_move) parts.push_back(std::move(part));
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [](const auto& part) { return part.size(); });
  return parts;
}

MainLine main_line(const Position& start, std::vector<const Line*> lines, std::size_t least) {
  MainLine line;
  line.first_games = lines.size();
  std::size_t plies = 1;
  while (true) {
    auto parts = divided(lines, plies);
    if (parts.empty() || parts.front().size() < least) break;
    lines = std::move(parts.front());
    ++plies;
  }
  line.games = lines.size();
  line.end = start;
  for (std::size_t i = 0; i < plies; ++i) {
    const Move move = lines.front()->moves[i];
    line.moves.push_back(rules::to_san(line.end, move));
    line.end = line.end.after(move);
  }
  std::vector<Sample> samples;
  for (const Line* one : lines) samples.push_back(one->sample);
  line.points_white = mean_within(samples, 0, 10);
  return line;
}

}  // namespace

std::vector<MainLine> main_lines(const SelfGamesConfig& config,
                                 const std::vector<selfplay::GameRecord>& games, int plies,
                                 std::size_t least) {
  if (config.rules.setup == rules::Setup::kShuffled && !config.start) return {};
  const std::vector<Line> lines = lines_of(config, games, static_cast<std::size_t>(plies));
  std::vector<const Line*> all;
  for (const Line& line : lines) all.push_back(&line);
  std::vector<MainLine> result;
  for (auto& part : divided(all, 0)) {
    if (50 * part.size() < all.size()) break;
    result.push_back(main_line(start_of(config, 0), std::move(part), least));
  }
  return result;
}

}  // namespace studies
