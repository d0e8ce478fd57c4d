#include "app/web/web_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "app/play/backend.h"
#include "app/web/web_api.h"
#include "mcts/evaluator.h"
#include "tests/temporary_folder.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

// Takes the place of `sharpzero`: "makes" the run that it is asked for, and works until it is
// stopped. Of a study it does nothing but say so.
const std::vector<std::string> kFakeProgram{
    "sh", "-c",
    "trap 'echo saved; exit 130' INT; if [ $1 = --config ]; then mkdir -p \"$4\"; : > "
    "\"$4/config.toml\"; fi; echo \"does $0 $*\"; while :; do sleep 0.02; done"};

class WebRunsTest : public ::testing::Test {
 protected:
  WebReply post(const std::string& path, const std::string& body = "") {
    return api_.handle("POST", path, body);
  }
  WebReply get(const std::string& path) { return api_.handle("GET", path, ""); }
  void add_run(const fs::path& folder, int generations) {
    fs::create_directories(folder);
    std::ofstream(folder / "config.toml") << "[run]\n";
    std::ofstream metrics(folder / "metrics.jsonl");
    for (int i = 1; i <= generations; ++i) {
      metrics << R"({"generation": )" << i << R"(, "elapsed_s": 60.5, "games": 7})"
              << "\n";
    }
  }
  // Whether it becomes true soon.
  static bool soon(const std::function<bool()>& holds) {
    for (int i = 0; i < 600 && !holds(); ++i) std::this_thread::sleep_for(50ms);
    return holds();
  }
  ordered_json training() { return get("/runs").json["training"]; }

  const TemporaryFolder temporary_;
  const fs::path runs_ = fs::path(temporary_.path()) / "runs";
  WebSettings settings_ = [this] {
    WebSettings settings;
    settings.runs = runs_;
    settings.run = fs::path(temporary_.path()) / "other" / "tiny";
    settings.program = kFakeProgram;
    settings.most_watchers = 1;
    return settings;
  }();
  WebApi api_{settings_,
              [](const Opponent&) {
                return Backend{
                    tree_engine([] { return std::make_unique<mcts::HashEvaluator>(3); }, 1),
                    "a test"};
              },
              {.threads = 1, .hash_mib = 16}};
};

TEST_F(WebRunsTest, ListsRunsByNamesThatAreNoPaths) {
  add_run(settings_.run, 2);
  add_run(runs_ / "tiny", 3);
  fs::create_directories(runs_ / "no_run");
  const ordered_json runs = get("/runs").json["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0]["name"], "tiny");
  EXPECT_EQ(runs[0]["generation"], 2);
  EXPECT_EQ(runs[1]["name"], "tiny (2)");
  EXPECT_EQ(runs[1]["generation"], 3);
  EXPECT_EQ(runs[1]["user"], "");
  EXPECT_EQ(get("/runs/tiny (2)").json["metrics"].size(), 3U);
  EXPECT_EQ(get("/runs/tiny/metrics/1").json["records"].size(), 1U);
  EXPECT_EQ(get("/runs/tiny/metrics/3").status, 400);
  for (const char* path : {"/runs/..", "/runs/../runs/tiny", "/runs/no_run", "/runs/.",
                           "/studies/..", "/runs/tiny/lock"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
}

TEST_F(WebRunsTest, StartsStopsAndContinuesOneRunAtATime) {
  add_run(settings_.run, 2);
  EXPECT_TRUE(training().is_null());
  EXPECT_EQ(post("/runs", R"({"config": "tiny", "generations": 4})").status, 201);
  EXPECT_TRUE(soon([&] { return !training()["line"].get<std::string>().empty(); }));
  EXPECT_THAT(training()["line"].get<std::string>(), HasSubstr("--generations 4"));
  EXPECT_EQ(post("/runs", R"({"config": "tiny"})").status, 409);
  EXPECT_EQ(post("/runs/tiny/continue").status, 409);
  EXPECT_EQ(post("/runs/tiny/stop").status, 409);  // of that name, but not the one started here
  EXPECT_EQ(post("/runs/tiny (2)/stop").status, 200);
  EXPECT_TRUE(soon([&] { return !training()["running"].get<bool>(); }));
  EXPECT_EQ(training()["code"], 130);
  EXPECT_EQ(training()["line"], "saved");
  EXPECT_EQ(post("/runs/tiny (2)/stop").status, 409);
  // All of a run's time is counted.
  EXPECT_EQ(post("/runs/tiny/continue", R"({"minutes": 5})").status, 200);
  EXPECT_TRUE(soon([&] { return training()["line"].get<std::string>().starts_with("does"); }));
  EXPECT_THAT(training()["line"].get<std::string>(), HasSubstr("--max-time 7m"));
}

TEST_F(WebRunsTest, AStudyIsAskedOneAtATime) {
  const ordered_json subjects = get("/studies").json["subjects"];
  // The NNUE and the network that come along: no run has one.
  ASSERT_EQ(subjects, (ordered_json{"chess_sharp", "chess_sharp-5x64"}));
  const std::string path = "/studies/" + subjects[0].get<std::string>();
  for (const char* wrong :
       {R"({"study": "calibration"})", R"({"study": "advantage", "games": 1})",
        R"({"study": "scoring", "table": "x=1"})", R"({"study": "scoring", "fair": "--json"})",
        R"({"study": "scoring", "table": "/etc/passwd"})", R"({"study": "scoring", "play": 1})"}) {
    EXPECT_EQ(post(path, wrong).status, 400) << wrong;
  }
  EXPECT_EQ(api_.handle("DELETE", "/studies", "").status, 409);
  const WebReply begun =
      post(path, R"({"study": "scoring", "games": 20, "table": "stalemate=2", "play": true})");
  ASSERT_EQ(begun.status, 201);
  EXPECT_TRUE(begun.json["study"]["running"].get<bool>());
  EXPECT_EQ(post(path, R"({"study": "advantage"})").status, 409);
  EXPECT_EQ(api_.handle("DELETE", "/studies", "").status, 200);
  EXPECT_TRUE(soon([&] { return !get("/studies").json["study"]["running"].get<bool>(); }));
}

TEST_F(WebRunsTest, WatchersAreToldWhatChanges) {
  std::vector<ordered_json> seen;
  std::vector<std::string> refused;
  const auto watch = [&](const SendEvent& send) {
    std::get<WebStream>(api_.open_stream("/watch", {}))(send);
  };
  watch([&](std::string_view, const ordered_json& data) {
    if (data.is_null()) return true;
    seen.push_back(data["runs"]);
    if (seen.size() == 1) add_run(runs_ / "one", 1);
    // One more than the most.
    watch([&](std::string_view, const ordered_json& said) {
      refused.push_back(said.value("error", ""));
      return true;
    });
    return seen.size() < 2;
  });
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].size(), 1U);
  EXPECT_EQ(seen[1].size(), 2U);
  EXPECT_THAT(refused.front(), HasSubstr("1 pages watch already"));
}

}  // namespace
}  // namespace app
