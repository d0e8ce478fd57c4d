#include "training/student/team_lead.h"

#include <spdlog/spdlog.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/hash.h"
#include "base/json.h"

namespace training {
namespace {

using nlohmann::json;

// Weights as the bytes that all learners hash and read alike.
std::string bytes_of(const nn::Weights& weights) {
  json arrays = json::object();
  for (const auto& [name, array] : weights) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(array.values.data());
    arrays[name] = {{"shape", array.shape},
                    {"values", json::binary({bytes, bytes + array.values.size() * sizeof(float)})}};
  }
  const auto packed = json::to_cbor(arrays);
  return {packed.begin(), packed.end()};
}

}  // namespace

nn::Weights weights_of(const std::string& bytes) {
  nn::Weights weights;
  const json arrays = base::parse(bytes, json::input_format_t::cbor);
  for (const auto& [name, array] : arrays.items()) {
    const auto& values = array.at("values").get_binary();
    nn::Array& found = weights[name];
    found.shape = array.at("shape").get<std::vector<std::int64_t>>();
    found.values.resize(values.size() / sizeof(float));
    std::memcpy(found.values.data(), values.data(), values.size());
  }
  return weights;
}

std::unique_ptr<Team> join_team(const RunConfig& config, const RunOptions& options) {
  shard_count(config.learner, options.device, options.team->size);
  return meet(*options.team);
}

void require_same_config(Team& team, const RunConfig& config) {
  try {
    team.require_equal(base::fnv1a(to_toml(config, /*with_help=*/false)));
  } catch (const base::EnvironmentError&) {
    throw base::InputError("the learners' configs differ: expected the same command for all");
  }
}

TeamLead::TeamLead(Team& team, const RunConfig& config) : team_(team) {
  require_same_config(team, config);
  spdlog::info("learner 0 of {}", team.size());
}

TeamLead::~TeamLead() {
  try {
    team_.share(json{{"what", "end"}}.dump());
  } catch (const base::EnvironmentError& error) {
    spdlog::warn("{}", error.what());
  }
}

void TeamLead::start_from(const RunCounters& counters, const Learner& learner) {
  team_.share(json{{"what", "start"},
                   {"last_game", counters.last_game},
                   {"targets", counters.targets},
                   {"held_out_targets", counters.held_out_targets}}
                  .dump());
  team_.share(bytes_of(learner.state()));
}

void TeamLead::train(std::int64_t steps, double progress, const RunCounters& counters) {
  team_.share(json{{"what", "train"},
                   {"steps", steps},
                   {"progress", progress},
                   {"scale", counters.learning_rate_scale},
                   {"mixed", counters.mixed_precision}}
                  .dump());
}

}  // namespace training
