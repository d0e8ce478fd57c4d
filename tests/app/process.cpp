#include "tests/app/process.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace app {
namespace {

using Clock = std::chrono::steady_clock;

// Becomes the program. Does not return.
[[noreturn]] void become(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

// Starts the program with these descriptors as stdin, stdout and stderr.
int start(const std::vector<std::string>& words, int in, int out, int error) {
  const int pid = ::fork();
  if (pid != 0) return pid;
  ::dup2(in, 0);
  ::dup2(out, 1);
  if (error >= 0) ::dup2(error, 2);
  become(words);
}

std::vector<std::string> sharpzero(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), SHARPZERO_PROGRAM);
  return arguments;
}

int wait_for(int pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return status;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Whether the program has a handler of its own for the signal.
bool catches(int pid, int number) {
  std::istringstream status(read_file("/proc/" + std::to_string(pid) + "/status"));
  for (std::string word; status >> word;) {
    if (word != "SigCgt:") continue;
    std::uint64_t caught = 0;
    status >> std::hex >> caught;
    return (caught >> (number - 1) & 1) != 0;
  }
  return false;
}

}  // namespace

Finished run(const std::vector<std::string>& arguments, const std::string& input) {
  return run_program(sharpzero(arguments), input);
}

Finished run_program(const std::vector<std::string>& words, const std::string& input) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", input);
  const int in_file = ::open(in.c_str(), O_RDONLY | O_CLOEXEC);
  const int out_file = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int error_file = ::open((folder / "error").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const auto begin = Clock::now();
  Finished finished;
  finished.code = code_of(wait_for(start(words, in_file, out_file, error_file)));
  finished.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (const int file : {in_file, out_file, error_file}) ::close(file);
  finished.out = read_file(folder / "out");
  finished.error = read_file(folder / "error");
  return finished;
}

Running::Running(const std::vector<std::string>& arguments, Ends ends) {
  ::signal(SIGPIPE, SIG_IGN);
  ends == Ends::kPipes ? start_on_pipes(sharpzero(arguments))
                       : start_on_terminal(sharpzero(arguments));
}

void Running::start_on_pipes(const std::vector<std::string>& words) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe2");
  }
  pid_ = start(words, in[0], out[1], -1);
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

void Running::start_on_terminal(const std::vector<std::string>& words) {
  const winsize size{.ws_row = 40, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  pid_ = ::forkpty(&output_, nullptr, nullptr, &size);
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "forkpty");
  if (pid_ == 0) {
    ::setenv("TERM", "xterm-256color", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    ::unsetenv("NO_COLOR");
    become(words);
  }
  input_ = ::fcntl(output_, F_DUPFD_CLOEXEC, 0);
}

Running::~Running() {
  if (!waited_) {
    ::kill(pid_, SIGKILL);
    wait_for(pid_);
  }
  close_input();
  ::close(output_);
}

void Running::write(const std::string& text) {
  if (::write(input_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("the program does not read its input");
  }
}

void Running::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

bool Running::read_more(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  pollfd ready{output_, POLLIN, 0};
  if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
  char bytes[4096];
  const ssize_t got = ::read(output_, bytes, sizeof bytes);
  if (got <= 0) return false;
  buffer_.append(bytes, static_cast<std::size_t>(got));
  return true;
}

std::string Running::wait_line(const std::string& prefix, std::chrono::seconds timeout) {
  const auto deadline = Clock::now() + timeout;
  do {
    for (auto end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n')) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (line.starts_with(prefix)) return line;
    }
  } while (read_more(deadline));
  return "";
}

std::string Running::wait_text(const std::string& text, std::chrono::seconds timeout) {
  const auto deadline = Clock::now() + timeout;
  do {
    if (const auto at = buffer_.find(text); at != std::string::npos) {
      std::string found = buffer_.substr(0, at + text.size());
      buffer_.erase(0, found.size());
      return found;
    }
  } while (read_more(deadline));
  return "";
}

void Running::signal(int number) { ::kill(pid_, number); }

bool Running::wait_until_caught(int number, std::chrono::seconds timeout) const {
  const auto deadline = Clock::now() + timeout;
  while (!catches(pid_, number)) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

int Running::wait() {
  waited_ = true;
  const int status = wait_for(pid_);
  ended_by_signal_ = WIFSIGNALED(status);
  return code_of(status);
}

SideBySide::~SideBySide() {
  for (std::future<void>& check : checks_) check.get();
}

void SideBySide::add(std::function<void()> check) {
  checks_.push_back(std::async(std::launch::async, [this, check = std::move(check)] {
    free_.acquire();
    check();
    free_.release();
  }));
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<nlohmann::json> metrics_of(const std::string& run_folder) {
  std::vector<nlohmann::json> records;
  std::istringstream in(read_file(run_folder + "/metrics.jsonl"));
  for (std::string line; std::getline(in, line) && !in.eof();) {
    records.push_back(nlohmann::json::parse(line));
  }
  return records;
}

}  // namespace app
