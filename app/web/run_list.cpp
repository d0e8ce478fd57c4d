#include "app/web/run_list.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "app/web/web_request.h"
#include "base/errors.h"
#include "nn/checkpoint.h"
#include "nn/nnue_file.h"
#include "training/page/metrics.h"
#include "training/settings/run_config.h"
#include "training/settings/run_use.h"

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRuns = 100;

// When the run was last started: as it says itself, else by its folder's date, which counts as
// unknown where it is in the future.
std::string time_of(const fs::path& folder) {
  if (std::string start = training::last_start(folder); !start.empty()) return start;
  std::error_code none;
  const auto time = fs::last_write_time(folder, none);
  if (none || time > fs::file_time_type::clock::now()) return "";
  const auto seconds =
      std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(time));
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)));
}

RunProgress progress_of(const nlohmann::ordered_json& record) {
  return {record.value("generation", std::int64_t{0}), record.value("elapsed_s", 0.0),
          record.value("games", 0.0)};
}

bool has_network(const fs::path& folder) try {
  return fs::exists(folder / nn::kNnueFile) || !nn::list_checkpoints(folder).empty();
} catch (const fs::filesystem_error&) {  // not ours to read
  return false;
}

}  // namespace

RunList::RunList(fs::path runs, fs::path first)
    : runs_(std::move(runs)), first_(std::move(first)) {}

std::vector<ListedRun> RunList::all() const { return listed(training::has_run, !first_.empty()); }

std::vector<ListedRun> RunList::with_networks() const {
  return listed(has_network, !first_.empty() && has_network(first_));
}

std::vector<ListedRun> RunList::listed(bool (*is_listed)(const fs::path&), bool with_first) const {
  std::error_code none;
  std::vector<std::pair<std::string, fs::path>> found;
  for (const auto& entry : fs::directory_iterator(runs_, none)) {
    if (!first_.empty() && fs::equivalent(entry.path(), first_, none)) continue;
    if (is_listed(entry.path())) found.emplace_back(time_of(entry.path()), entry.path());
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const auto& one) { return one.first; });
  std::vector<fs::path> folders;
  if (with_first) folders.push_back(first_);
  for (auto& [time, folder] : found) folders.push_back(std::move(folder));
  if (folders.size() > kMostRuns) folders.resize(kMostRuns);
  std::vector<ListedRun> runs;
  for (const fs::path& folder : folders) {
    const std::string name = training::run_name(folder);
    std::string unique = name;
    for (int i = 2; std::ranges::find(runs, unique, &ListedRun::name) != runs.end(); ++i) {
      unique = name + " (" + std::to_string(i) + ")";
    }
    runs.push_back({unique, folder});
  }
  return runs;
}

ListedRun RunList::find(const std::string& name) const {
  const auto runs = all();
  const auto found = std::ranges::find(runs, name, &ListedRun::name);
  if (found == runs.end()) throw Refusal{404, "there is no such run"};
  return *found;
}

fs::path RunList::new_folder(const std::string& name) const {
  fs::path folder = runs_ / name;
  for (int i = 2; fs::exists(folder); ++i) folder = runs_ / (name + "-" + std::to_string(i));
  return folder;
}

RunProgress RunList::progress(const ListedRun& run) {
  std::error_code none;
  const fs::path file = run.folder / training::kMetricsFile;
  const auto written = fs::last_write_time(file, none);
  const auto bytes = none ? 0 : fs::file_size(file, none);
  if (none || bytes == 0) return {};
  const std::lock_guard lock(mutex_);
  Known& known = known_[run.folder];
  if (known.bytes == bytes && known.written == written) return known.progress;
  try {
    const auto records = training::read_metrics(run.folder);
    known = {written, bytes, records.empty() ? RunProgress{} : progress_of(records.back())};
  } catch (const base::InputError&) {  // whoever opens the run is told
    known = {written, bytes, {}};
  }
  return known.progress;
}

}  // namespace app
