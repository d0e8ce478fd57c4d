#include "app/web/background_job.h"

#include "app/web/web_request.h"

namespace app {

void BackgroundJob::start(const std::vector<std::string>& words,
                          const nlohmann::ordered_json& about) {
  const std::lock_guard lock(mutex_);
  if (program_ && program_->is_running()) {
    throw Refusal{409, "one is under way, and only one runs at a time: stop it first"};
  }
  program_ = std::make_unique<ChildProgram>(words);
  about_ = about;
}

void BackgroundJob::stop() {
  const std::lock_guard lock(mutex_);
  if (!program_ || !program_->is_running())
    throw Refusal{409, "nothing runs that could be stopped"};
  program_->stop();
}

nlohmann::ordered_json BackgroundJob::described() const {
  const std::lock_guard lock(mutex_);
  if (!program_) return nullptr;
  nlohmann::ordered_json json = about_;
  json.erase("folder");
  const auto code = program_->code();
  json["running"] = !code;
  json["line"] = program_->last_line();
  json["code"] = code ? nlohmann::ordered_json(*code) : nlohmann::ordered_json();
  return json;
}

bool BackgroundJob::is_running(const char* key, const std::string& value) const {
  const std::lock_guard lock(mutex_);
  return program_ && program_->is_running() && about_.value(key, "") == value;
}

}  // namespace app
