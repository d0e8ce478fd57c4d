#include "training/report.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "rules/notation.h"
#include "selfplay/errors.h"
#include "selfplay/game_store.h"
#include "training/assets.h"
#include "training/metrics.h"

namespace training {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::int64_t kGamesShown = 6;

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A JSON file of the run; null where it is missing.
ordered_json read_json(const fs::path& file) {
  if (!fs::exists(file)) return nullptr;
  ordered_json value = ordered_json::parse(read_text(file), nullptr, false);
  if (value.is_discarded()) throw selfplay::InputError(file.string() + ": expected JSON");
  return value;
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
  return {{"title", fmt::format("{}, generation {}: {}", game.id, game.generation, result)},
          {"result", result},
          {"fens", std::move(fens)},
          {"moves", std::move(moves)},
          {"san", std::move(san)}};
}

ordered_json newest_games(const fs::path& run_dir) {
  ordered_json games = ordered_json::array();
  if (!fs::exists(run_dir / "games.db")) return games;
  const selfplay::GameStore store(run_dir / "games.db", selfplay::StoreMode::kRead);
  store.for_each({.generation = {}, .last = kGamesShown}, [&](const selfplay::GameRecord& game) {
    games.insert(games.begin(), show_game(game));
    return true;
  });
  return games;
}

// What the machine was, in a line.
std::string subtitle(const ordered_json& run) {
  std::string text;
  for (const char* key : {"program_version", "git_revision", "libtorch_version", "device"}) {
    if (!run.is_object() || !run.contains(key)) continue;
    const auto& value = run[key];
    text += (text.empty() ? "" : " · ") + std::string(key) + " " +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

// JSON that may stand in a script element: there, '<' could end it.
std::string script_json(const ordered_json& value) {
  std::string out;
  for (const char c : value.dump(-1, ' ', false, ordered_json::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

// `page` with the comment /*NAME*/ replaced.
std::string fill(std::string_view page, const std::string& name, std::string_view content) {
  const std::string mark = "/*" + name + "*/";
  const std::size_t at = page.find(mark);
  std::string out(page.substr(0, at));
  out += content;
  out += page.substr(at + mark.size());
  return out;
}

}  // namespace

fs::path write_report(const fs::path& run_dir) {
  if (!fs::exists(run_dir / "config.toml")) {
    throw selfplay::InputError(run_dir.string() + " is no run folder: it has no config.toml");
  }
  ordered_json data;
  data["name"] = fs::absolute(run_dir).lexically_normal().filename().string();
  if (data["name"] == "") data["name"] = fs::absolute(run_dir).parent_path().filename().string();
  data["subtitle"] = subtitle(read_json(run_dir / "run.json"));
  data["metrics"] = read_metrics(run_dir);
  data["ratings"] = read_json(run_dir / "ratings.json");
  data["games"] = newest_games(run_dir);
  data["config"] = read_text(run_dir / "config.toml");
  // The data last: what it holds is not searched for marks.
  const std::string page =
      fill(fill(report_page(), "CHART_LIBRARY", chart_library()), "RUN_DATA", script_json(data));
  const fs::path path = run_dir / "report.html";
  const fs::path aside = run_dir / "report.html.new";
  std::ofstream out(aside, std::ios::binary);
  out << page << std::flush;
  std::error_code error;
  if (out) fs::rename(aside, path, error);
  if (!out || error) throw selfplay::EnvironmentError("cannot write " + path.string());
  return path;
}

}  // namespace training
