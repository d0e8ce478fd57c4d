#include "app/named/paths.h"

#include <algorithm>
#include <vector>

#include "base/errors.h"
#include "base/program_files.h"
#include "book/book_file.h"
#include "training/settings/run_config.h"

namespace app {

namespace fs = std::filesystem;

namespace {

fs::path newest_network(const fs::path& folder) {
  fs::path newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(base::program_files() / folder, error)) {
    if (entry.path().extension() == ".safetensors" && entry.path() > newest) newest = entry.path();
  }
  if (newest.empty()) {
    throw base::InputError("no network comes with this program: expected --net");
  }
  return newest;
}

}  // namespace

fs::path default_network() { return newest_network("networks"); }

fs::path default_nnue() { return newest_network(fs::path("networks") / "nnue"); }

std::vector<fs::path> networks_that_come_along() {
  std::vector<fs::path> all;
  for (const auto& find : {default_nnue, default_network}) {
    try {
      all.push_back(find());
    } catch (const base::InputError&) {  // none of this kind
    }
  }
  return all;
}

std::vector<std::string> presets() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(base::program_files() / "configs", none)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

fs::path preset_file(const std::string& name) {
  const std::vector<std::string> known = presets();
  if (std::ranges::find(known, name) != known.end()) {
    return base::program_files() / "configs" / (name + ".toml");
  }
  std::string list;
  for (const auto& preset : known) list += " " + preset;
  throw base::InputError("--preset " + name + ": expected one of" + list);
}

fs::path config_file(const std::string& name) {
  std::error_code unreadable;
  const bool bare = name.find('/') == std::string::npos && !fs::is_regular_file(name, unreadable);
  const fs::path preset = base::program_files() / "configs" / (name + ".toml");
  return bare && fs::exists(preset, unreadable) ? preset : fs::path(name);
}

fs::path book_folder(const std::string& name) {
  const fs::path folder =
      name.empty() ? base::program_files() / "networks" / "book" : fs::path(name);
  if (book::has_book(folder)) return folder;
  if (name.empty()) return {};
  throw base::InputError(name + ": expected the folder of a book (sharpzero book --out)");
}

bool is_run(const fs::path& folder) {
  return fs::exists(folder / training::kConfigFile) && fs::exists(folder / "checkpoints");
}

std::optional<fs::path> run_of(const fs::path& network) {
  const fs::path whole = fs::weakly_canonical(network);
  for (const fs::path& folder : {whole, whole.parent_path().parent_path(),
                                 whole.parent_path().parent_path().parent_path()}) {
    if (is_run(folder)) return folder;
  }
  return std::nullopt;
}

std::string study_name(const fs::path& network) {
  const auto run = run_of(network);
  return run ? run->filename().string() : network.stem().string();
}

void require_no_run(const fs::path& folder) {
  if (!fs::exists(folder / training::kConfigFile)) return;
  throw base::InputError(folder.string() + ": the folder of a run: expected another --out");
}

}  // namespace app
