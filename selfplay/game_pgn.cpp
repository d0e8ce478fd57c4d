#include "selfplay/game_pgn.h"

#include <algorithm>
#include <fstream>
#include <optional>

#include "base/errors.h"
#include "base/text.h"
#include "selfplay/game_store.h"

namespace selfplay {
namespace {

const std::string* tag(const rules::PgnGame& game, std::string_view name) {
  const auto found =
      std::ranges::find(game.more_tags, name, &std::pair<std::string, std::string>::first);
  return found == game.more_tags.end() ? nullptr : &found->second;
}

template <class Number>
std::optional<Number> number_in(const rules::PgnGame& game, const char* name) {
  const std::string* text = tag(game, name);
  return text ? base::parse_number<Number>(*text) : std::nullopt;
}

std::size_t opening_plies(const rules::PgnGame& game) {
  return number_in<std::size_t>(game, kOpeningPlies).value_or(0);
}

}  // namespace

rules::PgnGame pgn_game(const GameRecord& record) {
  rules::PgnGame pgn;
  pgn.event = "Self-play, generation " + std::to_string(record.generation);
  pgn.more_tags = {{kGeneration, std::to_string(record.generation)},
                   {kSeed, std::to_string(record.seed)}};
  pgn.round = std::to_string(record.id);
  pgn.white = pgn.black = "sharpzero";
  pgn.rules = record.rules;
  pgn.table = record.table;
  try {
    pgn.start = replay(record).front();
  } catch (const base::InputError& error) {
    throw base::InputError("game " + std::to_string(record.id) + ": " + error.what());
  }
  for (const PlyRecord& ply : record.plies) pgn.moves.push_back(ply.played);
  pgn.outcome = record.outcome;
  pgn.adjudication = record.ended;
  return pgn;
}

bool forfeited(const rules::PgnGame& game) { return tag(game, kForfeit) != nullptr; }

GameRecord game_record(const rules::PgnGame& game, std::uint64_t number) {
  GameRecord record;
  record.rules = game.rules;
  record.start_fen = game.start.to_fen();
  record.table = game.table;
  record.outcome = *game.outcome;
  record.ended = game.adjudication;
  record.id = static_cast<std::int64_t>(number);
  record.generation = std::max(number_in<int>(game, kGeneration).value_or(0), 0);
  record.seed = number_in<std::uint64_t>(game, kSeed).value_or(number);
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
    ply.is_target = record.plies.size() >= given && !position.is_chance() &&
                    std::find(surviving.begin(), surviving.end(), move) != surviving.end();
    if (ply.is_target) ply.policy = {{move, 1.0f}};
    record.plies.push_back(std::move(ply));
    position.play(move);
  }
  return record;
}

std::vector<GameRecord> read_pgn(const std::filesystem::path& path, rules::RuleSet untagged,
                                 std::vector<std::string>* refused) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw base::InputError(path.string() + ": cannot be read");
  rules::PgnReader reader(in, untagged);
  std::vector<GameRecord> games;
  std::vector<std::string> faults;
  for (bool more = true, any = false; more;) {
    try {
      const auto game = reader.next();
      more = game.has_value();
      any = any || more;
      if (more && game->outcome && !game->moves.empty() && !forfeited(*game)) {
        games.push_back(game_record(*game, games.size() + 1));
      }
    } catch (const rules::RulesError& error) {
      faults.push_back(path.string() + ": " + error.what());
    }
    if (!faults.empty() && (refused == nullptr || (!more && !any))) {
      throw base::InputError(faults.front());
    }
  }
  if (refused != nullptr) *refused = std::move(faults);
  return games;
}

std::vector<GameRecord> read_games(const std::filesystem::path& path, rules::RuleSet untagged) {
  if (std::filesystem::is_directory(path)) return read_games(path / kGamesFile, untagged);
  std::vector<GameRecord> games;
  if (path.extension() == ".db") {
    const GameStore store(path, StoreMode::kRead);
    games = store.load(1, store.last_id());
  } else {
    games = read_pgn(path, untagged);
    for (GameRecord& game : games) game.seed = static_cast<std::uint64_t>(game.id);
  }
  for (GameRecord& game : games) game.generation = 0;
  return games;
}

}  // namespace selfplay
