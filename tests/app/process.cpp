#include "tests/app/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace app {
namespace {

using Clock = std::chrono::steady_clock;

// Starts the program with these descriptors as stdin, stdout and stderr.
int start(const std::vector<std::string>& arguments, int in, int out, int error) {
  std::vector<std::string> words{SHARPZERO_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int pid = ::fork();
  if (pid != 0) return pid;
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(in, 0);
  ::dup2(out, 1);
  if (error >= 0) ::dup2(error, 2);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

int wait_for(int pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Finished run(const std::vector<std::string>& arguments, const std::string& input) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", input);
  const int in_file = ::open(in.c_str(), O_RDONLY | O_CLOEXEC);
  const int out_file = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int error_file = ::open((folder / "error").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const auto begin = Clock::now();
  Finished finished;
  finished.code = wait_for(start(arguments, in_file, out_file, error_file));
  finished.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (const int file : {in_file, out_file, error_file}) ::close(file);
  finished.out = read_file(folder / "out");
  finished.error = read_file(folder / "error");
  return finished;
}

Running::Running(const std::vector<std::string>& arguments) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe2");
  }
  ::signal(SIGPIPE, SIG_IGN);
  pid_ = start(arguments, in[0], out[1], -1);
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
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

std::string Running::wait_line(const std::string& prefix, std::chrono::seconds timeout) {
  const auto deadline = Clock::now() + timeout;
  for (;;) {
    for (auto end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n')) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (line.starts_with(prefix)) return line;
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd ready{output_, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return "";
    char bytes[4096];
    const ssize_t got = ::read(output_, bytes, sizeof bytes);
    if (got <= 0) return "";
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
}

void Running::signal(int number) { ::kill(pid_, number); }

int Running::wait() {
  waited_ = true;
  return wait_for(pid_);
}

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "sharpzero-test-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), path_);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(*this / name, std::ios::binary) << text;
  return *this / name;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace app
