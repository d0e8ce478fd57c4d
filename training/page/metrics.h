#pragma once
// A run's measurements: one record a generation, in metrics.jsonl and as TensorBoard scalars.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/files.h"

namespace training {

inline constexpr const char* kMetricsFile = "metrics.jsonl";  // in a run's folder

// The records of a run folder's metrics.jsonl, in order; none where there is no file. A last line
// that a crash cut short is left out. Throws base::InputError naming file and line for any
// other line that is not a JSON object, and for one whose measures are of the wrong type.
std::vector<nlohmann::ordered_json> read_metrics(const std::filesystem::path& run_dir);

// A number of a record; 0 where there is none.
double number_of(const nlohmann::ordered_json& record, const char* key);

// Writes metrics.jsonl and metrics/events.out.tfevents.* of a run folder. Owned by one thread.
class Metrics {
 public:
  // Makes what is missing. Records of `next_generation` and later, which a killed run wrote after
  // its last checkpoint, are taken out. Throws base::EnvironmentError where disk or rights
  // fail, InputError where metrics.jsonl is damaged.
  Metrics(const std::filesystem::path& run_dir, std::int64_t next_generation);

  // One line in metrics.jsonl, on disk when this returns; every number in it is also a scalar at
  // step `generation`, tagged by group and key: "loss/policy_loss", "speed/evals_per_s", members of
  // an inner object or list as "match/elo/mean", "selfplay/outcomes/3".
  // REQUIRES: an object with the whole number "generation".
  void write(const nlohmann::ordered_json& record);
  // Adds members, which were measured later, to the record of a generation that was written; as
  // scalars they are at that generation's step, too. The file is written anew in the old one's
  // place.
  void add(std::int64_t generation, const nlohmann::ordered_json& members);

 private:
  void write_scalars(std::int64_t generation, const nlohmann::ordered_json& record);

  std::filesystem::path run_;
  std::unique_ptr<base::AppendFile> lines_;
  base::AppendFile events_;
};

}  // namespace training
