#pragma once
// A run or a study on one page.

#include <filesystem>

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

}  // namespace training
