#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
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

TEST(Serve, RefusesBadOptionsInOneLine) {
  EXPECT_THAT(run({"serve", "--host", "127.0.0.1"}).error, HasSubstr("expected --token too"));
  EXPECT_EQ(run({"serve", "--host", "127.0.0.1"}).code, 2);
  EXPECT_EQ(run({"serve", "--token", "short"}).code, 2);
  EXPECT_EQ(run({"serve", "--token", "with space and ;"}).code, 2);
  EXPECT_EQ(run({"serve", "--net", "/nonexistent"}).code, 2);
  EXPECT_EQ(run({"serve", "--port", "70000"}).code, 2);
  EXPECT_EQ(run({"serve", "--table", "impasse_equal=11"}).code, 2);
  const Finished nowhere = run({"serve", "--host", "192.0.2.1", "--token", "open-sesame"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_THAT(nowhere.error, HasSubstr("cannot listen on 192.0.2.1 port 8080"));
}

TEST(Serve, ThePageIsSmall) {
  std::uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(kSource + "/app/web")) {
    bytes += file.file_size();
  }
  EXPECT_GT(bytes, 10000U);
  EXPECT_LT(bytes, 400000U);
}

// Plays a whole game, one with the keyboard alone, analyses, moves sliders, loads and links.
TEST(Serve, ThePageWorksInABrowserAtAnyWidth) {
  if (run_program({"chromium", "--version"}).code != 0) GTEST_SKIP() << "no chromium here";
  Serving serving;
  for (const std::string width : {"1200", "390"}) {
    const Finished browser =
        run_program({"python3", kSource + "/tests/app/serve_page.py", serving.url(), width});
    ASSERT_EQ(browser.code, 0) << width << ": " << browser.out << browser.error;
    EXPECT_THAT(json::parse(browser.out)["faults"], IsEmpty()) << browser.out;
  }
}

}  // namespace
}  // namespace app
