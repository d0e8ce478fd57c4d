#include "training/page/report.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/files.h"
#include "base/json.h"
#include "base/stopwatch.h"
#include "rules/notation.h"
#include "selfplay/game_store.h"
#include "training/page/metrics.h"
#include "training/page/page_files.h"
#include "training/settings/run_config.h"

namespace training {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::int64_t kGamesShown = 6;
constexpr double kFraction = 0.02;  // of the time, that a page may take
constexpr double kPause_s = 60;     // after which it is written anyway

// A JSON file of the folder; null where it is missing.
ordered_json read_json(const fs::path& file) {
  if (!fs::exists(file)) return nullptr;
  ordered_json value = base::parse<ordered_json>(base::read_text(file));
  if (value.is_discarded()) throw base::InputError(file.string() + ": expected JSON");
  return value;
}

// The answers that studies left in the folder, by the studies' names.
std::map<std::string, ordered_json> answers_in(const fs::path& folder) {
  std::map<std::string, ordered_json> answers;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".json") continue;
    ordered_json answer = read_json(entry);
    if (answer.contains("study")) answers[entry.path().stem().string()] = std::move(answer);
  }
  return answers;
}

ordered_json show_game(const selfplay::GameRecord& game) {
  ordered_json fens, moves, san;
  const std::vector<rules::Position> positions = selfplay::replay(game);
  for (const auto& position : positions) fens.push_back(position.to_fen());
  for (std::size_t i = 0; i < game.plies.size(); ++i) {
    moves.push_back(rules::to_uci(game.plies[i].played));
    san.push_back(rules::to_san(positions[i], game.plies[i].played));
  }
  const double points = game.table.white_points(game.outcome);
  const std::string result = fmt::format("{:.2f} : {:.2f}, {}, by {}", points, 10 - points,
                                         rules::name(game.outcome), selfplay::name(game.ended));
  return {{"id", game.id},
          {"title", fmt::format("{}, generation {}: {}", game.id, game.generation, result)},
          {"result", result},
          {"fens", std::move(fens)},
          {"moves", std::move(moves)},
          {"san", std::move(san)}};
}

// The program and device of the run's last start, in a line.
std::string subtitle(ordered_json run) {
  const bool listed = run.is_object() && run.contains("starts") && run["starts"].is_array();
  if (listed && !run["starts"].empty()) run = ordered_json(run["starts"].back());
  std::string text;
  for (const char* key : {"program_version", "git_revision", "libtorch_version", "device"}) {
    if (!run.is_object() || !run.contains(key)) continue;
    const auto& value = run[key];
    text += (text.empty() ? "" : " · ") + std::string(key) + " " +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

ordered_json newest_games(const selfplay::GameStore& store) {
  ordered_json games = ordered_json::array();
  store.visit({.last = kGamesShown}, [&](const selfplay::GameRecord& game) {
    games.insert(games.begin(), show_game(game));
    return true;
  });
  return games;
}

}  // namespace

ordered_json newest_games(const fs::path& run_dir) {
  if (!fs::exists(run_dir / selfplay::kGamesFile)) return ordered_json::array();
  return newest_games(
      selfplay::GameStore(run_dir / selfplay::kGamesFile, selfplay::StoreMode::kRead));
}

ordered_json report_data(const fs::path& folder, const selfplay::GameStore* games) {
  const bool is_run = has_run(folder);
  const auto studies = answers_in(is_run ? folder / "studies" : folder);
  if (!is_run && studies.empty()) {
    throw base::InputError(folder.string() +
                           " is no run folder: it has no config.toml (nor a study's answer)");
  }
  ordered_json data;
  data["studies"] = studies;
  data["name"] = run_name(folder);
  data["is_run"] = is_run;
  data["subtitle"] = subtitle(read_json(folder / "run.json"));
  data["metrics"] = read_metrics(folder);
  data["ratings"] = read_json(folder / "ratings.json");
  data["games"] = games ? newest_games(*games) : newest_games(folder);
  data["config"] = base::read_text(folder / kConfigFile);
  return data;
}

fs::path write_report(const fs::path& folder, const selfplay::GameStore* games) {
  base::write_text(folder / "report.html",
                   filled_page(report_page(), {"base.css", "run.css"}, report_data(folder, games)));
  return folder / "report.html";
}

void LivePage::write(const selfplay::GameStore& games) {
  const double pause_s = base::seconds_since(written_);
  if (seconds_ > kFraction * pause_s && pause_s < kPause_s) return;
  const auto began = std::chrono::steady_clock::now();
  try {
    write_report(run_, &games);
  } catch (const base::InputError& error) {
    spdlog::warn("no report: {}", error.what());
  }
  written_ = std::chrono::steady_clock::now();
  seconds_ = base::seconds_since(began);
}

}  // namespace training
