#include "selfplay/read_games.h"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "selfplay/errors.h"
#include "selfplay/game_store.h"

namespace selfplay {
namespace {

Ended ended(rules::Adjudication adjudication) {
  switch (adjudication) {
    case rules::Adjudication::kResignation:
      return Ended::kResignation;
    case rules::Adjudication::kFastFifty:
      return Ended::kFastFifty;
    case rules::Adjudication::kNone:
      break;
  }
  return Ended::kRules;
}

const std::string* tag(const rules::PgnGame& game, std::string_view name) {
  const auto found =
      std::ranges::find(game.more_tags, name, &std::pair<std::string, std::string>::first);
  return found == game.more_tags.end() ? nullptr : &found->second;
}

std::size_t opening_plies(const rules::PgnGame& game) {
  std::size_t plies = 0;
  if (const std::string* text = tag(game, "OpeningPlies")) {
    std::from_chars(text->data(), text->data() + text->size(), plies);
  }
  return plies;
}

std::vector<GameRecord> read_store(const std::filesystem::path& path) {
  const GameStore store(path, StoreMode::kRead);
  std::vector<GameRecord> games = store.load(1, store.last_id());
  for (GameRecord& game : games) game.generation = 0;
  return games;
}

std::vector<GameRecord> read_pgn(const std::filesystem::path& path, rules::RuleSet untagged) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.string() + ": cannot be read");
  rules::PgnReader reader(in, untagged);
  std::vector<GameRecord> games;
  try {
    while (const auto game = reader.next()) {
      if (!game->outcome || game->moves.empty() || tag(*game, "Forfeit")) continue;
      games.push_back(game_record(*game, games.size() + 1));
    }
  } catch (const rules::RulesError& error) {
    throw InputError(path.string() + ": " + error.what());
  }
  return games;
}

}  // namespace

GameRecord game_record(const rules::PgnGame& game, std::uint64_t number) {
  GameRecord record;
  record.rules = game.rules;
  record.start_fen = game.start.to_fen();
  record.table = game.table;
  record.outcome = *game.outcome;
  record.ended = ended(game.adjudication);
  record.id = static_cast<std::int64_t>(number);
  record.seed = number;
  const double white_points = game.table.white_points(record.outcome);
  const std::size_t given = opening_plies(game);
  rules::Position position = game.start;
  for (const rules::Move move : game.moves) {
    rules::MoveList surviving;
    position.surviving_moves(surviving);
    PlyRecord ply;
    ply.played = move;
    ply.root_value_stm =
        static_cast<float>(rules::value_stm(white_points, position.side_to_move()));
    ply.is_target = record.plies.size() >= given &&
                    std::find(surviving.begin(), surviving.end(), move) != surviving.end();
    if (ply.is_target) ply.policy = {{move, 1.0f}};
    record.plies.push_back(std::move(ply));
    position.play(move);
  }
  return record;
}

std::vector<GameRecord> read_games(const std::filesystem::path& path, rules::RuleSet untagged) {
  if (std::filesystem::is_directory(path)) return read_store(path / "games.db");
  return path.extension() == ".db" ? read_store(path) : read_pgn(path, untagged);
}

}  // namespace selfplay
