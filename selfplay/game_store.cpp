#include "selfplay/game_store.h"

#include <algorithm>

#include "base/errors.h"

namespace selfplay {

void GameStore::visit(const GameRange& range, const std::function<bool(GameRecord)>& visit) const {
  games_->visit(range, [&](std::int64_t id, std::span<const std::byte> block) {
    GameRecord record;
    try {
      record = decode(block);
      replay(record);  // throws where a move is not legal: readers do not check
    } catch (const base::InputError& error) {
      throw base::InputError(name() + ": game " + std::to_string(id) + ": " + error.what());
    }
    record.id = id;
    return visit(std::move(record));
  });
}

std::vector<GameRecord> GameStore::load(std::int64_t first_id, std::int64_t last_id) const {
  std::vector<GameRecord> records;
  visit({.first_id = first_id, .last_id = last_id}, [&](GameRecord record) {
    records.push_back(std::move(record));
    return true;
  });
  return records;
}

std::vector<GameRecord> GameStore::load_back(
    std::int64_t last_id, const std::function<bool(const GameRecord&)>& wanted) const {
  std::vector<GameRecord> records;
  visit({.last_id = last_id, .newest_first = true}, [&](GameRecord record) {
    const bool more = wanted(record);
    if (more) records.push_back(std::move(record));
    return more;
  });
  std::ranges::reverse(records);
  return records;
}

}  // namespace selfplay
