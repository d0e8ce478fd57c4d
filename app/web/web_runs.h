#pragma once
// The part of the page's API that watches runs, and starts, stops and continues them.

#include <string>
#include <vector>

#include "app/web/background_job.h"
#include "app/web/run_list.h"
#include "app/web/web_request.h"

namespace app {

// All functions may be called by any thread.
//
//   GET  /runs                    the runs, the presets, and the run that was started here
//   POST /runs                    starts a run: config (a preset), minutes or generations
//   GET  /runs/NAME               what its report shows (training::report_data)
//   GET  /runs/NAME/metrics/N     its records after the first N
//   GET  /runs/NAME/games         its newest games
//   POST /runs/NAME/stop          it saves a checkpoint and ends
//   POST /runs/NAME/continue      minutes or generations: how many more than it has
class WebRuns {
 public:
  // `list` is borrowed. `program`: the words that `sharpzero` is started by, after which a command
  // follows.
  WebRuns(RunList& list, std::vector<std::string> program);

  // REQUIRES: the first word is "runs". Throws refusals and what bad input throws.
  WebReply handle(const std::string& method, const std::vector<std::string>& words,
                  const nlohmann::ordered_json& asked);
  // Lists the runs, each with name, generation, elapsed_s, games, user (the pid of whoever works on
  // it; empty: nobody) and is_ours; and tells what was started here.
  nlohmann::ordered_json overview();

 private:
  void start(const nlohmann::ordered_json& asked);
  void go_on(const ListedRun& run, const nlohmann::ordered_json& asked);

  RunList& list_;
  const std::vector<std::string> program_;
  BackgroundJob job_;
};

}  // namespace app
