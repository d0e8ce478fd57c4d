#pragma once
// The part of the page's API that asks a network about the game.

#include <filesystem>
#include <string>
#include <vector>

#include "app/web/background_job.h"
#include "app/web/run_list.h"
#include "app/web/web_request.h"

namespace app {

// All functions may be called by any thread.
//
//   GET    /studies          what can be asked of whom, and the study that was started here
//   GET    /studies/SUBJECT  the answers so far (training::report_data); studies: {} before any
//   POST   /studies/SUBJECT  starts a study: study (advantage or scoring), games, simulations,
//                            and for scoring table (changes) and fair (a key)
//   DELETE /studies          stops it; the games that it has played are kept
class WebStudies {
 public:
  // As WebRuns.
  WebStudies(RunList& list, std::vector<std::string> program);

  // REQUIRES: the first word is "studies". Throws refusals and what bad input throws.
  WebReply handle(const std::string& method, const std::vector<std::string>& words,
                  const nlohmann::ordered_json& asked);
  // The study that was started here: name (of the subject), study, running, line and code; null
  // before the first.
  nlohmann::ordered_json job() const { return job_.described(); }

 private:
  // A network that can be asked: its name, where it lies, and where its answers lie.
  struct Subject {
    std::string name;
    std::filesystem::path network, answers;
  };
  // listed_networks(), the first is asked where nothing else is chosen.
  std::vector<Subject> subjects() const;
  void start(const Subject& subject, const nlohmann::ordered_json& asked);

  RunList& list_;
  const std::vector<std::string> program_;
  BackgroundJob job_;
};

}  // namespace app
