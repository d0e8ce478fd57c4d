#include "app/web/web_runs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/named/paths.h"
#include "base/errors.h"
#include "base/text.h"
#include "training/page/metrics.h"
#include "training/page/report.h"
#include "training/settings/run_use.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kMostMinutes = 60 * 24 * 7;
constexpr int kMostGenerations = 100000;

// The options of `train` that limit a run which has come that far.
std::vector<std::string> limits(const ordered_json& asked, const RunProgress& so_far) {
  std::vector<std::string> words;
  if (const auto minutes = number_of(asked, "minutes", 1, kMostMinutes)) {
    const auto before = static_cast<int>(std::ceil(so_far.elapsed_s / 60));
    words.insert(words.end(), {"--max-time", std::to_string(before + *minutes) + "m"});
  }
  if (const auto more = number_of(asked, "generations", 1, kMostGenerations)) {
    words.insert(words.end(), {"--generations", std::to_string(so_far.generation + *more)});
  }
  return words;
}

}  // namespace

WebRuns::WebRuns(RunList& list, std::vector<std::string> program)
    : list_(list), program_(std::move(program)) {}

ordered_json WebRuns::overview() {
  ordered_json runs = ordered_json::array();
  for (const ListedRun& run : list_.all()) {
    const RunProgress progress = list_.progress(run);
    runs.push_back({{"name", run.name},
                    {"generation", progress.generation},
                    {"elapsed_s", progress.elapsed_s},
                    {"games", progress.games},
                    {"user", training::user_of_run(run.folder)},
                    {"is_ours", job_.is_running("folder", run.folder.string())}});
  }
  return {{"runs", std::move(runs)}, {"training", job_.described()}};
}

WebReply WebRuns::handle(const std::string& method, const std::vector<std::string>& words,
                         const ordered_json& asked) {
  const bool reads = method == "GET", acts = method == "POST";
  if (words.size() == 1 && reads) {
    ordered_json all = overview();
    all["configs"] = presets();
    return {200, std::move(all)};
  }
  if (words.size() == 1 && acts) {
    start(asked);
    return {201, overview()};
  }
  if (words.size() < 2) throw Refusal{405, "there is nothing here to " + base::one_line(method)};
  const ListedRun run = list_.find(words[1]);
  const std::string what = words.size() > 2 ? words[2] : "";
  if (reads && words.size() == 2) return {200, training::report_data(run.folder)};
  if (reads && words.size() == 3 && what == "games") {
    return {200, {{"games", training::newest_games(run.folder)}}};
  }
  if (reads && words.size() == 4 && what == "metrics") {
    const auto records = training::read_metrics(run.folder);
    const auto from = base::whole_number("record", words[3], 0, std::ssize(records));
    return {200, {{"records", ordered_json(std::vector(records.begin() + from, records.end()))}}};
  }
  if (acts && words.size() == 3 && what == "stop") {
    if (!job_.is_running("folder", run.folder.string())) {
      throw Refusal{409, "this run was not started here"};
    }
    job_.stop();
    return {200, overview()};
  }
  if (acts && words.size() == 3 && what == "continue") {
    go_on(run, asked);
    return {200, overview()};
  }
  throw Refusal{404, "there is nothing here"};
}

void WebRuns::start(const ordered_json& asked) {
  const std::string preset = text_of(asked, "config");
  const auto known = presets();
  if (std::ranges::find(known, preset) == known.end()) {
    throw Refusal{400, "config '" + base::one_line(preset) + "': expected the name of a preset"};
  }
  const fs::path folder = list_.new_folder(preset);
  std::vector<std::string> words = program_;
  words.insert(words.end(),
               {"train", "--config", preset_file(preset).string(), "--run", folder.string()});
  for (const std::string& word : limits(asked, {})) words.push_back(word);
  job_.start(words, {{"name", folder.filename().string()}, {"folder", folder.string()}});
}

void WebRuns::go_on(const ListedRun& run, const ordered_json& asked) {
  if (const std::string pid = training::user_of_run(run.folder); !pid.empty()) {
    throw Refusal{409, "process " + pid + " works on this run"};
  }
  std::vector<std::string> words = program_;
  words.insert(words.end(), {"train", "--run", run.folder.string()});
  for (const std::string& word : limits(asked, list_.progress(run))) words.push_back(word);
  job_.start(words, {{"name", run.name}, {"folder", run.folder.string()}});
}

}  // namespace app
