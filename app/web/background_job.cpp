#include "app/web/background_job.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "app/web/web_request.h"
#include "base/errors.h"
#include "base/spawn.h"

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

namespace {

constexpr std::size_t kLongestLine = 300;

}  // namespace

ChildProgram::ChildProgram(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw base::EnvironmentError(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  const int error = base::spawn(words, {.output = ends[1], .error = ends[1]}, pid_);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    throw base::EnvironmentError("cannot start " + words.front() + ": " + std::strerror(error));
  }
  listener_ = std::jthread([this, output = ends[0]] { listen(output); });
}

ChildProgram::~ChildProgram() {
  std::unique_lock lock(mutex_);
  const bool asked = asked_;
  lock.unlock();
  if (!asked) stop();  // asked twice, it would end without saving
}

void ChildProgram::stop() {
  const std::lock_guard lock(mutex_);
  asked_ = true;
  if (!code_) ::kill(pid_, SIGINT);
}

std::optional<int> ChildProgram::code() const {
  const std::lock_guard lock(mutex_);
  return code_;
}

std::string ChildProgram::last_line() const {
  const std::lock_guard lock(mutex_);
  return last_line_;
}

void ChildProgram::listen(int output) {
  std::array<char, 4096> bytes{};
  std::string line;
  for (;;) {
    const ssize_t count = ::read(output, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (const char c : std::string_view(bytes.data(), static_cast<std::size_t>(count))) {
      if (c != '\n') {
        if (line.size() < kLongestLine) line += c;
        continue;
      }
      const std::lock_guard lock(mutex_);
      if (!line.empty()) last_line_ = line;
      line.clear();
    }
  }
  ::close(output);
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {
  }
  const std::lock_guard lock(mutex_);  // the pid is ours until it is waited for
  int status = 0;
  ::waitpid(pid_, &status, 0);
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace app
