#include "training/store/assistant.h"

#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json.h"
#include "selfplay/game_store.h"
#include "selfplay/shared_store.h"
#include "training/store/run_games.h"
#include "training/student/student.h"
#include "training/student/team_lead.h"

namespace training {
namespace {

using nlohmann::json;

// An assistant's own learner and windows.
class Assistant {
 public:
  Assistant(const RunConfig& config, const RunOptions& options)
      : config_(config),
        options_(options),
        team_(join_team(config, options)),
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
      run_ = store_->find_run(run_name(options_.folder));
    }
    learner_->restore(weights_of(team_->share("")));
    windows_.emplace(config_);
    games_.emplace(config_, options_.folder, selfplay::GameStore(store_->games(run_)),
                   windows_->learned, windows_->validation);
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

void assist(const RunConfig& config, const RunOptions& options) {
  Assistant(config, options).run();
}

}  // namespace training
