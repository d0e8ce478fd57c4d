#include "app/study.h"

#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/machine.h"
#include "app/paths.h"
#include "app/players.h"
#include "app/program.h"
#include "app/progress.h"
#include "base/errors.h"
#include "base/files.h"
#include "nn/device.h"
#include "selfplay/network_evaluator.h"
#include "training/replay_window.h"
#include "training/report.h"
#include "training/run_config.h"

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr int kGamesAtOnce = 64, kGamesAtOnceOnGpu = 512;  // in each thread

// The run folder that the network belongs to, if any.
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

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

fs::path study_folder(const StudyOptions& asked, const fs::path& network) {
  if (!asked.out.empty()) {
    require_no_run(asked.out);
    return asked.out;
  }
  const auto run = run_of(network);
  return run ? *run / "studies" : fs::path("studies") / study_name(network);
}

Study::Study(const StudyOptions& asked, const CommonOptions& common)
    : asked_(asked),
      common_(common),
      source_(asked.net.empty() ? default_network() : fs::path(asked.net)),
      device_(nn::resolve_device(common.device)),
      batch_(device_.starts_with("cuda") ? kGamesAtOnceOnGpu : kGamesAtOnce) {
  take(source_);
  name_ = study_name(source_);
  folder_ = study_folder(asked, source_);
}

rules::RuleSet Study::rules() const {
  return common_.rules ? common_.rule_set() : network_->repertoire.first();
}

void Study::take(const fs::path& network) {
  network_ = std::make_shared<const nn::NetworkFile>(load_network(network.string()));
  if (common_.rules) require_rules(*network_, network.string(), common_.rule_set());
  player_ = nn::fingerprint(network_->weights);
  playing_.emplace(network_->config, network_->weights,
                   nn::InferenceOptions{device_, nn::fastest_precision(*network_, device_), batch_,
                                        network_->repertoire});
}

studies::SelfGamesConfig Study::config(int simulations, const rules::ScoringTable& table) const {
  studies::SelfGamesConfig config;
  config.games = asked_.games;
  config.simulations = simulations;
  config.opening_plies = asked_.opening_plies;
  config.seed = common_.seed.value_or(1);
  config.seeds = asked_.seeds;
  config.rules = rules();
  config.table = table;
  config.player = player_;
  config.precision = nn::name(playing_->options().precision);
  config.generation = static_cast<int>(network_->generation);
  config.threads = threads(common_);
  config.games_at_once = batch_;
  return config;
}

studies::EvaluatorFactory Study::evaluator() const {
  return [network = *playing_] {
    nn::use_one_torch_thread();
    return std::make_unique<selfplay::NetworkEvaluator>(network);
  };
}

std::vector<selfplay::GameRecord> Study::games(const studies::SelfGamesConfig& config) {
  using Clock = std::chrono::steady_clock;
  if (!store_) {
    base::make_folder(folder_);
    store_ =
        std::make_unique<selfplay::GameStore>(folder_ / "games.db", selfplay::StoreMode::kWrite);
  }
  Progress progress;
  const auto began = Clock::now();
  return studies::self_games(
      config, evaluator(), *store_,
      [&](const studies::SelfGamesProgress& so_far) {
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        progress.show(fmt::format(
            "generation {}, {} simulations, table {}: {} of {} games, {:.0f} plies/s, "
            "about {} to go",
            config.generation, config.simulations, config.table.to_changes(config.rules.table()),
            so_far.done, so_far.games, static_cast<double>(so_far.plies) / seconds,
            duration(so_far.seconds_left(seconds))));
      },
      stop_flag());
}

std::vector<selfplay::GameRecord> Study::unseen(const fs::path& folder) const {
  const bool run = is_run(folder);
  training::LearnerConfig learner;
  if (run) learner = training::load_run_config(folder).learner;
  const selfplay::GameStore store(folder / "games.db", selfplay::StoreMode::kRead);
  std::vector<selfplay::GameRecord> games;
  store.for_each({}, [&](const selfplay::GameRecord& game) {
    if (!run || training::held_out(game, learner)) games.push_back(game);
    return true;
  });
  const auto most = static_cast<std::size_t>(asked_.games);
  if (games.size() > most) games.erase(games.begin(), games.end() - asked_.games);
  if (games.empty()) {
    throw base::InputError(folder.string() + ": has no game that a network has not learned from");
  }
  for (const selfplay::GameRecord& game : games) {
    require_rules(*network_, source_.string(), game.rules);
  }
  return games;
}

fs::path Study::write(const std::string& file, const std::string& text) const {
  return write_answer(folder_, file, text);
}

fs::path write_answer(const fs::path& folder, const std::string& file, const std::string& text) {
  base::make_folder(folder);
  base::write_text(folder / file, text);
  const fs::path whole = fs::weakly_canonical(folder);
  const bool of_a_run = whole.filename() == "studies" && is_run(whole.parent_path());
  return training::write_report(of_a_run ? whole.parent_path() : folder);
}

int print_answer(const CommonOptions& common, const nlohmann::ordered_json& answer,
                 const std::string& text, const fs::path& report) {
  if (common.json) {
    std::cout << answer.dump(2) << "\n";
  } else {
    std::cout << text << "report " << report.string() << "\n";
  }
  return kDone;
}

int stopped(const CommonOptions& common, const fs::path& folder) {
  if (common.json) {
    nlohmann::ordered_json answer{{"stopped", true}};
    if (!folder.empty()) answer["folder"] = folder.string();
    std::cout << answer << "\n";
  }
  std::cerr << (folder.empty() ? "stopped; nothing was written\n"
                               : "stopped; finished games are kept in " + folder.string() +
                                     "; run the same command to continue\n");
  return kInterrupted;
}

}  // namespace app
