#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/process.h"

namespace app {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

const std::string kSource = SHARPZERO_SOURCE;

// A `serve` on a free port, until it is stopped or goes.
class Serving {
 public:
  explicit Serving(std::vector<std::string> more = {}) : process_(arguments(std::move(more))) {
    url_ = process_.wait_line("http://", 120s);
  }
  const std::string& url() const { return url_; }
  int stop() {
    process_.signal(SIGINT);
    return process_.wait();
  }

 private:
  static std::vector<std::string> arguments(std::vector<std::string> more) {
    more.insert(more.begin(), {"serve", "--port", "0"});
    return more;
  }
  Running process_;
  std::string url_;
};

Finished asked(const std::vector<std::string>& words) {
  std::vector<std::string> all{"python3", kSource + "/tests/app/serve_http.py"};
  all.insert(all.end(), words.begin(), words.end());
  return run_program(all);
}

TEST(Serve, AnswersAPersonAndRefusesStrangers) {
  Serving serving;
  ASSERT_THAT(serving.url(), HasSubstr("http://127.0.0.1:"));
  const Finished answers = asked({serving.url()});
  EXPECT_EQ(answers.code, 0) << answers.out << answers.error;
  EXPECT_EQ(serving.stop(), 130);
}

TEST(Serve, AHostNeedsATokenAndAsksEveryoneForIt) {
  Serving serving({"--host", "127.0.0.1", "--token", "open-sesame"});
  ASSERT_THAT(serving.url(), HasSubstr("/?token=open-sesame"));
  const Finished answers = asked({serving.url(), "open-sesame"});
  EXPECT_EQ(answers.code, 0) << answers.out << answers.error;
  EXPECT_EQ(serving.stop(), 130);
}

TEST(Serve, APortIsServedByOne) {
  Serving serving;
  const std::string port = serving.url().substr(serving.url().rfind(':') + 1);
  const Finished second = run({"serve", "--port", port.substr(0, port.find('/'))});
  EXPECT_EQ(second.code, 3);
  EXPECT_THAT(second.error, HasSubstr("cannot listen on 127.0.0.1 port "));
  EXPECT_EQ(serving.stop(), 130);
  Running third({"serve", "--port", port.substr(0, port.find('/'))});  // at once
  EXPECT_THAT(third.wait_line("http://", 120s), HasSubstr(":" + port));
}

TEST(Serve, AnAddressOfVersionSixStandsInBrackets) {
  if (!std::filesystem::exists("/proc/net/if_inet6")) GTEST_SKIP() << "no IPv6 here";
  SideBySide checks;
  for (const char* host : {"::1", "[::1]"}) {
    checks.add([host] {
      Serving serving({"--host", host, "--token", "open-sesame"});
      EXPECT_THAT(serving.url(), HasSubstr("http://[::1]:"));
      const Finished answers = asked({serving.url(), "open-sesame"});
      EXPECT_EQ(answers.code, 0) << answers.out << answers.error;
    });
  }
}

TEST(Serve, RefusesBadOptionsInOneLine) {
  SideBySide checks;
  const auto refused = [&](std::vector<std::string> words, int code, const std::string& what) {
    words.insert(words.begin(), "serve");
    checks.add([=] {
      const Finished finished = run(words);
      EXPECT_EQ(finished.code, code);
      EXPECT_THAT(finished.error, HasSubstr(what));
      EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
    });
  };
  refused({"--host", "127.0.0.1"}, 2, "expected --token too");
  refused({"--token", "short"}, 2, "--token");
  refused({"--token", "with space and ;"}, 2, "--token");
  refused({"--net", "/nonexistent"}, 2, "/nonexistent");
  refused({"--run", "/nonexistent"}, 2, "/nonexistent");
  refused({"--port", "70000"}, 2, "70000");
  refused({"--table", "impasse_equal=11"}, 2, "impasse_equal");
  refused({"--host", "192.0.2.1", "--token", "open-sesame"}, 3,
          "cannot listen on 192.0.2.1 port 8080");
}

TEST(Serve, ThePageIsSmall) {
  std::uintmax_t bytes = 0;
  for (const char* library : {SHARPZERO_CHART_LIBRARY, SHARPZERO_MARKED_LIBRARY})
    bytes += std::filesystem::file_size(library);
  for (const char* folder : {"/app/web/assets", "/training/page/assets"}) {
    for (const auto& file : std::filesystem::directory_iterator(kSource + folder)) {
      bytes += file.file_size();
    }
  }
  EXPECT_LT(bytes, 400000U);
}

// Whether a browser is here that the pages can be driven with. Where ./test has fetched axe-core,
// the scripts are told of it.
bool has_browser() {
  const std::string axe = kSource + "/.cache/axe-core/axe_core_python/axe.min.js";
  if (std::filesystem::exists(axe)) ::setenv("AXE", axe.c_str(), 1);
  return run_program({"chromium", "--version"}).code == 0;
}

// The script uses the pages at that width: all that it says is checked.
void expect_works(const std::string& script, const std::string& url, const std::string& width,
                  const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"python3", kSource + "/tests/app/" + script, url, width};
  words.insert(words.end(), more.begin(), more.end());
  const Finished browser = run_program(words);
  ASSERT_EQ(browser.code, 0) << width << ": " << browser.out << browser.error;
  EXPECT_THAT(json::parse(browser.out)["faults"], IsEmpty()) << browser.out;
  EXPECT_THAT(json::parse(browser.out)["barriers"], IsEmpty()) << browser.out;
}

// Plays a whole game, one with the keyboard alone, analyses, moves sliders, loads and links.
TEST(Serve, ThePageWorksInABrowserAtAnyWidth) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  Serving serving;
  SideBySide checks;
  for (const char* width : {"1200", "390"}) {
    checks.add([&serving, width] { expect_works("serve_page.py", serving.url(), width); });
  }
}

TEST(Serve, TheFindingsAreReadInABrowser) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  Serving serving;
  for (const char* width : {"1200", "390"}) {
    expect_works("serve_findings.py", serving.url(), width);
  }
}

// Starts a run, watches, stops and continues it to its end, and asks its network two questions; on
// the narrow page with the keyboard alone.
TEST(Serve, ARunIsTrainedAndAskedInABrowser) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  const TemporaryFolder runs;
  Serving serving({"--runs", runs.path()});
  for (const char* width : {"1200", "390"}) {
    expect_works("serve_run.py", serving.url(), width, {runs.path()});
  }
}

// Browses a book by mouse and, on the narrow page, by the keyboard alone: as a tab, and as the page
// that stands by itself.
TEST(Serve, ABookIsBrowsedInABrowser) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  const TemporaryFolder folder;
  const std::string book = folder / "book", file = folder / "book.html";
  ASSERT_EQ(
      run({"book", "--out", book, "--nodes", "400", "--positions", "80", "--html", file}).code, 0);
  Serving serving({"--book", book});
  SideBySide checks;
  for (const char* width : {"1200", "390"}) {
    checks.add([&serving, width] { expect_works("serve_book.py", serving.url() + "book", width); });
    checks.add([file, width] { expect_works("serve_book.py", "file://" + file, width); });
  }
}

// Writes a game of one's own, sees what is wrong with it, plays it and saves it, on the narrow page
// with the keyboard alone.
TEST(Serve, AGameOfOnesOwnIsWrittenInABrowser) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  Serving serving;
  SideBySide checks;
  for (const char* width : {"1200", "360"}) {
    checks.add([&serving, width] {
      const TemporaryFolder saved;
      expect_works("serve_rules.py", serving.url(), width, {saved.path()});
      const Finished told = run({"rules", "check", saved / "my_game.toml"});
      EXPECT_EQ(told.code, 0) << told.error;
      EXPECT_THAT(told.out, HasSubstr("Turned chess"));
      EXPECT_THAT(told.out, HasSubstr("two from rows 2 or 3"));
    });
  }
}

TEST(Serve, ARunThatItStartedEndsWithIt) {
  const TemporaryFolder runs;
  const std::string folder = runs / "tiny";
  Serving serving({"--runs", runs.path()});
  ASSERT_EQ(asked({serving.url(), "--start", "tiny"}).code, 0);
  const auto deadline = std::chrono::steady_clock::now() + 120s;
  while (metrics_of(folder).empty() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(100ms);
  }
  EXPECT_EQ(serving.stop(), 130);
  EXPECT_EQ(run({"games", "--run", folder}).code, 0);
  EXPECT_EQ(run({"train", "--run", folder}).code, 0);  // nobody works on it any more
  EXPECT_EQ(metrics_of(folder).size(), 3U);
}

}  // namespace
}  // namespace app
