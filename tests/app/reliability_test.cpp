// What may befall a run in the night. SHARPZERO_LONG_TESTS=1 makes the long form
// (docs/reliability.md has its figures).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/process.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;
using Clock = std::chrono::steady_clock;

bool long_form() { return std::getenv("SHARPZERO_LONG_TESTS") != nullptr; }

constexpr const char* kGenerations = "4";

std::vector<std::string> train(const std::string& run, const std::vector<std::string>& more = {},
                               const char* generations = kGenerations,
                               const std::string& device = "cpu",
                               const std::string& config = "tiny") {
  std::vector<std::string> arguments{"train", "--config",
                                     SHARPZERO_SOURCE "/configs/" + config + ".toml"};
  // Smaller yet: it is started some sixty times.
  for (const char* change :
       {"run.first_plies=2000", "run.plies_per_generation=500", "evaluation.every=2",
        "evaluation.games=2", "evaluation.final_games=2"}) {
    arguments.insert(arguments.end(), {"--set", change});
  }
  for (const std::string& word :
       {std::string("--run"), run, std::string("--generations"), std::string(generations),
        std::string("--threads"), std::string("2"), std::string("--device"), device}) {
    arguments.push_back(word);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string words(const std::vector<std::string>& arguments) {
  std::string line = SHARPZERO_PROGRAM;
  for (const std::string& word : arguments) line += " '" + word + "'";
  return line;
}

// A run's games as text, in the order of their ids.
std::vector<std::string> games_of(const std::string& run_folder) {
  const Finished listed = run({"games", "--run", run_folder, "--json"});
  EXPECT_EQ(listed.code, 0) << listed.error;
  std::vector<std::string> games;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) {
    const json game = json::parse(line);
    games.push_back(game["generation"].dump() + game["start_fen"].dump() + game["moves"].dump() +
                    game["outcome"].dump());
  }
  return games;
}

void expect_same_end(const std::string& one, const std::string& other) {
  const std::string checkpoint = std::string("/checkpoints/00000") + kGenerations;
  const bool is_nnue = fs::exists(one + checkpoint + "/nnue.safetensors");
  for (const char* file :
       {is_nnue ? "nnue.safetensors" : "network.safetensors", "trainer.safetensors"}) {
    const std::string path = checkpoint + "/" + file;
    ASSERT_FALSE(read_file(one + path).empty()) << path;
    EXPECT_TRUE(read_file(one + path) == read_file(other + path)) << path << " differs";
  }
  auto games = games_of(one), others = games_of(other);
  std::ranges::sort(games);
  std::ranges::sort(others);
  EXPECT_EQ(games, others);
  const auto records = metrics_of(one), other_records = metrics_of(other);
  ASSERT_EQ(records.size(), other_records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const char* key : {"generation", "games", "positions", "evals", "loss", "points_white"}) {
      EXPECT_EQ(records[i][key], other_records[i][key]) << key << " of generation " << i + 1;
    }
  }
}

// One run that nothing befalls, to which the others are compared.
class Night : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const Finished finished = run(train(whole()));
    ASSERT_EQ(finished.code, 0) << finished.error;
    seconds_ = finished.seconds;
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string whole() { return *folder_ / "whole"; }

  static inline TemporaryFolder* folder_ = nullptr;
  static inline double seconds_ = 0;  // that it took
  TemporaryFolder own_;
};

// --- killed ---

// Returns at the moment, or at once where it cannot come any more.
using Moment = std::function<void(Running& program, const std::string& run_folder)>;

// Until `holds`, at most so long.
template <class Condition>
bool wait_until(Condition&& holds, seconds timeout) {
  for (const auto deadline = Clock::now() + timeout; Clock::now() < deadline;) {
    if (holds()) return true;
    std::this_thread::sleep_for(microseconds(100));
  }
  return false;
}

bool writes_a_report(const std::string& run_folder) {
  std::error_code none;
  return std::ranges::any_of(fs::directory_iterator(run_folder, none), [](const auto& entry) {
    return entry.path().filename().string().starts_with("report.html.new");
  });
}

bool writes_a_checkpoint(const std::string& run_folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(run_folder + "/checkpoints", none)) {
    if (entry.path().extension() == ".tmp") return true;
  }
  return false;
}

// Kills a run again and again, and looks at what is left each time.
class Killer {
 public:
  Killer(std::string run_folder, double longest, std::string device = "cpu",
         std::string config = "tiny")
      : folder_(std::move(run_folder)),
        longest_(longest),
        device_(std::move(device)),
        config_(std::move(config)) {}

  // Starts the run, kills it at such a moment and checks its folder. False where it had ended.
  bool kill(int kind) {
    bool alive = true;
    {
      Running program(train(folder_, {}, kGenerations, device_, config_));
      wait_for(kind, program);
      std::this_thread::sleep_for(microseconds(std::uniform_int_distribution(0, 2000)(random_)));
      caught_[static_cast<std::size_t>(kind)] += kind == 1 && writes_a_checkpoint(folder_);
      program.signal(SIGKILL);
      alive = program.wait() == 128 + SIGKILL;
    }
    look();
    return alive;
  }
  int caught_in_a_checkpoint() const { return caught_[1]; }

 private:
  void wait_for(int kind, Running& program) {
    const std::string log = folder_ + "/games.db-wal";
    const auto size = [&log] {
      std::error_code none;
      const auto bytes = fs::file_size(log, none);
      return none ? std::uintmax_t{0} : bytes;
    };
    const auto before = size();
    switch (kind) {
      case 0:
        std::this_thread::sleep_for(
            std::chrono::duration<double>(std::uniform_real_distribution(0.0, longest_)(random_)));
        break;
      case 1:
        wait_until([this] { return writes_a_checkpoint(folder_); }, seconds(5));
        break;
      case 2:
        wait_until([&] { return size() > 0 && size() != before; }, seconds(5));
        break;
      default:  // the report is written after the last batch of a run that was asked to stop
        wait_until([&] { return size() > 0 && size() != before; }, seconds(20));
        program.signal(SIGTERM);
        wait_until([this] { return writes_a_report(folder_); }, seconds(5));
    }
  }

  void look() {
    if (!fs::exists(folder_ + "/run.json")) return;  // killed before anything was there
    EXPECT_TRUE(json::parse(read_file(folder_ + "/run.json")).contains("format_version"));
    EXPECT_EQ(run({"config", "--check", folder_ + "/config.toml"}).code, 0);
    const std::string report = read_file(folder_ + "/report.html");
    EXPECT_TRUE(report.empty() || report.find("</html>") != std::string::npos);
    metrics_of(folder_);  // throws where a whole line is no JSON
    if (!fs::exists(folder_ + "/games.db")) return;
    const auto now = games_of(folder_);
    ASSERT_GE(now.size(), games_.size());
    EXPECT_TRUE(std::equal(games_.begin(), games_.end(), now.begin())) << "a game was lost";
    EXPECT_EQ(std::set(now.begin(), now.end()).size(), now.size()) << "a game is there twice";
    games_ = now;
  }

  std::string folder_;
  double longest_;
  std::string device_, config_;
  std::mt19937 random_{1};
  std::vector<std::string> games_;
  std::array<int, 4> caught_{};
};

// By the names of the configs.
class EitherNight : public Night, public ::testing::WithParamInterface<const char*> {};

TEST_P(EitherNight, KilledAgainAndAgainItEndsAsIfNothingHadBeen) {
  const std::string config = GetParam();
  std::string unbroken = whole();
  double took = seconds_;
  if (config != "tiny") {
    unbroken = own_ / "whole";
    const Finished alone = run(train(unbroken, {}, kGenerations, "cpu", config));
    ASSERT_EQ(alone.code, 0) << alone.error;
    took = alone.seconds;
  }
  const int kills = long_form() ? 200 : 12;
  int done = 0, checkpoints = 0;
  for (int attempt = 0; done < kills; ++attempt) {
    ASSERT_LT(attempt, 10 * kills) << "the runs end before they can be killed";
    const std::string path = own_ / ("run" + std::to_string(attempt));
    Killer killer(path, took / 2, "cpu", config);
    while (done < kills && killer.kill(done % 4)) ++done;
    checkpoints += killer.caught_in_a_checkpoint();
    const Finished last = run(train(path, {}, kGenerations, "cpu", config));
    ASSERT_EQ(last.code, 0) << last.error;
    EXPECT_THAT(last.error, Not(HasSubstr("passed over")));
    expect_same_end(unbroken, path);
    if (HasFailure()) return;
  }
  std::cout << done << " kills, " << checkpoints << " of them within a checkpoint\n";
  EXPECT_GT(checkpoints, 0);
}

INSTANTIATE_TEST_SUITE_P(Student, EitherNight, ::testing::Values("tiny", "tiny-nnue"),
                         [](const auto& config) { return config.index == 0 ? "network" : "nnue"; });

// There games go on while it learns, and how they go depends on time.
TEST_F(Night, KilledOnADeviceItLosesNoFinishedGameAndGoesOn) {
  const std::string device = "simulated:launch_us=50,row_ns=1000,step_us=3000";
  const int kills = long_form() ? 200 : 12;
  for (int attempt = 0, done = 0; done < kills; ++attempt) {
    ASSERT_LT(attempt, 10 * kills) << "the runs end before they can be killed";
    const std::string path = own_ / ("run" + std::to_string(attempt));
    Killer killer(path, 0.4 + seconds_ / 4, device);
    while (done < kills && killer.kill(done % 4)) ++done;
    const Finished last = run(train(path, {}, kGenerations, device));
    ASSERT_EQ(last.code, 0) << last.error;
    EXPECT_THAT(last.error, Not(HasSubstr("passed over")));
    const auto records = metrics_of(path);
    ASSERT_EQ(std::to_string(records.size()), kGenerations);
    const auto games = games_of(path);
    EXPECT_GE(std::ssize(games), records.back()["games"]);
    if (HasFailure()) return;
  }
}

TEST_F(Night, ADeviceThatHangsEndsItWithCode3) {
  const std::string path = own_ / "run";
  const Finished hung =
      run(train(path, {}, kGenerations,
                "simulated:launch_us=20,row_ns=100,step_us=100,hang_after=400,timeout_s=0.5"));
  EXPECT_EQ(hung.code, 3) << hung.error;
  EXPECT_THAT(hung.error, HasSubstr("error: device simulated:launch_us=20"));
  EXPECT_THAT(hung.error, HasSubstr("no answer"));
  const auto games = games_of(path);
  ASSERT_FALSE(games.empty());
  const Finished after = run(train(path, {}, kGenerations, "simulated:launch_us=20,row_ns=100"));
  EXPECT_EQ(after.code, 0) << after.error;
  const auto now = games_of(path);
  ASSERT_GT(now.size(), games.size());
  EXPECT_TRUE(std::equal(games.begin(), games.end(), now.begin()));
}

// --- asked to stop ---

TEST_F(Night, SignalsSaveAndEndItInTime) {
  const std::string path = own_ / "run";
  std::mt19937 random(2);
  for (int i = 0; i < (long_form() ? 20 : 2); ++i) {
    Running program({"train", "--config", SHARPZERO_SOURCE "/configs/quick.toml", "--run", path,
                     "--set", "run.first_plies=6000", "--threads", "2", "--device", "cpu"});
    std::this_thread::sleep_for(
        std::chrono::duration<double>(std::uniform_real_distribution(1.0, 3.0)(random)));
    const auto asked = Clock::now();
    program.signal(i % 2 == 0 ? SIGINT : SIGTERM);
    EXPECT_EQ(program.wait(), 130);
    if (!SHARPZERO_SANITIZED) {
      EXPECT_LT(Clock::now() - asked, seconds(5));
    }
    EXPECT_THAT(read_file(path + "/report.html"), HasSubstr("</html>"));
  }
}

TEST_F(Night, ASecondCtrlCEndsItAtOnce) {
  Running program(train(own_ / "run", {"--set", "run.first_plies=100000000"}));
  ASSERT_TRUE(wait_until([this] { return fs::exists(own_ / "run/games.db-wal"); }, seconds(60)));
  program.signal(SIGINT);
  std::this_thread::sleep_for(milliseconds(2));
  const auto asked = Clock::now();
  program.signal(SIGINT);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_LT(Clock::now() - asked, seconds(SHARPZERO_SANITIZED ? 10 : 1));
}

// A shell that is hung up on sends the signal to its jobs too, so that it comes twice.
TEST_F(Night, AClosedTerminalStopsItLikeSigterm) {
  std::signal(SIGHUP, SIG_DFL);  // under nohup the child would inherit that it is ignored
  const std::string path = own_ / "run";
  Running program(train(path, {"--set", "run.first_plies=100000000"}));
  ASSERT_TRUE(wait_until([&] { return fs::exists(path + "/games.db-wal"); }, seconds(60)));
  program.signal(SIGHUP);
  program.signal(SIGHUP);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_THAT(read_file(path + "/report.html"), HasSubstr("</html>"));
}

TEST_F(Night, UnderNohupAClosedTerminalIsNothing) {
  const std::string path = own_ / "run";
  const Finished finished = run_program(
      {"sh", "-c",
       "trap '' HUP; " + words(train(path, {}, "2")) + " & n=0; until [ -e " + path +
           "/checkpoints/000001 ] || [ $n -gt 6000 ]; do sleep 0.01; n=$((n+1)); done; kill -HUP $!; wait $!; echo ended $?"});
  EXPECT_EQ(finished.out, "ended 0\n") << finished.error;
}

// --- no room, no right to write ---

// As where a quota is used up: no file of the process may grow beyond so many KiB.
Finished run_with_small_files(int kib, const std::vector<std::string>& arguments) {
  return run_program(
      {"sh", "-c",
       "trap '' XFSZ; ulimit -f " + std::to_string(2 * kib) + "; exec " + words(arguments)});
}

TEST_F(Night, AQuotaThatIsUsedUpNamesTheFileAndLosesNothing) {
  const std::vector<std::pair<int, std::string>> first_too_large{
      {4, "/config.toml"}, {30, "/games.db"}, {100, "/checkpoints/"}, {200, "/report.html"}};
  for (const auto& [kib, file] : first_too_large) {
    const std::string path = own_ / ("run" + std::to_string(kib));
    const Finished full = run_with_small_files(kib, train(path));
    EXPECT_EQ(full.code, 3) << kib << " KiB: " << full.error;
    EXPECT_THAT(full.error, HasSubstr("error: ")) << kib;
    EXPECT_THAT(full.error, HasSubstr(path + file)) << kib;
    EXPECT_THAT(full.error, HasSubstr("File too large")) << kib;
    const Finished after = run(train(path));
    ASSERT_EQ(after.code, 0) << kib << " KiB: " << after.error;
    expect_same_end(whole(), path);
  }
}

// A small file system of our own, where we may make one (root).
TEST_F(Night, AFullDiskAndAReadOnlyOneAreNamedAndLeftBehind) {
  if (run_program({"unshare", "-m", "true"}).code != 0) {
    GTEST_SKIP() << "making a file system needs root; the quota's test covers the same calls";
  }
  const std::string disk = own_ / "disk";
  fs::create_directory(disk);
  const std::string path = disk + "/run";
  const std::string command = words(train(path));
  const std::string script =
      own_.write("script", "mount -t tmpfs -o size=150k none " + disk + "\n" +  //
                               command + "; echo full $?\n" +                   //
                               "mount -o remount,size=50m " + disk + "\n" +     //
                               "mount -o remount,ro " + disk + "\n" +           //
                               command + "; echo read-only $?\n" +              //
                               SHARPZERO_PROGRAM + " games --run " + path + " >" + (own_ / "list") +
                               "; echo games $?\n" +  //
                               SHARPZERO_PROGRAM + " report --run " + path + "; echo report $?\n" +
                               "mount -o remount,rw " + disk + "\n" +  //
                               command + "; echo room $?\n" +          //
                               "cp -r " + path + " " + (own_ / "copy") + "\n");
  const Finished all = run_program({"unshare", "-m", "sh", script});
  EXPECT_THAT(all.out, HasSubstr("full 3\nread-only 3\ngames 0\nreport 3\nroom 0\n")) << all.error;
  EXPECT_THAT(all.error, HasSubstr(path));
  EXPECT_THAT(all.error, HasSubstr("No space left on device"));
  EXPECT_THAT(all.error, HasSubstr("Read-only file system"));
  expect_same_end(whole(), own_ / "copy");
}

// --- two at once ---

TEST_F(Night, TheSecondProcessIsToldTheFirstsPid) {
  const std::string path = own_ / "run";
  Running first(train(path, {"--set", "run.first_plies=100000000"}));
  ASSERT_TRUE(wait_until([&] { return fs::exists(path + "/games.db-wal"); }, seconds(60)));
  const Finished second = run(train(path));
  EXPECT_EQ(second.code, 3);
  EXPECT_THAT(second.error, HasSubstr("in use by process " + std::to_string(first.pid())));
  first.signal(SIGKILL);
  first.wait();
  EXPECT_EQ(run(train(path, {}, "1")).code, 0);  // its lock is no obstacle
}

// --- the machine changes ---

TEST_F(Night, SleepAndAClockThatJumpsChangeNothing) {
  const std::string path = own_ / "run";
  // A sanitizer must be loaded first itself.
  if (!SHARPZERO_SANITIZED) ::setenv("LD_PRELOAD", SHARPZERO_JUMPING_CLOCK, 1);
  Running program(train(path));
  ::unsetenv("LD_PRELOAD");
  for (int i = 0; i < 4; ++i) {  // put to sleep and woken
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_ / 6));
    program.signal(SIGSTOP);
    std::this_thread::sleep_for(milliseconds(100));
    program.signal(SIGCONT);
  }
  EXPECT_EQ(program.wait(), 0);
  expect_same_end(whole(), path);
  double last = 0;
  for (const json& record : metrics_of(path)) {
    EXPECT_GE(record["elapsed_s"], last);
    last = record["elapsed_s"];
  }
  EXPECT_LT(last, 3600);
}

TEST_F(Night, SettingsThatChangedAreTold) {
  const std::string path = own_ / "run";
  ASSERT_EQ(run(train(path, {}, "1")).code, 0);
  const Finished after = run(train(path, {"--set", "learner.batch=64"}, "2"));
  EXPECT_EQ(after.code, 0);
  EXPECT_THAT(after.error, HasSubstr("changed since: learner.batch = 64, was 32"));
}

}  // namespace
}  // namespace app
