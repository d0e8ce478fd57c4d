#pragma once
// A run or a study on one page.

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

namespace selfplay {
class GameStore;
}

namespace training {

// Writes report.html into the folder and returns its path: one self-contained page (no network
// access). For a run: the curves of metrics.jsonl, the ratings, the newest games on a board, the
// config, and the answers in its studies/. For a study's own folder (one with an answer, a JSON
// file that names its study): its answers and games. What is not there yet is left out. Throws
// base::InputError where the folder is neither or a file in it is damaged, EnvironmentError
// where the page cannot be written. The games are those of `games`; where that is null, of the
// folder's games.db.
std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const selfplay::GameStore* games = nullptr);

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

// Owned by one thread.
class LivePage {
 public:
  explicit LivePage(std::filesystem::path run) : run_(std::move(run)) {}

  // Writes report.html, unless that would take more than a small fraction of the time; then it
  // waits, but for a minute at most. A damaged file of a study costs only the page.
  void write(const selfplay::GameStore& games);

 private:
  std::filesystem::path run_;
  std::chrono::steady_clock::time_point written_{};
  double seconds_ = 0;  // that the last one took
};

}  // namespace training
