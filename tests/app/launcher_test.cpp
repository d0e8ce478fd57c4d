// The launchers' shell code. What builds is not run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

#include "tests/app/process.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Runs these commands after build.sh was read for a program in this folder.
Finished after_build_sh(const std::string& root, const std::string& commands) {
  return run_program({"sh", "-c", "root=$1; . \"$2\"; build_key; preset=release; " + commands, "sh",
                      root, SHARPZERO_SOURCE "/scripts/build.sh"});
}
int build_sh(const std::string& root, const std::string& commands) {
  return after_build_sh(root, commands).code;
}

const std::string kBuild = fs::path(SHARPZERO_PROGRAM).parent_path().parent_path().string();

// Makes what a checkout has, without files.
void make_sources(const std::string& root) {
  for (const char* name :
       {"base", "rules", "tactics", "mcts", "nn", "selfplay", "arena", "training", "studies", "app",
        "cmake", "CMakeLists.txt", "CMakePresets.json", "build/release/CMakeFiles"}) {
    fs::create_directories(root + "/" + name);
  }
}

const std::string kUpToDate = "up_to_date release sharpzero";
const std::string kStamp = "printf '%s\\n' \"$key\" >\"$root/build/release/.sharpzero-built\"";

TEST(Launcher, AnAnswerOfAStudyIsNoSource) {
  const TemporaryFolder folder;
  const std::string root = folder / "root";
  make_sources(root);
  EXPECT_EQ(build_sh(root, kStamp), 0);
  const auto write_later = [&](const std::string& name) {
    folder.write("root/" + name, "");
    const auto later = fs::file_time_type::clock::now() + std::chrono::minutes(1);
    fs::last_write_time(root + "/" + name, later);
    fs::last_write_time(fs::path(root + "/" + name).parent_path(), later);
  };
  fs::create_directories(root + "/studies/chess_sharp");
  write_later("studies/chess_sharp/games.db");
  EXPECT_EQ(build_sh(root, kUpToDate), 0);
  write_later("studies/advantage.cpp");
  EXPECT_NE(build_sh(root, kUpToDate), 0);
}

TEST(Launcher, ABuildThatWasMovedIsOutOfDateAndItsCacheIsDropped) {
  const TemporaryFolder folder;
  const std::string here = folder / "here", there = folder / "there";
  make_sources(here);
  folder.write("here/build/release/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=" + here + "\n");
  EXPECT_NE(build_sh(here, kUpToDate), 0);
  EXPECT_EQ(build_sh(here, kStamp), 0);
  EXPECT_EQ(build_sh(here, kUpToDate), 0);
  EXPECT_EQ(build_sh(here, "drop_foreign_cache"), 0);
  EXPECT_TRUE(fs::exists(here + "/build/release/CMakeCache.txt"));

  fs::rename(here, there);
  EXPECT_NE(build_sh(there, kUpToDate), 0);
  EXPECT_EQ(build_sh(there, "drop_foreign_cache"), 0);
  EXPECT_FALSE(fs::exists(there + "/build/release/CMakeCache.txt"));
  EXPECT_FALSE(fs::exists(there + "/build/release/CMakeFiles"));
}

TEST(Launcher, TheWheelIsOneThatTheDriverRuns) {
  const auto is_chosen = [](const std::string& driver, const std::string& wheel) {
    return build_sh("/none", "choose_wheel '" + driver + "'; [ \"$wheel\" = '" + wheel + "' ]");
  };
  EXPECT_EQ(is_chosen("", "2.11.0"), 0);
  EXPECT_EQ(is_chosen("580", "2.11.0"), 0);
  EXPECT_EQ(is_chosen("579", "2.10.0"), 0);
  EXPECT_EQ(is_chosen("525", "2.10.0"), 0);
  EXPECT_EQ(is_chosen("470", ""), 0) << "Debian's, and a warning";
}

TEST(Launcher, TestRefusesAFolderThatIsNone) {
  const Finished finished = run_program({SHARPZERO_SOURCE "/test", "rules", "ruls"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(
      finished.error,
      HasSubstr(
          "'ruls': expected folders of base rules tablebase tactics mcts engine nn selfplay book arena training studies app python"));
}

// What `build` of build.sh would install and run for this stamp, and what it says.
std::string asked_by_a_build_for(const std::string& stamp, bool configured = false) {
  const TemporaryFolder folder;
  if (configured) {
    fs::create_directories(folder / "build/release");
    folder.write("build/release/CMakeCache.txt",
                 "CMAKE_HOME_DIRECTORY:INTERNAL=" + folder.path() + "\n");
  }
  const std::string asked = folder / "asked";
  const std::string note = "() { printf '%s\\n' \"$*\" >>'" + asked + "'; }; ";
  const Finished built =
      after_build_sh(folder.path(), "install_packages" + note + "cmake" + note +
                                        "choose_torch() { torch_folder=/none; }; build release " +
                                        stamp + " target");
  EXPECT_EQ(built.code, 0);
  EXPECT_EQ(std::ranges::count(built.error, '\n'), 1) << built.error;
  return read_file(asked) + built.error;
}

TEST(Launcher, EachBuildAsksForItsOwnLibrariesAlone) {
  const std::string program = asked_by_a_build_for("sharpzero");
  EXPECT_THAT(program, HasSubstr("libspdlog-dev"));
  EXPECT_THAT(program, Not(HasSubstr("libopenblas")));
  EXPECT_THAT(program, HasSubstr("-DSHARPZERO_NET=OFF"));
  EXPECT_THAT(program, Not(HasSubstr("TORCH")));
  EXPECT_THAT(asked_by_a_build_for("sharpzero", true), Not(HasSubstr("-DSHARPZERO")));  // as it was
  const std::string net = asked_by_a_build_for("sharpzero-net");
  EXPECT_THAT(net, HasSubstr("libopenblas0-openmp"));
  EXPECT_THAT(net, HasSubstr("-DSHARPZERO_TORCH=/none -DSHARPZERO_NET=ON\n"));
  EXPECT_THAT(net, HasSubstr("this needs LibTorch (/none): building sharpzero-net, once: some "));
  EXPECT_THAT(net, Not(HasSubstr("libgtest-dev")));
  const std::string tests = asked_by_a_build_for("tests");
  EXPECT_THAT(tests, HasSubstr("libgtest-dev libgmock-dev libbenchmark-dev"));
  EXPECT_THAT(tests, HasSubstr("-DSHARPZERO_NET=ON -DSHARPZERO_TESTS=ON"));
}

TEST(Launcher, ABuildThatNobodyWatchesTellsItsTenths) {
  const Finished told =
      after_build_sh("/none",
                     "printf '%s\\n' '-- [50%, so]' '[  3%, 1s] a' '[ 12%, 2s] 99% b' "
                     "'[ 19%, 3s] c' '[100%, 9s] d' | tell_tenths");
  EXPECT_EQ(told.error, "  [ 12%, 2s]\n  [100%, 9s]\n");
  EXPECT_EQ(std::ranges::count(told.out, '\n'), 5);
}

TEST(Launcher, TheProgramIsConfiguredWithoutLibTorchAndTheTestsLibraries) {
  const TemporaryFolder folder;
  const Finished configured = run_program({"cmake", "-S", SHARPZERO_SOURCE, "-B", folder.path(),
                                           "-G", "Ninja", "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON",
                                           "-DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON",
                                           "-DSHARPZERO_NET=OFF", "-DSHARPZERO_TORCH=/none"});
  EXPECT_EQ(configured.code, 0) << configured.error;
}

// A copy of `sharpzero` beside which no sharpzero-net lies.
class WithoutNet : public ::testing::Test {
 protected:
  WithoutNet() {
    fs::create_directories(fs::path(program_).parent_path());
    fs::copy_file(SHARPZERO_PROGRAM, program_);
  }

  Finished run(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), program_);
    return run_program(words, input);
  }

  const TemporaryFolder folder_;
  const std::string program_ = folder_ / "build/release/bin/sharpzero";
  const std::string network_ = SHARPZERO_SOURCE "/networks/chess_sharp-5x64.safetensors";
  const std::string nnue_ = SHARPZERO_SOURCE "/networks/nnue/chess_sharp.safetensors";
};

TEST_F(WithoutNet, WhatTheNnuePlaysWorks) {
  EXPECT_EQ(run({"perft", "--depth", "2"}).code, 0);
  const Finished engine = run({"uci", "--net", nnue_, "--threads", "1"}, "isready\ngo nodes 200\n");
  EXPECT_THAT(engine.out, HasSubstr("NNUE"));
  EXPECT_THAT(engine.out, HasSubstr("\nbestmove "));
  const Finished match =
      run({"match", "--a", nnue_ + ":nodes=50", "--b", "random", "--games", "2"});
  EXPECT_EQ(match.code, 0) << match.error;
  const Finished study = run(
      {"advantage", "--net", nnue_, "--games", "2", "--sims", "20", "--out", folder_ / "study"});
  EXPECT_EQ(study.code, 0) << study.error;
  const Finished page =
      run_program({"timeout", "-s", "INT", "2", program_, "serve", "--port", "0"});
  EXPECT_THAT(page.out, HasSubstr("\nhttp://")) << page.error;
}

TEST_F(WithoutNet, WhatNeedsLibTorchSaysSoInOneLine) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"bench"},
           {"match", "--a", network_, "--b", "random", "--opening-plies", "0"},
           {"uci", "--net", network_},
           {"serve", "--port", "0", "--net", network_},
           {"play", "--net", network_},
           {"advantage", "--net", network_, "--games", "2"},
           {"uci", "--device", "cuda"}}) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.code, 3);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.error, StartsWith("error: this needs LibTorch"));
    EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
  }
}

TEST_F(WithoutNet, ASessionThatHasBegunPlaysANetworkItself) {
  const Finished engine = run({"uci", "--net", nnue_, "--threads", "1"},
                              "setoption name Net value " + network_ + "\nisready\ngo nodes 4\n");
  EXPECT_THAT(engine.out, HasSubstr("fp32 on cpu"));
  EXPECT_THAT(engine.out, HasSubstr("\nbestmove "));
}

TEST_F(WithoutNet, ItsOwnLauncherIsAskedForTheRest) {
  const auto said = [&](const std::string& launcher, const std::vector<std::string>& words) {
    fs::permissions(folder_.write(launcher, "#!/bin/sh\necho \"$SHARPZERO_NEEDS_NET\" \"$@\"\n"),
                    fs::perms::owner_all);
    std::vector<std::string> all{"env", "SHARPZERO_LAUNCHER=" + (folder_ / launcher), program_};
    all.insert(all.end(), words.begin(), words.end());
    return run_program(all).out;
  };
  EXPECT_EQ(said("launcher", {"train", "--config", "a"}), "1 train --config a\n");
  EXPECT_EQ(said("launcher", {"perft", "--depth", "1"}), "32\n");
  EXPECT_EQ(said("build/launcher", {"train", "--config", "a"}), "") << "of another checkout";
}

// With programs that only note what they are asked.
TEST(GpuScript, AStageThatIsDoneIsNotRepeatedAndOneThatFailedIs) {
  const TemporaryFolder folder;
  const std::string fails = folder.write("fails", ""), asked = folder / "asked";
  const std::string program = "#!/bin/sh\necho \"$*\" >>'" + asked +
                              "'\ncase \"$*\" in *blocks=15*) [ ! -e '" + fails +
                              "' ] || { echo no memory >&2; exit 3; } ;; esac\necho done\n";
  for (const char* name : {"nn_tests", "training_tests", "sharpzero"}) {
    fs::permissions(folder.write(name, program), fs::perms::owner_all);
  }
  const auto run_script = [&] {
    return run_program({"env", "BIN=" + folder.path(), SHARPZERO_SOURCE "/scripts/gpu.sh",
                        "--device", "simulated", "--out", folder / "out", "tests", "bench-10x128",
                        "bench-15x192", "bench-20x256"});
  };
  const Finished first = run_script();
  EXPECT_EQ(first.code, 1);
  EXPECT_THAT(first.error, HasSubstr("out/bench-15x192.json"));
  EXPECT_THAT(first.out, HasSubstr("no memory"));
  EXPECT_EQ(read_file(folder / "out/bench-20x256.json"), "done\n");
  fs::remove(fails);
  fs::remove(asked);
  EXPECT_EQ(run_script().code, 0);
  const std::string again = read_file(asked);
  EXPECT_THAT(again, StartsWith("bench all --json --device simulated"));
  EXPECT_EQ(std::ranges::count(again, '\n'), 1);
}

TEST(Install, TheProgramFindsWhatWasInstalledWithIt) {
  const TemporaryFolder folder;
  const Finished installed =
      run_program({"cmake", "--install", kBuild, "--prefix", folder / "there"});
  ASSERT_EQ(installed.code, 0) << installed.error;
  const std::string program = folder / "there/bin/sharpzero";
  EXPECT_THAT(run_program({program, "--version"}).out, StartsWith("sharpzero "));
  EXPECT_EQ(run_program({program, "config", "--preset", "quick"}).code, 0);

  const std::string networks = folder / "there/share/sharpzero/networks/";
  fs::rename(networks + "nnue/chess_sharp.safetensors", networks + "nnue/moved.safetensors");
  const Finished engine = run_program(
      {"sh", "-c", "cd \"$1\" && printf 'isready\\ngo nodes 2\\n' | \"$2\" uci --threads 1", "sh",
       folder.path(), program});
  EXPECT_EQ(engine.code, 0) << engine.error;
  EXPECT_THAT(engine.out, HasSubstr("moved"));
  EXPECT_THAT(engine.out, HasSubstr("\nbestmove "));
}

}  // namespace
}  // namespace app
