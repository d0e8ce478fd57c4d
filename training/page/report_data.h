#pragma once
// What the page of a run or a study shows.

#include <filesystem>
#include <nlohmann/json.hpp>

namespace selfplay {
class GameStore;
}

namespace training {

// The data of a run: name, metrics (the records of metrics.jsonl), ratings, games (as
// newest_games()), studies (the answers in its studies/, by their names), config and subtitle
// (program and device). Of a study's own folder (one with an answer, a JSON file that names its
// study): its answers and games. What is not there yet is empty or null. Throws base::InputError
// where the folder is neither or a file in it is damaged. The games are those of `games`; where
// that is null, of the folder's games.db.
nlohmann::ordered_json report_data(const std::filesystem::path& folder,
                                   const selfplay::GameStore* games = nullptr);

// The newest games of the folder's games.db, the newest first: id, title, result, fens, moves (UCI)
// and san. None where there is no such file.
nlohmann::ordered_json newest_games(const std::filesystem::path& folder);

}  // namespace training
