#include "training/page/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/errors.h"
#include "base/files.h"
#include "base/json.h"
#include "rules/outcome.h"
#include "training/page/event_file.h"

namespace training {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

double wall_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// The group under which TensorBoard shows a measure.
std::string_view group_of(std::string_view key) {
  constexpr std::array kLearning{"loss", "policy_floor", "learning_rate", "steps", "window"};
  if (key.starts_with("score_vs_") || key == "elo") return "match/";
  if (key.ends_with("_loss") || key.ends_with("_gap") ||
      std::ranges::find(kLearning, key) != kLearning.end()) {
    return "loss/";
  }
  return key.ends_with("_s") || key.starts_with("device_") || key.starts_with("cores_") ||
                 key.starts_with("rows_per_batch_") || key.ends_with("_per_h")
             ? "speed/"
             : "selfplay/";
}

// Returns what a record must have and has not; empty: nothing. A measure that is NaN is null.
std::string lacking(const ordered_json& record) {
  if (!record.is_object() || !record.contains("generation") ||
      !record["generation"].is_number_integer()) {
    return "a JSON object with a whole number \"generation\"";
  }
  for (const char* key :
       {"elapsed_s", "games", "positions", "evals", "loss", "policy_loss", "outcome_loss",
        "learning_rate", "points_white", "plies_mean", "games_per_h", "evals_per_s", "matches_s"}) {
    const auto found = record.find(key);
    const bool gap = found != record.end() && found->is_null() && key != std::string_view("games");
    if (found != record.end() && !found->is_number() && !gap) {
      return fmt::format("a number \"{}\"", key);
    }
  }
  const auto outcomes = record.find("outcomes");
  if (outcomes == record.end() || outcomes->is_null()) return "";
  const bool seven = outcomes->is_array() && outcomes->size() == std::size_t{rules::kOutcomes} &&
                     std::ranges::all_of(*outcomes, [](const auto& o) { return o.is_number(); });
  return seven ? "" : "seven numbers \"outcomes\"";
}

// Makes the folders, removes the records of `next_generation` and later (by a new file in the old
// one's place) and returns the path of metrics.jsonl.
fs::path prepare(const fs::path& run_dir, std::int64_t next_generation) {
  const fs::path path = run_dir / kMetricsFile;
  base::make_folder(run_dir / "metrics");
  std::string kept;
  for (const auto& record : read_metrics(run_dir)) {
    if (record.at("generation").get<std::int64_t>() < next_generation) kept += record.dump() + "\n";
  }
  if (!fs::exists(path) || fs::file_size(path) == kept.size()) return path;
  base::write_text(path, kept);
  return path;
}

fs::path new_event_file(const fs::path& run_dir) {
  return run_dir / "metrics" /
         ("events.out.tfevents." + std::to_string(static_cast<std::int64_t>(wall_time())) +
          ".sharpzero." + std::to_string(::getpid()));
}

}  // namespace

std::vector<ordered_json> read_metrics(const fs::path& run_dir) {
  const fs::path path = run_dir / kMetricsFile;
  base::require_plain_file(path);
  std::ifstream in(path, std::ios::binary);
  std::vector<ordered_json> records;
  std::string line;
  for (int number = 1; std::getline(in, line) && !in.eof(); ++number) {
    ordered_json record = base::parse<ordered_json>(line);
    const std::string where = path.string() + ":" + std::to_string(number) + ": ";
    if (const std::string what = lacking(record); !what.empty()) {
      throw base::InputError(where + "expected " + what);
    }
    if (!records.empty() && record["generation"] <= records.back()["generation"]) {
      throw base::InputError(where + "generation " + record["generation"].dump() +
                             ", expected one after " + records.back()["generation"].dump());
    }
    records.push_back(std::move(record));
  }
  return records;
}

double number_of(const ordered_json& record, const char* key) {
  const auto found = record.find(key);
  return found != record.end() && found->is_number() ? found->get<double>() : 0;
}

Metrics::Metrics(const fs::path& run_dir, std::int64_t next_generation)
    : run_(run_dir),
      lines_(std::make_unique<base::AppendFile>(prepare(run_dir, next_generation))),
      events_(new_event_file(run_dir)) {
  const double now = wall_time();
  events_.append(tfrecord(version_event(now)) + tfrecord(restart_event(now, next_generation)));
}

void Metrics::write(const ordered_json& record) {
  lines_->append(record.dump() + "\n");
  lines_->sync();
  write_scalars(record.at("generation"), record);
}

void Metrics::add(std::int64_t generation, const ordered_json& members) {
  std::string text;
  for (ordered_json& record : read_metrics(run_)) {
    if (record.at("generation") == generation) record.update(members);
    text += record.dump() + "\n";
  }
  const fs::path path = run_ / kMetricsFile;
  base::write_text(path, text);
  lines_ = std::make_unique<base::AppendFile>(path);
  write_scalars(generation, members);
}

void Metrics::write_scalars(std::int64_t generation, const ordered_json& record) {
  std::vector<Scalar> scalars;
  const ordered_json flat = record.flatten();
  for (const auto& [path, value] : flat.items()) {  // "/elo/mean"
    if (!value.is_number() || path == "/generation") continue;
    const std::string tag = path.substr(1);
    scalars.emplace_back(std::string(group_of(tag.substr(0, tag.find('/')))) + tag,
                         value.get<double>());
  }
  events_.append(tfrecord(scalars_event(wall_time(), generation, scalars)));
}

}  // namespace training
