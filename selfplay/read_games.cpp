#include "selfplay/read_games.h"

#include <fstream>

#include "base/errors.h"
#include "selfplay/game_pgn.h"
#include "selfplay/game_store.h"

namespace selfplay {
namespace {

std::vector<GameRecord> read_store(const std::filesystem::path& path) {
  const GameStore store(path, StoreMode::kRead);
  std::vector<GameRecord> games = store.load(1, store.last_id());
  for (GameRecord& game : games) game.generation = 0;
  return games;
}

std::vector<GameRecord> read_pgn(const std::filesystem::path& path, rules::RuleSet untagged) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw base::InputError(path.string() + ": cannot be read");
  rules::PgnReader reader(in, untagged);
  std::vector<GameRecord> games;
  try {
    while (const auto game = reader.next()) {
      if (!game->outcome || game->moves.empty() || forfeited(*game)) continue;
      games.push_back(game_record(*game, games.size() + 1));
    }
  } catch (const rules::RulesError& error) {
    throw base::InputError(path.string() + ": " + error.what());
  }
  return games;
}

}  // namespace

std::vector<GameRecord> read_games(const std::filesystem::path& path, rules::RuleSet untagged) {
  if (std::filesystem::is_directory(path)) return read_store(path / "games.db");
  return path.extension() == ".db" ? read_store(path) : read_pgn(path, untagged);
}

}  // namespace selfplay
