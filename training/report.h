#pragma once
// A run on one page.

#include <filesystem>

namespace training {

// Writes report.html into the run folder and returns its path: one self-contained page (no network
// access) with the curves of metrics.jsonl, the ratings, the newest games on a board and the
// config. What a young run does not have yet is left out. Throws selfplay::InputError where the
// folder is no run or a file in it is damaged, EnvironmentError where the page cannot be written.
std::filesystem::path write_report(const std::filesystem::path& run_dir);

}  // namespace training
