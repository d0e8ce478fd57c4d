#include "arena/engine_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/errors.h"
#include "base/spawn.h"

namespace arena {
namespace {

constexpr std::size_t kMaxLine = 1 << 20;
constexpr std::chrono::milliseconds kPatienceAtQuit{200};

[[noreturn]] void fail(const std::string& command, int error) {
  throw base::EnvironmentError("engine '" + command + "': " + std::strerror(error));
}

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  bool quoted = false;
  for (const char c : command) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c != '"') words.back() += c;
  }
  if (quoted) throw base::InputError("engine '" + std::string(command) + "': a quote is left open");
  if (words.empty()) throw base::InputError("engine: expected a command line");
  return words;
}

EngineProcess::EngineProcess(const std::string& command) {
  const std::vector<std::string> words = split_command(command);
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(command, errno);
  const int error = base::spawn(words, {.input = ends[1], .output = ends[1]}, pid_);
  close(ends[1]);
  socket_ = ends[0];
  if (error != 0) {
    close(socket_);
    fail(command, error);
  }
}

EngineProcess::~EngineProcess() {
  const auto deadline = Clock::now() + kPatienceAtQuit;
  write_line("quit", deadline);
  shutdown(socket_, SHUT_WR);
  while (read_line(deadline)) {
  }
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);  // it may have left its group
  waitpid(pid_, nullptr, 0);
  close(socket_);
}

bool EngineProcess::wait_for(short events, Clock::time_point deadline) const {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{socket_, events, 0};
    const int ready = poll(&entry, 1, left > 0 ? static_cast<int>(left) : 0);
    if (ready > 0) return true;
    if (ready == 0 && left <= 0) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool EngineProcess::write_line(std::string_view line, Clock::time_point deadline) {
  const std::string text = std::string(line) + '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count =
        send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
      return false;
    } else if (!wait_for(POLLOUT, deadline)) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> EngineProcess::read_line(Clock::time_point deadline) {
  for (;;) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (Clock::now() > deadline) return std::nullopt;  // a flood of lines is no answer either
      return line;
    }
    if (received_.size() > kMaxLine || !wait_for(POLLIN, deadline)) return std::nullopt;
    std::array<char, 4096> buffer;
    const ssize_t count = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return std::nullopt;
    if (count > 0) received_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace arena
