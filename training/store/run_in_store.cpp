#include "training/store/run_in_store.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <thread>

#include "base/errors.h"
#include "base/files.h"
#include "base/stopwatch.h"
#include "training/student/student_network.h"

namespace training {
namespace {

constexpr auto kArrivalPoll = std::chrono::milliseconds(200);

}  // namespace

RunInStore::RunInStore(const RunConfig& config, const RunOptions& options)
    : config_(config), stop_(options.stop) {
  const auto try_again = [this](const std::string& why) {
    if (!std::exchange(away_, true)) spdlog::warn("{}; trying again", why);
    return !stop_ || !stop_->load();
  };
  store_ = selfplay::open_shared_store({*options.store, try_again, /*make=*/true});
  run_ = store_->claim_run(run_name(options.folder), to_toml(config, /*with_help=*/false));
  spdlog::info("games and networks of run {} are in {}", run_.name, store_->name());
}

selfplay::GameStore RunInStore::games() { return selfplay::GameStore(store_->games(run_)); }

void RunInStore::publish(const std::filesystem::path& checkpoint, std::int64_t generation) {
  auto bytes = base::read_file(checkpoint / network_file(config_));
  if (!bytes) throw base::EnvironmentError(checkpoint.string() + ": cannot be read");
  store_->publish(run_, {generation, std::move(*bytes)}, config_.run.keep_checkpoints);
}

void RunInStore::take_in(std::int64_t generation, std::int64_t most_plies) {
  for (std::int64_t plies = 0; plies < most_plies;) {
    const auto done = store_->admit(
        run_, {config_.rules.repertoire(), static_cast<int>(generation)}, most_plies - plies);
    if (std::exchange(away_, false)) spdlog::info("{}: back", store_->name());
    if (done.refused > 0) {
      spdlog::warn("{} games of actors refused, the first because it is: {}", done.refused,
                   done.reason);
    }
    plies += done.plies;
    arrived_.games += done.games;
    arrived_.plies += done.plies;
    if (done.empty) return;
  }
}

void RunInStore::wait_for(const GamesWanted& wanted) {
  const auto began = std::chrono::steady_clock::now();
  for (;;) {
    const std::int64_t plies = store_->plies_after(run_, wanted.last_game);
    wanted.progress(plies);
    if (plies >= wanted.plies || wanted.halt()) break;
    take_in(wanted.generation, wanted.plies - plies);
    std::this_thread::sleep_for(kArrivalPoll);
  }
  waited_s_ += base::seconds_since(began);
}

void RunInStore::add_to(nlohmann::ordered_json& record) {
  const auto found = store_->status(run_.name);
  if (found.empty()) return;
  const auto& now = found.front();
  record["store"] = {{"actors", now.at("actors").size()},
                     {"queue", now.at("queue")},
                     {"refused", now.at("refused")},
                     {"waited_s", std::exchange(waited_s_, 0)}};
}

}  // namespace training
