#include "training/store/assistant.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/errors.h"
#include "base/hash.h"
#include "base/json.h"
#include "nn/weights.h"
#include "selfplay/game_store.h"
#include "selfplay/shared_store.h"
#include "training/run/run_games.h"
#include "training/student/student.h"

namespace training {
namespace {

namespace fs = std::filesystem;
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

void require_same_config(Team& team, const RunConfig& config) {
  try {
    team.require_equal(base::fnv1a(to_toml(config, /*with_help=*/false)));
  } catch (const base::EnvironmentError&) {
    throw base::InputError("the learners' configs differ: expected the same command for all");
  }
}

// An assistant's own learner and windows.
class Assistant {
 public:
  Assistant(const RunConfig& config, const RunOptions& options)
      : config_(config),
        options_(options),
        team_(meet(*options.team)),
        learner_(make_learner(config.network, config.learner, options.device, options.threads,
                              static_cast<std::uint64_t>(config.run.seed), team_.get())) {
    require_same_config(*team_, config);
    spdlog::info("learner {} of {}", team_->rank(), team_->size());
  }

  void run() {
    for (;;) {
      const json told = base::parse(team_->share(""));
      const std::string what = told.at("what");
      if (what == "end") return;
      what == "start" ? start(told) : train(told);
    }
  }

 private:
  void start(const json& told) {
    if (!store_) {
      store_ = selfplay::open_shared_store(
          {.url = *options_.store,
           .try_again = [this](const std::string&) { return !options_.stopped(); }});
      run_ = store_->find_run(fs::weakly_canonical(options_.folder).filename().string());
    }
    learner_->restore(weights_of(team_->share("")));
    windows_.emplace(config_);
    games_.emplace(config_, options_.folder, selfplay::GameStore(store_->games(run_)),
                   windows_->learned, windows_->held_out);
    last_game_ = told.at("last_game");
    games_->restore(last_game_, told.at("targets"), told.at("held_out_targets"));
  }

  void train(const json& told) {
    for (selfplay::GameRecord& game : games_->stored_after(last_game_)) {
      last_game_ = std::max(last_game_, game.id);
      games_->add(std::move(game));
    }
    learner_->scale_learning_rate(told.at("scale"));
    learner_->use_mixed_precision(told.at("mixed"));
    learner_->train(windows_->learned, told.at("steps"), told.at("progress"), options_.stop);
  }

  RunConfig config_;
  RunOptions options_;
  std::unique_ptr<Team> team_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<selfplay::SharedStore> store_;
  selfplay::SharedRun run_;
  std::optional<ReplayWindows> windows_;
  std::optional<RunGames> games_;
  std::int64_t last_game_ = 0;
};

}  // namespace

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

void assist(const RunConfig& config, const RunOptions& options) {
  Assistant(config, options).run();
}

}  // namespace training
