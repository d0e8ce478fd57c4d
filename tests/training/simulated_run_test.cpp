// Whole runs on a simulated device.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/errors.h"
#include "nn/device_use.h"
#include "selfplay/game_store.h"
#include "tests/temporary_folder.h"
#include "training/bench/training_bench.h"
#include "training/page/metrics.h"
#include "training/run/run_loop.h"
#include "training/run/use_of_time.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kDevice = "simulated:launch_us=100,row_ns=2000,step_us=500";

RunConfig tiny(const std::vector<std::string>& more = {}) {
  std::vector<std::string> changes{"run.generations=3", "evaluation.every=2", "evaluation.games=4",
                                   "evaluation.final_games=4"};
  changes.insert(changes.end(), more.begin(), more.end());
  return load_config(fs::path(SHARPZERO_CONFIGS) / "tiny.toml", changes);
}

class SimulatedRun : public testing::Test {
 protected:
  RunEnd run(const std::string& name, const RunConfig& config, int threads,
             const std::string& device = kDevice) const {
    RunOptions options;
    options.folder = folder(name);
    options.device = device;
    options.threads = threads;
    return RunLoop(config, options).run();
  }
  std::vector<std::vector<std::byte>> games_of(const std::string& name) const {
    const selfplay::GameStore store(folder(name) / "games.db", selfplay::StoreMode::kRead);
    std::vector<std::vector<std::byte>> games;
    for (const auto& game : store.load(1, store.last_id())) games.push_back(encode(game));
    return games;
  }
  auto records_of(const std::string& name) const { return read_metrics(folder(name)); }
  fs::path folder(const std::string& name) const { return fs::path(temporary_.path()) / name; }

  TemporaryFolder temporary_;
};

// A generation asks for 800 plies, which take the device two thirds of a second, so that delays of
// a busy machine weigh little. Learning takes longer: what is played meanwhile are plies of the
// next generation, and no more than those are played.
TEST_F(SimulatedRun, GamesGoOnWhileItLearns) {
  ASSERT_EQ(run("run",
                tiny({"evaluation.every=0", "run.first_plies=800", "learner.batch=8",
                      "learner.shard_rows=8", "learner.reuse=2"}),
                2, "simulated:launch_us=20,row_ns=200000,step_us=40000"),
            RunEnd::kFinished);
  const auto records = records_of("run");
  ASSERT_EQ(records.size(), 3u);
  const int plies = records[2].at("plies");
  EXPECT_GT(plies, 3.4 * 800);
  EXPECT_LE(plies, 4 * 800 + 100) << "those of three generations, the next one's, and what is "
                                     "played while a session takes over from the one before";
  const auto plays_and_learns = [](const auto& record) {
    return record.contains("rows_per_batch_learning") && record["rows_per_batch_learning"] > 0;
  };
  EXPECT_TRUE(std::ranges::any_of(records, plays_and_learns)) << "no games while it learns";
  EXPECT_GT(records[2].at("games"), records[1].at("games"));
  std::set<std::uint64_t> seeds;
  const selfplay::GameStore store(folder("run") / "games.db", selfplay::StoreMode::kRead);
  for (const auto& game : store.load(1, store.last_id())) seeds.insert(game.seed);
  EXPECT_EQ(std::ssize(seeds), store.count());
  EXPECT_GE(store.count(), records[2].at("games"));
}

// A match has no end within a generation, and is played beside the next ones.
TEST_F(SimulatedRun, GamesGoOnWhileMatchesArePlayed) {
  const RunConfig config = tiny({"run.generations=5", "evaluation.games=2",
                                 "evaluation.final_games=0", "evaluation.simulations=30"});
  RunOptions options;
  options.folder = folder("run");
  options.device = kDevice;
  options.threads = 2;
  bool was_beside = false;  // the next generation was over before the result came
  options.progress = [&](const std::string&) {
    const auto records = records_of("run");
    was_beside = was_beside || (records.size() == 3 && !records[1].contains("score_vs_greedy"));
  };
  ASSERT_EQ(RunLoop(config, options).run(), RunEnd::kFinished);
  EXPECT_TRUE(was_beside);
  const auto records = records_of("run");
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[1]["score_vs_greedy"]["games"], 2);
  EXPECT_GT(records[1]["score_vs_greedy"]["evals"], 0);
  EXPECT_FALSE(records[2].contains("score_vs_greedy"));
  EXPECT_EQ(records[3]["score_vs_greedy"]["games"], 2);
  EXPECT_EQ(records[3]["score_vs_previous"]["games"], 2);
}

TEST_F(SimulatedRun, ItGoesOnWhereTheDeviceFailsNowAndThen) {
  ASSERT_EQ(run("run", tiny({"selfplay.games=64", "learner.batch=16"}), 1,
                "simulated:launch_us=20,row_ns=100,fail_every=40,memory_rows=16"),
            RunEnd::kFinished);
  EXPECT_EQ(records_of("run").size(), 3u);
}

TEST_F(SimulatedRun, OneWhoseDeviceHangsEndsAndKeepsItsGames) {
  const std::string hangs = "simulated:launch_us=20,row_ns=100,hang_after=2000,timeout_s=0.3";
  EXPECT_THROW(run("run", tiny({"run.generations=50", "evaluation.every=0"}), 2, hangs),
               nn::DeviceHungError);
  const auto games = games_of("run");
  ASSERT_GT(games.size(), 5u);
  const auto done = records_of("run").size();
  const int more = static_cast<int>(done) + 2;
  ASSERT_EQ(run("run", tiny({"run.generations=" + std::to_string(more)}), 2), RunEnd::kFinished);
  EXPECT_EQ(records_of("run").size(), done + 2);
  const auto after = games_of("run");
  ASSERT_GT(after.size(), games.size());
  EXPECT_TRUE(std::equal(games.begin(), games.end(), after.begin()));
}

TEST_F(SimulatedRun, EachGenerationSaysHowTheDeviceAndTheCoresWereUsed) {
  ASSERT_EQ(run("run", tiny(), 2), RunEnd::kFinished);
  const auto records = records_of("run");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].at("device_busy_games"), 0) << "no network plays the first games";
  for (const std::string part : {"games", "learning", "matches"}) {
    const auto& record = records[part == "matches" ? 2 : 1];
    for (const std::string key : {"device_busy_", "cores_busy_", "device_awaited_"}) {
      EXPECT_GT(record.at(key + part), 0) << key << part;
    }
    EXPECT_LE(record.at("device_busy_" + part), 1) << part;
    EXPECT_LT(record.at(part + "_part_s"), record.at("all_parts_s"));
  }
  // A worker works or waits; the thread that watches them works a little, too.
  EXPECT_LE(records[1].at("cores_busy_games").get<double>() +
                records[1].at("device_awaited_games").get<double>(),
            1.25);
  EXPECT_GE(records[1].at("rows_per_batch_games"), 1);
  EXPECT_LE(records[1].at("rows_per_batch_games"), 6) << "half of a thread's games";
  EXPECT_FALSE(records[0].contains("device_busy_matches"));
  EXPECT_TRUE(records[1].at("loss").is_null()) << "nothing is learned";
  EXPECT_GT(records[1].at("steps"), records[0].at("steps"));
  ASSERT_EQ(run("cpu", tiny({"run.generations=1"}), 2, "cpu"), RunEnd::kFinished);
  EXPECT_FALSE(records_of("cpu")[0].contains("device_busy_games"));
}

TEST_F(SimulatedRun, BenchMeasuresTheWholeLoop) {
  BenchSettings settings;
  settings.config = tiny();
  settings.threads = 2;
  EXPECT_THAT([&] { bench_pipeline(settings); },
              testing::ThrowsMessage<base::InputError>(HasSubstr("--device")));
  settings.device = kDevice;
  const auto figures = bench_pipeline(settings);
  // A generation's games may all be played while matches are: then the run waits for none.
  ASSERT_TRUE(figures.contains("device_busy_games"));
  for (const char* key : {"device_busy_learning", "device_busy_matches", "device_busy_all",
                          "cores_busy", "device_awaited"}) {
    ASSERT_TRUE(figures.contains(key)) << key;
    EXPECT_GT(figures.at(key), 0) << key;
    if (key != std::string("device_awaited")) {
      EXPECT_LE(figures.at(key), 1) << key;
    }
  }
  // The device works while checkpoints are written, too.
  EXPECT_LE(figures.at("games_part_s") * figures.at("device_busy_games") +
                figures.at("learning_part_s") * figures.at("device_busy_learning") +
                figures.at("matches_part_s") * figures.at("device_busy_matches"),
            1.01 * figures.at("all_parts_s") * figures.at("device_busy_all"));
}

TEST_F(SimulatedRun, BenchMeasuresGamesAndLearningTogether) {
  BenchSettings settings;
  settings.config = tiny();
  settings.threads = 2;
  settings.games = 8;
  settings.seconds = 0.8;
  EXPECT_THAT([&] { bench_beside(settings); },
              testing::ThrowsMessage<base::InputError>(HasSubstr("--device")));
  settings.device = "simulated:launch_us=2000,row_ns=0,step_us=2000";
  const BesideSpeed speed = bench_beside(settings);
  // One queue: the learner alone takes at most a step in 2 ms, and beside games waits for theirs.
  const double most = settings.config.learner.batch / 2e-3;
  EXPECT_GT(speed.positions_per_s, 0);
  EXPECT_LT(speed.positions_per_s, 0.75 * most);
  EXPECT_LE(speed.alone_positions_per_s, 1.05 * most);
  EXPECT_GT(speed.evals_per_s, 0);
  EXPECT_LT(speed.evals_per_s, speed.alone_evals_per_s);
}

TEST(UseOfTime, TellsThePartsApart) {
  UseOfTime use("simulated", 2);
  const auto work = [](int busy_ms, int idle_ms) {
    const auto begin = nn::DeviceClock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(busy_ms));
    nn::note_device_work(begin, nn::DeviceClock::now());
    nn::note_device_wait(begin);
    std::this_thread::sleep_for(std::chrono::milliseconds(idle_ms));
  };
  use.enter(UseOfTime::kGames);
  work(90, 10);
  use.enter(UseOfTime::kLearning);
  work(10, 90);
  use.enter(UseOfTime::kRest);
  nlohmann::ordered_json record;
  use.take(record);
  EXPECT_NEAR(record.at("device_busy_games").get<double>(), 0.9, 0.1);
  EXPECT_NEAR(record.at("device_awaited_games").get<double>(), 0.45, 0.05) << "of two threads";
  EXPECT_NEAR(record.at("device_busy_learning").get<double>(), 0.1, 0.1);
  EXPECT_NEAR(record.at("device_busy_all").get<double>(), 0.5, 0.1);
  EXPECT_FALSE(record.contains("device_busy_matches"));
  nlohmann::ordered_json next;
  use.take(next);
  EXPECT_FALSE(next.contains("device_busy_games")) << "each record has its own time";
}

}  // namespace
}  // namespace training
