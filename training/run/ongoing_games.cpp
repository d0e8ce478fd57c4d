#include "training/run/ongoing_games.h"

#include <chrono>
#include <utility>

namespace training {

OngoingGames::OngoingGames(std::span<const std::unique_ptr<selfplay::SelfPlayWorker>> workers,
                           selfplay::GameSink store, selfplay::GenerateOptions options)
    : store_(std::move(store)), options_(std::move(options)) {
  options_.store_at_once = true;
  options_.halt = [this](std::int64_t plies, std::int64_t) {
    plies_ = plies;
    return halt_.load();
  };
  played_ = std::async(std::launch::async,
                       [this, workers] { return selfplay::generate(workers, store_, options_); });
}

OngoingGames::~OngoingGames() {
  halt_ = true;
  if (played_.valid()) played_.wait();
}

bool OngoingGames::running() const {
  return played_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

selfplay::WorkerStats OngoingGames::end() {
  halt_ = true;
  return played_.get();
}

}  // namespace training
